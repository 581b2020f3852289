// Makes images/icon.png, which VS Code shows for the extension, of images/icon.svg:
// node scripts/icon.mjs [CHROMIUM]
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const chromium = process.argv[2] ?? 'chromium';
const at = name => path.resolve('images', name);
const options = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--window-size=128,128'];
const picture = ['--default-background-color=00000000', `--screenshot=${at('icon.png')}`, `file://${at('icon.svg')}`];
execFileSync(chromium, [...options, ...picture], { stdio: 'ignore' });
