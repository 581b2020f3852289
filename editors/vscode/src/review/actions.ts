// What is done with proposals from the inbox and the palette.
import * as vscode from 'vscode';
import { orShow } from '../failure';
import type { Server } from '../server/server';
import { pickedPlace, pickedTranscript, type Given } from './picked';
import { argument, type Place, type Transcripts } from './transcripts';

const SHORT = 4_000;

export function registerActions(server: Server, transcripts: Transcripts): vscode.Disposable[] {
    const onPlace = (command: string, what: string, work: (place: Place) => unknown) =>
        vscode.commands.registerCommand(
            command,
            orShow(what, async (...given: Given[]) => work(await pickedPlace(transcripts, given))),
        );
    const tell = (place: Place, done: string) =>
        vscode.window.setStatusBarMessage(`${done}: ${place.proposal.summary}`, SHORT);
    const apply = async (place: Place, reply: boolean) => {
        const { applied } = await server.execute<{ applied: boolean }>('operator.apply', { ...argument(place), reply });
        // A program is asked for by the server, and the user may say no.
        tell(place, applied ? 'Applied' : 'Not applied');
    };
    return [
        onPlace('operator.inbox.show', 'The block cannot be shown', show),
        onPlace('operator.inbox.apply', 'The block was not applied', place => apply(place, false)),
        onPlace('operator.inbox.run', 'The block was not run', place => apply(place, true)),
        onPlace('operator.inbox.applyAndReply', 'The block was not applied', place => apply(place, true)),
        onPlace('operator.inbox.reject', 'The block was not rejected', async place => {
            await server.execute('operator.reject', argument(place));
            tell(place, 'Rejected');
        }),
        vscode.commands.registerCommand(
            'operator.inbox.applyAll',
            orShow('Nothing was applied', async (given: Given) => applyAll(server, transcripts, given)),
        ),
    ];
}

async function show({ transcript, proposal }: Place): Promise<void> {
    const { start } = proposal.range;
    const at = new vscode.Position(start.line, start.character);
    const editor = await vscode.window.showTextDocument(transcript.uri, { selection: new vscode.Range(at, at) });
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function applyAll(server: Server, transcripts: Transcripts, given: Given): Promise<void> {
    const { uri, version } = await pickedTranscript(transcripts, given);
    const { applied } = await server.execute<{ applied: boolean }>('operator.applyAll', { uri: uri.toString(), version });
    if (!applied) {
        // What was left was named by the server.
        return;
    }
    const [copy, back] = ['Copy Replies', 'Undo'];
    const says = 'Every proposal that could be applied is applied.';
    void vscode.window.showInformationMessage(says, copy, back).then(chosen => {
        if (chosen === copy) {
            void vscode.commands.executeCommand('operator.chat.copyReplies', uri);
        } else if (chosen === back) {
            void vscode.commands.executeCommand('operator.inbox.undo');
        }
    });
}
