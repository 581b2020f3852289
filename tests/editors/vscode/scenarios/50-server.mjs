// What happens where the server cannot run, and where nothing may be written.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { replace } from '../driver/blocks.mjs';

const repository = process.cwd();

/** Waits until the log holds a text, which may go over several lines there. */
async function logHolds(window, text) {
    await window.command('Operator: Show the Log');
    const log = window.page.locator('.part.panel .view-lines');
    const joined = words => words.replaceAll(/\s+/g, '');
    await window.until(`"${text}" in the log`, async () => joined((await log.allInnerTexts()).join('')).includes(joined(text)));
}

/** How often the server of the last window came to run, as its log has it. */
function runs(results) {
    const logs = path.join(results, 'work/user/logs');
    const files = readdirSync(logs, { recursive: true }).filter(name => name.endsWith('Operator.log'));
    const newest = files.map(name => path.join(logs, name)).sort((a, b) => statSync(b).birthtimeMs - statSync(a).birthtimeMs)[0];
    return readFileSync(newest, 'utf8').split('the server runs').length - 1;
}

export default [
    {
        name: 'the recorded initialize request is what this VS Code sends',
        files: { 'a.txt': 'a\n', 'chat.md': replace('one', 'a.txt', 'a', 'b') },
        prepare({ workspace, program, results }) {
            const recorder = path.join(path.dirname(workspace), 'recorder');
            const words = [path.join(repository, 'tests/editors/record'), path.join(results, 'initialize.json'), program];
            writeFileSync(recorder, `#!/bin/sh\nexec ${words.map(word => `'${word}'`).join(' ')} "$@"\n`);
            chmodSync(recorder, 0o755);
            return { settings: { 'operator.server.path': recorder } };
        },
        async run({ window, results }) {
            await window.openFile('chat.md');
            await window.lens('ready: fs.applyEdits a.txt').waitFor();
            const recorded = path.join(results, 'initialize.json');
            await window.until('the recording', async () => existsSync(recorded));
            const kept = path.join(repository, 'tests/it/clients/vscode.json');
            const same = existsSync(kept) && readFileSync(kept, 'utf8') === readFileSync(recorded, 'utf8');
            assert.ok(same, `it is another one by now; if that is right: cp ${recorded} ${kept}`);
        },
    },
    {
        name: 'the program is the one inside the extension, or else the one on the PATH',
        files: { 'chat.md': 'Hello\n' },
        async run({ window, program, programs }) {
            await window.openFile('chat.md');
            await logHolds(window, '/bin/operator-lsp (bundle)');
            symlinkSync(program, path.join(programs, 'operator-lsp'));
            await window.command('Operator: Restart the Server');
            await logHolds(window, `starting ${path.join(programs, 'operator-lsp')} (PATH)`);
            await window.until('the status bar', async () => /Operator/.test(await window.statusBar().innerText()));
        },
    },
    {
        name: 'a program that is not there is said, and a restart is offered',
        settings: { 'operator.server.path': '/nowhere/operator-lsp' },
        files: { 'chat.md': 'Hello\n' },
        async run({ window, inbox }) {
            await window.openFile('chat.md');
            await window.notification('operator.server.path points to /nowhere/operator-lsp').waitFor();
            await inbox.open();
            await window.page.getByText('Restart the server').waitFor();
            await window.screenshot('no-server');
            await logHolds(window, 'which is not an executable');
        },
    },
    {
        name: 'a restarted server finds the blocks again',
        files: { 'a.txt': 'a\n', 'chat.md': replace('one', 'a.txt', 'a', 'b') },
        async run({ window, inbox }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.row('a.txt').waitFor();
            await window.command('Operator: Restart the Server');
            await inbox.row('a.txt').waitFor();
            const applied = inbox.row('applied');
            const refused = window.notification('The block was not applied');
            await window.until('the state', async () => {
                // The rows of the server that was ended may still be there, and are refused.
                await inbox.click('a.txt', 'Apply', applied.or(refused));
                await window.dismissNotifications();
                return applied.isVisible();
            });
        },
    },
    {
        name: 'a server that dies is started again, and once it dies too often a person is asked',
        files: { 'a.txt': 'a\n', 'chat.md': replace('one', 'a.txt', 'a', 'b') },
        prepare({ workspace, program }) {
            const [wrapper, pids] = ['wrapper', 'pids'].map(name => path.join(path.dirname(workspace), name));
            writeFileSync(wrapper, `#!/bin/sh\necho $$ >>'${pids}'\nexec '${program}' "$@"\n`);
            chmodSync(wrapper, 0o755);
            return { settings: { 'operator.server.path': wrapper } };
        },
        async run({ window, inbox, workspace, results }) {
            const pids = () => readFileSync(path.join(path.dirname(workspace), 'pids'), 'utf8').trim().split('\n').map(Number);
            const gone = window.page.getByText('The language server is not running');
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.row('Changes').waitFor();
            process.kill(pids().at(-1), 'SIGKILL');
            await window.until('a new server', () => runs(results) === 2);
            await inbox.row('Changes').waitFor();
            assert.equal(await window.notification('').count(), 0);
            for (let deaths = 2; deaths <= 5; deaths += 1) {
                process.kill(pids().at(-1), 'SIGKILL');
                if (deaths < 5) {
                    await window.until('the next one', () => runs(results) === deaths + 1);
                }
            }
            await window.notification('has ended 5 times in a short time').getByText('Restart the Server').waitFor();
            await gone.waitFor();
            await window.until('the status bar', async () => /error/i.test(await window.statusBar().innerHTML()));
            await window.screenshot('server-died');
            await window.page.getByText('Restart the server', { exact: true }).click();
            await window.lens('ready: fs.applyEdits a.txt').waitFor();
            await inbox.row('Changes').waitFor();
        },
    },
    {
        name: 'a document that VS Code keeps to itself is said not to be searched',
        settings: { 'workbench.editorLargeFileConfirmation': 1000 },
        files: { 'small.md': 'Hello\n', 'large.md': 'A line of a very long chat.\n'.repeat(2_000_000) },
        async run({ window, inbox }) {
            await window.openFile('small.md');
            await inbox.open();
            const empty = window.page.getByText('No open document holds edit blocks');
            const said = window.page.getByText('large.md is not searched for blocks');
            await empty.waitFor();
            await window.openFile('large.md');
            await said.waitFor();
            await window.screenshot('too-large');
            await window.openFile('small.md');
            await said.waitFor({ state: 'hidden' });
            await empty.waitFor();
        },
    },
    {
        name: 'in an untrusted workspace blocks are checked and nothing is applied',
        settings: {
            'security.workspace.trust.enabled': true,
            'security.workspace.trust.startupPrompt': 'never',
            'security.workspace.trust.untrustedFiles': 'open',
        },
        files: { 'a.txt': 'a\n', 'chat.md': replace('one', 'a.txt', 'a', 'b') },
        async run({ window, inbox, workspace }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.row('a.txt').waitFor();
            await inbox.click('a.txt', 'Apply', window.notification('this workspace is not trusted'));
            await window.screenshot('untrusted');
            await window.dismissNotifications();
            await window.page.locator('.codelens-decoration a', { hasText: /^Apply and reply$/ }).click();
            await window.notification('this workspace is not trusted').waitFor();
            assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), 'a\n');
            assert.equal(readFileSync(path.join(workspace, 'chat.md'), 'utf8'), replace('one', 'a.txt', 'a', 'b'));
            await window.openFile('a.txt');
            await window.shows(/^a\n/);
        },
    },
];
