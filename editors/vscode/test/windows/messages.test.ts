// What the server's messages name is what VS Code has open, where paths are those of Windows.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { WorkspaceEdit } from 'vscode-languageclient/node';
import { allChanges, confirmWhole } from '../../src/review/confirm';
import { findFile, transcriptUri } from '../../src/review/operationFiles';
import { Saves } from '../../src/review/saves';
import { documents } from '../../src/review/saving';
import { Uri, world } from './vscode';

/** As the server writes a file's URI: the letter of the drive as the system has it, its colon encoded. */
const SERVER = 'file:///C%3A/My%20Work/';
/** As other programs write it. */
const PLAIN = 'file:///c:/My%20Work/';

function open(path: string, isDirty: boolean) {
    const document = { uri: Uri.file(path), isDirty, isUntitled: false, save: () => Promise.resolve(false) };
    world.documents.push({ ...document, save: () => Promise.resolve(true) });
}

beforeEach(() => {
    Object.assign(world, { folders: ['C:\\My Work'], documents: [], files: [], directories: [], asked: [] });
});

test('a question names files as Windows does', () => {
    for (const root of [SERVER, PLAIN]) {
        const documentChanges: WorkspaceEdit['documentChanges'] = [
            { textDocument: { uri: `${root}sub/a.txt`, version: 1 }, edits: [] },
            { kind: 'create', uri: `${root}new/deep.txt` },
            { textDocument: { uri: `${root}new/deep.txt`, version: null }, edits: [] },
            { kind: 'rename', oldUri: `${root}old.txt`, newUri: `${root}sub/old.txt` },
            { kind: 'delete', uri: 'file:///D%3A/else/b.txt' },
            { kind: 'delete', uri: 'file://server/share/b.txt' },
        ];
        assert.deepEqual(allChanges({ documentChanges }), [
            'change sub\\a.txt',
            'create new\\deep.txt',
            'move old.txt to sub\\old.txt',
            'delete d:\\else\\b.txt',
            'delete \\\\server\\share\\b.txt',
        ]);
    }
});

test('a deletion is asked about with the path that Windows has', async () => {
    const deletion = { kind: 'delete' as const, uri: `${SERVER}sub/a.txt`, annotationId: 'asks' };
    const changeAnnotations = { asks: { label: 'fs.delete sub/a.txt', needsConfirmation: true } };
    const edit = await confirmWhole({ documentChanges: [deletion], changeAnnotations });
    assert.deepEqual(world.asked, [
        'Apply fs.delete sub/a.txt? delete sub\\a.txt\n\nAll of it is done, or nothing.',
    ]);
    assert.equal(edit?.changeAnnotations?.['asks']?.needsConfirmation, false);
});

test('an open document is known by either form of its URI, and saved where it was before', async () => {
    for (const root of [SERVER, PLAIN]) {
        world.documents = [];
        open('c:\\My Work\\clean.txt', false);
        open('C:\\My Work\\dirty.txt', true);
        const change = (name: string) => ({ textDocument: { uri: root + name, version: 1 }, edits: [] });
        const saves = new Saves(documents);
        const changed = saves.changedBy({ documentChanges: ['clean.txt', 'dirty.txt', 'closed.txt'].map(change) });
        assert.deepEqual(changed.map(({ wasDirty }) => wasDirty), [false, true, false]);
        world.documents.forEach(document => (document.isDirty = true));
        saves.add(changed);
        assert.deepEqual(await saves.save(), ['dirty.txt']);
    }
});

test('the files of an operation are found, whichever way they are written', async () => {
    world.files = ['C:\\My Work\\sub\\a.txt', 'D:\\else\\b.txt'];
    world.directories = ['C:\\My Work\\sub'];
    const found = async (file: string, transcript?: string) => {
        const { uri, isFolder } = (await findFile(file, transcript === undefined ? undefined : transcriptUri(transcript))) ?? {};
        return uri === undefined ? undefined : `${uri.fsPath}${isFolder ? '\\' : ''}`;
    };
    assert.equal(await found('sub/a.txt'), 'c:\\My Work\\sub\\a.txt');
    assert.equal(await found('sub\\a.txt'), 'c:\\My Work\\sub\\a.txt');
    assert.equal(await found('sub'), 'c:\\My Work\\sub\\');
    assert.equal(await found('D:\\else\\b.txt'), 'd:\\else\\b.txt');
    assert.equal(await found('gone.txt'), undefined);
    world.folders = [];
    assert.equal(await found('sub/a.txt', 'C:\\My Work\\chats\\deep\\chat.md'), 'c:\\My Work\\sub\\a.txt');
    assert.equal(await found('sub/a.txt'), undefined);
});

test('a transcript of the log is the document that it names', () => {
    const named = (transcript: string) => transcriptUri(transcript)?.toString();
    for (const transcript of ['C:\\My Work\\chat.md', 'c:/My Work/chat.md', `${SERVER}chat.md`]) {
        assert.equal(named(transcript), 'file:///c%3A/My%20Work/chat.md');
    }
    assert.equal(named('\\\\server\\share\\chat.md'), 'file://server/share/chat.md');
    assert.equal(named('untitled:Untitled-1'), 'untitled:Untitled-1');
    assert.equal(named('stdin:sha256:00'), undefined);
});
