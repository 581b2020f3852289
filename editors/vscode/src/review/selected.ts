// Which row a list's own command is about.
//
// VS Code forgets the arguments of a row's command when the list is drawn again, and the Enter or click of
// that moment ends in "Actual command not found". The commands of our rows have no arguments: a selected
// row is known by its id, which stays.
import * as vscode from 'vscode';

/** How often it is asked, and after how long again: while a list is drawn again it has no rows. */
const [TRIES, PAUSE] = [20, 50];

/** The selected row. @throws where no row is selected any more. */
export function selected<T>(view: vscode.TreeView<T>): Promise<T> {
    return whenThere(() => view.selection.at(-1));
}

/**
 * The row that the keyboard is on: VS Code tells extensions what is selected, and the keys move the focus
 * alone. `id` is the id of a row. @throws where the keyboard is on none.
 */
export async function focused<T>(view: vscode.TreeView<T>, id: (row: T) => string | undefined): Promise<T> {
    const before = view.selection.at(-1);
    await vscode.commands.executeCommand('list.toggleSelection');
    return whenThere(() => {
        const after = view.selection.at(-1);
        // The selection goes to the row, or away from it where it was there.
        const row = after ?? before;
        const [from, to] = [before, after].map(one => one && id(one));
        return from === to ? undefined : row;
    });
}

async function whenThere<T>(row: () => T | undefined): Promise<T> {
    for (let tries = 1; ; tries += 1) {
        const found = row();
        if (found !== undefined) {
            return found;
        }
        if (tries === TRIES) {
            // To take another one instead would be to guess.
            throw new Error('the list has changed just now; choose again');
        }
        await new Promise(resolve => setTimeout(resolve, PAUSE));
    }
}
