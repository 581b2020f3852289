import assert from 'node:assert/strict';
import { test } from 'node:test';
import { among, neighbour } from '../src/review/order';
import type { Transcript } from '../src/review/transcripts';
import { proposal } from './proposals';

const READ = proposal('ready', { effect: 'read', offers: ['run'] });
const OPEN = proposal('ready', { offers: ['preview', 'apply'] });
const DONE = proposal('applied', { offers: ['undo'] });

function transcript(...proposals: Transcript['proposals']): Transcript {
    return { uri: undefined as unknown as Transcript['uri'], version: 1, proposals };
}

test('a diff says its place among the changes, decided or not', () => {
    const all = transcript(READ, DONE, OPEN, READ, OPEN);
    assert.deepEqual(among({ transcript: all, block: 2, proposal: OPEN }), ['2 of 3']);
    assert.deepEqual(among({ transcript: transcript(READ, OPEN), block: 1, proposal: OPEN }), []);
});

test('the next diff is the next that is open, and after the last comes the first', () => {
    const all = transcript(OPEN, READ, DONE, OPEN, OPEN);
    const to = (block: number, step: 1 | -1) => neighbour(all, block, step)?.block;
    assert.deepEqual([to(0, 1), to(3, 1), to(4, 1)], [3, 4, 0]);
    assert.deepEqual([to(4, -1), to(3, -1), to(0, -1)], [3, 0, 4]);
    assert.equal(neighbour(transcript(OPEN, DONE), 0, 1), undefined);
});
