// Where everything is put together.
import * as vscode from 'vscode';
import { registerBase64 } from './chat/base64';
import { Chat } from './chat/chat';
import { registerCopyReply } from './chat/copyReply';
import { registerCopySpecification } from './chat/copySpecification';
import { registerFindEdits } from './chat/findEdits';
import { registerPaste } from './chat/paste';
import { registerStartChat } from './chat/startChat';
import { registerContext } from './context';
import { registerAsk } from './editOps/ask';
import { offerLog, orShow } from './failure';
import { registerActions } from './review/actions';
import { Applied } from './review/applied';
import { Inbox } from './review/inbox';
import { Previews } from './review/preview';
import { registerSquash } from './review/squash';
import { StatusBar } from './review/statusBar';
import { registerToasts } from './review/toast';
import { Transcripts } from './review/transcripts';
import { FOLLOW_UP } from './server/middleware';
import { Server } from './server/server';

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
    server = new Server(context);
    register(context, server);
    // What is wrong with it is shown by the server itself; the commands work at once.
    void server.start();
}

/** VS Code waits for this, so that the server can end in its own way. */
export async function deactivate(): Promise<void> {
    await server?.stop();
}

function register(context: vscode.ExtensionContext, server: Server): void {
    const { registerCommand } = vscode.commands;
    const transcripts = new Transcripts(server);
    const inbox = new Inbox(transcripts);
    const chat = new Chat(context.workspaceState);
    const sources = { transcripts, inbox };
    offerLog(() => server.showLog());
    context.subscriptions.push(
        server,
        transcripts,
        inbox,
        chat,
        new Applied(server, transcripts),
        new StatusBar(server, transcripts),
        new Previews(server, sources),
        ...registerActions(server, sources),
        ...registerBase64(),
        ...registerContext(server, transcripts),
        registerSquash(server),
        registerAsk(context, server, transcripts),
        registerCopyReply({ server, transcripts, chat }),
        registerCopySpecification(server),
        registerFindEdits(server),
        registerPaste({ server, transcripts, chat, inbox }),
        registerStartChat(server, transcripts),
        registerToasts(server),
        registerCommand('operator.server.restart', orShow('The server was not restarted', () => server.restart())),
        registerCommand('operator.server.showLog', () => server.showLog()),
        registerCommand(FOLLOW_UP, () => server.followUp()),
        registerCommand('operator.openWalkthrough', () =>
            vscode.commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#start`),
        ),
    );
}
