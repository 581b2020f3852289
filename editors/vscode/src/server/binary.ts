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
        if (isProgram(setting)) {
            return { program: setting, origin: 'setting' };
        }
        throw new Error(
            `operator.server.path points to ${setting}, which is not an executable. ` +
                'Correct the setting, or clear it to use the PATH or the bundled server.',
        );
    }
    const name = platform === 'win32' ? 'operator-lsp.exe' : 'operator-lsp';
    const paths = platform === 'win32' ? path.win32 : path.posix;
    for (const folder of places.searchPath.split(paths.delimiter)) {
        // An empty entry means the current directory, which may be anybody's.
        if (folder !== '' && isProgram(paths.join(folder, name))) {
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
