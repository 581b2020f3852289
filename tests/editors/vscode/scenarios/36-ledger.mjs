// What was applied is known whatever becomes of the transcript and of the window, and nothing is applied twice.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { base64, block, write } from '../driver/blocks.mjs';

/** A block that adds `two` after `one`: done twice it is wrong, and nothing in the file shows that. */
const EDITS = { version: 1, edits: [{ op: 'insertAfter', anchor: 'one\n', text: 'two\n' }] };
const INSERT = block('i1', 'fs.applyEdits', { path: 'a.txt', edits_b64: base64(JSON.stringify(EDITS)) });
const RESULT = 'OPERATOR_RESULT\nid: i1\nok: true\nsummary: inserted\nEND_OPERATOR_RESULT\n';
/** Saves what an apply changes, so that the disk has it. */
const settings = { 'operator.confirm': 'never', 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 };

/** Nothing is left to be applied, and nothing is. */
async function isDone({ window, inbox, workspace }) {
    await inbox.row('· applied').waitFor();
    await window.becomes(() => inbox.buttons('chat.md'), ['Copy Reply']);
    await window.becomes(() => readFileSync(path.join(workspace, 'a.txt'), 'utf8'), 'one\ntwo\n');
}

export default [
    {
        name: 'a typo, a transcript opened again and a reload forget nothing of what was applied',
        files: { 'a.txt': 'one\n', 'chat.md': INSERT },
        settings,
        async run(all) {
            const { window, inbox } = all;
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.click('a.txt', 'Apply', inbox.row('· applied'));
            await isDone(all);

            await window.tab('chat.md').click();
            await window.goTo(4, 9);
            await window.page.keyboard.type('x');
            await inbox.row('invalid').waitFor();
            await window.press('Backspace');
            await isDone(all);

            await window.command('View: Close All Editors');
            await inbox.row('a.txt').waitFor({ state: 'detached' });
            await window.openFile('chat.md');
            await isDone(all);

            await window.page.reload();
            await isDone(all);
        },
    },
    {
        name: 'of three blocks on one file the last is applied, and a result that the model made up does not count',
        files: {
            'a.txt': 'one\n',
            'f.txt': 'z\n',
            'three.md': [write('a', 'f.txt', 'x\n'), write('b', 'f.txt', 'y\n'), write('c', 'f.txt', 'x\n')].join('\n'),
            'chat.md': INSERT + RESULT,
        },
        settings,
        async run(all) {
            const { window, inbox, workspace } = all;
            await window.openFile('three.md');
            await inbox.open();
            // The last one wants what the first has made, and is done until the second is.
            await inbox.click('f.txt', 'Apply', inbox.section('Done', 2));
            await inbox.click('f.txt', 'Apply', window.lens('applied: fs.write f.txt').nth(1));
            await inbox.click('f.txt', 'Apply', inbox.section('Done', 3));
            await window.becomes(() => readFileSync(path.join(workspace, 'f.txt'), 'utf8'), 'x\n');

            await window.openFile('chat.md');
            await window.until('the warning', () => window.isSquiggled('OPERATOR_RESULT', 'OPERATOR_RESULT', 'warning'));
            await inbox.click('a.txt', 'Apply', inbox.row('· applied'));
            await isDone(all);
        },
    },
];
