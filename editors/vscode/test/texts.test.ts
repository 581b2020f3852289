import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessLanguage } from '../src/chat/language';
import { problemsText } from '../src/chat/problemsText';
import { counts, plural, row } from '../src/review/words';
import type { Proposal } from '../src/server/protocol';

test('a pasted answer gets the language that its blocks ask for', () => {
    assert.equal(guessLanguage('\n{"assistant_message": "", "ops": []}'), 'json');
    assert.equal(guessLanguage('OPERATOR_CMD\r\nversion: 1\r\n'), 'operator');
    assert.equal(guessLanguage('#!SHAM [@three-char-SHA-256: abc]\n'), 'sham');
    assert.equal(guessLanguage('Here it is:\n\nOPERATOR_CMD\n'), 'markdown');
    assert.equal(guessLanguage('{"a": 1}'), 'markdown');
});

test('the model is told what, where and in which words', () => {
    const text = `path: ${'😀'.repeat(300)}`;
    const problem = { severity: 'error' as const, code: 'plan/x', message: 'It does not fit', line: 7, text };
    const said = problemsText([
        { title: 'Block 1, fs.read a', problems: [] },
        { title: 'Block 2, fs.write b, id two', problems: [problem, { ...problem, line: 9, text: '' }] },
    ]);
    const shown = `path: ${'😀'.repeat(194)}…`;
    const end = `Block 2, fs.write b, id two:
- error plan/x, line 7: It does not fit
  > ${shown}
- error plan/x, line 9: It does not fit
`;
    assert.ok(said?.endsWith(`\n\n${end}`), said);
    assert.ok(said?.startsWith('Some of your edit blocks could not be used.'));
});

test('without a problem there is no text', () => {
    assert.equal(problemsText([{ title: 'Block 1', problems: [] }]), undefined);
});

test('counts leave out what there is none of', () => {
    const proposals = ['ready', 'stale', 'ready'].map(status => ({ status }) as Proposal);
    assert.equal(counts(proposals), '2 ready, 1 stale');
    assert.equal(counts([]), '');
    assert.equal(plural(1, 'block'), '1 block');
});

test('a row names the path first, else the whole block', () => {
    const base = { status: 'ready', id: null, summary: 'operator.getInterfaceSpec' } as Proposal;
    assert.deepEqual(row({ ...base, path: null, action: 'operator.getInterfaceSpec' }), {
        label: 'operator.getInterfaceSpec',
        description: 'ready',
    });
    assert.deepEqual(row({ ...base, path: 'a.txt', action: 'fs.read', id: 'one' }), {
        label: 'a.txt',
        description: 'ready · one',
    });
    assert.equal(row({ ...base, path: 'a.txt', action: 'fs.read' }).description, 'ready · fs.read');
});
