// Which transcript or block a command is about: the one it was called on, else the one at the cursor.
import * as vscode from 'vscode';
import type { Node } from './inbox';
import type { Place, Transcript, Transcripts } from './transcripts';

/** What a lens hands over. */
interface Address {
    uri: vscode.Uri;
    block: number;
}

/** What the keys of the inbox hand over: the row that the keyboard is on. */
const FOCUSED = 'focused';

export type Given = Node | Address | vscode.Uri | typeof FOCUSED | undefined;

/** Where a block may be picked. */
export interface Sources {
    transcripts: Transcripts;
    inbox: { focused(): Promise<Place>; selected(): Promise<Place> };
}

/** @throws where there is no such block. */
export async function pickedPlace({ transcripts, inbox }: Sources, args: Given[]): Promise<Place> {
    const [given] = args;
    if (given === FOCUSED) {
        return inbox.focused();
    }
    if (args.length > 0 && given === undefined) {
        // To take the block at the cursor instead would be to guess.
        throw new Error('the inbox has changed just now; choose the block again');
    }
    if (given !== undefined && 'proposal' in given) {
        return given;
    }
    if (given !== undefined && 'block' in given) {
        await transcripts.refresh(given.uri);
        const place = transcripts.place(given.uri, given.block);
        if (place === undefined) {
            throw new Error('the block is not there any more');
        }
        return place;
    }
    const editor = vscode.window.activeTextEditor;
    const transcript = editor && (await transcripts.refresh(editor.document.uri));
    const line = editor?.selection.active.line ?? 0;
    const block = transcript?.proposals.findIndex(
        ({ range }) => range.start.line <= line && line <= range.end.line,
    );
    const proposal = transcript?.proposals[block ?? -1];
    if (transcript === undefined || block === undefined || proposal === undefined) {
        throw new Error('the cursor is not in a block; put it there, or choose the block in the inbox');
    }
    return { transcript, block, proposal };
}

/** @throws where it is not clear which transcript is meant. */
export async function pickedTranscript(transcripts: Transcripts, given: Given): Promise<Transcript> {
    if (typeof given === 'object' && 'proposals' in given) {
        return given;
    }
    const active = vscode.window.activeTextEditor?.document.uri;
    const uri = given instanceof vscode.Uri ? given : active;
    const transcript = uri && (await transcripts.refresh(uri));
    if (transcript !== undefined && transcript.proposals.length > 0) {
        return transcript;
    }
    const all = transcripts.all();
    if (all.length > 1) {
        const items = all.map(one => {
            const { name, opened } = transcripts.name(one.uri);
            return { label: name, description: opened ?? one.uri.path, one };
        });
        const chosen = await vscode.window.showQuickPick(items, { placeHolder: 'Which transcript?' });
        if (chosen !== undefined) {
            return chosen.one;
        }
        throw new vscode.CancellationError();
    }
    const [only] = all;
    if (only === undefined) {
        throw new Error('no open document holds edit blocks');
    }
    return only;
}
