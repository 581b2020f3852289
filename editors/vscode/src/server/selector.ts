// Which documents the server hears of, and which of them it is asked about.
import * as vscode from 'vscode';
import {
    DidChangeTextDocumentNotification,
    DidCloseTextDocumentNotification,
    DidOpenTextDocumentNotification,
    DidSaveTextDocumentNotification,
    TextDocumentSyncKind,
    type BaseLanguageClient,
    type TextDocumentFilter,
} from 'vscode-languageclient/node';

/** What was written into the setting `operator.transcripts`, as a selector. */
export function transcriptSelector(): TextDocumentFilter[] {
    const entries = vscode.workspace.getConfiguration('operator').get<string[]>('transcripts', []);
    return entries.flatMap(entry =>
        ['file', 'untitled'].map(scheme =>
            /[*?[./]/.test(entry) ? { scheme, pattern: `**/${entry}` } : { scheme, language: entry },
        ),
    );
}

export function isTranscript(document: vscode.TextDocument): boolean {
    return vscode.languages.match(transcriptSelector() as vscode.DocumentFilter[], document) > 0;
}

/**
 * Has the server see every open file. One that is not a transcript may be the target of a block, and
 * what counts is its text in the editor, saved or not.
 */
export function syncTargets(client: BaseLanguageClient): void {
    const documentSelector = [{ scheme: 'file' }];
    const id = 'operator.targets';
    client
        .getFeature(DidOpenTextDocumentNotification.method)
        .register({ id, registerOptions: { documentSelector } });
    client
        .getFeature(DidChangeTextDocumentNotification.method)
        .register({ id, registerOptions: { documentSelector, syncKind: TextDocumentSyncKind.Incremental } });
    client
        .getFeature(DidSaveTextDocumentNotification.method)
        .register({ id, registerOptions: { documentSelector } });
    client
        .getFeature(DidCloseTextDocumentNotification.method)
        .register({ id, registerOptions: { documentSelector } });
}
