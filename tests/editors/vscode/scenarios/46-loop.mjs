// The loop with a model, by the keys that a person presses, which are counted.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { replace, write } from '../driver/blocks.mjs';

/** The most steps of the first round of five edits in three files, and of each further one. */
const FIRST = 18;
const FURTHER = 13;

const FILES = { 'a.txt': 'alpha\nend\n', 'b.txt': 'beta\nend\n', 'c.txt': 'gamma\nend\n' };

/** How blocks are written in a dialect: an edit of a file, and a new file. */
const DIALECTS = {
    'search-replace': {
        edit: (_, file, find, text) => `${file}\n<<<<<<< SEARCH\n${find}\n=======\n${text}\n>>>>>>> REPLACE\n`,
        create: (_, file, text) => `${file}\n<<<<<<< SEARCH\n=======\n${text}\n>>>>>>> REPLACE\n`,
    },
    operator: {
        edit: (id, file, find, text) => replace(id, file, find, text),
        create: (id, file, text) => write(id, file, `${text}\n`),
    },
    'apply-patch': {
        edit: (_, file, find, text) => patch(`*** Update File: ${file}\n@@\n-${find}\n+${text}\n`),
        create: (_, file, text) => patch(`*** Add File: ${file}\n+${text}\n`),
    },
};

function patch(files) {
    return `*** Begin Patch\n${files}*** End Patch\n`;
}

/** An answer as the specifications ask for it: all blocks in one fence of four backticks. */
function answer(words, blocks) {
    return `${words}\n\n\`\`\`\`\n${blocks.join('\n')}\`\`\`\`\n`;
}

/** Counts what a person does. */
class Steps {
    constructor(window) {
        Object.assign(this, { window, count: 0, table: [] });
    }

    async press(what, ...keys) {
        await this.window.press(...keys);
        this.note(what, keys.length);
    }

    /** What is done in the browser, where the chat is. */
    note(what, steps) {
        this.count += steps;
        this.table.push(`${String(steps).padStart(2)}  ${what}`);
    }

    /** The steps of a round, which must not be more than this. */
    round(name, most) {
        console.log([`${name}:`, ...this.table, `${String(this.count).padStart(2)}  in all`].join('\n    '));
        assert.ok(this.count <= most, `${name} takes ${this.count} steps, and may take ${most}`);
        Object.assign(this, { count: 0, table: [] });
    }
}

/** Brings an answer in, applies its blocks from diff to diff, and copies the reply. */
async function round(steps, { window, inbox }, text, { files, failed = 0 }) {
    steps.note('browser: copy the answer, switch to the editor', 2);
    await window.setClipboard(text);
    await steps.press('paste and review', 'Control+Shift+Alt+V');
    // The keys go to the list a moment after the row is in it, and VS Code draws the list again just then: it must not matter.
    const list = inbox.pane().locator('.monaco-list:focus-within');
    const focused = list.locator('.monaco-list-row.focused', { hasText: `${files[0]}edit +1 −1` });
    await focused.waitFor();
    await steps.press('open the first diff', 'Enter');
    for (const file of files) {
        const isShown = async () => (await window.activeTab()).startsWith(`${file} (`);
        await window.until(`the diff of ${file}`, isShown);
        await window.page.locator('.monaco-diff-editor .modified .monaco-editor.focused').first().waitFor();
        await steps.press(`apply ${file} and go on`, 'Control+Enter');
    }
    const isChat = async () => !(await window.activeTab()).includes('proposed');
    await window.until('the chat', isChat);
    await window.setClipboard('');
    await steps.press('copy the reply', 'Control+Shift+Alt+R');
    const reply = await window.until('the reply', async () => (await window.clipboard()) || undefined);
    steps.note('browser: switch, paste the reply, send', 3);
    assert.equal(reply.includes('nothing'), false);
    assert.equal(/not applied|ok: false/.test(reply), failed > 0, reply);
    return reply;
}

function conversation(dialect) {
    const { edit, create } = DIALECTS[dialect];
    return {
        name: `the loop in ${dialect}: start, a block that fails, its correction, and undo, by keys`,
        isExtra: dialect !== 'search-replace',
        files: FILES,
        async run({ window, inbox, workspace }) {
            const text = name => {
                const file = path.join(workspace, name);
                return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
            };
            const steps = new Steps(window);
            for (const name of Object.keys(FILES)) {
                await window.openFile(name);
            }
            await steps.press('start a chat', 'Control+Shift+Alt+N');
            await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'a.txt' }).first().waitFor();
            await window.screenshot(`loop-${dialect}-1-start`);
            await steps.press('take the open editors', 'Enter');
            await window.notification('Prompt copied: 3 files').waitFor();
            assert.match(await window.clipboard(), /## c\.txt/);
            await window.dismissNotifications();
            steps.note('browser: switch, paste, send', 3);

            // One block fails: its text is not in the file.
            const first = answer('Five edits.', [
                edit('e1', 'a.txt', 'alpha', 'ALPHA'),
                edit('e2', 'b.txt', 'beta', 'BETA'),
                edit('e3', 'c.txt', 'gamma', 'GAMMA'),
                create('e4', 'd.txt', 'delta'),
                create('e5', 'e.txt', 'epsilon'),
                edit('e6', 'a.txt', 'the end', 'THE END'),
            ]);
            const files = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'];
            const reply = await round(steps, { window, inbox }, first, { files, failed: 1 });
            await window.screenshot(`loop-${dialect}-2-first-round`);
            steps.round('the first round', FIRST);
            await window.becomes(async () => files.map(text), [
                'ALPHA\nend\n', 'BETA\nend\n', 'GAMMA\nend\n', 'delta\n', 'epsilon\n',
            ]);
            assert.match(dialect === 'operator' ? details(reply) : reply, /a\.txt|THE END|the text/);

            // The model corrects it, and goes on.
            const second = answer('Corrected, and more.', [
                edit('f1', 'a.txt', 'end', 'END'),
                edit('f2', 'b.txt', 'end', 'END'),
                edit('f3', 'c.txt', 'end', 'END'),
                edit('f4', 'd.txt', 'delta', 'DELTA'),
                edit('f5', 'e.txt', 'epsilon', 'EPSILON'),
            ]);
            await round(steps, { window, inbox }, second, { files });
            await window.screenshot(`loop-${dialect}-3-second-round`);
            steps.round('a further round', FURTHER);
            await window.becomes(async () => files.map(text), [
                'ALPHA\nEND\n', 'BETA\nEND\n', 'GAMMA\nEND\n', 'DELTA\n', 'EPSILON\n',
            ]);

            // Everything is undone, the newest first; what deletes a file is asked about.
            await window.dismissNotifications();
            const left = {
                e: ['epsilon\n', undefined], d: ['delta\n', undefined],
                c: ['GAMMA\nend\n', 'gamma\nend\n'], b: ['BETA\nend\n', 'beta\nend\n'], a: ['ALPHA\nend\n', 'alpha\nend\n'],
            };
            for (const which of [0, 1]) {
                for (const [name, texts] of Object.entries(left)) {
                    await window.command('Operator: Undo the Last Apply');
                    if (texts[which] === undefined) {
                        const question = window.page.locator('.monaco-dialog-box');
                        await question.getByRole('button', { name: 'Undo' }).click();
                    }
                    await window.becomes(async () => text(`${name}.txt`), texts[which]);
                }
            }
            await window.becomes(async () => files.map(text), [...Object.values(FILES), undefined, undefined]);
            await inbox.open();
            await window.screenshot(`loop-${dialect}-4-undone`);
        },
    };
}

function details(reply) {
    const encoded = /^details_b64: (.*)$/m.exec(reply);
    return encoded === null ? '' : Buffer.from(encoded[1], 'base64').toString('utf8');
}

export default Object.keys(DIALECTS).map(conversation);
