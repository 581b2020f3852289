// Saves what an edit of the server has changed, as far as the setting `operator.saveAfterApply` says.
import * as vscode from 'vscode';
import type { Documents } from './saves';

type When = 'ifClean' | 'always' | 'never';

/** The documents of the editor. */
export const documents: Documents = {
    isDirty: uri => find(uri)?.isDirty === true,
    async save(changed) {
        const when = vscode.workspace.getConfiguration('operator').get<When>('saveAfterApply', 'ifClean');
        const left: string[] = [];
        for (const { uri, wasDirty } of changed) {
            const document = find(uri);
            // What was never saved has no file.
            if (document === undefined || document.isUntitled || !document.isDirty) {
                continue;
            }
            if (!(isWanted(when, wasDirty) && (await document.save()))) {
                left.push(vscode.workspace.asRelativePath(document.uri));
            }
        }
        return left;
    },
};

function isWanted(when: When, wasDirty: boolean): boolean {
    return when === 'always' || (when === 'ifClean' && !wasDirty);
}

function find(uri: string): vscode.TextDocument | undefined {
    const wanted = vscode.Uri.parse(uri).toString();
    return vscode.workspace.textDocuments.find(document => document.uri.toString() === wanted);
}
