// VS Code as a server on loopback, with an extension and settings of its own.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

const SETTINGS = {
    'chat.commandCenter.enabled': false,
    'editor.minimap.enabled': false,
    'editor.accessibilitySupport': 'off',
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

/** What ends each server that was started, those that do not answer yet too. */
const running = new Set();
/** Whether no more may be started. */
let ending = false;

/** Ends every server with everything that it has started. */
export async function endAll() {
    ending = true;
    await Promise.all([...running].map(end => end()));
}

/** Starts a server, which runs until `endAll`. */
export async function startCodeServer({ cache, vsix, folder, settings = {}, environment = {} }) {
    const entry = path.join(cache, 'node_modules/code-server/out/node/entry.js');
    const user = path.join(folder, 'user');
    mkdirSync(path.join(user, 'User'), { recursive: true });
    writeFileSync(path.join(user, 'User/settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));
    const places = ['--user-data-dir', user, '--extensions-dir', path.join(folder, 'extensions')];
    const installed = spawnSync(process.execPath, [entry, ...places, '--install-extension', vsix], {
        encoding: 'utf8',
        timeout: 60_000,
    });
    if (installed.status !== 0) {
        throw new Error(`the extension could not be installed: ${installed.stdout}${installed.stderr}`);
    }
    const port = await freePort();
    if (ending) {
        throw new Error('the tests are being ended');
    }
    const log = openSync(path.join(folder, 'code-server.log'), 'w');
    const args = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry'];
    const server = spawn(process.execPath, [entry, ...places, ...args, '--disable-update-check'], {
        // A group of its own, so that extension hosts and language servers end with it.
        detached: true,
        stdio: ['ignore', log, log],
        env: { ...process.env, ...environment },
    });
    const ended = new Promise(resolve => server.once('exit', resolve));
    const url = `http://127.0.0.1:${port}`;
    const end = async () => {
        signal(server.pid, 'SIGTERM');
        await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 3_000))]);
        signal(server.pid, 'SIGKILL');
    };
    running.add(end);
    await answers(url);
    return { url };
}

function signal(group, name) {
    try {
        process.kill(-group, name);
    } catch {
        // It has ended by itself.
    }
}

async function answers(url) {
    for (let tries = 0; tries < 150; tries += 1) {
        try {
            if ((await fetch(`${url}/healthz`)).ok) {
                return;
            }
        } catch {
            // It is not listening yet.
        }
        await new Promise(resolve => setTimeout(resolve, 200));
    }
    throw new Error('code-server did not answer within 30 seconds');
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
