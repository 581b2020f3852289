import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counts, question, row, toDo } from '../src/review/words';
import type { Proposal } from '../src/server/protocol';
import { proposal } from './proposals';

test('what is to be done is said in few words, all of it in the tooltip', () => {
    const statuses = ['applied', 'ready', 'blocked', 'ready', 'invalid', 'rejected', 'stale'] as const;
    const judged = (status: Proposal['status'], waits = false) => ({ ...proposal(status), waits });
    const proposals = statuses.map(status => judged(status));
    assert.equal(toDo(proposals), '2 ready, 3 wrong');
    assert.equal(counts(proposals), '2 ready, 1 stale, 1 blocked, 1 invalid, 1 applied, 1 rejected');
    assert.equal(toDo([judged('ready')]), '1 ready');
    const caution = { caution: 'trusted-file', cautionMessage: '`.envrc` is a file that a shell reads' };
    assert.equal(toDo([judged('ready'), { ...judged('ready'), ...caution }]), '1 ready, 1 to look at');
    assert.equal(row(proposal('ready', { ...caution, id: 'a', path: '.envrc' })).description, 'needs a look · a');
    assert.equal(toDo([judged('applied'), judged('blocked')]), '1 wrong');
    assert.equal(toDo([judged('ready'), judged('blocked', true)]), '1 ready');
    assert.equal(toDo([judged('applied'), judged('blocked', true)]), 'waiting');
    assert.equal(toDo([judged('applied'), judged('rejected'), judged('superseded')]), 'done');
});

test('a question begins with the word of the button that says yes', () => {
    assert.equal(question('fs.delete a.txt'), 'Apply fs.delete a.txt');
    assert.equal(question('3 proposals'), 'Apply 3 proposals');
    assert.equal(question('Undo the last apply'), 'Undo the last apply');
    assert.equal(question('Redo operation 3'), 'Redo operation 3');
    assert.equal(question('reply'), 'Insert the reply');
});
