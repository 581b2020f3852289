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

test('an empty entry of the PATH is not the current directory', () => {
    assert.throws(() => findServer(places(['operator-lsp', '/operator-lsp'])), /operator-lsp is not on the PATH/);
});

test('Windows has its own names', () => {
    const found = findServer(
        places(['C:\\bin\\operator-lsp.exe'], { platform: 'win32', searchPath: 'C:\\x;C:\\bin' }),
    );
    assert.equal(found.program, 'C:\\bin\\operator-lsp.exe');
});
