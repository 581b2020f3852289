// Writes the server's settings into package.json, so that both say the same:
// node scripts/settings.mjs [PROGRAM]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const program = process.argv[2] ?? '../../target/debug/operator-lsp';
const schema = JSON.parse(execFileSync(program, ['settings-schema'], { encoding: 'utf8' }));

// What reaches beyond the workspace, or guards it, is for its user to say, never for a workspace that
// was cloned or that a block has written into.
const forTheUserAlone = new Set([
    'operator.allowedRoots',
    'operator.confirm',
    'operator.exec.enable',
    'operator.exec.environment',
    'operator.git.commit',
    'operator.git.hooks',
    'operator.llmChatOps.apiKey',
    'operator.llmChatOps.baseUrl',
    'operator.llmChatOps.enabled',
    'operator.llmChatOps.model',
    'operator.protectedPaths',
    'operator.trustedFiles',
]);

const properties = {};
for (const [name, setting] of Object.entries(schema)) {
    properties[name] = { scope: forTheUserAlone.has(name) ? 'machine' : 'window', ...setting };
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { contributes, capabilities } = manifest;
contributes.configuration.find(section => section.title === 'Blocks').properties = properties;
capabilities.untrustedWorkspaces.restrictedConfigurations = [
    'operator.server.path',
    ...Object.keys(properties).filter(name => name !== 'operator.trace'),
];
writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
