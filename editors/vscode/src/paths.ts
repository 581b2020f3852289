// Paths as the server and the blocks of a chat write them, on both kinds of systems.

/** The last name of a path, whichever way its names are separated. */
export function lastName(path: string): string {
    return path.slice(lastSeparator(path) + 1);
}

/** The folder of a path; `undefined` where it is a bare name. */
export function folderOf(path: string): string | undefined {
    const end = lastSeparator(path);
    return end < 0 ? undefined : path.slice(0, end);
}

/**
 * Whether two absolute paths mean the same file as far as their text says: VS Code writes the letter
 * of a drive small, and the server as the system has it.
 */
export function isSamePath(one: string, other: string): boolean {
    return withDrive(one) === withDrive(other);
}

function withDrive(path: string): string {
    const drive = /^\/?([a-z]):[\\/]/i.exec(path);
    return drive?.[1] === undefined ? path : `${drive[1].toUpperCase()}:${path.slice(drive[0].length - 1).replaceAll('/', '\\')}`;
}

function lastSeparator(path: string): number {
    return Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
}
