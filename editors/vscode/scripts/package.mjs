// Packs the extension with a server's program inside:
// node scripts/package.mjs PROGRAM TARGET OUT
// TARGET is a platform of VS Code, such as linux-x64 or darwin-arm64.
import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';

const REPOSITORY = 'https://github.com/operator-lsp/operator-lsp';
const [program, target, packagePath] = process.argv.slice(2);
if (packagePath === undefined) {
    console.error('usage: node scripts/package.mjs PROGRAM TARGET OUT');
    process.exit(2);
}
const bundled = path.join('bin', target.startsWith('win32') ? 'operator-lsp.exe' : 'operator-lsp');
rmSync('bin', { recursive: true, force: true });
mkdirSync('bin');
copyFileSync(program, bundled);
chmodSync(bundled, 0o755);
copyFileSync('../../LICENSE', 'LICENSE');
try {
    await createVSIX({
        cwd: process.cwd(),
        target,
        packagePath,
        dependencies: false,
        // The page of the extension shows pictures of the web alone.
        baseContentUrl: `${REPOSITORY}/blob/main/editors/vscode`,
        baseImagesUrl: `${REPOSITORY}/raw/main/editors/vscode`,
    });
} finally {
    rmSync('bin', { recursive: true, force: true });
    rmSync('LICENSE', { force: true });
}
