import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findServer, type Places } from '../src/server/binary';

function places(programs: string[], more: Partial<Places> = {}): Places {
    return {
        setting: '',
        searchPath: '/usr/bin::/opt/bin',
        bundle: '/extension/bin',
        platform: 'linux',
        isProgram: file => programs.includes(file),
        ...more,
    };
}

const EVERYWHERE = ['/mine', '/opt/bin/operator-lsp', '/extension/bin/operator-lsp'];

test('the setting comes first, then the PATH, then the extension', () => {
    assert.deepEqual(findServer(places(EVERYWHERE, { setting: '/mine' })), { program: '/mine', origin: 'setting' });
    assert.equal(findServer(places(EVERYWHERE)).program, '/opt/bin/operator-lsp');
    assert.equal(findServer(places(EVERYWHERE.slice(2))).origin, 'bundle');
});

test('a setting that leads nowhere is an error, and nothing else is started', () => {
    assert.throws(() => findServer(places(EVERYWHERE, { setting: '/gone' })), /operator\.server\.path points to \/gone/);
});

test('an entry of the PATH that is empty or relative is not searched', () => {
    assert.throws(() => findServer(places(['operator-lsp', '/operator-lsp'])), /operator-lsp is not on the PATH/);
    const relative = places(['bin/operator-lsp', 'operator-lsp'], { searchPath: 'bin:.' });
    assert.throws(() => findServer(relative), /operator-lsp is not on the PATH/);
});

const WINDOWS: Partial<Places> = {
    platform: 'win32',
    searchPath: 'C:\\x;;bin;"C:\\Program Files\\operator";\\\\server\\share',
    bundle: 'c:\\extension\\bin',
};

test('Windows has its own names', () => {
    const found = (program: string, more: Partial<Places> = {}) => findServer(places([program], { ...WINDOWS, ...more }));
    for (const folder of ['C:\\x', 'C:\\Program Files\\operator', '\\\\server\\share\\']) {
        const program = `${folder.replace(/\\$/, '')}\\operator-lsp.exe`;
        assert.deepEqual(found(program), { program, origin: 'PATH' });
    }
    const bundled = 'c:\\extension\\bin\\operator-lsp.exe';
    assert.deepEqual(found(bundled), { program: bundled, origin: 'bundle' });
    assert.throws(() => found('bin\\operator-lsp.exe'), /operator-lsp\.exe is not on the PATH/);
});

test('on Windows the setting may leave out what programs end with', () => {
    const program = 'D:\\tools\\operator-lsp.exe';
    const set = (setting: string) => findServer(places([program], { ...WINDOWS, setting }));
    assert.deepEqual(set(program), { program, origin: 'setting' });
    assert.deepEqual(set('D:\\tools\\operator-lsp'), { program, origin: 'setting' });
    assert.throws(() => set('D:\\gone'), /points to D:\\gone, which is not/);
});
