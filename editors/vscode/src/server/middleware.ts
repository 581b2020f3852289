// What is different from how the client library does it by itself.
import * as vscode from 'vscode';
import {
    CodeActionResolveRequest,
    type ApplyWorkspaceEditParams,
    type BaseLanguageClient,
    type Middleware,
} from 'vscode-languageclient/node';
import { NOT_CONFIRMED, confirmWhole } from '../review/confirm';
import { withPreviews } from '../review/lenses';
import type { Changed, Saves } from '../review/saves';
import { reason, showFailure } from '../failure';
import { UNTRUSTED, disableUntrusted } from '../trust';
import { serverSettings } from './settings';

/** Runs what the last resolved action comes with. */
export const FOLLOW_UP = 'operator.server.followUp';

export interface Around {
    client(): BaseLanguageClient;
    manifest: unknown;
    /** Runs a command of the server; what goes wrong is shown. */
    execute(command: string, args: unknown[]): Promise<unknown>;
    /** Takes what an action that was resolved comes with and changes, for when its edit is made. */
    follow(command: vscode.Command, changed: Changed[]): void;
    /** What edits change, for when the commands are done that they belong to. */
    saves: Saves;
}

export function middleware(around: Around): Middleware {
    const changes = new WeakSet<vscode.TextDocumentChangeEvent>();
    return {
        // A transcript is registered for twice, by itself and as a file; the change is sent once.
        didChange: (event, next) => {
            if (changes.has(event)) {
                return Promise.resolve();
            }
            changes.add(event);
            return next(event);
        },
        executeCommand: (command, args) => around.execute(command, args),
        provideCodeLenses: async (document, token, next) => {
            const lenses = await next(document, token);
            return lenses && withPreviews(document, lenses);
        },
        provideCodeActions: async (document, range, context, token, next) => {
            const actions = await next(document, range, context, token);
            return actions && disableUntrusted(actions);
        },
        resolveCodeAction: (action, token) => resolveAction(around, action, token),
        // VS Code folds by indentation only where no provider has an answer.
        provideFoldingRanges: async (document, context, token, next) => {
            const ranges = await next(document, context, token);
            return ranges && ranges.length > 0 ? ranges : undefined;
        },
        workspace: {
            configuration: params => params.items.map(() => serverSettings(around.manifest)),
            handleApplyEdit: async (params, next) => {
                if (!vscode.workspace.isTrusted && !isReply(params)) {
                    return { applied: false, failureReason: UNTRUSTED };
                }
                const edit = await confirmWhole(params.edit);
                if (edit === undefined) {
                    return { applied: false, failureReason: NOT_CONFIRMED };
                }
                const changed = around.saves.changedBy(edit);
                const answer = await next({ ...params, edit }, new vscode.CancellationTokenSource().token);
                if ('applied' in answer && answer.applied) {
                    around.saves.add(changed);
                }
                if ('applied' in answer && !answer.applied && answer.failureReason === undefined) {
                    return { ...answer, failureReason: 'the editor did not make the change: a file has changed meanwhile' };
                }
                return answer;
            },
        },
    };
}

/** The library drops an action without a word when a file has changed; a person wants to know. */
async function resolveAction(
    around: Around,
    action: vscode.CodeAction,
    token: vscode.CancellationToken,
): Promise<vscode.CodeAction> {
    try {
        const client = around.client();
        const asked = await client.code2ProtocolConverter.asCodeAction(action, token);
        const resolved = await client.sendRequest(CodeActionResolveRequest.type, asked, token);
        let changed: Changed[] = [];
        if (resolved.edit !== undefined) {
            const edit = await confirmWhole(resolved.edit);
            if (edit === undefined) {
                throw new vscode.CancellationError();
            }
            resolved.edit = edit;
            changed = around.saves.changedBy(edit);
        }
        const made = (await client.protocol2CodeConverter.asCodeAction(resolved, token)) ?? action;
        return withFollowUp(around, made, changed);
    } catch (error) {
        if (!token.isCancellationRequested && !(error instanceof vscode.CancellationError)) {
            void showFailure(`"${action.title}" was not applied`, reason(error));
        }
        throw new vscode.CancellationError();
    }
}

/**
 * VS Code forgets the arguments of an action's command when the actions are asked for again, which
 * may be while the user is asked or the edit is made. A command without arguments is kept.
 */
function withFollowUp(around: Around, action: vscode.CodeAction, changed: Changed[]): vscode.CodeAction {
    if (action.command !== undefined) {
        around.follow(action.command, changed);
        action.command = { title: action.command.title, command: FOLLOW_UP };
    }
    return action;
}

/** Whether an edit only inserts into one open document, as a reply does. */
function isReply({ edit }: ApplyWorkspaceEditParams): boolean {
    const changed = edit.documentChanges ?? [];
    const [only] = changed;
    return changed.length === 1 && only !== undefined && 'textDocument' in only && only.textDocument.version !== null;
}
