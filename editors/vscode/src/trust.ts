// What is refused in a workspace that the user does not trust.
import * as vscode from 'vscode';

export const UNTRUSTED =
    'this workspace is not trusted, so nothing is applied. Trust it with the command "Workspaces: Manage Workspace Trust"';

/** Commands of the server that change nothing but the transcript. */
const HARMLESS = new Set([
    'operator.reject',
    'operator.reply',
    'operator.preview',
    'operator.prompt',
    'operator.applied',
    'operator.log',
    'operator.scan',
]);
/** The kinds of actions that change more than the transcript. */
const CHANGES = [
    'refactor.rewrite.operator.apply',
    'refactor.rewrite.operator.run',
    'refactor.rewrite.operator.undo',
    'source.operator.applyAll',
];

/** @throws where the command would change files in an untrusted workspace. */
export function checkTrust(command: string): void {
    if (!vscode.workspace.isTrusted && !HARMLESS.has(command)) {
        throw new Error(UNTRUSTED);
    }
}

/** Marks the actions that change files as not to be taken. */
export function disableUntrusted<A extends vscode.Command | vscode.CodeAction>(actions: A[]): A[] {
    if (!vscode.workspace.isTrusted) {
        for (const action of actions) {
            const kind = 'kind' in action ? action.kind?.value : undefined;
            if (kind !== undefined && CHANGES.some(change => kind.startsWith(change))) {
                (action as vscode.CodeAction).disabled = { reason: UNTRUSTED };
            }
        }
    }
    return actions;
}
