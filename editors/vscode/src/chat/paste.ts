// "Paste and Review": the answer on the clipboard goes into the chat, and the inbox shows what is in it.
//
// Its key is Ctrl+Shift+Alt+V, on macOS Cmd+Shift+Alt+V: VS Code has no command there on any system.
// Ctrl+Alt with a letter alone is not free: Windows takes it for AltGr, which types letters on many
// keyboards, and Ctrl+Alt+O opens VS Code's remote menu.
import * as vscode from 'vscode';
import { orShow } from '../failure';
import type { Inbox } from '../review/inbox';
import type { Transcripts } from '../review/transcripts';
import { counts, plural } from '../review/words';
import type { Server } from '../server/server';
import { openText, type Chat, type Part } from './chat';
import { guessLanguage } from './language';

interface Around {
    server: Server;
    transcripts: Transcripts;
    chat: Chat;
    inbox: Inbox;
}

export function registerPaste(around: Around): vscode.Disposable {
    const work = async () => {
        const text = await vscode.env.clipboard.readText();
        if (text.trim() === '') {
            throw new Error("the clipboard holds no text; copy the model's answer first");
        }
        // One JSON object is a document of its own.
        const isChat = guessLanguage(text) !== 'json';
        const part = isChat ? await around.chat.add(text) : { document: await openText(text), line: 0 };
        await review(around, part);
    };
    return vscode.commands.registerCommand('operator.chat.paste', orShow('Nothing was pasted', work));
}

/** Shows a part of a transcript, and in the inbox the first of its blocks that is open. */
async function review({ server, transcripts, inbox }: Around, part: Part): Promise<void> {
    const { document, line } = part;
    await showAt(document, line);
    const transcript = await transcripts.refresh(document.uri);
    const proposals = transcript?.proposals ?? [];
    const found = proposals.filter(({ range }) => range.start.line >= line);
    const first = found.find(({ group }) => group !== 'done') ?? found[0];
    const place = first && transcripts.place(document.uri, proposals.indexOf(first));
    if (place === undefined) {
        void vscode.window.showWarningMessage(await nothingFound(server, part));
        return;
    }
    await inbox.reveal(place);
    server.showLenses(document);
    vscode.window.setStatusBarMessage(`Edit blocks: ${counts(found)}`, 5_000);
}

async function showAt(document: vscode.TextDocument, line: number): Promise<void> {
    const at = new vscode.Range(line, 0, line, 0);
    const shown = vscode.window.visibleTextEditors.find(editor => editor.document === document);
    const where = shown?.viewColumn === undefined ? {} : { viewColumn: shown.viewColumn };
    const editor = await vscode.window.showTextDocument(document, { preview: false, selection: at, ...where });
    editor.revealRange(at, vscode.TextEditorRevealType.AtTop);
}

/** What is said where there is no block: what the server has seen instead. */
async function nothingFound(server: Server, { document, line }: Part): Promise<string> {
    const params = { textDocument: { uri: document.uri.toString() } };
    type Report = { items?: { message: string; range: vscode.Range }[] };
    const { items = [] } = await server.request<Report>('textDocument/diagnostic', params);
    const [seen] = items.filter(({ range }) => range.start.line >= line);
    const size = plural(document.lineCount - line - 1, 'line');
    return seen === undefined ? `No edit block is in the ${size} that you pasted.` : `No edit block was found: ${seen.message}.`;
}
