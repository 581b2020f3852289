#!/usr/bin/env node
// Starts the program, which is in the package of this platform.
'use strict';
const { spawn } = require('node:child_process');

const platform = `${process.platform}-${process.arch}`;
const file = process.platform === 'win32' ? 'operator-lsp.exe' : 'operator-lsp';
let program;
try {
    program = require.resolve(`@operator-lsp/${platform}/bin/${file}`);
} catch {
    console.error(
        `operator-lsp: the package @operator-lsp/${platform} is not installed. Either there is none for this platform, ` +
            'or optional dependencies were left out: install again with --include=optional.',
    );
    process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
}
child.on('error', error => {
    console.error(`operator-lsp: ${program} cannot be started: ${error.message}`);
    process.exit(1);
});
child.on('exit', (code, signal) => {
    if (signal === null) {
        process.exit(code);
    }
    // Ends as the program has ended, so that a shell sees the same.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
});
