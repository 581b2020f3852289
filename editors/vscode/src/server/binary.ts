// Where the server's program is: the setting, then the PATH, then the extension itself.
import * as path from 'node:path';

export interface Places {
    /** The setting `operator.server.path`; empty where nothing is set. */
    setting: string;
    /** The environment's `PATH`. */
    searchPath: string;
    /** The folder in the extension that holds the program of its platform. */
    bundle: string;
    platform: NodeJS.Platform;
    isProgram: (file: string) => boolean;
}

export interface Found {
    program: string;
    origin: 'setting' | 'PATH' | 'bundle';
}

/** The program, or an error that says where it was searched for and what to do. */
export function findServer(places: Places): Found {
    const { setting, platform, isProgram } = places;
    if (setting !== '') {
        const program = [setting, ...(platform === 'win32' ? [`${setting}.exe`] : [])].find(isProgram);
        if (program !== undefined) {
            return { program, origin: 'setting' };
        }
        throw new Error(
            `operator.server.path points to ${setting}, which is not an executable. ` +
                'Correct the setting, or clear it to use the PATH or the bundled server.',
        );
    }
    const name = platform === 'win32' ? 'operator-lsp.exe' : 'operator-lsp';
    const paths = platform === 'win32' ? path.win32 : path.posix;
    for (const entry of places.searchPath.split(paths.delimiter)) {
        // Windows takes quotes around an entry.
        const folder = platform === 'win32' ? entry.replace(/^"(.*)"$/, '$1') : entry;
        // A relative entry, an empty one included, depends on the current directory, which may be anybody's.
        if (paths.isAbsolute(folder) && isProgram(paths.join(folder, name))) {
            return { program: paths.join(folder, name), origin: 'PATH' };
        }
    }
    if (isProgram(paths.join(places.bundle, name))) {
        return { program: paths.join(places.bundle, name), origin: 'bundle' };
    }
    throw new Error(
        `${name} is not on the PATH, and this extension does not include it. ` +
            'Install the extension for this platform, or set operator.server.path.',
    );
}
