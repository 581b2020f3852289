// Applying: with the reply, all at once, and never on what has changed.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { block, replace, write } from '../driver/blocks.mjs';

const TEXT = 'first\nsecond\nthird\n';

function lensButton(window, title) {
    return window.page.locator('.codelens-decoration a', { hasText: new RegExp(`^${title}$`) }).first();
}

export default [
    {
        name: 'a lens applies a block and inserts its reply',
        files: { 'a.txt': TEXT, 'chat.md': replace('one', 'a.txt', 'second', '2nd') },
        async run({ window }) {
            await window.openFile('chat.md');
            await lensButton(window, 'Apply and reply').click();
            await window.until('the reply', async () => (await window.shown()).includes('OPERATOR_RESULT\nid: one\nok: true'));
            await window.lens('applied: fs.applyEdits a.txt').waitFor();
            await window.notification('Applied 1 change in 1 file.').getByText('Copy Reply').waitFor();
            await window.openFile('a.txt');
            await window.shows(/^first\n2nd\nthird/);
        },
    },
    {
        name: 'apply all applies what is ready, and the replies are copied once',
        files: {
            'a.txt': TEXT,
            'chat.md': [
                replace('one', 'a.txt', 'first', '1st'),
                replace('two', 'a.txt', 'third', '3rd'),
                write('three', 'b.txt', 'b\n'),
                block('four', 'fs.read', { path: 'a.txt' }),
                replace('five', 'a.txt', 'fourth', '4th'),
            ].join('\n'),
        },
        async run({ window, inbox, workspace }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.row('edit · blocked').waitFor();
            const applied = window.notification('Applied 3 changes in 2 files.');
            await inbox.click('chat.md', 'Apply All', applied);
            await window.screenshot('applied-all');
            // What was clean before is saved.
            assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), '1st\nsecond\n3rd\n');
            assert.equal(readFileSync(path.join(workspace, 'b.txt'), 'utf8'), 'b\n');
            // The notification goes away by itself after a while.
            await applied.getByText('Copy Reply').click();
            await window.until('the states', async () => (await inbox.texts())[0] === 'chat.md 1 wrong');
            await window.notification('Reply copied').waitFor();
            const replies = await window.clipboard();
            assert.deepEqual(replies.match(/^(id|ok): .*/gm), [
                'id: one', 'ok: true', 'id: two', 'ok: true', 'id: three', 'ok: true',
                'id: four', 'ok: true', 'id: five', 'ok: false',
            ]);
            await inbox.click('chat.md', 'Copy Reply', window.notification('There is nothing new'));
            await window.openFile('a.txt');
            await window.shows(/^1st\nsecond\n3rd/);
            await window.command('Operator: Undo the Last Apply');
            const question = window.page.locator('.monaco-dialog-box');
            await question.locator('.dialog-message-detail', { hasText: /delete b\.txt[^]*change a\.txt/ }).waitFor();
            await question.locator('.dialog-message-text', { hasText: /^Undo fs\..+\?$/ }).waitFor();
            await window.screenshot('confirm');
            await question.getByRole('button', { name: 'Undo' }).click();
            await window.until('the old text', async () => (await window.shown()).startsWith(TEXT.trim()));
            await window.until('the new file is gone', () => !existsSync(path.join(workspace, 'b.txt')));
            // What was undone is saved, too.
            await window.becomes(async () => readFileSync(path.join(workspace, 'a.txt'), 'utf8'), TEXT);
        },
    },
    {
        name: 'what needs a look of its own is asked about, whatever the workspace says',
        files: {
            'a.txt': TEXT,
            '.vscode/settings.json': JSON.stringify({
                'operator.confirm': 'never',
                operator: { confirm: 'never', git: { commit: true } },
            }),
            'chat.md': [write('one', '.envrc', 'date\n'), replace('two', 'a.txt', 'second', '2nd')].join('\n'),
        },
        async run({ window, inbox, workspace }) {
            const question = window.page.locator('.monaco-dialog-box');
            await window.openFile('chat.md');
            await window.lens('ready, needs a look: `.envrc` is a file that a shell').waitFor();
            await inbox.open();
            await inbox.row('new file, 1 line · needs a look').waitFor();
            await inbox.click('chat.md', 'Apply All', window.notification('block 1 (one) needs a look'));
            await inbox.section('Done', 1).waitFor();
            assert.ok(!existsSync(path.join(workspace, '.envrc')));
            await lensButton(window, 'Apply').click();
            const detail = question.locator('.dialog-message-detail', { hasText: 'Needs a look: `.envrc` is a file' });
            await detail.waitFor();
            await window.screenshot('needs-a-look');
            await question.getByRole('button', { name: 'Cancel' }).click();
            await question.waitFor({ state: 'hidden' });
            assert.ok(!existsSync(path.join(workspace, '.envrc')));
            await lensButton(window, 'Apply').click();
            await detail.waitFor();
            await question.getByRole('button', { name: 'Apply' }).click();
            await window.until('the file', () => existsSync(path.join(workspace, '.envrc')));
        },
    },
    {
        name: 'what is not confirmed is not done, by a lens or by a code action',
        files: { 'a.txt': TEXT, 'chat.md': block('one', 'fs.delete', { path: 'a.txt' }) },
        async run({ window, workspace }) {
            const question = window.page.locator('.monaco-dialog-box');
            const sayNo = async () => {
                await question.locator('.dialog-message-detail', { hasText: 'delete a.txt' }).waitFor();
                await question.getByRole('button', { name: 'Cancel' }).click();
                await question.waitFor({ state: 'hidden' });
            };
            await window.openFile('chat.md');
            await lensButton(window, 'Apply').click();
            await sayNo();
            const apply = window.page.locator('.action-widget .monaco-list-row.action', { hasText: 'Apply fs.delete' });
            await window.goTo(2);
            await window.press('Control+.');
            await apply.first().hover({ force: true });
            await apply.first().click();
            await sayNo();
            assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), TEXT);
            await window.press('Control+.');
            await apply.first().hover({ force: true });
            await apply.first().click();
            await question.getByRole('button', { name: 'Apply' }).click();
            await window.lens('applied: fs.delete a.txt').waitFor();
            assert.equal(existsSync(path.join(workspace, 'a.txt')), false);
            // Who has said no need not be told that nothing was done.
            assert.equal(await window.notification('was not').count(), 0);
        },
    },
    {
        name: 'a stale proposal is refused, with the reason',
        files: {
            'a.txt': TEXT,
            'chat.md': replace('one', 'a.txt', 'second', '2nd', { base_fingerprint: `sha256:${'0'.repeat(64)}` }),
        },
        async run({ window, inbox, workspace }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.row('stale').waitFor();
            await window.becomes(() => inbox.buttons('stale'), ['Preview', 'Reject']);
            await window.goTo(3);
            await window.command('Operator: Apply');
            await window.notification('The block was not applied: stale').waitFor();
            await window.screenshot('stale-refused');
            assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), TEXT);
        },
    },
    {
        name: 'what is saved over the target after the preview is not overwritten',
        files: { 'a.txt': TEXT, 'chat.md': write('one', 'a.txt', 'all new\n') },
        async run({ window, inbox, workspace }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.click('a.txt', 'Preview', window.tab('proposed'));
            writeFileSync(path.join(workspace, 'a.txt'), 'somebody else\n');
            await inbox.row('stale').waitFor();
            await window.action('Apply');
            await window.notification('The block was not applied').waitFor();
            assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), 'somebody else\n');
        },
    },
    {
        name: 'nothing is saved where the setting says never, and the message names what is not',
        settings: { 'operator.saveAfterApply': 'never' },
        files: { 'a.txt': TEXT, 'chat.md': replace('one', 'a.txt', 'second', '2nd') },
        async run({ window, inbox, workspace }) {
            await window.openFile('chat.md');
            await inbox.open();
            const applied = window.notification('Applied 1 change in 1 file. Not saved: a.txt.');
            await inbox.click('a.txt', 'Apply', applied);
            assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), TEXT);
            await applied.getByText('Undo').click();
            await inbox.row('edit +1 −1').waitFor();
            await window.openFile('a.txt');
            await window.shows(/^first\nsecond\nthird/);
        },
    },
    {
        name: 'the reply is copied by itself once every block is decided',
        settings: { 'operator.copyReplyAfterApply': true },
        files: { 'a.txt': TEXT, 'chat.md': `${replace('one', 'a.txt', 'second', '2nd')}\n${write('two', 'b.txt', 'b\n')}` },
        async run({ window, inbox }) {
            await window.openFile('chat.md');
            await inbox.open();
            await window.setClipboard('nothing');
            await inbox.click('a.txt', 'Apply', window.notification('Applied 1 change in 1 file.'));
            await inbox.row('b.txt').waitFor();
            assert.equal(await window.clipboard(), 'nothing');
            await inbox.click('b.txt', 'Apply', window.notification('Reply copied'));
            const replies = await window.clipboard();
            assert.deepEqual(replies.match(/^(id|ok): .*/gm), ['id: one', 'ok: true', 'id: two', 'ok: true']);
        },
    },
    {
        name: 'an unsaved target is kept, and is what the block is applied to',
        files: { 'a.txt': TEXT, 'chat.md': replace('one', 'a.txt', 'second', '2nd') },
        async run({ window, inbox, workspace }) {
            await window.openFile('a.txt');
            await window.goTo(1, 6);
            await window.page.keyboard.type(' and mine');
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.click('edit +1', 'Preview', window.diff());
            await window.until('the unsaved text', async () => {
                const lines = await window.page.locator('.monaco-diff-editor .view-line').allInnerTexts();
                return lines.some(line => line.replaceAll('\u00a0', ' ').includes('first and mine'));
            });
            await inbox.click('edit +1', 'Apply', window.notification('Applied 1 change in 1 file. Not saved: a.txt.'));
            await window.screenshot('applied-not-saved');
            await window.until('the preview is gone', async () => (await window.tab('proposed').count()) === 0);
            await window.tab('a.txt').click();
            await window.shows(/^first and mine\n2nd\nthird/);
            assert.equal(readFileSync(path.join(workspace, 'a.txt'), 'utf8'), TEXT);
        },
    },
];
