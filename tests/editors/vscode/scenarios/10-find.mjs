// What is wrong is shown at the right place, and fixed.
import assert from 'node:assert/strict';
import { block, write } from '../driver/blocks.mjs';

const SHAM = `#!SHAM [@three-char-SHA-256: abc]
action = "file_write"
path = "/nowhere"
content = "😀 👍🏽 ok" oops
#!END_SHAM_abc
`;

export default [
    {
        name: 'squiggles are under the very characters, after emoji too',
        files: {
            'chat.md': `# Chat\n\n${block('one', 'fs.reed', { path: 'a.txt' })}\n${SHAM}`,
            'a.txt': 'a\n',
            // A source file that mentions a marker is not a transcript.
            'a.py': `X = """\n${block('one', 'fs.reed', { path: 'a.txt' })}"""\n`,
        },
        async run({ window, inbox }) {
            await window.openFile('a.py');
            await inbox.open();
            await window.page.getByText('No open document holds edit blocks').waitFor();
            await window.screenshot('empty-inbox');
            assert.equal(await window.page.locator('.squiggly-error').count(), 0);
            await window.openFile('chat.md');
            await window.until('a squiggle', () => window.isSquiggled('fs.reed', 'fs.reed'));
            await window.until('a squiggle after emoji', () => window.isSquiggled('oops', 'oops'));
            assert.equal(await window.isSquiggled('oops', ' oops'), false);
            await window.screenshot('squiggles');
        },
    },
    {
        name: 'the light bulb fixes a marker',
        // No Markdown: VS Code asks all who offer actions together, and shows nobody's where one
        // of them cancels. Its own support of Markdown does so now and then while it starts, and
        // the bulb comes only when the cursor moves again.
        files: { 'chat.txt': `Hello\n\n ${write('one', 'new.txt', 'new\n')}` },
        async run({ window }) {
            await window.openFile('chat.txt');
            await window.until('a squiggle', () => window.page.locator('.squiggly-error').count());
            const bulb = window.page.locator('.codicon-light-bulb, .codicon-lightbulb-autofix, [class*="codicon-gutter-lightbulb"]');
            await window.goTo(3, 6);
            await bulb.first().waitFor();
            await bulb.first().click();
            const menu = window.page.locator('.action-widget');
            await menu.waitFor();
            await window.screenshot('lightbulb');
            const fix = menu.locator('.monaco-list-row.action', { hasText: "Make the line exactly OPERATOR_CMD" }).first();
            // What lies over the menu while it opens goes away when the mouse moves.
            await fix.hover({ force: true });
            await fix.click();
            await window.until('the marker', async () => !(await window.shown()).includes(' OPERATOR_CMD'));
            await window.until('no error', async () => (await window.page.locator('.squiggly-error').count()) === 0);
        },
    },
    {
        name: 'lenses say the state of each block and what can be done',
        files: { 'chat.md': write('one', 'new.txt', 'new\n') },
        async run({ window }) {
            await window.openFile('chat.md');
            await window.lens('ready: fs.write new.txt').waitFor();
            for (const title of ['Preview', 'Apply', 'Apply and reply', 'Reject']) {
                await window.page.locator('.codelens-decoration a', { hasText: new RegExp(`^${title}$`) }).waitFor();
            }
            await window.page.locator('.codelens-decoration a', { hasText: /^Reject$/ }).click();
            await window.until('the reply', async () => (await window.shown()).includes('summary: refused by the user'));
            await window.lens('rejected').waitFor();
        },
    },
];
