// "Copy Interface Specification": the page that teaches a model to write blocks, on the clipboard.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { orShow } from '../failure';
import type { Server } from '../server/server';

export function registerCopySpecification(server: Server): vscode.Disposable {
    const work = async () => {
        const placeHolder = 'Which block language is the model to write?';
        const { program } = server.find();
        const page = await vscode.window.showQuickPick(pages(await spec(program, '--list')), { placeHolder });
        if (page === undefined) {
            return;
        }
        const text = await spec(program, page.label);
        await vscode.env.clipboard.writeText(text);
        void vscode.window.showInformationMessage(
            `The specification of ${page.label} is copied: paste it at the start of the chat.`,
        );
    };
    return vscode.commands.registerCommand('operator.chat.copySpecification', orShow('No specification was copied', work));
}

/** What `spec --list` prints: on each line a name, a tab, and what it is. */
function pages(list: string): vscode.QuickPickItem[] {
    return list
        .trimEnd()
        .split('\n')
        .map(line => line.split('\t'))
        .map(([label = '', description = '']) => ({ label, description }));
}

/** What `spec` prints with this argument. */
async function spec(program: string, argument: string): Promise<string> {
    try {
        const options = { timeout: 10_000, maxBuffer: 1 << 24 };
        const { stdout } = await promisify(execFile)(program, ['spec', argument], options);
        return stdout;
    } catch (error) {
        const said = (error as { stderr?: string }).stderr?.split('\n', 1)[0] ?? '';
        throw new Error(`"${program} spec ${argument}" failed${said === '' ? '' : ` (${said})`}`);
    }
}
