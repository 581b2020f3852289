// Conversations with blocks of chats: paste, apply all, the replies, the next answer, and back.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const EXAMPLES = path.resolve(import.meta.dirname, '../../../../spec/examples');
const FILES = ['greeter/cli.py', 'greeter/__init__.py', 'tests/test_greeter.py', 'notes.txt'];
const settings = { 'operator.confirm': 'never', 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 };

/** An answer, the reply to it, the next answer, the reply to that. */
function parts(example) {
    const text = readFileSync(path.join(EXAMPLES, example), 'utf8');
    const begins = 'operator-lsp applied';
    const reply = text.indexOf(begins);
    const second = text.indexOf('\n**Model:**', reply);
    const last = text.indexOf(begins, second);
    return [text.slice(0, reply), text.slice(reply, second), text.slice(second, last), text.slice(last)];
}

/** The files of the examples, and an empty transcript. */
function files() {
    const known = FILES.map(name => [name, readFileSync(path.join(EXAMPLES, 'workspace', name), 'utf8')]);
    return { ...Object.fromEntries(known), 'chat.md': '' };
}

/** A scenario of two rounds, with what the view counts before each. */
function conversation(example, { first, second }) {
    return {
        name: `a conversation of ${example} has two rounds, and is undone`,
        isExtra: !example.startsWith('search-replace'),
        files: files(),
        settings,
        async run({ window, inbox, workspace }) {
            const chat = parts(example);
            const all = () => [...FILES, 'greeter/__main__.py', 'docs/ideas.md'].map(name => {
                const file = path.join(workspace, name);
                return existsSync(file) ? readFileSync(file, 'utf8') : '';
            });
            const paste = async text => {
                await window.setClipboard(text);
                await window.openFile('chat.md');
                await window.press('Control+End', 'Control+V');
            };
            // What is made of an edit is told once the editor has said that it made all of it.
            const applyAll = async row => {
                await inbox.click(row, 'Apply All', window.notification('Applied'));
                await window.until('nothing is ready', async () => !(await inbox.texts())[0].includes('ready'));
            };
            const copied = async expected => {
                await window.setClipboard('');
                await inbox.click(expected.row, 'Copy Reply', window.notification('copied'));
                assert.equal((await window.clipboard()).trimEnd(), expected.text.trimEnd());
                await window.dismissNotifications();
            };
            const before = all();
            await paste(chat[0]);
            await inbox.open();
            await inbox.row(first).waitFor();
            await applyAll(first);
            await copied({ row: 'chat.md', text: chat[1] });
            const between = all();

            await paste(chat[1] + chat[2]);
            await inbox.row(second).waitFor();
            await applyAll(second);
            await copied({ row: 'chat.md', text: chat[3] });

            await window.command('Operator: Undo the Last Apply');
            await window.becomes(async () => all(), between);
            await window.command('Operator: Undo the Last Apply');
            await window.becomes(async () => all(), before);
        },
    };
}

export default [
    conversation('search-replace-conversation.md', { first: '4 ready, 3 wrong', second: '3 ready' }),
    conversation('apply-patch-conversation.md', { first: '1 ready, 2 wrong', second: '2 ready' }),
    conversation('diff-conversation.md', { first: '3 ready, 2 wrong', second: '2 ready' }),
    conversation('files-conversation.md', { first: '3 ready, 2 wrong', second: '2 ready' }),
    {
        name: 'a diff in a page is an example, until somebody says that it is not',
        files: { 'a.txt': 'one\n', 'page.md': '```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n```\n' },
        settings,
        async run({ window, inbox, workspace }) {
            await window.openFile('page.md');
            await inbox.open();
            await window.command('Operator: Find Edits Here');
            await inbox.row('1 ready').waitFor();
            await inbox.click('1 ready', 'Apply All', inbox.row('· applied'));
            const text = async () => readFileSync(path.join(workspace, 'a.txt'), 'utf8');
            await window.becomes(text, 'two\n');
        },
    },
];
