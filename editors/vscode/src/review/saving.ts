// Saves what an edit of the server has changed, as far as the setting `operator.saveAfterApply` says.
import * as vscode from 'vscode';
import type { WorkspaceEdit } from 'vscode-languageclient/node';

/** A document that an edit changes. */
export interface Changed {
    uri: string;
    /** Whether it had changes before that were not saved. */
    wasDirty: boolean;
}

type When = 'ifClean' | 'always' | 'never';

/** The documents that an edit changes, to be asked for before it is made. */
export function changedBy({ documentChanges = [] }: WorkspaceEdit): Changed[] {
    const changed = documentChanges.flatMap(change => {
        if ('textDocument' in change) {
            return [{ uri: change.textDocument.uri, wasDirty: isDirty(change.textDocument.uri) }];
        }
        return change.kind === 'rename' ? [{ uri: change.newUri, wasDirty: isDirty(change.oldUri) }] : [];
    });
    // What is moved and then edited is one file.
    return [...new Map(changed.reverse().map(one => [one.uri, one])).values()].reverse();
}

/** Saves them. Gives the names of those that are left with changes that are not saved. */
export async function saveChanged(changed: Changed[]): Promise<string[]> {
    const when = vscode.workspace.getConfiguration('operator').get<When>('saveAfterApply', 'ifClean');
    const left: string[] = [];
    for (const { uri, wasDirty } of changed) {
        const document = find(uri);
        // What was never saved has no file.
        if (document === undefined || document.isUntitled || !document.isDirty) {
            continue;
        }
        const isSaved = (when === 'always' || (when === 'ifClean' && !wasDirty)) && (await document.save());
        if (!isSaved) {
            left.push(vscode.workspace.asRelativePath(document.uri));
        }
    }
    return left;
}

function isDirty(uri: string): boolean {
    return find(uri)?.isDirty === true;
}

function find(uri: string): vscode.TextDocument | undefined {
    const wanted = vscode.Uri.parse(uri).toString();
    return vscode.workspace.textDocuments.find(document => document.uri.toString() === wanted);
}
