// What is done with proposals from the inbox and the palette.
import * as vscode from 'vscode';
import { orShow } from '../failure';
import type { Server } from '../server/server';
import { pickedPlace, pickedTranscript, type Given, type Sources } from './picked';
import { argument, type Place } from './transcripts';

const SHORT = 4_000;

export function registerActions(server: Server, sources: Sources): vscode.Disposable[] {
    const { registerCommand } = vscode.commands;
    const onPlace = (command: string, what: string, work: (place: Place) => unknown) =>
        registerCommand(
            command,
            orShow(what, async (...given: Given[]) => work(await pickedPlace(sources, given))),
        );
    const apply = (place: Place, reply: boolean) => server.execute('operator.apply', { ...argument(place), reply });
    return [
        onPlace('operator.inbox.show', 'The block cannot be shown', show),
        onPlace('operator.inbox.apply', 'The block was not applied', place => apply(place, runs(place))),
        onPlace('operator.inbox.run', 'The block was not run', place => apply(place, true)),
        onPlace('operator.inbox.applyAndReply', 'The block was not applied', place => apply(place, true)),
        onPlace('operator.inbox.reject', 'The block was not rejected', async place => {
            await server.execute('operator.reject', argument(place));
            vscode.window.setStatusBarMessage(`Rejected: ${place.proposal.summary}`, SHORT);
        }),
        registerCommand(
            'operator.inbox.applyAll',
            orShow('Nothing was applied', async (given: Given) => {
                const { uri, version } = await pickedTranscript(sources.transcripts, given);
                await server.execute('operator.applyAll', { uri: uri.toString(), version });
            }),
        ),
    ];
}

/** Whether the key that applies a block has it run, as the model only asks for something. */
function runs({ proposal }: Place): boolean {
    return proposal.offers.includes('run');
}

/** Shows a block in its transcript. */
export async function show({ transcript, proposal }: Place): Promise<void> {
    const { start } = proposal.range;
    const at = new vscode.Position(start.line, start.character);
    const editor = await vscode.window.showTextDocument(transcript.uri, { selection: new vscode.Range(at, at) });
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
