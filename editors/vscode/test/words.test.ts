import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { chatName, contextValue, counts, deed, done, icon, isWrong, question, row, toDo, transcriptContextValue } from '../src/review/words';
import type { Does, Offer, Proposal } from '../src/server/protocol';
import { proposal } from './proposals';

const PACKAGE = JSON.parse(readFileSync('package.json', 'utf8')) as {
    contributes: { menus: { 'view/item/context': { command: string; when: string }[] } };
};

/** By offer, which rows have its button. */
const MENUS = Object.fromEntries(
    ['preview', 'apply', 'applyAndReply', 'run', 'reject'].map(name => {
        const menus = PACKAGE.contributes.menus['view/item/context'];
        const [menu] = menus.filter(({ command }) => command === `operator.inbox.${name}`);
        return [name, new RegExp(/viewItem =~ \/(.*)\/$/.exec(menu?.when ?? '')?.[1] ?? 'no menu')];
    }),
);

test('what is to be done is said in few words, all of it in the tooltip', () => {
    const statuses = ['applied', 'ready', 'blocked', 'ready', 'invalid', 'rejected', 'stale'] as const;
    const proposals = statuses.map(status => proposal(status));
    const waiting = proposal('blocked', { after: 0 });
    assert.equal(toDo(proposals), '2 ready, 3 wrong');
    assert.equal(counts(proposals), '2 ready, 1 stale, 1 blocked, 1 invalid, 1 applied, 1 rejected');
    assert.equal(toDo([proposal('ready')]), '1 ready');
    const caution = { caution: 'trusted-file', cautionMessage: '`.envrc` is a file that a shell reads' };
    assert.equal(toDo([proposal('ready'), proposal('ready', caution)]), '1 ready, 1 to look at');
    assert.equal(row(proposal('ready', { ...caution, id: 'a', path: '.envrc' })).description, 'edit · needs a look');
    assert.equal(toDo([proposal('applied'), proposal('blocked')]), '1 wrong');
    assert.equal(toDo([proposal('ready'), waiting]), '1 ready');
    assert.equal(toDo([proposal('applied'), waiting]), 'waiting');
    assert.equal(toDo([proposal('applied'), proposal('rejected'), proposal('superseded')]), 'done');
});

test('the buttons of a row are what the server offers, whatever the status', () => {
    const write: Offer[] = ['preview', 'apply', 'applyAndReply', 'reject'];
    for (const [name, menu] of Object.entries(MENUS)) {
        const shown = (offers: Offer[]) => menu.test(contextValue(proposal('ready', { offers })));
        assert.equal(shown(write), ['preview', 'apply', 'applyAndReply', 'reject'].includes(name), name);
        assert.equal(shown(['run', 'reject']), ['run', 'reject'].includes(name), name);
        assert.equal(shown(['preview', 'reject']), ['preview', 'reject'].includes(name), name);
        assert.equal(shown(['undo', 'applyAgain']), false, name);
    }
    assert.equal(contextValue(proposal('blocked', { offers: ['reject'] })), 'proposal,reject,');
});

test('a transcript can be applied where some block can', () => {
    assert.equal(transcriptContextValue([proposal('ready')]), 'transcript');
    assert.equal(transcriptContextValue([proposal('blocked', { offers: ['reject'], problems: 1 })]), 'transcript-problems');
    const [apply, run] = [proposal('ready', { offers: ['apply'] }), proposal('ready', { offers: ['run'], problems: 1 })];
    assert.equal(transcriptContextValue([proposal('stale'), apply]), 'transcript-apply');
    assert.equal(transcriptContextValue([run]), 'transcript-apply-problems');
});

test('a block that waits for another is not wrong, and says that it waits', () => {
    const waiting = proposal('blocked', { after: 0 });
    assert.deepEqual([isWrong(waiting), row(waiting).description], [false, 'edit · waits']);
    assert.deepEqual([isWrong(proposal('blocked')), row(proposal('blocked')).description], [true, 'edit · blocked']);
    assert.notEqual(icon(waiting).color, icon(proposal('blocked')).color);
});

test('a question begins with the word of the button that says yes', () => {
    assert.equal(question('fs.delete a.txt'), 'Apply fs.delete a.txt');
    assert.equal(question('3 proposals'), 'Apply 3 proposals');
    assert.equal(question('Undo the last apply'), 'Undo the last apply');
    assert.equal(question('Redo operation 3'), 'Redo operation 3');
    assert.equal(question('reply'), 'Insert the reply');
});

test('a row says what its block does', () => {
    const says = (does: Does, more: Partial<Proposal> = {}) => deed(proposal('ready', { does, ...more }));
    assert.equal(says({ kind: 'edit', files: 1, added: 2, removed: 1 }), 'edit +2 −1');
    assert.equal(says({ kind: 'edit', files: 3, added: 2, removed: 1 }), 'edit 3 files, +2 −1');
    assert.equal(says({ kind: 'edit' }), 'edit');
    assert.equal(says({ kind: 'create', files: 1, added: 7, removed: 0 }), 'new file, 7 lines');
    assert.equal(says({ kind: 'delete', files: 1, added: 0, removed: 1 }), 'delete 1 line');
    assert.equal(says({ kind: 'delete', files: 12 }), 'delete 12 files');
    assert.equal(says({ kind: 'move', files: 1, to: 'docs/ideas.txt' }), '→ docs/ideas.txt');
    assert.equal(says({ kind: 'read', first: 8, last: 19 }), 'read lines 8–19');
    assert.equal(says({ kind: 'read', first: 8, last: 8 }), 'read line 8');
    assert.equal(says({ kind: 'read' }), 'read');
    assert.equal(says({ kind: 'search', query: 'a long text that nobody would read to its end' }), 'search “a long text that nobody…”');
    assert.equal(says({ kind: 'other' }, { action: 'fs.specification' }), 'fs.specification');
    const edit = proposal('stale', { path: 'src/a/cli.py', does: { kind: 'edit' }, id: 'edit-1' });
    assert.deepEqual(row(edit), { label: 'cli.py', description: 'edit · stale · src/a' });
    const windows = { ...edit, path: 'src\\a\\cli.py' };
    assert.deepEqual(row(windows), { label: 'cli.py', description: 'edit · stale · src\\a' });
});

test('a chat is called by its first line of prose', () => {
    assert.equal(chatName(['', '**Model:** Spanish is one line:', '']), 'Model: Spanish is one l…');
    assert.equal(chatName(['# The plan for it']), 'The plan for it');
    assert.equal(chatName(['Here:', '']), 'Here');
    assert.equal(chatName(['```', '────────']), 'Chat');
    assert.equal(chatName([`I have changed ${'much '.repeat(20)}`]).length, 24);
});

test('an apply says how much was changed, and what is not saved', () => {
    const applied = { applied: true, changes: 5, files: 1 };
    assert.equal(done(applied, []), 'Applied 5 changes in 1 file.');
    assert.equal(done(applied, ['a.txt', 'b.txt']), 'Applied 5 changes in 1 file. Not saved: a.txt, b.txt.');
    assert.match(done({ applied: true, changes: 0, files: 0 }, []), /^Nothing had to be changed/);
});
