// One window of VS Code in a browser, and what a person does in it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

/** How long anything may take to appear, on a machine that is busy with something else as well. */
const PATIENCE = 45_000;
/** A place of the window without text or tooltips, in pixels: between the items of the status bar. */
const STATUS_BAR = [640, 792];

export class Window {
    constructor(page, screenshots) {
        this.page = page;
        this.screenshots = screenshots;
    }

    static async open(context, url, folder, screenshots) {
        const page = await context.newPage();
        page.setDefaultTimeout(PATIENCE);
        await page.goto(`${url}/?folder=${encodeURIComponent(folder)}`);
        await page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
        await page.locator('.statusbar-item').first().waitFor();
        return new Window(page, screenshots);
    }

    async close() {
        await this.page.close();
    }

    /** Waits until a question has an answer that holds. */
    async until(what, question, patience = PATIENCE) {
        const end = Date.now() + patience;
        let last;
        while (Date.now() < end) {
            try {
                last = await question();
                if (last) {
                    return last;
                }
            } catch (error) {
                last = error;
            }
            await this.page.waitForTimeout(100);
        }
        throw new Error(`${what}: not within ${patience / 1000} s (last: ${last})`);
    }

    /** Waits until a question has exactly this answer. */
    async becomes(question, expected) {
        const start = Date.now();
        for (;;) {
            const answer = await question();
            if (isDeepStrictEqual(answer, expected)) {
                return;
            }
            if (Date.now() - start > PATIENCE) {
                assert.deepEqual(answer, expected);
            }
            await this.page.waitForTimeout(100);
        }
    }

    /** What a person sees at a glance, for the message of a failure: notifications, and what has the keyboard. */
    async seen() {
        const told = await this.page.locator('.notification-toast').allInnerTexts();
        const focused = await this.page.evaluate(() => document.activeElement?.className);
        return `\n${told.map(text => `told: ${plain(text)}\n`).join('')}the keyboard is on: ${focused}`;
    }

    async press(...keys) {
        for (const key of keys) {
            await this.page.keyboard.press(key);
        }
    }

    quickInput() {
        return this.page.locator('.quick-input-widget .quick-input-box input');
    }

    /** Runs a command by its title in the palette. */
    async command(title) {
        const row = this.page.locator('.quick-input-list .monaco-list-row').first();
        const found = async () => (await row.innerText({ timeout: 500 })).includes(title);
        await this.until(`the command ${title}`, async () => {
            await this.press('F1');
            await this.quickInput().fill(`>${title}`, { timeout: 2_000 });
            // The list is made when it is opened, which may be before the extension is known.
            return this.until(title, found, 4_000).catch(() => this.press('Escape'));
        });
        await this.press('Enter');
        // The command may ask for something in the same place.
        await this.until('the palette is gone', async () => {
            const input = this.quickInput();
            return !(await input.isVisible()) || !(await input.inputValue({ timeout: 500 })).startsWith('>');
        });
    }

    async openFile(name) {
        const row = this.page.locator('.quick-input-list .monaco-list-row').first();
        const base = path.basename(name);
        const found = async () => (await row.innerText({ timeout: 500 })).includes(base);
        await this.until(`the file ${name}`, async () => {
            // A new window may not take keys yet.
            await this.press('Control+P');
            await this.quickInput().fill(name, { timeout: 2_000 });
            return this.until(name, found, 8_000).catch(() => this.press('Escape'));
        });
        await this.press('Enter');
        await this.until(`the tab of ${name}`, async () => (await this.activeTab()).startsWith(base));
        await this.page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
    }

    tab(name) {
        return this.page.locator('.tabs-container .tab', { hasText: name });
    }

    activeTab() {
        return this.page.locator('.editor-group-container.active .tabs-container .tab.active').innerText();
    }

    /** The text of the lines that the active editor shows. */
    async shown() {
        const lines = this.page.locator('.editor-group-container.active .editor-instance .view-line');
        return plain((await lines.allInnerTexts()).join('\n'));
    }

    /** Waits until the active editor shows a text. */
    async shows(expected) {
        await this.until(`${expected}`, async () => expected.test(await this.shown()));
    }

    /**
     * Clicks the first action above the active editor whose name begins so. The pointer goes to the status bar then: what
     * is drawn below it after the click would show its tooltip over the text.
     */
    async action(name) {
        await this.page.locator(`.editor-actions .action-label[aria-label^="${name}"]`).first().click();
        await this.page.mouse.move(...STATUS_BAR);
    }

    line(text) {
        return this.page.locator('.editor-instance .view-line', { hasText: text }).first();
    }

    /** Where a part of a line is on the screen. */
    textBox(lineText, part) {
        return this.line(lineText).evaluate((line, words) => {
            const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
            const places = [];
            while (walker.nextNode()) {
                const node = walker.currentNode;
                [...node.data].reduce((offset, letter) => {
                    places.push({ node, offset, letter });
                    return offset + letter.length;
                }, 0);
            }
            const text = places.map(({ letter }) => letter.replace('\u00a0', ' '));
            const start = [...words].length === 0 ? -1 : text.join('').indexOf(words);
            if (start < 0) {
                return null;
            }
            const before = [...text.join('').slice(0, start)].length;
            const [first, last] = [places[before], places[before + [...words].length - 1]];
            const range = document.createRange();
            range.setStart(first.node, first.offset);
            range.setEnd(last.node, last.offset + last.letter.length);
            const { x, y, width, height } = range.getBoundingClientRect();
            return { x, y, width, height };
        }, part);
    }

    /** Whether a squiggle is under exactly this part of a line. */
    async isSquiggled(lineText, part, kind = 'error') {
        const text = await this.textBox(lineText, part);
        const squiggles = await this.page.locator(`.squiggly-${kind}`).all();
        const boxes = await Promise.all(squiggles.map(squiggle => squiggle.boundingBox()));
        const near = (a, b) => Math.abs(a - b) <= 2;
        return boxes.some(
            box => box && text && near(box.x, text.x) && near(box.width, text.width) && Math.abs(box.y - text.y) < text.height,
        );
    }

    async goTo(line, column = 1) {
        const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: `line ${line}` });
        const place = this.page.locator('.statusbar-item', { hasText: new RegExp(`Ln ${line}, Col ${column}$`) });
        await this.until(`line ${line}, column ${column}`, async () => {
            await this.press('Control+G');
            await this.quickInput().fill(`:${line}:${column}`, { timeout: 2_000 });
            await row.waitFor({ timeout: 2_000 });
            // Once alone: a second one would go into the text, where the first was only slow.
            await this.press('Enter');
            await this.quickInput().waitFor({ state: 'hidden' });
            return place.waitFor({ timeout: 5_000 }).then(() => true);
        });
    }

    /** The diff of a preview. */
    diff() {
        return this.page.locator('.monaco-diff-editor');
    }

    lens(text) {
        return this.page.locator('.codelens-decoration', { hasText: text });
    }

    notification(text) {
        return this.page.locator('.notification-toast', { hasText: text }).first();
    }

    async dismissNotifications() {
        await this.command('Notifications: Clear All Notifications');
    }

    statusBar() {
        return this.page.locator('.statusbar-item[id^="operator-lsp.operator-lsp"]');
    }

    clipboard() {
        return this.page.evaluate(() => navigator.clipboard.readText());
    }

    setClipboard(text) {
        return this.page.evaluate(words => navigator.clipboard.writeText(words), text);
    }

    async screenshot(name) {
        await this.page.screenshot({ path: path.join(this.screenshots, `${name}.png`) });
    }
}

/** VS Code shows blanks as non-breaking ones. */
export function plain(text) {
    return text.replaceAll('\u00a0', ' ');
}
