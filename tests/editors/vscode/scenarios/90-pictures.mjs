// The pictures of the READMEs: a chat as it is reviewed. `images/loop.png` has four screenshots: loop-apply-patch-1-start,
// readme-review, readme-preview and loop-apply-patch-2-first-round.
import { block, replace, write } from '../driver/blocks.mjs';

const GREETER = `GREETINGS = {
    "en": "Hello",
    "de": "Hallo",
    "fr": "Bonjour",
}


def greet(name, language="en"):
    """Greet somebody in a language, in English where it is not known."""
    greeting = GREETINGS.get(language, GREETINGS["en"])
    return f"{greeting}, {name}"
`;

const CHAT = [
    '**You:** I would like Spanish, and an exclamation mark.\n',
    '**Model:** Spanish is one line:\n',
    replace('es-1', 'greeter.py', '    "fr": "Bonjour",\n', '    "fr": "Bonjour",\n    "es": "Hola",\n'),
    block('tests-2', 'fs.raed', { path: 'test_greeter.py' }),
    'The mark goes to the end:\n',
    replace('mark-1', 'greeter.py', '{name}"', '{name}!"'),
    'And I look at the tests:\n',
    block('tests-1', 'fs.search', { path: 'test_greeter.py', query: 'Bonjour' }),
    write('notes-1', 'docs/languages.md', '# Languages\n\nen, de, fr, es\n'),
    replace('setup-1', 'setup.py', 'version="1.0"', 'version="1.1"'),
].join('\n');

const FILES = {
    'greeter.py': GREETER,
    'test_greeter.py': 'from greeter import greet\n\n\ndef test_french():\n    assert greet("Ada", "fr") == "Bonjour, Ada"\n',
    'chat.md': CHAT,
};

export default [
    {
        name: 'the pictures of the README can be taken',
        isExtra: true,
        files: FILES,
        async run({ window, inbox }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.row('setup.py').waitFor();
            await inbox.click('edit +1 −0', 'Apply', inbox.section('Done', 1));
            await window.dismissNotifications();
            await window.page.mouse.move(1100, 250);
            await window.until('the squiggle', () => window.isSquiggled('fs.raed', 'fs.raed'));
            await window.page.mouse.move(1100, 250);
            await window.page.waitForTimeout(1_000);
            await window.screenshot('readme-review');
            await inbox.click(/^greeter\.py/, 'Preview', window.diff());
            await window.page.locator('.monaco-diff-editor .modified .view-line', { hasText: 'Bonjour' }).waitFor();
            await window.page.mouse.move(1100, 250);
            await window.page.waitForTimeout(1_000);
            await window.screenshot('readme-preview');
        },
    },
];
