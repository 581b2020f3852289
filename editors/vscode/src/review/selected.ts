// Which row a list's own command is about.
//
// VS Code forgets the arguments of a row's command when the list is drawn again, and the Enter or click of
// that moment ends in "Actual command not found". The commands of our rows have no arguments: a selected
// row is known by its id, which stays.
import type * as vscode from 'vscode';

/** How often it is asked, and after how long again: while a list is drawn again it has no rows. */
const [TRIES, PAUSE] = [20, 50];

/** @throws where no row is selected any more. */
export async function selected<T>(view: vscode.TreeView<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
        const row = view.selection.at(-1);
        if (row !== undefined) {
            return row;
        }
        if (tries === TRIES) {
            // To take another one instead would be to guess.
            throw new Error('the list has changed just now; choose again');
        }
        await new Promise(resolve => setTimeout(resolve, PAUSE));
    }
}
