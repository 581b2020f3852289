// "Copy Reply": what the model is to be told, on the clipboard.
import * as vscode from 'vscode';
import { orShow } from '../failure';
import { pickedTranscript, type Given } from '../review/picked';
import type { Transcript, Transcripts } from '../review/transcripts';
import { plural, undecided } from '../review/words';
import type { Server } from '../server/server';
import type { Chat } from './chat';

export const COPY_REPLY = 'operator.chat.copyReply';

interface Around {
    server: Server;
    transcripts: Transcripts;
    chat: Chat;
}

export function registerCopyReply({ server, transcripts, chat }: Around): vscode.Disposable {
    const work = async (given: Given, onceDecided?: boolean) => {
        const { uri } = await pickedTranscript(transcripts, given);
        const transcript = await transcripts.refresh(uri);
        if (transcript === undefined) {
            throw new Error('the transcript is not open any more');
        }
        // What is copied bit by bit would replace what was copied before.
        if (onceDecided === true && undecided(transcript.proposals) > 0) {
            return;
        }
        if ((await copy({ server, chat }, transcript, false)) || onceDecided === true) {
            return;
        }
        const again = 'Copy All Again';
        const says = `There is nothing new to tell the model.${waiting(transcript)}`;
        if ((await vscode.window.showInformationMessage(says, again)) !== again) {
            return;
        }
        if (!(await copy({ server, chat }, transcript, true))) {
            throw new Error('nothing was applied or rejected yet');
        }
    };
    return vscode.commands.registerCommand(COPY_REPLY, orShow('No reply was copied', work));
}

/** Whether there was something to copy. */
async function copy({ server, chat }: Omit<Around, 'transcripts'>, transcript: Transcript, all: boolean): Promise<boolean> {
    const { uri, version } = transcript;
    const reply = await server.execute<string>('operator.reply', { uri: uri.toString(), version, all });
    if (reply === '') {
        return false;
    }
    await vscode.env.clipboard.writeText(reply);
    await chat.copied(uri, reply);
    void vscode.window.showInformationMessage(`Reply copied: paste it into the chat.${waiting(transcript)}`);
    return true;
}

/** How many blocks the reply cannot tell of, since they wait for the user. */
function waiting({ proposals }: Transcript): string {
    const count = undecided(proposals);
    return count === 0 ? '' : ` ${plural(count, 'proposal')} still wait${count === 1 ? 's' : ''} for you.`;
}
