// The chat of a window: one document that is not saved, to which every answer is added.
import * as vscode from 'vscode';
import { guessLanguage } from './language';

/** Where the window remembers its chat, for when it is loaded again. */
const KEY = 'chat.uri';
/** Where it remembers what was copied of the chat since the last answer. */
const COPIED = 'chat.copied';

/** A part of a document, from a line on. */
export interface Part {
    document: vscode.TextDocument;
    line: number;
}

export class Chat implements vscode.Disposable {
    private readonly closing: vscode.Disposable;

    constructor(private readonly memory: vscode.Memento) {
        this.closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
            if (this.is(uri)) {
                void this.memory.update(KEY, undefined);
                void this.memory.update(COPIED, undefined);
            }
        });
    }

    /**
     * A reply was copied for the model. In the chat of the window it comes before the next answer, as in the model's
     * chat: what the reply asks for again is then corrected by that answer.
     */
    async copied(uri: vscode.Uri, reply: string): Promise<void> {
        const before = this.memory.get<string>(COPIED) ?? '';
        if (this.is(uri) && !before.includes(reply)) {
            await this.memory.update(COPIED, before + reply);
        }
    }

    /** Adds an answer, unless it is the last one already, and says where it begins. */
    async add(answer: string, now = new Date()): Promise<Part> {
        const text = answer.endsWith('\n') ? answer : `${answer}\n`;
        const open = this.find();
        if (open === undefined) {
            const document = await openText(text);
            await this.memory.update(KEY, document.uri.toString());
            return { document, line: 0 };
        }
        const before = open.getText().replaceAll('\r\n', '\n');
        const begins = before.lastIndexOf(text);
        if (begins >= 0 && begins === before.length - text.length) {
            return { document: open, line: before.slice(0, begins).split('\n').length - 1 };
        }
        const end = open.lineAt(open.lineCount - 1).range.end;
        const copied = this.memory.get<string>(COPIED) ?? '';
        const reply = before.includes(copied) ? '' : `${gap(before)}${copied}`;
        const head = reply + separator(before + reply, now);
        const edit = new vscode.WorkspaceEdit();
        edit.insert(open.uri, end, `${head}${text}`);
        if (!(await vscode.workspace.applyEdit(edit))) {
            throw new Error('the editor did not add the answer to the chat');
        }
        await this.memory.update(COPIED, undefined);
        return { document: open, line: end.line + head.split('\n').length - 1 };
    }

    dispose(): void {
        this.closing.dispose();
    }

    private is(uri: vscode.Uri): boolean {
        return uri.toString() === this.memory.get(KEY);
    }

    private find(): vscode.TextDocument | undefined {
        const known = this.memory.get<string>(KEY);
        return vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && uri.toString() === known);
    }
}

/** Opens a text as a document that is not saved. */
export async function openText(text: string): Promise<vscode.TextDocument> {
    return vscode.workspace.openTextDocument({ language: guessLanguage(text), content: text });
}

/** What is between two answers: a line that is a marker in no block language. */
function separator(before: string, now: Date): string {
    const clock = now.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
    return `${gap(before)}──────── ${clock} ────────\n\n`;
}

/** What leaves an empty line after a text. */
function gap(before: string): string {
    return before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
}
