// The files that are changed since the last commit, as VS Code's own git extension knows them.
import * as vscode from 'vscode';

/** The part of the git extension's interface that is used here. */
interface Git {
    /** Whether a git program was found and nobody has switched the extension off; without it there is no API. */
    enabled: boolean;
    getAPI(version: 1): { repositories: { state: Record<Kind, Change[] | undefined> }[] };
}

interface Change {
    uri: vscode.Uri;
}

type Kind = (typeof KINDS)[number];

const KINDS = ['mergeChanges', 'indexChanges', 'workingTreeChanges', 'untrackedChanges'] as const;

/** Each once, those that are deleted left out; none where the extension is switched off. */
export async function changedFiles(): Promise<vscode.Uri[]> {
    const git = vscode.extensions.getExtension<Git>('vscode.git');
    if (git?.isActive !== true || !git.exports.enabled) {
        return [];
    }
    const { repositories } = git.exports.getAPI(1);
    const changes = repositories.flatMap(({ state }) => KINDS.flatMap(kind => state[kind] ?? []));
    const uris = [...new Map(changes.map(({ uri }) => [uri.toString(), uri])).values()];
    const there = await Promise.all(uris.map(isFile));
    return uris.filter((uri, at) => there[at] && vscode.workspace.getWorkspaceFolder(uri) !== undefined);
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
    try {
        return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
    } catch {
        return false;
    }
}
