// Blocks as a model writes them.

export function base64(text) {
    return Buffer.from(text, 'utf8').toString('base64');
}

/** A block of the dialect `operator`; values that are no text are left out. */
export function block(id, action, fields) {
    const lines = Object.entries({ version: '1', id, action, ...fields }).map(([key, value]) => `${key}: ${value}`);
    return ['OPERATOR_CMD', ...lines, 'END_OPERATOR_CMD', ''].join('\n');
}

export function write(id, path, text) {
    return block(id, 'fs.write', { path, content_b64: base64(text) });
}

export function replace(id, path, find, text, more = {}) {
    const edits = { version: 1, edits: [{ op: 'replaceFirst', find, text }] };
    return block(id, 'fs.applyEdits', { path, edits_b64: base64(JSON.stringify(edits)), ...more });
}
