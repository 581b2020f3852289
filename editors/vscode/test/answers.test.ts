import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerable, undecided } from '../src/chat/answers';
import type { Proposal } from '../src/server/protocol';
import { proposal } from './proposals';

const blocks = (proposals: Proposal[]) => answerable(proposals).map(({ block }) => block);

test('what waits for the user has no answer yet', () => {
    const proposals = [
        proposal('ready'),
        proposal('applied'),
        proposal('ready', { effect: 'exec' }),
        proposal('superseded'),
        proposal('ready', { effect: 'read' }),
        proposal('invalid', { effect: null }),
        proposal('stale'),
    ];
    assert.deepEqual(blocks(proposals), [1, 4, 5, 6]);
    assert.equal(undecided(proposals), 2);
});

test('one reply answers all blocks of a dialect that answers together', () => {
    const sham = { dialect: 'sham', repliesWith: 'sham' };
    const before = [proposal('applied', sham), proposal('rejected'), proposal('blocked', sham), proposal('ready', sham)];
    assert.deepEqual(blocks(before), [1, 2]);
    const after = [...before.slice(0, 3), proposal('applied', sham)];
    assert.deepEqual(blocks(after), [1, 3]);
    assert.notEqual(answerable(before)[1]?.key, answerable(after)[1]?.key);
});

test('a block is new again when it has come to something else', () => {
    const key = (it: Proposal) => answerable([it])[0]?.key;
    assert.notEqual(key(proposal('blocked')), key(proposal('applied')));
    const read = { effect: 'read' as const };
    assert.equal(key(proposal('ready', read)), key(proposal('applied', read)));
    assert.notEqual(key(proposal('ready', read)), key(proposal('rejected', read)));
});
