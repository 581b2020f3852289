// A lens "Preview" before the others of each block that has a diff.
import * as vscode from 'vscode';
import type { Offer } from '../server/protocol';

/** What the server says of a lens of a block. */
interface Data {
    block: number;
    offers: Offer[];
}

export function withPreviews(document: vscode.TextDocument, lenses: vscode.CodeLens[]): vscode.CodeLens[] {
    const seen = new Set<number>();
    return lenses.flatMap(lens => {
        const { data } = lens as vscode.CodeLens & { data?: Data };
        if (data === undefined || seen.has(data.block)) {
            return [lens];
        }
        seen.add(data.block);
        if (!data.offers.includes('preview')) {
            return [lens];
        }
        const preview = {
            title: 'Preview',
            command: 'operator.inbox.preview',
            arguments: [{ uri: document.uri, block: data.block }],
        };
        return [new vscode.CodeLens(lens.range, preview), lens];
    });
}
