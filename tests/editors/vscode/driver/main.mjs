// Runs every scenario in a window and a workspace of its own: node main.mjs CACHE SERVER VSIX RESULTS [NAME]
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { CodeServer, within } from './codeServer.mjs';
import { View } from './view.mjs';
import { Window } from './window.mjs';

const [cache, program, vsix, results, only = ''] = process.argv.slice(2);
const { chromium } = createRequire(`${cache}/`)('playwright-core');
const CHROMIUM = '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
/** How long one scenario may take, and all of them. */
const [LIMIT, WHOLE_LIMIT] = [150_000, 1_740_000];
/** How often a scenario is tried. */
const TRIES = 3;

const here = path.dirname(new URL(import.meta.url).pathname);
const folder = path.join(results, 'work');
/** A folder on the PATH of VS Code, for what a scenario puts there. */
const programs = path.join(folder, 'bin');
rmSync(folder, { recursive: true, force: true });
mkdirSync(programs, { recursive: true });
// What was applied in an earlier run is not known: the workspaces have the same paths.
process.env.XDG_STATE_HOME = path.join(folder, 'state');
const server = new CodeServer({ cache, folder, programs });
let [passed, failed] = [0, 0];
let browser;
let ended = false;

async function scenarios() {
    const files = readdirSync(path.join(here, '../scenarios')).filter(name => name.endsWith('.mjs')).sort();
    const modules = await Promise.all(files.map(name => import(path.join(here, '../scenarios', name))));
    const wanted = modules.flatMap(module => module.default).filter(({ name }) => new RegExp(only).test(name));
    const now = only === '' ? chosen(wanted) : wanted;
    if (now.length < wanted.length) {
        console.log(`left out: ${wanted.length - now.length} scenarios; EDITORS=all runs them too`);
    }
    return now;
}

/** Without what is extra: all of them, or the ones of a shard, of which EDITORS has the number and the count, as `1/2`. */
function chosen(scenarios) {
    const { EDITORS = '1/1' } = process.env;
    if (EDITORS === 'all') {
        return scenarios;
    }
    const [, part, count] = /^([1-9])\/([1-9])$/.exec(EDITORS) ?? [];
    if (!(part <= count)) {
        throw new Error(`EDITORS is neither \`all\` nor a shard as \`1/2\`: ${EDITORS}`);
    }
    return scenarios.filter(({ isExtra }) => !isExtra).filter((_, index) => index % count === part - 1);
}

/** Starts the browser while the server is made ready; answers with what windows are opened in. */
async function start() {
    const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
    const launch = async () => {
        browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: CHROMIUM.split(' '), ...signals });
    };
    const serve = async () => {
        await server.install(vsix);
        await server.start();
    };
    await Promise.all([launch(), serve()]);
    // Windows of one context share what the browser has cached, which is most of their start.
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
    return context;
}

/** The workspace of a scenario, with its files. */
function workspaceOf(scenario, number) {
    const workspace = path.join(folder, `workspace-${number}`, 'greeter');
    mkdirSync(workspace, { recursive: true });
    for (const [name, text] of Object.entries(scenario.files ?? {})) {
        mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
        writeFileSync(path.join(workspace, name), text);
    }
    return workspace;
}

/** What a scenario needs to run; its settings are those of all windows from then on. */
async function open(context, scenario, number) {
    const places = { workspace: workspaceOf(scenario, number), program, programs, results };
    const prepared = (await scenario.prepare?.(places)) ?? {};
    server.configure({ ...scenario.settings, ...prepared.settings });
    const window = await Window.open(context, server.url, places.workspace, results);
    return { window, places, end: prepared.end };
}

async function run(scenario, { window, places, end }) {
    try {
        await within(scenario.run({ window, inbox: new View(window, 'Inbox'), applied: new View(window, 'Applied'), ...places }), 'not done', LIMIT);
    } catch (error) {
        await window.screenshot(`failed-${scenario.name.replaceAll(/\W+/g, '-')}`).catch(() => undefined);
        error.stack += await window.seen().catch(() => '');
        throw error;
    } finally {
        end?.();
        await window.close();
        rmSync(programs, { recursive: true });
        mkdirSync(programs);
    }
}

/**
 * Runs a scenario, and again in a new window where that fails: what VS Code draws when is not
 * ours, and a click may come just then. Each failure is printed: a scenario that fails in more
 * runs than one has a fault.
 */
async function tried(context, scenario, number, tries = TRIES) {
    try {
        await run(scenario, await open(context, scenario, `${number}-${tries}`));
    } catch (error) {
        if (ended || tries === 1) {
            throw error;
        }
        console.log(`again  ${scenario.name}\n       ${error.stack?.replaceAll('\n', '\n       ')}`);
        await tried(context, scenario, number, tries - 1);
    }
}

async function runAll() {
    const context = await start();
    for (const [number, scenario] of (await scenarios()).entries()) {
        if (ended) {
            return;
        }
        const begun = Date.now();
        try {
            await tried(context, scenario, number);
            passed += 1;
            console.log(`ok     ${scenario.name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
        } catch (error) {
            if (ended) {
                return;
            }
            failed += 1;
            console.log(`FAILED ${scenario.name}\n       ${error.stack?.replaceAll('\n', '\n       ')}`);
        }
    }
}

/** Ends everything that was started, and says how it went. */
async function end(reason) {
    if (ended) {
        return;
    }
    ended = true;
    const closed = within(Promise.resolve(browser?.close()), 'the browser was not closed', 3_000);
    await Promise.all([closed.catch(() => undefined), server.end()]);
    if (reason !== undefined) {
        failed += 1;
        console.log(reason);
    }
    if (failed === 0) {
        rmSync(folder, { recursive: true, force: true });
    } else {
        console.log(`the workspaces and logs are in ${folder}`);
    }
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    // More than once where a whole group is signalled.
    process.on(signal, () => void end(`ended by ${signal}`));
}
setTimeout(() => void end(`not done within ${WHOLE_LIMIT / 1000} s`), WHOLE_LIMIT);
await runAll().then(() => end(), error => end(error.stack));
