// Changes that must be confirmed, asked about as a whole.
//
// VS Code's own way is a list in which such changes are unticked: what is left unticked is left
// out, and the edit counts as made. A block is applied wholly or not at all, so it is asked here.
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { WorkspaceEdit } from 'vscode-languageclient/node';
import { question } from './words';

/** How many files a question names. */
const MOST_NAMED = 20;

/** What the server is told where the user has said no. */
export const NOT_CONFIRMED = 'it was not confirmed';

/** The edit with nothing left to confirm, or `undefined` where the user has said no. */
export async function confirmWhole(edit: WorkspaceEdit): Promise<WorkspaceEdit | undefined> {
    if (!asks(edit)) {
        return edit;
    }
    const [annotation] = Object.values(edit.changeAnnotations ?? {});
    const asked = question(annotation?.label ?? '');
    const [yes = asked] = asked.split(' ');
    const changes = allChanges(edit);
    const more = changes.length > MOST_NAMED ? [`and ${changes.length - MOST_NAMED} more`] : [];
    const list = [...changes.slice(0, MOST_NAMED), ...more].join('\n');
    const detail = [reasons(edit), list, 'All of it is done, or nothing.']
        .filter(part => part !== '')
        .join('\n\n');
    const chosen = await vscode.window.showWarningMessage(`${asked}?`, { modal: true, detail }, yes);
    return chosen === yes ? { ...edit, changeAnnotations: withoutQuestions(edit) } : undefined;
}

/** Why the user is asked, a sentence for each reason. */
export function reasons({ changeAnnotations = {} }: WorkspaceEdit): string {
    const asked = Object.values(changeAnnotations).filter(it => it.needsConfirmation === true);
    const said = asked.flatMap(({ description }) => (description === undefined ? [] : [sentence(description)]));
    return [...new Set(said)].join('\n');
}

/** Whether the user is to be asked about some change. */
function asks({ changeAnnotations = {} }: WorkspaceEdit): boolean {
    return Object.values(changeAnnotations).some(({ needsConfirmation }) => needsConfirmation === true);
}

/** Everything that an edit does, a line for each file. */
export function allChanges({ documentChanges = [] }: WorkspaceEdit): string[] {
    const created = new Set(documentChanges.flatMap(change => ('kind' in change && change.kind === 'create' ? [change.uri] : [])));
    return documentChanges.flatMap(change => {
        if ('textDocument' in change) {
            // The text of a new file comes as a change of it.
            return created.has(change.textDocument.uri) ? [] : [`change ${name(change.textDocument.uri)}`];
        }
        switch (change.kind) {
            case 'create':
                return [`create ${name(change.uri)}`];
            case 'delete':
                return [`delete ${name(change.uri)}`];
            case 'rename':
                return [`move ${name(change.oldUri)} to ${name(change.newUri)}`];
        }
    });
}

function sentence(text: string): string {
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function withoutQuestions({ changeAnnotations = {} }: WorkspaceEdit): NonNullable<WorkspaceEdit['changeAnnotations']> {
    const entries = Object.entries(changeAnnotations);
    return Object.fromEntries(entries.map(([id, annotation]) => [id, { ...annotation, needsConfirmation: false }]));
}

function name(uri: string): string {
    const { fsPath } = vscode.Uri.parse(uri);
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(uri));
    return folder === undefined ? fsPath : path.relative(folder.uri.fsPath, fsPath);
}
