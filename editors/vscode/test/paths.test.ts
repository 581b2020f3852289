import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderOf, isSamePath, lastName } from '../src/paths';

test('a path has a folder and a last name, whichever way it is written', () => {
    for (const path of ['src/a/cli.py', 'src\\a\\cli.py', 'C:\\src\\a/cli.py']) {
        assert.equal(lastName(path), 'cli.py');
    }
    assert.equal(lastName('cli.py'), 'cli.py');
    assert.equal(lastName('src/'), '');
    assert.deepEqual(['src/a/cli.py', 'src\\a\\cli.py', 'cli.py'].map(folderOf), ['src/a', 'src\\a', undefined]);
});

test('the letter of a drive is the same in either case', () => {
    assert.ok(isSamePath('c:\\w\\chat.md', 'C:\\w\\chat.md'));
    assert.ok(isSamePath('/c:/w/chat.md', 'C:\\w\\chat.md'));
    assert.ok(!isSamePath('C:\\w\\chat.md', 'D:\\w\\chat.md'));
    assert.ok(!isSamePath('C:\\w\\Chat.md', 'C:\\w\\chat.md'));
    assert.ok(isSamePath('/w/chat.md', '/w/chat.md'));
    assert.ok(!isSamePath('/w/a\\b', '/w/a/b'));
});
