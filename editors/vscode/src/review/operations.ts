// What was applied in this workspace, as the server's log lists it, and how it is undone and redone.
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { reason } from '../failure';
import { LOG, REDO, UNDO, type Operation } from '../server/protocol';
import type { Server } from '../server/server';
import type { Transcripts } from './transcripts';

/** How long the list waits for more to happen before it is asked for. */
const REST = 200;

export class Operations implements vscode.Disposable {
    private known: Operation[] | undefined;
    private waiting: NodeJS.Timeout | undefined;
    private readonly changed = new vscode.EventEmitter<undefined>();
    private readonly subscriptions: vscode.Disposable[];
    /** Why the list could not be had, where that is so. */
    failure: string | undefined;
    /** The list is another one now, or could not be had. */
    readonly onChange = this.changed.event;

    /** The operations of the server, which are asked for as long as `isShown` says so. */
    constructor(
        private readonly server: Server,
        private readonly transcripts: Transcripts,
        private readonly isShown: () => boolean,
    ) {
        this.subscriptions = [
            this.changed,
            server.onProposals(() => this.refreshSoon()),
            server.onExecuted(command => command !== LOG && this.refreshSoon()),
            server.onState(state => (state === 'running' ? this.refreshSoon() : this.clear())),
            // The command line may have been used meanwhile.
            vscode.window.onDidChangeWindowState(({ focused }) => focused && this.refreshSoon()),
        ];
    }

    /** The newest first; `undefined` where they are not known yet. */
    all(): Operation[] | undefined {
        return this.known;
    }

    /** Asks for the list now. Whatever goes wrong is kept as `failure`. */
    async refresh(): Promise<void> {
        clearTimeout(this.waiting);
        if (this.server.state !== 'running') {
            return;
        }
        const before = { known: this.known, failure: this.failure };
        try {
            const { operations } = await this.server.execute<{ operations: Operation[] }>(LOG, this.workspace());
            this.known = operations;
            this.failure = undefined;
        } catch (error) {
            this.failure = reason(error);
        }
        // A list that is drawn again for nothing takes the buttons away under the mouse.
        if (!isDeepStrictEqual(before, { known: this.known, failure: this.failure })) {
            this.changed.fire(undefined);
        }
    }

    /** Undoes an operation, or the newest one. @throws why it was not undone. */
    async undo(operation?: Operation): Promise<void> {
        // Each folder numbers its operations by itself, and a transcript is of one folder.
        const id = operation && { id: operation.id };
        await this.change(UNDO, { ...this.workspace(), ...(operation && transcriptOf(operation)), ...id });
    }

    /** Makes what was undone last again. @throws why that was not done. */
    async redo(): Promise<void> {
        await this.change(REDO, { ...this.workspace() });
    }

    dispose(): void {
        clearTimeout(this.waiting);
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private async change(command: string, argument: object): Promise<void> {
        await this.server.execute(command, Object.keys(argument).length === 0 ? undefined : argument);
    }

    /** Which workspace is meant, unless there is one folder. */
    private workspace(): { uri: string } | undefined {
        if (vscode.workspace.workspaceFolders?.length === 1) {
            return undefined;
        }
        const active = vscode.window.activeTextEditor?.document.uri;
        const transcript = (active && this.transcripts.get(active)) ?? this.transcripts.all()[0];
        return transcript && { uri: transcript.uri.toString() };
    }

    private refreshSoon(): void {
        clearTimeout(this.waiting);
        if (this.isShown()) {
            this.waiting = setTimeout(() => void this.refresh(), REST);
        }
    }

    private clear(): void {
        this.known = undefined;
        this.failure = undefined;
        this.changed.fire(undefined);
    }
}

/** The URI of an operation's transcript, where that is a document. */
function transcriptOf({ transcript }: Operation): { uri: string } | undefined {
    if (transcript.startsWith('stdin:')) {
        return undefined;
    }
    const isUri = /^[a-z][a-z0-9+.-]+:/i.test(transcript);
    return { uri: isUri ? transcript : vscode.Uri.file(transcript).toString() };
}
