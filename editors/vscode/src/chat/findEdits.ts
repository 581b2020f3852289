// "Find Edits Here": searches the document of the active editor as a chat is searched.
import * as vscode from 'vscode';
import { orShow } from '../failure';
import { SCAN } from '../server/protocol';
import type { Server } from '../server/server';

export function registerFindEdits(server: Server): vscode.Disposable {
    const work = async () => {
        const document = vscode.window.activeTextEditor?.document;
        if (document === undefined) {
            throw new Error('no text editor is active: open the document first');
        }
        await server.execute(SCAN, { uri: document.uri.toString() });
    };
    return vscode.commands.registerCommand('operator.chat.findEdits', orShow('No edits were searched for', work));
}
