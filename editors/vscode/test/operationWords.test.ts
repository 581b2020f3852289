import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appliedBy, details, operationTooltip, transcriptName, what, when } from '../src/review/operationWords';
import type { By, How, Operation, Proposal } from '../src/server/protocol';
import { proposal } from './proposals';

const now = new Date(2026, 10, 22, 18, 0);
const at = (...[month, day, year = 2026]: number[]) => new Date(year, month ?? 0, day, 15, 36).toISOString();
const chat = { fsPath: '/w/chat.md', path: '/w/chat.md' };

function operation(more: Partial<Operation> = {}): Operation {
    const blocks = [{ name: 'block 1 (a)', title: 'fs.write a.txt' }];
    const today = { time: at(10, 22), door: 'cli' as const, transcript: '/w/chat.md' };
    return { id: 3, ...today, blocks, files: ['a.txt'], undone: false, ...more };
}

test('a time is as short as it can be', () => {
    assert.equal(when(at(10, 22), now), '15:36');
    assert.equal(when(at(10, 21), now), '21 Nov 15:36');
    assert.equal(when(at(10, 22, 2025), now), '22 Nov 2025 15:36');
    assert.equal(when('soon', now), 'soon');
});

test('an operation is called after its first block', () => {
    const [block] = operation().blocks;
    assert.ok(block);
    assert.equal(what(operation()), 'fs.write a.txt');
    assert.equal(what(operation({ blocks: [block, block, block] })), 'fs.write a.txt and 2 more');
    assert.equal(what(operation({ blocks: [], files: ['a', 'b'] })), 'changes of 2 files');
});

test('after it comes when, by which program, how many files, and which number it has', () => {
    assert.equal(details(operation(), now), '15:36 · command line · #3');
    const undone = operation({ door: 'lsp', files: ['a', 'b'], undone: true });
    assert.equal(details(undone, now), 'undone · 15:36 · editor · 2 files · #3');
});

test('the tooltip of an operation has its transcript and its blocks', () => {
    const said = operationTooltip(operation({ undone: true, transcript: 'stdin:sha256:00' })).split('\n');
    assert.match(said[0] ?? '', /^Operation 3, undone: .*15:36, command line$/);
    assert.deepEqual(said.slice(1), ['from standard input', '• block 1 (a): fs.write a.txt']);
    const blocks = Array.from({ length: 12 }, (_, index) => ({ name: `block ${index + 1}`, title: 'fs.write' }));
    assert.equal(operationTooltip(operation({ blocks })).split('\n').at(-1), '• and 2 more');
    assert.equal(transcriptName('untitled:Untitled-1'), 'Untitled-1');
});

test('an applied block says who applied it and when', () => {
    const said = (by?: How, known?: By, status: Proposal['status'] = 'applied') =>
        appliedBy(proposal(status, { by, appliedBy: known }), chat);
    const time = at(10, 22, 2025);
    const full: By = { operation: 3, door: 'cli', time, transcript: '/w/chat.md' };
    assert.deepEqual(said('apply', full), ['Applied by the command line 22 Nov 2025 15:36 (operation 3)']);
    assert.deepEqual(said('apply', { ...full, transcript: '/w/old.md' }), [
        'Applied by the command line 22 Nov 2025 15:36 (operation 3) from /w/old.md',
    ]);
    const onWindows = { fsPath: 'c:\\w\\chat.md', path: '/c:/w/chat.md' };
    const applied = proposal('applied', { by: 'apply', appliedBy: { ...full, transcript: 'C:\\w\\chat.md' } });
    assert.deepEqual(appliedBy(applied, onWindows), said('apply', full));
    const byHand = { ...full, door: 'hand' as const };
    assert.deepEqual(said('hand', byHand), ['Applied by hand 22 Nov 2025 15:36 (operation 3)']);
    assert.deepEqual(said('reply'), ['Applied, as the reply in the transcript says']);
    assert.deepEqual(said('apply'), ['Applied']);
    assert.deepEqual(said(), []);
    assert.deepEqual(said(undefined, undefined, 'satisfied'), ['The file already has this content']);
    assert.deepEqual(said('apply', full, 'ready'), []);
});
