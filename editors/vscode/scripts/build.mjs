// Bundles the extension into out/extension.js, or with --tests the unit tests into out/test/.
import { readdirSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const tests = process.argv.includes('--tests');
const common = { bundle: true, platform: 'node', target: 'node20', logLevel: 'warning' };

if (tests) {
    rmSync('out/test', { recursive: true, force: true });
    const entryPoints = readdirSync('test').filter(name => name.endsWith('.test.ts')).map(name => `test/${name}`);
    await build({ ...common, entryPoints, outdir: 'out/test', format: 'cjs' });
} else {
    await build({
        ...common,
        entryPoints: ['src/extension.ts'],
        outfile: 'out/extension.js',
        format: 'cjs',
        external: ['vscode'],
        minify: true,
    });
}
