// Where the five virtual files of edit-ops are in the workspace, as the server looks for them.
import * as vscode from 'vscode';
import { FILES, isFileId, type FileId } from './request';

/** Where a virtual file is: where `operator.virtualFiles` says, else in the workspace folder. */
export function place(id: FileId): vscode.Uri | undefined {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    const named = vscode.workspace.getConfiguration('operator').get<Record<string, string>>('virtualFiles', {});
    return root && vscode.Uri.joinPath(root, named[id] ?? id);
}

/** Which virtual file a document is. */
export function idOf(document: vscode.TextDocument): FileId | undefined {
    return FILES.find(id => place(id)?.toString() === document.uri.toString());
}

/** @throws which file is not one of the five, and what to do. */
export function activeId(document: vscode.TextDocument): FileId {
    const id = idOf(document);
    if (id !== undefined) {
        return id;
    }
    const name = document.uri.path.split('/').pop() ?? '';
    throw new Error(
        isFileId(name)
            ? `${name} is looked for in the workspace folder itself; say where the files are with operator.virtualFiles`
            : `${name} is none of ${FILES.join(', ')}; open one of them, or name it in operator.virtualFiles`,
    );
}

/** The text of every virtual file, as it is in the editor. @throws which one is missing. */
export async function texts(): Promise<Record<FileId, string>> {
    const read = async (id: FileId): Promise<[FileId, string]> => {
        const uri = place(id);
        try {
            if (uri !== undefined) {
                return [id, (await vscode.workspace.openTextDocument(uri)).getText()];
            }
        } catch {
            // Said below, with what to do.
        }
        throw new Error(`${id} is not in the workspace: create it (it may be empty), or name it in operator.virtualFiles`);
    };
    return Object.fromEntries(await Promise.all(FILES.map(read))) as Record<FileId, string>;
}
