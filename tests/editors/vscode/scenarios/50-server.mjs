// What happens where the server cannot run, and where nothing may be written.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { replace } from '../driver/blocks.mjs';

export default [
    {
        name: 'a program that is not there is said, and a restart is offered',
        settings: { 'operator.server.path': '/nowhere/operator-lsp' },
        files: { 'chat.md': 'Hello\n' },
        async run({ window, inbox }) {
            await window.openFile('chat.md');
            await window.notification('operator.server.path names /nowhere/operator-lsp').waitFor();
            await inbox.open();
            await window.page.getByText('Restart the server').waitFor();
            await window.screenshot('no-server');
            await window.command('Operator: Show the Log');
            await window.until('the log', async () => (await window.page.locator('.output-view-content, .part.panel').allInnerTexts()).join('').replaceAll('\u00a0', ' ').includes('which is no program'));
        },
    },
    {
        name: 'a restarted server finds the blocks again',
        files: { 'a.txt': 'a\n', 'chat.md': replace('one', 'a.txt', 'a', 'b') },
        async run({ window, inbox }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.row('one').waitFor();
            await window.command('Operator: Restart the Server');
            await window.until('the block', async () => (await inbox.texts()).includes('a.txt ready · fs.applyEdits · one'));
            await window.until('the state', async () => {
                // The rows of the server that was ended may still be there, and are refused.
                await inbox.click('ready · fs.applyEdits · one', 'Apply').catch(() => undefined);
                await window.page.waitForTimeout(500);
                return (await inbox.texts()).includes('a.txt applied · fs.applyEdits · one');
            });
        },
    },
    {
        name: 'in an untrusted workspace blocks are judged and nothing is applied',
        settings: {
            'security.workspace.trust.enabled': true,
            'security.workspace.trust.startupPrompt': 'never',
            'security.workspace.trust.untrustedFiles': 'open',
        },
        files: { 'a.txt': 'a\n', 'chat.md': replace('one', 'a.txt', 'a', 'b') },
        async run({ window, inbox, workspace }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.row('one').waitFor();
            await inbox.click('one', 'Apply');
            await window.notification('this workspace is not trusted').waitFor();
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
