// "Ask for an Edit": an instruction for what is selected, and the answer as a transcript.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { openText } from '../chat/chat';
import { orShow, reason } from '../failure';
import type { Transcripts } from '../review/transcripts';
import { EDIT_OPS } from '../server/protocol';
import type { Server } from '../server/server';
import { UNTRUSTED } from '../trust';
import { remember, target, toTranscript, type Request, type Response, type Turn } from './request';
import { activeId, texts } from './virtualFiles';

const METHOD_NOT_FOUND = -32601;
const TOOL_ID = 'editOps.toolId';

export function registerAsk(context: vscode.ExtensionContext, server: Server, transcripts: Transcripts): vscode.Disposable {
    let conversation: Turn[] = [];
    const work = async () => {
        const asked = await ask(toolId(context), conversation);
        if (asked === undefined) {
            return;
        }
        const response = await answer(server, asked);
        if (response === undefined) {
            return;
        }
        const said = response.assistant_message;
        if (!response.enabled || response.ops.length === 0) {
            void vscode.window.showWarningMessage(said === '' ? 'The model proposes no edit.' : said);
            return;
        }
        conversation = remember(conversation, asked.instruction, said);
        const document = await openText(toTranscript(response));
        const { uri } = await vscode.window.showTextDocument(document, { preview: false }).then(it => it.document);
        await transcripts.refresh(uri);
        if (said !== '') {
            void vscode.window.showInformationMessage(said);
        }
        if (transcripts.place(uri, 0)?.proposal.offers.includes('preview') === true) {
            await vscode.commands.executeCommand('operator.inbox.preview', { uri, block: 0 });
        }
    };
    return vscode.commands.registerCommand('operator.editOps.ask', orShow('No edit was asked for', work));
}

/** What the user asks for, or nothing where the user thinks better of it. */
async function ask(tool_id: string, conversation: Turn[]): Promise<Request | undefined> {
    if (!vscode.workspace.isTrusted) {
        throw new Error(UNTRUSTED);
    }
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) {
        throw new Error('no file is open');
    }
    const { document, selection } = editor;
    const active_file = activeId(document);
    const where = selection.isEmpty ? 'at the cursor' : 'of the selection';
    const instruction = await vscode.window.showInputBox({
        prompt: `What is to be made ${where} in ${active_file}?`,
        placeHolder: 'Handle an empty input',
        ignoreFocusOut: true,
    });
    if (instruction === undefined || instruction.trim() === '') {
        return undefined;
    }
    const [from, to] = [document.offsetAt(selection.start), document.offsetAt(selection.end)];
    const virtual_files = await texts();
    return { tool_id, instruction, conversation, active_file, ...target(from, to), virtual_files };
}

async function answer(server: Server, request: Request): Promise<Response | undefined> {
    const options = { location: vscode.ProgressLocation.Notification, title: 'Asking for an edit', cancellable: true };
    return vscode.window.withProgress(options, async (_, token) => {
        try {
            return await server.request<Response>(EDIT_OPS, request, token);
        } catch (error) {
            if (token.isCancellationRequested) {
                return undefined;
            }
            if ((error as { code?: number }).code === METHOD_NOT_FOUND) {
                throw new Error('this operator-lsp does not know edit requests yet; install a newer one');
            }
            throw new Error(reason(error));
        }
    });
}

/** The log tells tools apart by an id that says nothing of them. */
function toolId(context: vscode.ExtensionContext): string {
    const known = context.workspaceState.get<string>(TOOL_ID);
    const id = known ?? randomUUID();
    if (known === undefined) {
        void context.workspaceState.update(TOOL_ID, id);
    }
    return id;
}
