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
    'operator.history.bytes',
    'operator.history.days',
    'operator.history.operations',
    'operator.llmChatOps.apiKey',
    'operator.llmChatOps.baseUrl',
    'operator.llmChatOps.enabled',
    'operator.llmChatOps.model',
    'operator.protectedPaths',
    'operator.trustedFiles',
]);

/** The sections of the settings page, each with the settings and groups of settings that it has. */
const sections = {
  'Apply': ['saveAfterApply', 'confirm', 'git', 'exec', 'history'],
  'Reply': ['copyReplyAfterApply'],
  'Safety': ['allowedRoots', 'protectedPaths', 'trustedFiles'],
  'Transcripts and Dialects': ['transcripts', 'dialects', 'virtualFiles'],
  'A Model for Edits': ['llmChatOps'],
  'Program': ['server', 'trace'],
  'Limits': ['limits'],
};
const groups = Object.values(sections).flat();

/** Which section a setting is in, by its name, and its place there. */
function place(name) {
    const key = name.slice('operator.'.length);
    const found = groups.filter(group => key === group || key.startsWith(`${group}.`));
    if (found.length !== 1) {
        throw new Error(`${name} must be in one section of the settings page, see \`sections\``);
    }
    return groups.indexOf(found[0]);
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { contributes, capabilities } = manifest;
const declared = Object.assign({}, ...contributes.configuration.map(({ properties }) => properties));
const own = Object.entries(declared).filter(([name]) => name.startsWith('operator.server.'));
const ofServer = Object.entries(schema).map(([name, setting]) => [
    name,
    { scope: forTheUserAlone.has(name) ? 'machine' : 'window', ...setting },
]);
const all = [...own, ...ofServer].sort(([a], [b]) => place(a) - place(b));
contributes.configuration = Object.entries(sections).map(([title, parts]) => {
    const inside = all.filter(([name]) => parts.includes(groups[place(name)]));
    const properties = inside.map(([name, setting], order) => [name, { ...setting, order }]);
    return { title, properties: Object.fromEntries(properties) };
});
capabilities.untrustedWorkspaces.restrictedConfigurations = all
    .map(([name]) => name)
    .filter(name => name !== 'operator.trace');
writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
