// "Copy Problems for the Model": what is wrong with the blocks, on the clipboard.
import * as vscode from 'vscode';
import { orShow } from '../failure';
import { pickedTranscript, type Given } from '../review/picked';
import type { Transcript, Transcripts } from '../review/transcripts';
import { plural } from '../review/words';
import type { Proposal } from '../server/protocol';
import { problemsText, type BlockProblems } from './problemsText';

export function registerCopyProblems(transcripts: Transcripts): vscode.Disposable {
    const work = async (given: Given) => {
        const transcript = await pickedTranscript(transcripts, given);
        const document = await vscode.workspace.openTextDocument(transcript.uri);
        const blocks = blockProblems(transcript, document);
        const text = problemsText(blocks);
        if (text === undefined) {
            void vscode.window.showInformationMessage('No block of this transcript has an error or a warning.');
            return;
        }
        await vscode.env.clipboard.writeText(text);
        const count = plural(blocks.flatMap(({ problems }) => problems).length, 'problem');
        void vscode.window.showInformationMessage(`${count} copied: paste into the chat.`);
    };
    return vscode.commands.registerCommand('operator.chat.copyProblems', orShow('No problem was copied', work));
}

/** All problems of a transcript, in order. */
function problemsOf(uri: vscode.Uri): vscode.Diagnostic[] {
    const ours = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'operator');
    return ours.sort((a, b) => a.range.start.compareTo(b.range.start));
}

function isIn({ range: { start, end } }: Proposal, { range }: vscode.Diagnostic): boolean {
    return start.line <= range.start.line && range.start.line <= end.line;
}

function blockProblems({ uri, proposals }: Transcript, document: vscode.TextDocument): BlockProblems[] {
    const bad = problemsOf(uri).filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning);
    const inBlocks = proposals.map((proposal, block) => {
        const inside = (problem: vscode.Diagnostic) => isIn(proposal, problem);
        const id = proposal.id === null ? '' : `, id ${proposal.id}`;
        return { title: `Block ${block + 1}, ${proposal.summary}${id}`, found: bad.filter(inside) };
    });
    const within = new Set(inBlocks.flatMap(({ found }) => found));
    const outside = { title: 'Outside of blocks', found: bad.filter(diagnostic => !within.has(diagnostic)) };
    return [...inBlocks, outside].map(({ title, found }) => ({
        title,
        problems: found.map(diagnostic => ({
            severity: diagnostic.severity === vscode.DiagnosticSeverity.Error ? ('error' as const) : ('warning' as const),
            code: String(typeof diagnostic.code === 'object' ? diagnostic.code.value : (diagnostic.code ?? '')),
            message: diagnostic.message,
            line: diagnostic.range.start.line + 1,
            text: document.lineAt(Math.min(diagnostic.range.start.line, document.lineCount - 1)).text,
        })),
    }));
}
