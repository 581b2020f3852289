import assert from 'node:assert/strict';
import { test } from 'node:test';
import { same, taken, touched, type Lines } from '../src/review/hunks';
import type { PreviewedHunk } from '../src/server/protocol';

const hunk = (line: number, removed: number, added: number, rest: Partial<PreviewedHunk> = {}): PreviewedHunk => ({
    uri: 'file:///a.txt',
    line,
    lineAfter: line,
    removed,
    added,
    taken: true,
    ...rest,
});

const on = (first: number, last = first, side: Lines['side'] = 'after'): Lines => ({ uri: 'file:///a.txt', side, first, last });

test('the hunks that a selection is on', () => {
    const hunks = [hunk(1, 2, 2), hunk(5, 1, 0), hunk(9, 0, 3, { lineAfter: 8 }), hunk(20, 1, 1, { taken: false })];
    assert.deepEqual([0, 1, 2, 3].map(line => touched(hunks, on(line))), [[], [0], [0], []]);
    // Nothing is left of deleted lines: the lines around them are meant.
    assert.deepEqual([3, 4, 5, 6].map(line => touched(hunks, on(line))), [[], [1], [1], []]);
    assert.deepEqual(touched(hunks, on(5, 5, 'before')), [1]);
    assert.deepEqual([7, 8, 10, 11].map(line => touched(hunks, on(line))), [[], [2], [2], []]);
    assert.deepEqual([8, 9, 10].map(line => touched(hunks, on(line, line, 'before'))), [[2], [2], []]);
    assert.deepEqual(touched(hunks, on(0, 30)), [0, 1, 2]);
    assert.deepEqual(touched(hunks, { ...on(1), uri: 'file:///b.txt' }), []);
    assert.deepEqual(taken(hunks), [0, 1, 2]);
});

test('the same hunks, whichever are taken', () => {
    assert.ok(same([hunk(1, 1, 1)], [hunk(2, 1, 1, { taken: false, lineAfter: 4 })]));
    assert.ok(!same([hunk(1, 1, 1)], [hunk(1, 1, 2)]));
    assert.ok(!same([hunk(1, 1, 1)], []));
});
