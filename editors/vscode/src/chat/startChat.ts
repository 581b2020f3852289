// "Start a Chat": the first message to a model, with the files that the user chooses, on the clipboard.
import * as vscode from 'vscode';
import { orShow } from '../failure';
import type { Transcripts } from '../review/transcripts';
import { PROMPT, type Prompt } from '../server/protocol';
import type { Server } from '../server/server';
import { changedFiles } from './changedFiles';
import { promptCopied } from './promptCopied';

/** What can be chosen: a file, or something else that the message may have. */
interface Choice extends vscode.QuickPickItem {
    uri?: vscode.Uri;
    tree?: boolean;
    pick?: boolean;
}

/** What the message is made of. */
interface Chosen {
    paths: vscode.Uri[];
    tree: boolean;
}

export function registerStartChat(server: Server, transcripts: Transcripts): vscode.Disposable {
    // The Explorer hands over the row that was clicked, and all rows that are selected.
    const work = async (clicked?: vscode.Uri, selected?: vscode.Uri[]) => {
        const rows = selected ?? (clicked === undefined ? [] : [clicked]);
        await server.started();
        const chosen = rows.length > 0 ? { paths: rows, tree: false } : await choose(transcripts);
        if (chosen !== undefined) {
            await copy(server, chosen);
        }
    };
    return vscode.commands.registerCommand('operator.chat.start', orShow('No prompt was copied', work));
}

async function copy(server: Server, { paths, tree }: Chosen): Promise<void> {
    const location = vscode.ProgressLocation.Window;
    const prompt = await vscode.window.withProgress({ location, title: 'Collecting files' }, () =>
        server.execute<Prompt>(PROMPT, { paths: paths.map(uri => uri.toString()), tree }),
    );
    await vscode.env.clipboard.writeText(prompt.text);
    void vscode.window.showInformationMessage(promptCopied(prompt));
}

/** Asks for the files; nothing where the user goes away. */
async function choose(transcripts: Transcripts): Promise<Chosen | undefined> {
    const choices = await offered(transcripts);
    const chosen = await vscode.window.showQuickPick<Choice>(choices, {
        canPickMany: true,
        title: 'Start a Chat',
        placeHolder: 'Choose what the model needs to see; Enter copies it',
    });
    if (chosen === undefined) {
        return undefined;
    }
    const paths = chosen.flatMap(({ uri }) => uri ?? []);
    if (chosen.some(({ pick }) => pick)) {
        const picked = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: 'Add to the Chat' });
        if (picked === undefined) {
            return undefined;
        }
        paths.push(...picked);
    }
    return { paths, tree: chosen.some(({ tree }) => tree) };
}

async function offered(transcripts: Transcripts): Promise<Choice[]> {
    const isChat = (uri: vscode.Uri) => (transcripts.get(uri)?.proposals.length ?? 0) > 0;
    const open = openFiles().filter(uri => !isChat(uri));
    const known = new Set(open.map(String));
    const changed = (await changedFiles()).filter(uri => !known.has(uri.toString()) && !isChat(uri));
    return [
        ...group('Open editors', open.map(uri => file(uri, true))),
        ...group('Changed files', changed.map(uri => file(uri, false))),
        ...group('More', [
            { label: '$(list-tree) The names of all files', tree: true },
            { label: '$(folder-opened) Other files…', pick: true },
        ]),
    ];
}

function group(label: string, choices: Choice[]): Choice[] {
    return choices.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...choices];
}

function file(uri: vscode.Uri, picked: boolean): Choice {
    return { label: vscode.workspace.asRelativePath(uri), picked, uri };
}

/** The files of the workspace that are open in editors, each once. */
function openFiles(): vscode.Uri[] {
    const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
    const uris = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? input.uri : []));
    const inside = uris.filter(
        uri =>
            uri.scheme === 'file' &&
            (vscode.workspace.workspaceFolders === undefined || vscode.workspace.getWorkspaceFolder(uri) !== undefined),
    );
    return [...new Map(inside.map(uri => [uri.toString(), uri])).values()];
}
