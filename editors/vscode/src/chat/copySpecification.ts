// "Copy Interface Specification": the page that teaches a model to write blocks, on the clipboard.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { orShow } from '../failure';
import type { Server } from '../server/server';

const PAGES = [
    { label: 'operator', description: 'blocks of keys and values, payloads in base64, a result for each block' },
    { label: 'sham', description: 'blocks with heredocs and absolute paths, one result for all' },
    { label: 'replacer', description: 'search and replace sections, the shortest to write' },
    { label: 'edit-ops', description: 'a JSON object for the five virtual files' },
    { label: 'structure', description: 'the operations on functions, classes, sections' },
];

export function registerCopySpecification(server: Server): vscode.Disposable {
    const work = async () => {
        const placeHolder = 'Which block language is the model to write?';
        const page = await vscode.window.showQuickPick(PAGES, { placeHolder });
        if (page === undefined) {
            return;
        }
        const text = await specification(server.find().program, page.label);
        await vscode.env.clipboard.writeText(text);
        void vscode.window.showInformationMessage(
            `The specification of ${page.label} is copied: paste it at the start of the chat.`,
        );
    };
    return vscode.commands.registerCommand('operator.chat.copySpecification', orShow('No specification was copied', work));
}

async function specification(program: string, page: string): Promise<string> {
    try {
        const { stdout } = await promisify(execFile)(program, ['spec', page], { timeout: 10_000, maxBuffer: 1 << 24 });
        return stdout;
    } catch (error) {
        const said = (error as { stderr?: string }).stderr?.split('\n', 1)[0] ?? '';
        throw new Error(`"${program} spec ${page}" failed${said === '' ? '' : ` (${said})`}`);
    }
}
