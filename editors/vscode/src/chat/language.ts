// The language that a pasted answer is opened in.

export function guessLanguage(text: string): 'json' | 'operator' | 'sham' | 'markdown' {
    const start = text.trimStart();
    if (start.startsWith('{') && /"ops"\s*:/.test(start)) {
        return 'json';
    }
    if (/^OPERATOR_(CMD|RESULT)\r?$/m.test(start.split('\n', 1)[0] ?? '')) {
        return 'operator';
    }
    return /^#!(SHAM|nesl) \[/.test(start) ? 'sham' : 'markdown';
}
