import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promptCopied } from '../src/chat/promptCopied';

const file = (path: string, outline = false) => ({ path, tokens: 1, outline });
const left = (path: string) => ({ path, reason: 'why' });

test('a person is told how much was copied, and what was not', () => {
    const said = (tokens: number, files: ReturnType<typeof file>[], leftOut: ReturnType<typeof left>[]) =>
        promptCopied({ text: '', tokens, files, leftOut });
    assert.equal(said(4_213, [file('a'), file('b')], []), 'Prompt copied: 2 files, about 4,200 tokens.');
    assert.equal(
        said(99, [file('a', true)], [left('.env')]),
        'Prompt copied: 1 file, about 99 tokens. Only the outline of a. Left out: .env (why).',
    );
    assert.match(said(1, [], ['a', 'b', 'c', 'd', 'e'].map(left)), / Left out: a \(why\), b \(why\), c \(why\), and 2 more\.$/);
});
