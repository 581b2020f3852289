// The selection as base64, and back.
import * as vscode from 'vscode';
import { orShow } from '../failure';
import { decode, encode } from './base64Text';

export function registerBase64(): vscode.Disposable[] {
    const { registerCommand } = vscode.commands;
    return [
        registerCommand('operator.base64.encode', orShow('The selection was not encoded', () => replace(encode))),
        registerCommand('operator.base64.decode', orShow('The selection was not decoded', () => replace(decode))),
    ];
}

async function replace(change: (text: string) => string): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const selections = editor?.selections.filter(selection => !selection.isEmpty) ?? [];
    if (editor === undefined || selections.length === 0) {
        throw new Error('nothing is selected');
    }
    // All of them are changed or, when one cannot be, none.
    const changed = selections.map(selection => change(editor.document.getText(selection)));
    const done = await editor.edit(edit => selections.forEach((at, index) => edit.replace(at, changed[index] ?? '')));
    if (!done) {
        throw new Error('the document has changed meanwhile or cannot be written');
    }
}
