import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Saves, type Changed } from '../src/review/saves';

/** An editor with documents that are saved once `finish` is called; it saves what was clean before an edit. */
function editor() {
    const dirty = new Set<string>();
    const under: (() => void)[] = [];
    const saves = new Saves({
        isDirty: uri => dirty.has(uri),
        async save(changed: readonly Changed[]) {
            await new Promise<void>(resolve => under.push(resolve));
            const wanted = changed.filter(one => !one.wasDirty).map(one => one.uri);
            wanted.forEach(uri => dirty.delete(uri));
            return changed.map(one => one.uri).filter(uri => dirty.has(uri));
        },
    });
    const edit = (uri: string) => {
        const changed = saves.changedBy({ documentChanges: [{ textDocument: { uri, version: 1 }, edits: [] }] });
        dirty.add(uri);
        saves.add(changed);
    };
    const finish = () => under.splice(0).forEach(resolve => resolve());
    return { dirty, saves, edit, finish };
}

test('what a person has changed is left as it is', async () => {
    const { dirty, saves, edit, finish } = editor();
    dirty.add('a');
    edit('a');
    const left = saves.save();
    finish();
    assert.deepEqual(await left, ['a']);
});

test('an edit of what is being saved is saved too', async () => {
    const { dirty, saves, edit, finish } = editor();
    edit('a');
    const applied = saves.save();
    edit('a');
    finish();
    assert.deepEqual(await applied, []);
    dirty.add('a');
    const undone = saves.save();
    finish();
    assert.deepEqual(await undone, []);
    assert.deepEqual([...dirty], []);
});

test('an edit that comes before a save begins is saved too', async () => {
    const { saves, edit, finish } = editor();
    edit('a');
    edit('a');
    const left = saves.save();
    finish();
    assert.deepEqual(await left, []);
});

test('what is saved, and then changed by a person, is theirs', async () => {
    const { dirty, saves, edit, finish } = editor();
    edit('a');
    const applied = saves.save();
    finish();
    await applied;
    dirty.add('a');
    edit('a');
    const left = saves.save();
    finish();
    assert.deepEqual(await left, ['a']);
});

test('what is moved and then edited is one document', () => {
    const { saves } = editor();
    const changed = saves.changedBy({
        documentChanges: [
            { kind: 'rename', oldUri: 'a', newUri: 'b' },
            { textDocument: { uri: 'b', version: 1 }, edits: [] },
        ],
    });
    assert.deepEqual(changed, [{ uri: 'b', wasDirty: false }]);
});
