// "Git: Squash AI Commits": asks which, and makes one commit of them.
import * as vscode from 'vscode';
import { orShow } from '../failure';
import { squashed, type Squashed } from '../server/history';
import type { Server } from '../server/server';

/** The ways to say which; the key is the one that the server knows. */
const WAYS = [
    { key: 'last', label: 'The last ones', prompt: 'How many AI commits?', value: '2' },
    { key: 'hours', label: 'Those of the last hours', prompt: 'Of how many hours?', value: '1' },
    { key: 'days', label: 'Those of the last days', prompt: 'Of how many days?', value: '1' },
    { key: 'contains', label: 'Those with a text in their message', prompt: 'Which text?', value: '' },
];

export function registerSquash(server: Server): vscode.Disposable {
    const work = async () => {
        const way = await vscode.window.showQuickPick(WAYS, { placeHolder: 'Which AI commits become one commit?' });
        if (way === undefined) {
            return;
        }
        const { key, prompt, value } = way;
        const validateInput = (text: string) => wrong(key, text);
        const answer = await vscode.window.showInputBox({ title: way.label, prompt, value, validateInput });
        if (answer === undefined) {
            return;
        }
        const which = { [key]: key === 'contains' ? answer : Number(answer) };
        const result = await server.execute<Squashed>('operator.history.squash', which);
        void vscode.window.showInformationMessage(squashed(result));
    };
    return vscode.commands.registerCommand('operator.git.squash', orShow('No commits were squashed', work));
}

/** What is wrong with an answer. */
function wrong(key: string, text: string): string | undefined {
    if (key === 'contains') {
        return text.trim() === '' ? 'Write a text that is in the messages' : undefined;
    }
    return /^[1-9][0-9]{0,4}$/.test(text) ? undefined : 'Write a whole number from 1';
}
