// Where the files of an operation are, and its transcript.
import * as path from 'node:path';
import * as vscode from 'vscode';

/**
 * A file or folder as the log names it: relative to the workspace folder, or without one to the
 * repository of the transcript. `undefined` where there is no such file.
 */
export async function findFile(
    file: string,
    transcript: vscode.Uri | undefined,
): Promise<{ uri: vscode.Uri; isFolder: boolean } | undefined> {
    const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? above(transcript);
    const places = path.isAbsolute(file) ? [file] : folders.map(folder => path.join(folder, file));
    for (const place of places) {
        const uri = vscode.Uri.file(place);
        const stat = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
        if (stat !== undefined) {
            return { uri, isFolder: (stat.type & vscode.FileType.Directory) !== 0 };
        }
    }
    return undefined;
}

/** The document that the log names as a transcript; `undefined` where it came from elsewhere. */
export function transcriptUri(transcript: string): vscode.Uri | undefined {
    if (path.isAbsolute(transcript)) {
        return vscode.Uri.file(transcript);
    }
    const uri = vscode.Uri.parse(transcript);
    return ['file', 'untitled'].includes(uri.scheme) ? uri : undefined;
}

/** The folder of a transcript, and those above it. */
function above(transcript: vscode.Uri | undefined): string[] {
    const folders: string[] = [];
    if (transcript?.scheme === 'file') {
        let folder = path.dirname(transcript.fsPath);
        while (folder !== folders.at(-1)) {
            folders.push(folder);
            folder = path.dirname(folder);
        }
    }
    return folders;
}
