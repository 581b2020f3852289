// VS Code as a server on loopback, with an extension and settings of its own.
import { spawn } from 'node:child_process';
import { accessSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

const SETTINGS = {
    'chat.commandCenter.enabled': false,
    'editor.minimap.enabled': false,
    'editor.accessibilitySupport': 'off',
    // What moves is drawn again and again: a fifth of the time of the tests.
    'editor.cursorBlinking': 'solid',
    'workbench.reduceMotion': 'on',
    'extensions.ignoreRecommendations': true,
    // The browser saves by itself otherwise.
    'files.autoSave': 'off',
    'git.enabled': false,
    'security.workspace.trust.enabled': false,
    'telemetry.telemetryLevel': 'off',
    'update.mode': 'none',
    'window.menuBarVisibility': 'compact',
    'workbench.colorTheme': 'Default Dark Modern',
    'workbench.startupEditor': 'none',
    'workbench.tips.enabled': false,
    'workbench.welcomePage.walkthroughs.openOnInstall': false,
};
/** How long an extension's installation, and then the server's start, may take. */
const LIMIT = 90_000;

export class CodeServer {
    /** The processes that run, each the first of a group. */
    running = new Set();
    ending = false;

    /** A server whose programs are searched for in `programs` first. */
    constructor({ cache, folder, programs }) {
        this.entry = path.join(cache, 'node_modules/code-server/out/node/entry.js');
        this.folder = folder;
        this.environment = {
            ...process.env,
            PATH: [programs, ...withoutOperator(process.env.PATH)].join(path.delimiter),
            // What a login shell makes of the PATH is left out.
            VSCODE_CLI: '1',
            // The workspaces are in no repository but their own.
            GIT_CEILING_DIRECTORIES: folder,
        };
        this.configure({});
    }

    /** Sets what the next window starts with. */
    configure(settings) {
        const text = JSON.stringify({ ...SETTINGS, ...settings });
        // Those that are a machine's are the server's; the user's hold for the browser alone.
        for (const place of ['user/User', 'user/Machine']) {
            mkdirSync(path.join(this.folder, place), { recursive: true });
            writeFileSync(path.join(this.folder, place, 'settings.json'), text);
        }
    }

    async install(vsix) {
        const installing = this.spawn('install.log', ['--install-extension', vsix]);
        const code = await within(installing.ended, 'the extension was not installed');
        this.running.delete(installing);
        if (code !== 0) {
            throw new Error(`the extension could not be installed, see ${installing.log}`);
        }
    }

    async start() {
        const port = await freePort();
        this.url = `http://127.0.0.1:${port}`;
        const address = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`];
        const { ended, log } = this.spawn('server.log', [...address, '--disable-telemetry', '--disable-update-check']);
        const early = ended.then(code => {
            throw new Error(`code-server has ended with ${code}, see ${log}`);
        });
        await within(Promise.race([this.answers(), early]), 'code-server did not answer');
    }

    /** Ends what was started, and with each process what that has started. */
    async end() {
        this.ending = true;
        await Promise.all([...this.running].map(async ({ pid, ended }) => {
            signal(pid, 'SIGTERM');
            await Promise.race([ended, pause(3_000)]);
            // The extension hosts and language servers that have not heard of it.
            signal(pid, 'SIGKILL');
        }));
    }

    spawn(logName, args) {
        if (this.ending) {
            throw new Error('the tests are being ended');
        }
        const log = path.join(this.folder, logName);
        const output = openSync(log, 'w');
        const places = ['--user-data-dir', path.join(this.folder, 'user'), '--extensions-dir', path.join(this.folder, 'extensions')];
        // Where the tests are killed so that they can end nothing, the kernel does.
        const command = ['--pdeathsig', 'SIGTERM', process.execPath, this.entry, ...places, ...args];
        const child = spawn('setpriv', command, {
            detached: true,
            stdio: ['ignore', output, output],
            env: this.environment,
        });
        const ended = new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
        const started = { pid: child.pid, ended, log };
        this.running.add(started);
        return started;
    }

    async answers() {
        while (!this.ending) {
            const answer = await fetch(`${this.url}/healthz`).catch(() => undefined);
            if (answer?.ok) {
                return;
            }
            await pause(100);
        }
    }
}

/** The folders of a PATH that hold no other server than the one that is tried out. */
function withoutOperator(searchPath) {
    return searchPath.split(path.delimiter).filter(folder => {
        try {
            accessSync(path.join(folder, 'operator-lsp'));
            return false;
        } catch {
            return true;
        }
    });
}

function pause(milliseconds) {
    return new Promise(resolve => setTimeout(resolve, milliseconds));
}

/** The result of work that has its limit. */
export async function within(work, what, limit = LIMIT) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${what} within ${limit / 1000} s`)), limit);
    });
    try {
        return await Promise.race([work, late]);
    } finally {
        clearTimeout(timer);
    }
}

function signal(group, name) {
    try {
        process.kill(-group, name);
    } catch {
        // It has ended by itself.
    }
}

function freePort() {
    return new Promise((resolve, reject) => {
        const probe = createServer();
        probe.once('error', reject);
        probe.listen(0, '127.0.0.1', () => {
            const { port } = probe.address();
            probe.close(() => resolve(port));
        });
    });
}
