// VS Code as far as what is tested with paths of Windows asks it: its own URIs, and a world of a few files.
import { URI } from 'vscode-uri';

export { URI as Uri };

export const FileType = { File: 1, Directory: 2 };

interface Document {
    uri: URI;
    isDirty: boolean;
    isUntitled: boolean;
    save: () => Promise<boolean>;
}

/** What there is: folders and documents that are open, and files and folders on the disk. */
export const world = {
    folders: [] as string[],
    documents: [] as Document[],
    files: [] as string[],
    directories: [] as string[],
    /** What somebody was asked. */
    asked: [] as string[],
};

/** The path below a folder, where it is in one; the letter of a drive is the same in either case. */
function below(folder: URI, uri: URI): string | undefined {
    const [above, path] = [`${folder.fsPath}\\`, uri.fsPath];
    return path.startsWith(above) ? path.slice(above.length) : undefined;
}

function folders() {
    return world.folders.map(folder => ({ uri: URI.file(folder) }));
}

export const window = {
    showWarningMessage: (message: string, { detail }: { detail: string }, yes: string) => {
        world.asked.push(`${message} ${detail}`);
        return Promise.resolve(yes);
    },
};

export const workspace = {
    get workspaceFolders() {
        return world.folders.length === 0 ? undefined : folders();
    },
    get textDocuments() {
        return world.documents;
    },
    getWorkspaceFolder: (uri: URI) => folders().find(folder => below(folder.uri, uri) !== undefined),
    asRelativePath: (uri: URI) => {
        const relative = folders().map(folder => below(folder.uri, uri)).find(found => found !== undefined);
        return (relative ?? uri.fsPath).replaceAll('\\', '/');
    },
    getConfiguration: () => ({ get: <T>(_: string, value: T) => value }),
    fs: {
        stat: (uri: URI) => {
            const has = (paths: string[]) => paths.some(path => URI.file(path).toString() === uri.toString());
            const type = has(world.files) ? FileType.File : has(world.directories) ? FileType.Directory : undefined;
            return type === undefined ? Promise.reject(new Error('it is not there')) : Promise.resolve({ type });
        },
    },
};
