// What is said after an apply, wherever it was asked for.
import * as vscode from 'vscode';
import { COPY_REPLY } from '../chat/copyReply';
import { LOG, type AppliedResult, type Operation } from '../server/protocol';
import type { Made, Server } from '../server/server';
import { done } from './words';

/** How long the status bar says what needs no answer. */
const SHORT = 4_000;

export function registerToasts(server: Server): vscode.Disposable {
    return server.onMade(made => void told(server, made));
}

async function told(server: Server, { uri, result, unsaved, quiet }: Made): Promise<void> {
    const says = done(result, unsaved);
    if (vscode.workspace.getConfiguration('operator').get<boolean>('copyReplyAfterApply', false)) {
        await vscode.commands.executeCommand(COPY_REPLY, vscode.Uri.parse(uri), true);
    }
    if (quiet) {
        vscode.window.setStatusBarMessage(says, SHORT);
        return;
    }
    const operation = await newest(server, uri, result);
    const [undo, copy] = ['Undo', 'Copy Reply'];
    const buttons = operation === undefined ? [copy] : [undo, copy];
    const chosen = await vscode.window.showInformationMessage(says, ...buttons);
    if (chosen === undo) {
        await vscode.commands.executeCommand('operator.operations.undo', operation);
    } else if (chosen === copy) {
        await vscode.commands.executeCommand(COPY_REPLY, vscode.Uri.parse(uri));
    }
}

/** The operation that was made just now. */
async function newest(server: Server, uri: string, { changes }: AppliedResult): Promise<Operation | undefined> {
    if (changes === 0) {
        return undefined;
    }
    const { operations } = await server.execute<{ operations: Operation[] }>(LOG, { uri });
    return operations.find(({ undone }) => !undone);
}
