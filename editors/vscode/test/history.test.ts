import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moved, squashed } from '../src/server/history';

test('a step says where the branch is now', () => {
    const step = { ok: true, action: 'back', branch: 'main', to: { subject: 'first' } };
    assert.equal(moved(step), 'Git back: main is at "first".');
});

test('what did not fit is named, and where it is', () => {
    const step = { ok: false, action: 'forward', branch: 'main', conflicts: ['a.txt'], stash: 'stash@{0}' };
    assert.equal(moved(step), 'Git forward: main, but a.txt did not fit and is still in the stash stash@{0}.');
});

test('a squash says how many commits became which', () => {
    const result = { commit: { subject: 'AI: edit 2 files' }, replaced: [{}, {}] };
    assert.equal(squashed(result), 'Git squash: 2 commits are one now, "AI: edit 2 files".');
});
