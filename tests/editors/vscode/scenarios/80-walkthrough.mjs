// The first steps, as VS Code shows them.
import assert from 'node:assert/strict';
import { write } from '../driver/blocks.mjs';

export default [
    {
        name: 'the walkthrough has its steps, its picture, and links that work',
        files: { 'chat.md': write('one', 'new.txt', 'new\n') },
        async run({ window }) {
            const page = window.page.locator('.gettingStartedContainer');
            const step = title => page.locator('.getting-started-step', { hasText: title });
            const open = async title => {
                await step(title).click();
                await window.until(`the step ${title}`, () => step(title).evaluate(it => it.classList.contains('expanded')));
            };
            await window.openFile('chat.md');
            await window.lens('ready: fs.write new.txt').waitFor();
            await window.command('Operator: How It Works');
            await page.getByText('From a chat to your files').waitFor();
            const titles = ['Teach the model', 'Bring its answer here', 'Look at each proposal', 'Answer the model'];
            await window.until('the steps', async () => (await page.locator('.getting-started-step').count()) === titles.length);

            await open('Teach the model');
            await window.screenshot('walkthrough');
            // The page beside the steps takes the focus once it is loaded, and the question goes away with it.
            await window.until('the question', async () => {
                await step('Teach the model').getByRole('button', { name: 'Copy Interface Specification' }).click({ timeout: 4_000 });
                await window.quickInput().fill('replacer', { timeout: 4_000 });
                await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'replacer' }).first().waitFor({ timeout: 4_000 });
                return true;
            });
            await window.press('Enter');
            await window.notification('The specification of replacer is copied').waitFor();
            await window.dismissNotifications();

            await open('Bring its answer here');
            await window.until('its text', () => markdown(window, 'The light bulb fixes what is safe to fix'));

            await open('Answer the model');
            await window.until('its text', () => markdown(window, 'the nearest lines of the file'));

            await open('Look at each proposal');
            const picture = page.locator('.getting-started-media img');
            await window.until('the picture', () => picture.evaluate(image => image.complete && image.naturalWidth > 0));
            assert.match((await picture.getAttribute('alt')) ?? '', /A proposal as a diff/);
            await window.screenshot('walkthrough-picture');
            await step('Look at each proposal').getByRole('button', { name: 'Open the Inbox' }).click();
            await window.page.locator('.composite.title', { hasText: 'Operator' }).waitFor();
        },
    },
];

/** Whether the text beside the steps, which is a page of its own, holds these words. */
async function markdown(window, words) {
    for (const frame of window.page.frames()) {
        const text = await frame.locator('body').innerText({ timeout: 500 }).catch(() => '');
        if (text.replaceAll(/\s+/g, ' ').includes(words)) {
            return true;
        }
    }
    return false;
}
