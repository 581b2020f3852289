import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessLanguage } from '../src/chat/language';
import { counts, plural, row, undecided } from '../src/review/words';
import type { Proposal } from '../src/server/protocol';
import { proposal } from './proposals';

test('a pasted answer gets the language that its blocks ask for', () => {
    assert.equal(guessLanguage('\n{"assistant_message": "", "ops": []}'), 'json');
    assert.equal(guessLanguage('OPERATOR_CMD\r\nversion: 1\r\n'), 'operator');
    assert.equal(guessLanguage('#!SHAM [@three-char-SHA-256: abc]\n'), 'sham');
    assert.equal(guessLanguage('Here it is:\n\nOPERATOR_CMD\n'), 'markdown');
    assert.equal(guessLanguage('{"a": 1}'), 'markdown');
});

test('what is ready and changes something waits for the user', () => {
    const block = (status: string, effect: string) => ({ status, effect }) as Proposal;
    const all = [block('ready', 'write'), block('ready', 'read'), block('applied', 'write'), block('ready', 'exec')];
    assert.equal(undecided(all), 2);
});

test('counts leave out what there is none of', () => {
    const proposals = ['ready', 'stale', 'ready'].map(status => ({ status }) as Proposal);
    assert.equal(counts(proposals), '2 ready, 1 stale');
    assert.equal(counts([]), '');
    assert.equal(plural(1, 'block'), '1 block');
});

test('a row names the path first, else the whole block', () => {
    const base = proposal('ready', { summary: 'operator.getInterfaceSpec', does: { kind: 'other' } });
    const spec = row({ ...base, action: 'operator.getInterfaceSpec' });
    assert.deepEqual(spec, { label: 'operator.getInterfaceSpec', description: '' });
    const read = row({ ...base, path: 'src/a.txt', does: { kind: 'read' }, id: 'one' });
    assert.deepEqual(read, { label: 'a.txt', description: 'read · src' });
});
