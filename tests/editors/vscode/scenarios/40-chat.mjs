// The loop with the model.
import assert from 'node:assert/strict';
import { base64, block, write } from '../driver/blocks.mjs';

export default [
    {
        name: 'a new transcript comes from the clipboard, and problems go back there',
        files: { 'a.txt': 'a\n' },
        async run({ window, inbox }) {
            await window.setClipboard(`Here:\n\n${write('one', 'b.txt', 'b\n')}\n${block('two', 'fs.reed', { path: 'a.txt' })}`);
            await window.command('Operator: New Transcript from Clipboard');
            await window.lens('ready: fs.write b.txt').waitFor();
            assert.match(await window.activeTab(), /Untitled/);
            await inbox.open();
            await window.until('both blocks', async () => (await inbox.texts()).length === 3);
            await inbox.click('1 ready, 1 wrong', 'Copy Problems for the Model', window.notification('1 problem copied'));
            const text = await window.clipboard();
            assert.match(text, /^Some of your edit blocks could not be used/);
            assert.match(text, /\nBlock 2, fs\.reed.*id two:\n- error operator\/unknown-action, line 14: /);
            assert.match(text, /\n  > action: fs\.reed\n/);
        },
    },
    {
        name: 'text without blocks is said to have none, and a specification teaches to write them',
        async run({ window }) {
            await window.setClipboard('No blocks here.');
            await window.command('Operator: New Transcript from Clipboard');
            await window.notification('No edit blocks found').waitFor();
            await window.setClipboard('');
            await window.command('Operator: New Transcript from Clipboard');
            await window.notification('the clipboard holds no text').waitFor();
            await window.command('Operator: Copy Interface Specification');
            await window.quickInput().fill('sham');
            await window.press('Enter');
            await window.notification('The specification of sham is copied').waitFor();
            assert.match(await window.clipboard(), /^# SHAM/);
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
