// Bundles the extension into out/extension.js, or with --tests the unit tests into out/test/.
import { readdirSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const common = { bundle: true, platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning' };
/** What makes any system one with paths of Windows, for the tests that are about them. */
const windows = {
    alias: { vscode: './test/windows/vscode.ts', 'node:path': 'node:path/win32' },
    define: { 'process.platform': '"win32"' },
};

function testsIn(folder) {
    return readdirSync(folder).filter(name => name.endsWith('.test.ts')).map(name => `${folder}/${name}`);
}

if (process.argv.includes('--tests')) {
    rmSync('out/test', { recursive: true, force: true });
    await build({ ...common, entryPoints: testsIn('test'), outdir: 'out/test' });
    await build({ ...common, ...windows, entryPoints: testsIn('test/windows'), outdir: 'out/test/windows' });
} else {
    await build({
        ...common,
        entryPoints: ['src/extension.ts'],
        outfile: 'out/extension.js',
        external: ['vscode'],
        minify: true,
    });
}
