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
            ? `${name} is expected in the workspace folder itself; set its path with operator.virtualFiles`
            : `${name} is not one of ${FILES.join(', ')}; open one of them, or name it in operator.virtualFiles`,
    );
}

/** The text of every virtual file, as it is in the editor. @throws which are missing, or what keeps one from being read. */
export async function texts(): Promise<Record<FileId, string>> {
    const missing = (await Promise.all(FILES.map(async id => ((await isThere(id)) ? [] : [id])))).flat();
    if (missing.length > 0) {
        const [are, them, they] = missing.length === 1 ? ['is', 'it', 'it'] : ['are', 'them', 'they'];
        throw new Error(
            `${missing.join(', ')} ${are} not in the workspace: create ${them} (${they} may be empty), or name ${them} in operator.virtualFiles`,
        );
    }
    const read = async (id: FileId): Promise<[FileId, string]> => {
        const document = await vscode.workspace.openTextDocument(place(id) as vscode.Uri);
        return [id, document.getText()];
    };
    return Object.fromEntries(await Promise.all(FILES.map(read))) as Record<FileId, string>;
}

/** Whether there is a file, saved or not yet. */
async function isThere(id: FileId): Promise<boolean> {
    const uri = place(id);
    if (uri === undefined) {
        return false;
    }
    if (vscode.workspace.textDocuments.some(document => document.uri.toString() === uri.toString())) {
        return true;
    }
    return vscode.workspace.fs.stat(uri).then(
        () => true,
        (error: unknown) => !(error instanceof vscode.FileSystemError && error.code === 'FileNotFound'),
    );
}
