import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ends } from '../src/server/ends';

test('a server that ends is started again, but not for ever', () => {
    const ends = new Ends();
    assert.deepEqual([0, 1, 2, 3, 4].map(second => ends.note(second * 1_000)), [true, true, true, true, false]);
});

test('ends of long ago do not count', () => {
    const ends = new Ends();
    const all = Array.from({ length: 20 }, (_, minute) => ends.note(minute * 60_000));
    assert.ok(all.every(again => again));
});
