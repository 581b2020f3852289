// A lens "Preview" beside each "Apply" that the server offers.
import * as vscode from 'vscode';
import type { BlockArgument } from '../server/protocol';

export function withPreviews(document: vscode.TextDocument, lenses: vscode.CodeLens[]): vscode.CodeLens[] {
    return lenses.flatMap(lens => {
        const argument = lens.command?.arguments?.[0] as BlockArgument | undefined;
        const isFirst = lens.command?.command === 'operator.apply' && argument?.reply !== true && argument?.again !== true;
        if (!isFirst || argument?.block === undefined) {
            return [lens];
        }
        const preview = {
            title: 'Preview',
            command: 'operator.inbox.preview',
            arguments: [{ uri: document.uri, block: argument.block }],
        };
        return [new vscode.CodeLens(lens.range, preview), lens];
    });
}
