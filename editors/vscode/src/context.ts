// What the menus ask for, and the settings that need a new server.
import * as vscode from 'vscode';
import { idOf } from './editOps/virtualFiles';
import type { Transcripts } from './review/transcripts';
import type { Server } from './server/server';

/** Settings that are read when the server starts. */
const AT_START = ['operator.server.path', 'operator.transcripts'];

export function registerContext(server: Server, transcripts: Transcripts): vscode.Disposable[] {
    const update = () => {
        const uri = vscode.window.activeTextEditor?.document.uri;
        const holds = uri !== undefined && (transcripts.get(uri)?.proposals.length ?? 0) > 0;
        void vscode.commands.executeCommand('setContext', 'operator.isTranscript', holds);
        const document = vscode.window.activeTextEditor?.document;
        const isVirtualFile = document !== undefined && idOf(document) !== undefined;
        void vscode.commands.executeCommand('setContext', 'operator.isVirtualFile', isVirtualFile);
    };
    return [
        transcripts.onChange(update),
        vscode.window.onDidChangeActiveTextEditor(update),
        vscode.workspace.onDidChangeConfiguration(event => {
            if (AT_START.some(setting => event.affectsConfiguration(setting))) {
                void server.restart();
            }
        }),
    ];
}
