import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from '../src/chat/base64Text';

test('text comes back as it was', () => {
    for (const text of ['', 'a', 'Tschüss\r\n', '😀\u0000', '\uFEFFwith a mark\n']) {
        assert.equal(decode(encode(text)), text);
    }
});

test('base64 may be broken into lines', () => {
    assert.equal(decode('SGVs\nbG8=\n'), 'Hello');
});

test('what is wrong is said', () => {
    assert.throws(() => decode('SGVs*G8='), /"\*" at character 5/);
    assert.throws(() => decode('SG=sbG8='), /"=" at character 3/);
    assert.throws(() => decode('SGVsbG8'), /groups of four/);
    assert.throws(() => decode('SGVsbG9='), /groups of four/);
    assert.throws(() => decode('/w=='), /not decode to UTF-8/);
});
