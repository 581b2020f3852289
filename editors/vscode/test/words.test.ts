import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { contextValue, counts, icon, isWrong, question, row, toDo, transcriptContextValue } from '../src/review/words';
import type { Offer } from '../src/server/protocol';
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
    const waiting = proposal('blocked', { waitsFor: ['block 1 (one)'] });
    assert.equal(toDo(proposals), '2 ready, 3 wrong');
    assert.equal(counts(proposals), '2 ready, 1 stale, 1 blocked, 1 invalid, 1 applied, 1 rejected');
    assert.equal(toDo([proposal('ready')]), '1 ready');
    const caution = { caution: 'trusted-file', cautionMessage: '`.envrc` is a file that a shell reads' };
    assert.equal(toDo([proposal('ready'), proposal('ready', caution)]), '1 ready, 1 to look at');
    assert.equal(row(proposal('ready', { ...caution, id: 'a', path: '.envrc' })).description, 'needs a look · a');
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

test('a block that waits for another is not wrong, and has the icon of one that waits', () => {
    const waiting = proposal('blocked', { waitsFor: ['block 1 (one)'] });
    assert.deepEqual([isWrong(waiting), icon(waiting).icon], [false, 'watch']);
    assert.deepEqual([isWrong(proposal('blocked')), icon(proposal('blocked')).icon], [true, 'circle-slash']);
});

test('a question begins with the word of the button that says yes', () => {
    assert.equal(question('fs.delete a.txt'), 'Apply fs.delete a.txt');
    assert.equal(question('3 proposals'), 'Apply 3 proposals');
    assert.equal(question('Undo the last apply'), 'Undo the last apply');
    assert.equal(question('Redo operation 3'), 'Redo operation 3');
    assert.equal(question('reply'), 'Insert the reply');
});
