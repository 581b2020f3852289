// Runs every scenario in a window and a workspace of its own: node main.mjs CACHE VSIX SCREENSHOTS [NAME]
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endAll, startCodeServer } from './codeServer.mjs';
import { Inbox } from './inbox.mjs';
import { Window } from './window.mjs';

const [cache, vsix, screenshots, only = ''] = process.argv.slice(2);
const { chromium } = createRequire(`${cache}/`)('playwright-core');
const CHROMIUM = '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
/** How long one scenario may take. */
const LIMIT = 45_000;

const here = path.dirname(new URL(import.meta.url).pathname);
const folder = mkdtempSync(path.join(tmpdir(), 'operator-vscode-'));
mkdirSync(screenshots, { recursive: true });
let [passed, failed] = [0, 0];

async function scenarios() {
    const files = readdirSync(path.join(here, '../scenarios')).filter(name => name.endsWith('.mjs')).sort();
    const modules = await Promise.all(files.map(name => import(path.join(here, '../scenarios', name))));
    return modules.flatMap(module => module.default).filter(({ name }) => new RegExp(only).test(name));
}

/** Servers are told apart by their settings; most scenarios share one. */
const servers = new Map();

async function serverOf({ settings = {}, environment = {} }) {
    const key = JSON.stringify([settings, environment]);
    if (!servers.has(key)) {
        const own = path.join(folder, `server-${servers.size}`);
        mkdirSync(own);
        const server = await startCodeServer({ cache, vsix, folder: own, settings, environment });
        servers.set(key, server);
        // Windows of one context share what the browser has cached, which is most of their start.
        server.context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
        await server.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
    }
    return servers.get(key);
}

/** The window of a scenario on a workspace that holds its files. */
async function open(scenario, number) {
    const workspace = path.join(folder, `workspace-${number}`, 'greeter');
    mkdirSync(workspace, { recursive: true });
    for (const [name, text] of Object.entries(scenario.files ?? {})) {
        mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
        writeFileSync(path.join(workspace, name), typeof text === 'function' ? text(workspace) : text);
    }
    const prepared = (await scenario.prepare?.()) ?? {};
    const server = await serverOf({ ...scenario, ...prepared });
    const window = await Window.open(server.context, server.url, workspace, screenshots);
    return { window, workspace, end: prepared.end };
}

async function run(scenario, number) {
    const { window, workspace, end } = await open(scenario, number);
    try {
        await scenario.run({ window, inbox: new Inbox(window), workspace });
    } catch (error) {
        await window.screenshot(`failed-${scenario.name.replaceAll(/\W+/g, '-')}`);
        throw error;
    } finally {
        end?.();
        await window.close();
    }
}

async function bounded(work) {
    let timer;
    const limit = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`not done within ${LIMIT / 1000} s`)), LIMIT);
    });
    try {
        await Promise.race([work, limit]);
    } finally {
        clearTimeout(timer);
    }
}

async function end() {
    await browser?.close().catch(() => undefined);
    await endAll();
}

let browser;
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.once(signal, async () => {
        await end();
        console.log(`ended by ${signal}\n${passed} passed, ${failed + 1} failed`);
        process.exit(1);
    });
}

browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: CHROMIUM.split(' ') });
try {
    for (const [number, scenario] of (await scenarios()).entries()) {
        const start = Date.now();
        try {
            await bounded(run(scenario, number));
            passed += 1;
            console.log(`ok     ${scenario.name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
        } catch (error) {
            failed += 1;
            console.log(`FAILED ${scenario.name}\n       ${error.stack?.replaceAll('\n', '\n       ')}`);
        }
    }
} finally {
    await end();
    if (failed === 0) {
        rmSync(folder, { recursive: true, force: true });
    } else {
        console.log(`the workspaces and logs are in ${folder}`);
    }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
