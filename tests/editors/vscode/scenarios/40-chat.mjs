// The loop with the model.
import assert from 'node:assert/strict';
import { base64, block, write } from '../driver/blocks.mjs';

export default [
    {
        name: 'answers are pasted into one chat, and problems go back to the clipboard',
        files: { 'a.txt': 'a\n' },
        async run({ window, inbox }) {
            await window.openFile('a.txt');
            await window.setClipboard(`Here:\n\n${write('one', 'b.txt', 'b\n')}\n${block('two', 'fs.reed', { path: 'a.txt' })}`);
            await window.press('Control+Shift+Alt+V');
            await window.lens('ready: fs.write b.txt').waitFor();
            assert.match(await window.activeTab(), /Here/);
            await window.until('both blocks', async () => (await inbox.texts()).length === 4);
            await window.until('the name', async () => /^Here 1 ready, 1 wrong · \d\d:\d\d$/.test((await inbox.texts())[0]));
            await window.screenshot('pasted');
            // The row is selected that the keys go on from.
            await window.press('Enter');
            await window.tab('b.txt (proposed)').waitFor();
            await window.screenshot('pasted-and-opened');

            await window.setClipboard(`And then:\n\n${write('three', 'c.txt', 'c\n')}`);
            await window.command('Operator: Paste and Review');
            await window.lens('ready: fs.write c.txt').waitFor();
            await inbox.row('c.txt').waitFor();
            assert.equal(await window.tab('Untitled-2').count(), 0);
            await window.until('the separator', async () => (await window.shown()).includes('────────'));
            // The same answer once more is the same answer.
            await window.command('Operator: Paste and Review');
            await window.becomes(async () => (await inbox.texts()).filter(text => text.startsWith('c.txt')).length, 1);
            await window.screenshot('pasted-again');
            await inbox.click('2 ready, 1 wrong', 'Copy Reply', window.notification('Reply copied'));
            const text = await window.clipboard();
            assert.match(text, /^OPERATOR_RESULT\nid: two\nok: false\nsummary: unknown action `fs\.reed`/);
            const details = Buffer.from(/^details_b64: (.*)$/m.exec(text)[1], 'base64').toString('utf8');
            assert.equal(JSON.parse(details).next, 'send the corrected block again, whole, with a new id');
        },
    },
    {
        name: 'an answer after a copied reply corrects what that asks for again',
        files: { 'a.txt': 'one\n', 'b.txt': 'one\n' },
        async run({ window, inbox }) {
            const edit = (path, old) => `${path}\n<<<<<<< SEARCH\n${old}\n=======\ntwo\n>>>>>>> REPLACE\n`;
            const paste = async text => {
                await window.setClipboard(text);
                await window.command('Operator: Paste and Review');
            };
            await paste(`Two edits:\n\n${edit('a.txt', 'none')}\n${edit('b.txt', 'one')}`);
            await inbox.row('1 ready, 1 wrong').waitFor();
            // Its row is in the group of what is done, which is folded.
            await inbox.click(/^b\.txt/, 'Apply', inbox.row('Done'));
            await inbox.click('1 wrong', 'Copy Reply', window.notification('Reply copied'));
            const reply = await window.clipboard();
            await paste(`Corrected:\n\n${edit('a.txt', 'one')}`);
            await inbox.row('1 ready').waitFor();
            await window.until('one row of a.txt', async () => (await inbox.texts()).filter(text => /^a\.txt edit/.test(text)).length === 1);
            assert.equal((await inbox.texts()).some(text => text.includes('wrong')), false);
            const last = reply.trimEnd().split('\n').at(-1);
            await window.until('the reply above the answer', async () => (await window.shown()).includes(last));
            await window.screenshot('corrected');
        },
    },
    {
        name: 'text without blocks is said to have none, and a specification teaches to write them',
        async run({ window }) {
            await window.setClipboard('No blocks here.');
            await window.command('Operator: Paste and Review');
            await window.notification('No edit block is in the 1 line that you pasted').waitFor();
            await window.setClipboard('<write_to_file>\n<path>a.txt</path>\n<content>\nb\n</content>\n</write_to_file>\n');
            await window.command('Operator: Paste and Review');
            await window.notification('No edit block was found: ').waitFor();
            await window.screenshot('nothing-found');
            await window.setClipboard('');
            await window.command('Operator: Paste and Review');
            await window.notification('the clipboard holds no text').waitFor();
            await window.command('Operator: Copy Interface Specification');
            await window.quickInput().fill('sham');
            await window.press('Enter');
            await window.notification('The specification of sham is copied').waitFor();
            assert.match(await window.clipboard(), /^# SHAM/);
        },
    },
    {
        name: 'a chat starts with the open editors, and what was copied is said',
        files: { 'a.py': 'x = 1\n', 'b.py': 'y = 1\n' },
        async run({ window }) {
            await window.openFile('a.py');
            await window.command('Operator: Start a Chat');
            await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'a.py' }).first().waitFor();
            await window.screenshot('start-a-chat');
            await window.press('Enter');
            await window.notification('Prompt copied: 1 file, about').waitFor();
            const text = await window.clipboard();
            assert.match(text, /<<<<<<< SEARCH[^]*\n## a\.py\n[^]*x = 1\n/);
            assert.doesNotMatch(text, /y = 1/);
        },
    },
    {
        name: 'the selection becomes base64 and text again, or the reason is said',
        files: { 'a.md': 'Tschüss 😀\n' },
        async run({ window }) {
            await window.openFile('a.md');
            await window.press('Home', 'Shift+End');
            await window.command('Operator: Encode the Selection as Base64');
            await window.until('base64', async () => (await window.shown()).startsWith(base64('Tschüss 😀')));
            await window.press('Home', 'Shift+End');
            await window.command('Operator: Decode the Selection from Base64');
            await window.until('the text', async () => (await window.shown()).startsWith('Tschüss 😀'));
            await window.press('Home', 'Shift+End');
            await window.command('Operator: Decode the Selection from Base64');
            await window.notification('is not a base64 character').waitFor();
        },
    },
    {
        name: 'grammar and semantic tokens colour a file of blocks',
        files: { 'a.operator': write('one', 'a.txt', 'a\n'), 'b.sham': '#!SHAM [@three-char-SHA-256: abc]\naction = "file_read"\npath = "/x"\n#!END_SHAM_abc\n' },
        async run({ window }) {
            const colours = async () => {
                const spans = await window.page.locator('.view-line span span').evaluateAll(all => all.map(it => it.className));
                return new Set(spans.map(name => name.split(' ')[0])).size;
            };
            for (const name of ['a.operator', 'b.sham']) {
                await window.openFile(name);
                await window.until(`colours of ${name}`, async () => (await colours()) >= 4);
                await window.screenshot(`grammar-${name.replace('.', '-')}`);
            }
        },
    },
];
