// "Copy Replies": what the model is to be told, on the clipboard.
import * as vscode from 'vscode';
import { orShow } from '../failure';
import { pickedTranscript, type Given } from '../review/picked';
import type { Transcript, Transcripts } from '../review/transcripts';
import { plural } from '../review/words';
import type { Server } from '../server/server';
import { answerable, undecided, type Answerable } from './answers';

export function registerCopyReplies(server: Server, transcripts: Transcripts): vscode.Disposable {
    /** What was copied already, by transcript. */
    const copied = new Map<string, Set<string>>();
    const work = async (given: Given) => {
        const { uri } = await pickedTranscript(transcripts, given);
        const transcript = await transcripts.refresh(uri);
        if (transcript === undefined) {
            throw new Error('the transcript is not open any more');
        }
        const known = copied.get(uri.toString()) ?? new Set();
        copied.set(uri.toString(), known);
        const all = answerable(transcript.proposals);
        const fresh = all.filter(({ key }) => !known.has(key));
        if (all.length > 0 && fresh.length === 0) {
            await offerAll(server, transcript, all);
            return;
        }
        await copy(server, transcript, fresh);
        fresh.forEach(({ key }) => known.add(key));
    };
    return vscode.commands.registerCommand('operator.chat.copyReplies', orShow('No reply was copied', work));
}

async function offerAll(server: Server, transcript: Transcript, all: Answerable[]): Promise<void> {
    const again = 'Copy All Again';
    const says = 'No new replies since you last copied them.';
    if ((await vscode.window.showInformationMessage(says, again)) === again) {
        await copy(server, transcript, all);
    }
}

async function copy(server: Server, transcript: Transcript, answers: Answerable[]): Promise<void> {
    const waiting = undecided(transcript.proposals);
    if (answers.length === 0) {
        throw new Error(`${plural(waiting, 'proposal')} wait${waiting === 1 ? 's' : ''} for you: apply or reject first`);
    }
    const replies: string[] = [];
    for (const { block } of answers) {
        const { uri, version } = transcript;
        const reply = await server.execute<string>('operator.reply', { uri: uri.toString(), block, version });
        replies.push(reply.replace(/\n+$/, ''));
    }
    await vscode.env.clipboard.writeText(`${replies.join('\n')}\n`);
    const left = waiting === 0 ? '' : ` ${plural(waiting, 'proposal')} still wait${waiting === 1 ? 's' : ''} for you.`;
    const count = plural(replies.length, 'new reply').replace('replys', 'replies');
    void vscode.window.showInformationMessage(`${count} copied: paste into the chat.${left}`);
}
