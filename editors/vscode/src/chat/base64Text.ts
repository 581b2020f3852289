// Base64 of UTF-8 text, as blocks hold it: standard alphabet, padded, on one line.

export function encode(text: string): string {
    return Buffer.from(text, 'utf8').toString('base64');
}

/** @throws what is wrong with the base64, or with what it holds. */
export function decode(base64: string): string {
    const joined = base64.replace(/\s+/g, '');
    const wrong = /[^A-Za-z0-9+/=]|=(?=[^=])/.exec(joined);
    if (wrong !== null) {
        throw new Error(`"${wrong[0]}" at character ${wrong.index + 1} is not a base64 character`);
    }
    const bytes = Buffer.from(joined, 'base64');
    if (joined.length % 4 !== 0 || bytes.toString('base64') !== joined) {
        throw new Error('it is incomplete: base64 comes in groups of four characters, padded with "="');
    }
    try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
        throw new Error('it does not decode to UTF-8 text');
    }
}
