// "Ask for an Edit", with a model that is a few lines of this file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

const TOOL = 'def run():\n    return "😀"\n';
const FILES = {
    'tool.py': TOOL,
    'entrypoint.txt': 'run\n',
    'settings_schema.json': '{}\n',
    'input_schema.json': '{}\n',
    'usage_instructions.md': '# Usage\n',
};

/** A model that replaces what is selected. */
function model() {
    const content = JSON.stringify({
        assistant_message: 'I greet now.',
        ops: [{ op: 'replace', target_file: 'tool.py', target: { kind: 'selection' }, content: '"Hello"' }],
    });
    const answer = { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] };
    const server = createServer((request, response) => {
        request.resume().on('end', () => {
            response.setHeader('content-type', 'application/json');
            response.end(JSON.stringify(answer));
        });
    });
    return new Promise(resolve => {
        server.listen(0, '127.0.0.1', () => {
            const settings = {
                'operator.llmChatOps.enabled': true,
                'operator.llmChatOps.baseUrl': `http://127.0.0.1:${server.address().port}/v1`,
                'operator.llmChatOps.model': 'a-model',
            };
            resolve({ settings, end: () => server.close() });
        });
    });
}

async function askFor(window, instruction) {
    await window.command('Operator: Ask for an Edit');
    await window.quickInput().fill(instruction);
    await window.press('Enter');
}

export default [
    {
        name: 'an edit is asked for, shown, applied and undone',
        files: FILES,
        prepare: model,
        async run({ window, inbox, workspace }) {
            await window.openFile('tool.py');
            await window.goTo(2, 12);
            await window.press('Shift+End');
            await askFor(window, 'Greet');
            await window.notification('I greet now.').waitFor();
            await window.tab('proposed').waitFor();
            await window.until('the proposal', async () => {
                const lines = await window.page.locator('.monaco-diff-editor .modified .view-line').allInnerTexts();
                return lines.some(line => line.replaceAll('\u00a0', ' ').includes('return "Hello"'));
            });
            await window.screenshot('edit-ops');
            await window.action('Apply');
            // The preview goes once all of it is done; what has the keys until then is not the next document.
            const saved = () => readFileSync(path.join(workspace, 'tool.py'), 'utf8');
            await window.tab('proposed').waitFor({ state: 'hidden' });
            await window.openFile('tool.py');
            await window.shows(/return "Hello"/);
            await inbox.open();
            await window.command('Operator: Undo the Last Apply');
            await window.shows(/return "😀"/);
            await window.becomes(async () => saved(), TOOL);
        },
    },
    {
        name: 'without the files, and without a model, it says what to do',
        files: { 'tool.py': TOOL, 'other.md': 'x\n', 'input_schema.json': '{}\n' },
        async run({ window }) {
            await window.openFile('other.md');
            await window.command('Operator: Ask for an Edit');
            await window.notification('other.md is not one of tool.py, entrypoint.txt').waitFor();
            await window.openFile('tool.py');
            await askFor(window, 'Greet');
            await window.notification('entrypoint.txt, settings_schema.json, usage_instructions.md are not in the workspace: create them').waitFor();
        },
    },
];
