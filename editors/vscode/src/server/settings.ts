// The server's settings, as they are set in VS Code.
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';

/** Settings that are the extension's own; the server does not know them. */
const OWN = 'operator.server.';

interface Declared {
    default: unknown;
}

/** What is set and is not the default, by key; the server has the same defaults. */
export function serverSettings(manifest: unknown): Record<string, unknown> {
    const configuration = vscode.workspace.getConfiguration();
    const settings: Record<string, unknown> = {};
    for (const [name, declared] of Object.entries(declaredSettings(manifest))) {
        const value = configuration.get<unknown>(name);
        if (!name.startsWith(OWN) && !isDeepStrictEqual(plain(value), declared.default)) {
            settings[name.slice('operator.'.length)] = value;
        }
    }
    return settings;
}

/** Configurations come as proxies, which are not equal to what they stand for. */
function plain(value: unknown): unknown {
    return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}

function declaredSettings(manifest: unknown): Record<string, Declared> {
    const { contributes } = manifest as {
        contributes: { configuration: { properties: Record<string, Declared> }[] };
    };
    return Object.assign({}, ...contributes.configuration.map(section => section.properties)) as Record<
        string,
        Declared
    >;
}
