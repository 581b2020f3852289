// The language server: found, started, watched, restarted.
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import {
    CloseAction,
    CodeLensRequest,
    ErrorAction,
    ExecuteCommandRequest,
    LanguageClient,
    RevealOutputChannelOn,
    State as ClientState,
    type ErrorHandler,
    type LanguageClientOptions,
} from 'vscode-languageclient/node';
import { reason, showFailure, showUnlessCancelled } from '../failure';
import { NOT_CONFIRMED } from '../review/confirm';
import { Saves, type Changed } from '../review/saves';
import { documents } from '../review/saving';
import { notSaved } from '../review/words';
import { checkTrust } from '../trust';
import { findServer, type Found } from './binary';
import { Ends, MOST } from './ends';
import { moved, type Moved } from './history';
import { middleware } from './middleware';
import { PROPOSALS_CHANGED, REDO, UNDO, type AppliedResult } from './protocol';
import { syncTargets, transcriptSelector } from './selector';
import { serverSettings, userSetting } from './settings';

export type State = 'starting' | 'running' | 'stopped' | 'failed';

/** An apply that was made. */
export interface Made {
    /** The transcript. */
    uri: string;
    result: AppliedResult;
    /** The files that are left with changes that are not saved. */
    unsaved: string[];
    /** Whether it is followed by another at once, so that nobody is to be interrupted. */
    quiet: boolean;
}

/** The commands that apply proposals, or follow where a code action did. */
const APPLIES = ['operator.apply', 'operator.applyAll', 'operator.applied'];

export class Server implements vscode.Disposable {
    private client: LanguageClient | undefined;
    private readonly log = vscode.window.createOutputChannel('Operator', { log: true });
    private readonly stateChanged = new vscode.EventEmitter<State>();
    private readonly proposalsChanged = new vscode.EventEmitter<vscode.Uri>();
    private readonly executed = new vscode.EventEmitter<string>();
    private readonly made = new vscode.EventEmitter<Made>();
    /** What edits have changed and is not saved yet. */
    private readonly saves = new Saves(documents);
    readonly onState = this.stateChanged.event;
    /** The numbers of a transcript's proposals have changed. */
    readonly onProposals = this.proposalsChanged.event;
    /** This command of the server was run. */
    readonly onExecuted = this.executed.event;
    /** Proposals were applied, and what that changed is saved as far as it is to be. */
    readonly onMade = this.made.event;
    state: State = 'stopped';
    /** What the code action comes with that was resolved last, and what it changes. */
    private next: { command: vscode.Command; changed: Changed[] } | undefined;
    /** Whether the client library is about to start the server again. */
    private startsAgain = false;

    constructor(private readonly context: vscode.ExtensionContext) {}

    /** The program that is or would be started. */
    find(): Found {
        return findServer({
            setting: userSetting<string>('operator.server.path') ?? '',
            searchPath: process.env['PATH'] ?? '',
            bundle: path.join(this.context.extensionPath, 'bin'),
            platform: process.platform,
            isProgram,
        });
    }

    async start(): Promise<void> {
        this.enter('starting');
        try {
            const { program, origin } = this.find();
            this.log.info(`starting ${program} (${origin})`);
            const client = new LanguageClient('operator-lsp', 'Operator', { command: program }, this.options());
            // Its previews are the extension's own, whose documents have the same scheme.
            client.registerFeature({
                fillClientCapabilities: capabilities => delete capabilities.workspace?.textDocumentContent,
                initialize: () => undefined,
                getState: () => ({ kind: 'static' }),
                clear: () => undefined,
            });
            this.client = client;
            client.onNotification(PROPOSALS_CHANGED, (params: { uri: string }) => {
                this.proposalsChanged.fire(vscode.Uri.parse(params.uri));
            });
            client.onDidChangeState(({ newState }) => this.followed(client, newState));
            await client.start();
        } catch (error) {
            this.log.error(reason(error));
            this.enter('failed');
            void showFailure('The Operator language server does not run', error);
        }
    }

    /** Waits for the end of a start that is under way. */
    async started(): Promise<void> {
        if (this.state === 'starting') {
            await new Promise<void>(resolve => {
                const listener = this.onState(() => {
                    listener.dispose();
                    resolve();
                });
            });
        }
    }

    async restart(): Promise<void> {
        await this.stop();
        await this.start();
    }

    async stop(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        this.enter('stopped');
        await client?.dispose().catch((error: unknown) => this.log.warn(reason(error)));
    }

    /** Runs what the last resolved code action comes with, once. */
    async followUp(): Promise<void> {
        const { next } = this;
        this.next = undefined;
        if (next !== undefined) {
            this.saves.add(next.changed);
            await this.executeShown(next.command.command, next.command.arguments ?? []);
        }
    }

    /** Has the lenses of a document asked for, which VS Code puts off while another view has the focus. */
    showLenses(document: vscode.TextDocument): void {
        const lenses = this.client?.getFeature(CodeLensRequest.method).getProvider(document);
        lenses?.onDidChangeCodeLensEmitter.fire();
    }

    /** Writes down what failed and is tried again by itself. */
    warn(what: string): void {
        this.log.warn(what);
    }

    showLog(): void {
        this.log.show();
    }

    /** Sends a request. @throws what the server says, for a person to read. */
    async request<R>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<R> {
        // A token that is `undefined` would be sent along as a second parameter.
        const client = this.running();
        return token === undefined ? client.sendRequest<R>(method, params) : client.sendRequest<R>(method, params, token);
    }

    /** Runs a command of the server. @throws why it was not run, or that the user has said no. */
    async execute<R>(command: string, argument?: unknown, { quiet = false } = {}): Promise<R> {
        checkTrust(command);
        const params = { command, arguments: argument === undefined ? [] : [argument] };
        try {
            const result = (await this.running().sendRequest(ExecuteCommandRequest.type, params)) as R;
            this.executed.fire(command);
            await this.settle(command, argument, result as AppliedResult | null, quiet);
            return result;
        } catch (error) {
            this.saves.forget();
            throw reason(error).includes(NOT_CONFIRMED) ? new vscode.CancellationError() : error;
        }
    }

    /** Saves what a command has changed, and says that proposals were applied. */
    private async settle(command: string, argument: unknown, result: AppliedResult | null, quiet: boolean): Promise<void> {
        const unsaved = await this.saves.save();
        const { uri } = (argument ?? {}) as { uri?: string };
        // What only reads has no numbers: its reply is in the transcript.
        if (APPLIES.includes(command) && uri !== undefined && result?.applied === true && result.changes !== undefined) {
            this.made.fire({ uri, result, unsaved, quiet });
        } else if (command === UNDO || command === REDO) {
            notSaved(unsaved).forEach(says => void vscode.window.showInformationMessage(says));
        }
    }

    dispose(): void {
        void this.stop();
        this.log.dispose();
    }

    private running(): LanguageClient {
        if (this.client === undefined || this.state !== 'running') {
            throw new Error('the language server is not running; restart it with "Operator: Restart the Server"');
        }
        return this.client;
    }

    private options(): LanguageClientOptions {
        const { packageJSON: manifest } = this.context.extension as { packageJSON: unknown };
        return {
            documentSelector: transcriptSelector(),
            initializationOptions: serverSettings(manifest),
            outputChannel: this.log,
            // A hover that fails is for the log; whatever a person has asked for says why it fails.
            revealOutputChannelOn: RevealOutputChannelOn.Never,
            errorHandler: this.errorHandler(),
            middleware: middleware({
                client: () => this.running(),
                manifest,
                execute: (command, args) => this.executeShown(command, args),
                follow: (command, changed) => (this.next = { command, changed }),
                saves: this.saves,
            }),
        };
    }

    /** A command of a lens or a code action. */
    private async executeShown(command: string, args: unknown[]): Promise<unknown> {
        try {
            const result = await this.execute<unknown>(command, args[0]);
            if (command.startsWith('operator.history.')) {
                void vscode.window.showInformationMessage(moved(result as Moved));
            }
            return result;
        } catch (error) {
            const what = { [UNDO]: 'Nothing was undone', [REDO]: 'Nothing was redone' }[command];
            showUnlessCancelled(what ?? 'Nothing was changed', error);
            return undefined;
        }
    }

    private followed(client: LanguageClient, state: ClientState): void {
        if (client !== this.client) {
            return;
        }
        switch (state) {
            case ClientState.Running:
                this.startsAgain = false;
                syncTargets(client);
                this.log.info('the server runs');
                this.enter('running');
                break;
            case ClientState.Starting:
                this.enter('starting');
                break;
            case ClientState.Stopped:
                this.enter(this.startsAgain ? 'starting' : 'failed');
                break;
            default:
                this.enter('failed');
        }
    }

    /** Starts a server that has ended by itself again, without a word as long as that helps. */
    private errorHandler(): ErrorHandler {
        const ends = new Ends();
        return {
            // What cannot be written to a server that has ended; its end is seen below. To shut the
            // client down here, as is usual, would keep a busy server from being started again.
            error: () => ({ action: ErrorAction.Continue, handled: true }),
            closed: () => {
                this.startsAgain = ends.note(Date.now());
                if (!this.startsAgain) {
                    void this.offerRestart();
                }
                return { action: this.startsAgain ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
            },
        };
    }

    private async offerRestart(): Promise<void> {
        const [restart, log] = ['Restart the Server', 'Show the Log'];
        const says = `The Operator language server has ended ${MOST} times in a short time and is not started again.`;
        const chosen = await vscode.window.showErrorMessage(says, restart, log);
        if (chosen === restart) {
            await this.restart();
        } else if (chosen === log) {
            this.showLog();
        }
    }

    private enter(state: State): void {
        this.state = state;
        void vscode.commands.executeCommand('setContext', 'operator.state', state);
        this.stateChanged.fire(state);
    }
}

function isProgram(file: string): boolean {
    try {
        fs.accessSync(file, fs.constants.X_OK);
        return fs.statSync(file).isFile();
    } catch {
        return false;
    }
}
