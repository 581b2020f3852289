// "New Transcript from Clipboard": an untitled document, and what the server finds in it.
import * as vscode from 'vscode';
import { orShow } from '../failure';
import type { Transcripts } from '../review/transcripts';
import { counts } from '../review/words';
import { guessLanguage } from './language';

export function registerNewTranscript(transcripts: Transcripts): vscode.Disposable {
    const work = async () => {
        const text = await vscode.env.clipboard.readText();
        if (text.trim() === '') {
            throw new Error("the clipboard holds no text; copy the model's answer first");
        }
        await openTranscript(transcripts, text);
    };
    return vscode.commands.registerCommand('operator.chat.newTranscript', orShow('No transcript was created', work));
}

/** Opens a text as an untitled transcript and says what is found in it. */
export async function openTranscript(transcripts: Transcripts, text: string): Promise<vscode.Uri> {
    const document = await vscode.workspace.openTextDocument({ language: guessLanguage(text), content: text });
    await vscode.window.showTextDocument(document, { preview: false });
    const transcript = await transcripts.refresh(document.uri);
    if (transcript === undefined || transcript.proposals.length === 0) {
        void vscode.window.showWarningMessage(
            'No edit blocks found. Copy the answer exactly as the model wrote it, markers included.',
        );
    } else {
        vscode.window.setStatusBarMessage(`Edit blocks: ${counts(transcript.proposals)}`, 5_000);
    }
    return document.uri;
}
