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

export default [
    {
        name: 'the inbox lists every block with its state, and counts what is ready',
        files: FILES,
        async run({ window, inbox }) {
            await window.openFile('chat.md');
            await inbox.open();
            await window.becomes(() => inbox.texts(), [
                'chat.md 4 ready, 2 wrong',
                'cli.py ready · read-1',
                'cli.py ready · edit-1',
                'new.txt ready · write-1',
                'notes.txt ready · move-1',
                'cli.py blocked · edit-2',
                'cli.py invalid · bad-1',
                // What waits for an earlier block is not wrong.
                'docs/notes.txt blocked · edit-3',
            ]);
            await window.until('the badge', async () => (await inbox.badge()) === '4');
            await window.until('the status bar', async () => /4 ready\s+2/.test(await window.statusBar().innerText()));
            await window.becomes(() => inbox.buttons('edit-1'), ['Preview', 'Apply', 'Reject']);
            await window.becomes(() => inbox.buttons('read-1'), ['Run and Insert the Reply', 'Reject']);
            await window.becomes(() => inbox.buttons('edit-2'), ['Reject']);
            await window.becomes(() => inbox.menu('edit-1'), [
                'Go to Block', 'Preview', 'Apply', 'Apply and Insert the Reply', 'Reject',
            ]);
            await window.becomes(() => inbox.menu('chat.md'), ['Apply All', 'Copy Replies', 'Copy Problems for the Model']);
            await inbox.tooltip('chat.md', '4 ready, 2 blocked, 1 invalid');
            await inbox.tooltip('edit-3', 'ready once block 4 (move-1) is applied');
            await window.screenshot('inbox-tooltip');
            await inbox.row('edit-1').click();
            await window.screenshot('inbox');
            await window.page.locator('.statusbar-item', { hasText: 'Ln 12, Col 1' }).waitFor();
        },
    },
    {
        name: 'a preview is a diff, and applies what it shows; undo takes it back',
        files: FILES,
        async run({ window, inbox, workspace }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.click('edit-1', 'Preview', window.diff());
            await window.until('the tab', async () => (await window.activeTab()).includes('cli.py (edit-1, proposed)'));
            await window.until('both sides', async () => {
                const sides = await window.page.locator('.monaco-diff-editor .view-line').allInnerTexts();
                return sides.some(line => line.includes('Hello')) && sides.some(line => line.includes('Hola'));
            });
            // The language is the file's, so that its words have more than one colour.
            await window.until('colours', async () => (await window.page.locator('.monaco-diff-editor .modified .view-line span.mtk6, .monaco-diff-editor .modified .view-line span.mtk5').count()) > 0);
            await window.screenshot('preview');
            await window.page.locator('.editor-actions [aria-label^="Apply This Proposal"]').first().click();
            await window.until('the state', async () => (await inbox.texts()).includes('cli.py applied · edit-1'));
            await window.until('the tab is gone', async () => (await window.tab('proposed').count()) === 0);
            await window.openFile('cli.py');
            await window.shows(/Hola/);
            await window.line('Hola').click();
            await window.press('Control+Z');
            await window.until('the old text', async () => (await window.shown()).includes('Hello'));
            await window.until('ready again', async () => (await inbox.texts()).includes('cli.py ready · edit-1'));
            assert.equal(readFileSync(path.join(workspace, 'cli.py'), 'utf8'), CLI);
        },
    },
    {
        name: 'a proposal of several files is shown as several diffs, and a rejected one is answered',
        files: FILES,
        async run({ window, inbox, workspace }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.click('move-1', 'Preview', window.page.locator('.multiDiffEntry'));
            await window.becomes(() => window.page.locator('.multiDiffEntry').count(), 2);
            await window.screenshot('preview-of-several-files');
            await window.page.locator('.editor-actions [aria-label^="Apply This Proposal"]').first().click();
            await window.until('the file at its new place', () => existsSync(path.join(workspace, 'docs/notes.txt')));
            assert.equal(existsSync(path.join(workspace, 'notes.txt')), false);
            await window.until('the state', async () => (await inbox.texts()).includes('notes.txt applied · move-1'));
            await inbox.click('write-1', 'Preview', window.tab('new.txt (write-1, proposed)'));
            await window.page.locator('.editor-actions [aria-label^="Reject This Proposal"]').first().click();
            await window.until('the state', async () => (await inbox.texts()).includes('new.txt rejected · write-1'));
            assert.equal(existsSync(path.join(workspace, 'new.txt')), false);
        },
    },
];
