// The open transcripts and their proposals, as the server has last reviewed them.
import * as path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { reason } from '../failure';
import { PROPOSALS, type BlockArgument, type Proposal } from '../server/protocol';
import type { Server } from '../server/server';
import { isTranscript } from '../server/selector';
import { when } from './operationWords';
import { chatName } from './words';

/** How long the typing has to rest before the proposals are asked for. */
const REST = 250;
/** How long after a failure they are asked for again, and how often at most. */
const AGAIN = 1_000;
const TRIES = 5;
/** How many lines of a document are searched for its name. */
const NAMED_BY = 200;

export interface Transcript {
    uri: vscode.Uri;
    /** The version of the document that the proposals were made for. */
    version: number;
    proposals: Proposal[];
}

/** A proposal and where it is. */
export interface Place {
    transcript: Transcript;
    block: number;
    proposal: Proposal;
}

export class Transcripts implements vscode.Disposable {
    private readonly known = new Map<string, Transcript>();
    private readonly waiting = new Map<string, NodeJS.Timeout>();
    /** When the documents that are not saved were seen first. */
    private readonly opened = new Map<string, string>();
    private readonly changed = new vscode.EventEmitter<vscode.Uri | undefined>();
    private readonly subscriptions: vscode.Disposable[] = [];
    /** A transcript's proposals were asked for again, or (without one) all are gone. */
    readonly onChange = this.changed.event;

    constructor(private readonly server: Server) {
        const { workspace, languages } = vscode;
        this.subscriptions.push(
            server.onProposals(uri => this.refreshSoon(uri, 0)),
            server.onState(state => (state === 'running' ? this.refreshAll() : this.clear())),
            workspace.onDidOpenTextDocument(document => this.refreshSoon(document.uri, REST)),
            workspace.onDidChangeTextDocument(event => this.refreshSoon(event.document.uri, REST)),
            workspace.onDidCloseTextDocument(document => this.forget(document.uri)),
            workspace.onDidRenameFiles(() => this.refreshAll()),
            languages.onDidChangeDiagnostics(event => event.uris.forEach(uri => this.refreshSoon(uri, REST))),
        );
    }

    /** Those that hold a block, by their names. */
    all(): Transcript[] {
        const some = [...this.known.values()].filter(transcript => transcript.proposals.length > 0);
        return some.sort((a, b) => a.uri.path.localeCompare(b.uri.path));
    }

    /** What a transcript is called; one that is not saved by its first line, and when it was opened. */
    name(uri: vscode.Uri): { name: string; opened?: string } {
        const document = vscode.workspace.textDocuments.find(open => open.uri.toString() === uri.toString());
        if (document === undefined || !document.isUntitled) {
            return { name: path.posix.basename(uri.path) };
        }
        const lines = document.getText(new vscode.Range(0, 0, NAMED_BY, 0)).split(/\r?\n/);
        const blocks = this.get(uri)?.proposals ?? [];
        const isProse = (_: string, line: number) =>
            !blocks.some(({ range }) => range.start.line <= line && line <= range.end.line);
        const opened = this.opened.get(uri.toString());
        return { name: chatName(lines.filter(isProse)), ...(opened === undefined ? {} : { opened: when(opened) }) };
    }

    get(uri: vscode.Uri): Transcript | undefined {
        return this.known.get(uri.toString());
    }

    place(uri: vscode.Uri, block: number): Place | undefined {
        const transcript = this.get(uri);
        const proposal = transcript?.proposals[block];
        return transcript && proposal && { transcript, block, proposal };
    }

    /** Asks for a transcript's proposals now. @throws why there is no answer. */
    async refresh(uri: vscode.Uri): Promise<Transcript | undefined> {
        const document = vscode.workspace.textDocuments.find(open => open.uri.toString() === uri.toString());
        if (document === undefined || document.isClosed || !isTranscript(document)) {
            this.forget(uri);
            return undefined;
        }
        const { version } = document;
        const params = { textDocument: { uri: uri.toString() } };
        const proposals = await this.server.request<Proposal[]>(PROPOSALS, params);
        if (document.version !== version) {
            return this.refresh(uri);
        }
        const transcript = { uri, version, proposals };
        const before = this.get(uri);
        if (document.isUntitled && !this.opened.has(uri.toString())) {
            this.opened.set(uri.toString(), new Date().toISOString());
        }
        this.known.set(uri.toString(), transcript);
        // A list that is drawn again for nothing takes the buttons away under the mouse.
        if (before?.version !== version || !isDeepStrictEqual(before.proposals, proposals)) {
            this.changed.fire(uri);
        }
        return transcript;
    }

    dispose(): void {
        this.waiting.forEach(timer => clearTimeout(timer));
        vscode.Disposable.from(...this.subscriptions).dispose();
        this.changed.dispose();
    }

    private refreshAll(): void {
        vscode.workspace.textDocuments.forEach(document => this.refreshSoon(document.uri, 0));
    }

    private refreshSoon(uri: vscode.Uri, delay: number, tries = TRIES): void {
        const key = uri.toString();
        if (this.server.state !== 'running') {
            return;
        }
        clearTimeout(this.waiting.get(key));
        const ask = () => {
            this.waiting.delete(key);
            this.refresh(uri).catch((error: unknown) => {
                this.server.warn(`the proposals of ${key} are not known: ${reason(error)}`);
                // Whatever else is due for this document asks by itself.
                if (tries > 1 && !this.waiting.has(key)) {
                    this.refreshSoon(uri, AGAIN, tries - 1);
                }
            });
        };
        this.waiting.set(key, setTimeout(ask, delay));
    }

    private forget(uri: vscode.Uri): void {
        this.opened.delete(uri.toString());
        if (this.known.delete(uri.toString())) {
            this.changed.fire(uri);
        }
    }

    private clear(): void {
        this.known.clear();
        this.changed.fire(undefined);
    }
}

/** What the server's commands take: the block as it was when it was shown. */
export function argument({ transcript, block }: Place): BlockArgument {
    return { uri: transcript.uri.toString(), block, version: transcript.version };
}

export function count(transcripts: Transcript[], status: Proposal['status']): number {
    const matching = (transcript: Transcript) => transcript.proposals.filter(proposal => proposal.status === status);
    return transcripts.reduce((sum, transcript) => sum + matching(transcript).length, 0);
}
