// The server's settings, as they are set in VS Code.
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';

/** Settings that are the extension's own; the server does not know them. */
const OWN = 'operator.server.';

interface Declared {
    default: unknown;
    scope?: string;
}

/** What is set and is not the default, by key; the server has the same defaults. */
export function serverSettings(manifest: unknown): Record<string, unknown> {
    const configuration = vscode.workspace.getConfiguration();
    const settings: Record<string, unknown> = {};
    for (const [name, declared] of Object.entries(declaredSettings(manifest))) {
        const value = declared.scope === 'machine' ? userSetting(name) : configuration.get<unknown>(name);
        if (!name.startsWith(OWN) && value !== undefined && !isDeepStrictEqual(plain(value), declared.default)) {
            settings[name.slice('operator.'.length)] = value;
        }
    }
    return settings;
}

/**
 * What the user has set, whatever the workspace says. VS Code leaves a workspace's value of a machine
 * setting out by its whole name alone: one that is written as an object, `"operator.git": {"commit":
 * true}`, comes through `get`.
 */
export function userSetting<T>(name: string): T | undefined {
    return vscode.workspace.getConfiguration().inspect<T>(name)?.globalValue;
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
