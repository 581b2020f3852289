// The view "Applied": what was applied, undone and redone from there, also after a reload.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { replace, write } from '../driver/blocks.mjs';

const TEXT = 'first\nsecond\nthird\n';

/** The rows with every time of day as `15:36`. */
async function rows(applied) {
    return (await applied.texts()).map(text => text.replaceAll(/\d\d:\d\d/g, '15:36'));
}

/** Saves an open file. */
async function save(window, name) {
    await window.tab(name).click();
    await window.press('Control+S');
    await window.page.locator('.tabs-container .tab.dirty', { hasText: name }).waitFor({ state: 'hidden' });
}

export default [
    {
        name: 'what was applied is listed, undone and redone, also after a reload',
        files: {
            'a.txt': TEXT,
            'chat.md': [replace('one', 'a.txt', 'second', '2nd'), write('two', 'docs/new.txt', 'new\n')].join('\n'),
        },
        async run({ window, inbox, applied }) {
            await window.openFile('chat.md');
            await applied.open();
            await applied.pane().getByText('Nothing has been applied in this workspace.').waitFor();
            await window.screenshot('applied-empty');
            await inbox.open();
            await inbox.click('a.txt', 'Apply', inbox.section('Done', 1));
            await inbox.opens(/^Done\s*1$/, () => inbox.row('· applied').isVisible());
            await inbox.tooltip('· applied', /Applied by the editor \d\d:\d\d \(operation 1\)/);
            await inbox.click('new.txt', 'Apply', inbox.section('Done', 2));
            await window.becomes(() => rows(applied), [
                'fs.write docs/new.txt 15:36 · editor · #2',
                'fs.applyEdits a.txt 15:36 · editor · #1',
            ]);
            await applied.opens('fs.applyEdits', () => applied.row('block 1 (one)').isVisible());
            await window.becomes(async () => (await rows(applied)).slice(2), ['fs.applyEdits a.txt block 1 (one)', 'a.txt']);
            await applied.opens(/^a\.txt$/, async () => (await window.activeTab()).startsWith('a.txt'));
            await window.shows(/^first\n2nd\nthird/);
            await applied.opens('block 1 (one)', async () => (await window.activeTab()).startsWith('chat.md'));
            await window.becomes(() => applied.buttons('#1'), ['Undo']);
            await applied.tooltip('#1', 'block 1 (one): fs.applyEdits a.txt');
            await window.screenshot('applied');

            // The older one first: no file of it was changed since.
            await applied.click('#1', 'Undo', applied.row(/undone.*#1/));
            await inbox.row('edit +1 −1').waitFor();
            await window.tab('a.txt').click();
            await window.shows(/^first\nsecond\nthird/);
            await window.becomes(() => applied.buttons('#1'), []);
            await window.screenshot('applied-undone');
            await window.command('Operator: Redo the Last Undo');
            await window.becomes(async () => (await rows(applied))[1], 'fs.applyEdits a.txt 15:36 · editor · #1');
            await window.shows(/^first\n2nd\nthird/);
            await inbox.section('Done', 2).waitFor();

            await window.page.reload();
            await applied.row(/fs\.write docs\/new\.txt.*#2/).waitFor();
            await window.openFile('chat.md');
            await inbox.section('Done', 2).waitFor();
            await applied.click('#1', 'Undo', applied.row(/undone.*#1/));
            await window.openFile('a.txt');
            await window.shows(/^first\nsecond\nthird/);
        },
    },
    {
        name: 'what the command line applied is undone, and what came in between is said',
        files: { 'a.txt': TEXT, 'chat.md': replace('one', 'a.txt', 'second', '2nd') },
        async run({ window, applied, workspace, program }) {
            await window.openFile('chat.md');
            await applied.open();
            await applied.pane().getByText('Nothing has been applied in this workspace.').waitFor();
            execFileSync(program, ['apply', '--yes', '--root', workspace, path.join(workspace, 'chat.md')], { stdio: 'pipe' });
            await applied.pane().hover();
            await applied.pane().locator('.actions .action-label[aria-label="Refresh"]').click();
            const row = 'fs.applyEdits a.txt 15:36 · command line · #1';
            await window.becomes(() => rows(applied), [row]);
            await applied.click('#1', 'Undo', applied.row(/undone.*#1/));
            await applied.pane().hover();
            await applied.pane().locator('.actions .action-label[aria-label="Redo the Last Undo"]').click();
            await window.becomes(() => rows(applied), [row]);
            await window.openFile('a.txt');
            await window.shows(/^first\n2nd\nthird/);
            await window.goTo(1, 6);
            await window.page.keyboard.type('!');
            await save(window, 'a.txt');
            const refused = window.notification('Nothing was undone');
            await applied.click('#1', 'Undo', refused);
            assert.match(await refused.innerText(), /a\.txt/);
            await window.screenshot('applied-refused');
            await window.shows(/^first!\n2nd\nthird/);
        },
    },
];
