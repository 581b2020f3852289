// A list of ours in a window: the inbox, or what was applied.

export class View {
    constructor(window, name) {
        this.window = window;
        this.page = window.page;
        this.name = name;
    }

    async open() {
        await this.window.command(`Operator: Focus on ${this.name} View`);
        await this.page.locator('.composite.title', { hasText: 'Operator' }).waitFor();
    }

    pane() {
        return this.page.locator('.split-view-view', { has: this.page.locator(`> .pane > .pane-header[aria-label^="${this.name}"]`) });
    }

    rows() {
        return this.pane().locator('.monaco-list-row');
    }

    row(text) {
        return this.rows().filter({ hasText: text }).first();
    }

    /** The row of a part of a transcript, with how many blocks it has. */
    section(name, count) {
        return this.rows().filter({ hasText: new RegExp(`^${name}\\s*${count}$`) }).first();
    }

    async texts() {
        return this.rows().evaluateAll(rows =>
            rows.map(row =>
                [...row.querySelectorAll('.label-name, .label-description')].map(part => part.textContent).join(' '),
            ),
        );
    }

    /** The names of the buttons in a row. */
    async buttons(text) {
        await this.row(text).hover();
        const labels = this.row(text).locator('.actions .action-label');
        const names = await labels.evaluateAll(all => all.map(label => label.getAttribute('aria-label')));
        // Their keys are in the names, too.
        return names.map(name => name.replace(/ \(.*\)$/, ''));
    }

    /** Clicks a row until it has opened what `opened` looks for: a click that comes while the list is drawn again is lost. */
    async opens(text, opened) {
        await this.window.until(`what the row ${text} opens`, async () => {
            await this.row(text).click({ timeout: 4_000 });
            return this.window.until(`${text} to open`, opened, 5_000);
        });
    }

    /**
     * Clicks a button in a row and waits for its effect; clicks once more where the list was
     * being drawn again just then, so that VS Code did not know any more what was clicked.
     */
    async click(text, button, result) {
        const drawnAgain = this.window.notification('has changed just now');
        for (let tries = 0; tries < 3; tries += 1) {
            // A banner that comes just then moves the row away from under the mouse.
            await this.window.until(`the button ${button}`, async () => {
                await this.row(text).hover({ timeout: 4_000 });
                await this.row(text).locator(`.actions .action-label[aria-label^="${button}"]`).click({ timeout: 4_000 });
                return true;
            });
            await result.or(drawnAgain).first().waitFor();
            if (!(await drawnAgain.isVisible())) {
                return;
            }
            await this.window.dismissNotifications();
        }
        throw new Error(`the list is drawn again whenever "${button}" is clicked`);
    }

    /** Waits for a row's tooltip to hold a text. */
    async tooltip(row, text) {
        await this.window.until(`the tooltip of ${row}`, async () => {
            await this.page.mouse.move(0, 0);
            await this.row(row).hover({ timeout: 4_000 });
            await this.page.locator('.monaco-hover', { hasText: text }).waitFor({ timeout: 4_000 });
            return true;
        });
    }

    /** What the menu of a row holds. */
    async menu(text) {
        await this.row(text).click({ button: 'right' });
        const items = this.page.locator('.context-view .monaco-menu .action-label:not(.separator)');
        await items.first().waitFor();
        const names = await items.allInnerTexts();
        await this.page.keyboard.press('Escape');
        await items.first().waitFor({ state: 'hidden' });
        return names;
    }

    /** The number on the icon of the activity bar. */
    async badge() {
        const badge = this.page.locator('.activitybar .action-item', { has: this.page.locator('[aria-label^="Operator"]') });
        return (await badge.locator('.badge-content').first().innerText().catch(() => '')).trim();
    }
}
