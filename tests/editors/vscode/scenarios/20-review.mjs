// The inbox and the preview.
import assert from 'node:assert/strict';
import { readFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { block, replace, write } from '../driver/blocks.mjs';

const CLI = 'def main():\n    print("Hello")\n\n\nmain()\n';

const FILES = {
    'cli.py': CLI,
    'notes.txt': 'one\n',
    'chat.md': [
        'First the code:\n',
        block('read-1', 'fs.read', { path: 'cli.py' }),
        'Then the change:\n',
        replace('edit-1', 'cli.py', 'Hello', 'Hola'),
        write('write-1', 'new.txt', 'new\n'),
        block('move-1', 'fs.move', { path: 'notes.txt', path_to: 'docs/notes.txt' }),
        replace('edit-2', 'cli.py', 'not there', 'x'),
        block('bad-1', 'fs.reed', { path: 'cli.py' }),
        replace('edit-3', 'docs/notes.txt', 'one', 'two'),
    ].join('\n'),
};

const EDIT = 'cli.py edit +1 −1';
const QUESTION = /^cli\.py\s*read$/;

export default [
    {
        name: 'the inbox lists what every block does, and counts what is ready',
        files: FILES,
        async run({ window, inbox }) {
            await window.openFile('chat.md');
            await inbox.open();
            await window.becomes(() => inbox.texts(), [
                'chat.md 4 ready, 2 wrong',
                'Changes 6',
                EDIT,
                'new.txt new file, 1 line',
                'notes.txt → docs/notes.txt',
                'cli.py edit · blocked',
                'cli.py fs.reed · invalid',
                // What waits for an earlier block is not wrong.
                'notes.txt edit · waits · docs',
                'Questions 1',
                'cli.py read',
            ]);
            await window.until('the badge', async () => (await inbox.badge()) === '4');
            await window.until('the status bar', async () => /4 ready\s+2/.test(await window.statusBar().innerText()));
            await window.becomes(() => inbox.buttons('edit +1'), ['Preview', 'Apply', 'Reject']);
            await window.becomes(() => inbox.buttons(QUESTION), ['Run and Insert the Reply', 'Reject']);
            await window.becomes(() => inbox.buttons('edit · blocked'), ['Reject']);
            await window.becomes(() => inbox.menu('edit +1'), [
                'Go to Block', 'Preview', 'Apply', 'Apply and Insert the Reply', 'Reject',
            ]);
            await window.becomes(() => inbox.menu('chat.md'), ['Apply All', 'Copy Reply']);
            await inbox.tooltip('chat.md', '4 ready, 2 blocked, 1 invalid');
            await inbox.tooltip('edit +1', 'operator block 2 (edit-1), ready');
            await inbox.tooltip('waits', 'ready once block 4 (move-1) is applied');
            await window.screenshot('inbox-tooltip');
            // There is no diff of a question: its block is shown.
            await inbox.opens(QUESTION, () => window.page.locator('.statusbar-item', { hasText: 'Ln 3, Col 1' }).isVisible());
            await window.screenshot('inbox');
        },
    },
    {
        name: 'a click opens the diff, which applies what it shows; undo restores the text',
        files: FILES,
        async run({ window, inbox, workspace }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.opens('edit +1', async () => (await window.activeTab()).includes('cli.py (1 of 5, proposed)'));
            await window.diff().waitFor();
            await window.until('both sides', async () => {
                const sides = await window.page.locator('.monaco-diff-editor .view-line').allInnerTexts();
                return sides.some(line => line.includes('Hello')) && sides.some(line => line.includes('Hola'));
            });
            // The language is the file's, so that its words have more than one colour.
            await window.until('colours', async () => (await window.page.locator('.monaco-diff-editor .modified .view-line span.mtk6, .monaco-diff-editor .modified .view-line span.mtk5').count()) > 0);
            await window.screenshot('preview');
            await window.action('Apply');
            await inbox.section('Done', 1).waitFor();
            await window.until('the tab is gone', async () => (await window.tab('proposed').count()) === 0);
            await window.openFile('cli.py');
            await window.shows(/Hola/);
            await window.line('Hola').click();
            await window.press('Control+Z');
            await window.until('the old text', async () => (await window.shown()).includes('Hello'));
            await window.until('ready again', async () => (await inbox.texts()).includes(EDIT));
        },
    },
    {
        name: 'a change that is left out of the diff is not applied, and the model is told',
        files: {
            'a.txt': 'one\nkeep\ntwo\nkeep\nthree\n',
            'chat.md': write('w', 'a.txt', 'ONE\nkeep\nTWO\nkeep\nTHREE\n'),
        },
        async run({ window, inbox, workspace }) {
            const lines = () => window.page.locator('.monaco-diff-editor .modified .view-line').allInnerTexts();
            const right = async () => (await lines()).filter(line => line !== '');
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.opens('a.txt', async () => (await window.activeTab()).includes('a.txt (proposed)'));
            await window.until('the change', async () => (await right()).includes('TWO'));
            await window.page.locator('.monaco-diff-editor .modified .view-line', { hasText: 'TWO' }).click();
            await window.action('Leave Out This Change');
            await window.becomes(right, ['ONE', 'keep', 'two', 'keep', 'THREE']);
            await window.screenshot('preview-in-part');
            await window.action('Show All Changes Again');
            await window.becomes(right, ['ONE', 'keep', 'TWO', 'keep', 'THREE']);
            await window.page.locator('.monaco-diff-editor .modified .view-line', { hasText: 'ONE' }).click();
            await window.press('Alt+Backspace');
            await window.becomes(right, ['one', 'keep', 'TWO', 'keep', 'THREE']);
            await window.press('Alt+Enter');
            const question = window.page.locator('.monaco-dialog-box');
            await question.getByText('Apply 2 of 3 changes of fs.write a.txt (+2 −2)?').waitFor();
            await question.getByRole('button', { name: 'Apply' }).click();
            await window.becomes(async () => readFileSync(path.join(workspace, 'a.txt'), 'utf8'), 'one\nkeep\nTWO\nkeep\nTHREE\n');
            // As the preview goes, it takes the keys from what is open by then.
            await window.tab('proposed').waitFor({ state: 'hidden' });
            await window.command('Operator: Copy Reply');
            await window.until('the reply', async () => (await window.clipboard()).includes('edited a.txt in part, 2 of 3 hunks'));
        },
    },
    {
        name: 'a change in one of several files is left out of their diffs',
        files: {
            'a.txt': 'one\n',
            'b.txt': 'two\nkeep\nthree\n',
            'chat.md': [
                '*** Begin Patch', '*** Update File: a.txt', '@@', '-one', '+ONE', '*** Update File: b.txt',
                '@@', '-two', '+TWO', ' keep', '-three', '+THREE', '*** End Patch', '',
            ].join('\n'),
        },
        async run({ window, inbox, workspace }) {
            const line = text => window.page.locator('.multiDiffEntry .modified .view-line', { hasText: new RegExp(text) });
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.opens('a.txt', () => window.page.locator('.multiDiffEntry').first().isVisible());
            await line('TWO').click();
            await window.press('Alt+Backspace');
            await line('TWO').waitFor({ state: 'detached' });
            await line('THREE').waitFor();
            await window.screenshot('preview-of-several-files-in-part');
            await window.action('Apply');
            await inbox.section('Done', 1).waitFor();
            const text = name => readFileSync(path.join(workspace, name), 'utf8');
            await window.becomes(async () => [text('a.txt'), text('b.txt')], ['ONE\n', 'two\nkeep\nTHREE\n']);
        },
    },
    {
        name: 'the keys go from diff to diff, and after the last the chat is there again',
        files: {
            'a.txt': 'one\n',
            'b.txt': 'one\n',
            'chat.md': ['a', 'b'].map(name => replace(name, `${name}.txt`, 'one', 'two')).join('\n') + write('c', 'c.txt', 'c\n'),
        },
        async run({ window, inbox, workspace }) {
            const text = name => existsSync(path.join(workspace, name)) && readFileSync(path.join(workspace, name), 'utf8');
            const shows = title => window.until(title, async () => (await window.activeTab()).includes(title));
            const focused = () => window.page.locator('.monaco-diff-editor .modified .monaco-editor.focused').first().waitFor();
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.opens('a.txt', async () => (await window.activeTab()).includes('a.txt (1 of 3, proposed)'));
            await focused();
            await window.press('Alt+PageDown');
            await shows('b.txt (2 of 3, proposed)');
            await focused();
            await window.press('Alt+PageUp');
            await shows('a.txt (1 of 3, proposed)');
            await focused();
            await window.press('Control+Enter');
            await shows('b.txt (2 of 3, proposed)');
            await window.becomes(async () => text('a.txt'), 'two\n');
            await focused();
            await window.press('Control+Backspace');
            await shows('c.txt (3 of 3, proposed)');
            await focused();
            await window.screenshot('preview-of-the-last');
            await window.press('Control+Enter');
            await window.becomes(async () => text('c.txt'), 'c\n');
            await window.until('the chat', async () => (await window.activeTab()).startsWith('chat.md'));
            assert.equal(text('b.txt'), 'one\n');
            await window.notification('Applied 1 change in 1 file.').waitFor();
        },
    },
    {
        name: 'the keys of the inbox look at a block, apply it and reject it',
        files: FILES,
        async run({ window, inbox, workspace }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.row('new.txt').waitFor();
            // A key is about the row that the keyboard is on, and one may be lost while the list is drawn again.
            const press = async (row, key) => {
                await window.command('Operator: Focus on Inbox View');
                await window.press('Home');
                const focused = inbox.pane().locator('.monaco-list:focus-within .monaco-list-row.focused');
                await window.until(row, async () => {
                    if ((await focused.innerText({ timeout: 500 })).replaceAll(/\s+/g, ' ').includes(row)) {
                        return true;
                    }
                    await window.press('ArrowDown');
                    return false;
                });
                await window.press(key);
            };
            await press('→ docs/notes.txt', 'Delete');
            await inbox.section('Done', 1).waitFor();
            await press('new file', 'Space');
            await window.until('the new file', () => existsSync(path.join(workspace, 'new.txt')));
            assert.ok(existsSync(path.join(workspace, 'notes.txt')));
            await inbox.section('Done', 2).waitFor();
            await press('edit +1 −1', 'Enter');
            await window.until('the diff', async () => (await window.activeTab()).includes('cli.py (1 of 5, proposed)'));
        },
    },
    {
        name: 'a proposal of several files is shown as several diffs, and a rejected one is answered',
        files: FILES,
        async run({ window, inbox, workspace }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.click('→ docs', 'Preview', window.page.locator('.multiDiffEntry'));
            await window.becomes(() => window.page.locator('.multiDiffEntry').count(), 2);
            await window.screenshot('preview-of-several-files');
            await window.action('Apply');
            await window.until('the file at its new place', () => existsSync(path.join(workspace, 'docs/notes.txt')));
            assert.equal(existsSync(path.join(workspace, 'notes.txt')), false);
            await inbox.section('Done', 1).waitFor();
            await inbox.click('new.txt', 'Preview', window.tab('new.txt (2 of 5, proposed)'));
            await window.action('Reject');
            await inbox.section('Done', 2).waitFor();
            assert.equal(existsSync(path.join(workspace, 'new.txt')), false);
        },
    },
];
