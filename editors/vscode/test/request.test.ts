import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFileId, remember, target, toTranscript, type Turn } from '../src/editOps/request';

test('a selection is meant where there is one, else the cursor', () => {
    assert.deepEqual(target(3, 3), { cursor: { pos: 3 } });
    assert.deepEqual(target(3, 7), { selection: { from: 3, to: 7 } });
});

test('the conversation keeps its newest turns', () => {
    let turns: Turn[] = [];
    for (let turn = 0; turn < 15; turn += 1) {
        turns = remember(turns, `do ${turn}`, `done ${turn}`);
    }
    assert.equal(turns.length, 20);
    assert.deepEqual(turns.at(-1), { role: 'assistant', content: 'done 14' });
    assert.deepEqual(remember([], 'do', ''), [{ role: 'user', content: 'do' }]);
});

test('the transcript holds what the protocol knows, and nothing else', () => {
    const response = { enabled: true, assistant_message: 'x', ops: [{}], base_fingerprints: {}, eval: 1 };
    assert.deepEqual(Object.keys(JSON.parse(toTranscript(response)) as object), [
        'enabled',
        'assistant_message',
        'ops',
        'base_fingerprints',
    ]);
});

test('there are five virtual files', () => {
    assert.ok(isFileId('tool.py') && !isFileId('Tool.py'));
});
