// What the server says of the blocks of a transcript, as VS Code has it.
import * as vscode from 'vscode';
import type { Proposal } from '../server/protocol';

/** All problems of a transcript, in order. */
export function problemsOf(uri: vscode.Uri): vscode.Diagnostic[] {
    const ours = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'operator');
    return ours.sort((a, b) => a.range.start.compareTo(b.range.start));
}

export function isIn({ range: { start, end } }: Proposal, { range }: vscode.Diagnostic): boolean {
    return start.line <= range.start.line && range.start.line <= end.line;
}

/** Whether a block is blocked only until an earlier one is applied, which is no error. */
export function isWaiting(proposal: Proposal, problems: vscode.Diagnostic[]): boolean {
    if (proposal.status !== 'blocked') {
        return false;
    }
    const own = problems.filter(problem => isIn(proposal, problem));
    return own.length > 0 && own.every(({ severity }) => severity !== vscode.DiagnosticSeverity.Error);
}
