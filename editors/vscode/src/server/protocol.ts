// The names and shapes that the server adds to the protocol, see spec/lsp-extensions.md.
import type { Range } from 'vscode-languageclient/node';

export type Status = 'ready' | 'invalid' | 'blocked' | 'stale' | 'applied' | 'satisfied' | 'rejected' | 'superseded';

export interface Proposal {
    id: string | null;
    dialect: string;
    action: string | null;
    path: string | null;
    range: Range;
    status: Status;
    effect: 'read' | 'write' | 'meta' | 'exec' | null;
    /** Why it needs a look of its own, and that as a sentence. */
    caution: string | null;
    cautionMessage: string | null;
    summary: string;
    problems: number;
}

/** The argument of the server's commands. */
export interface BlockArgument {
    uri: string;
    block?: number;
    /** The version of the transcript that it was made for. */
    version?: number;
    /** Stands for the block and its targets as they were. */
    digest?: string;
    /** Whether the reply is inserted as well. */
    reply?: boolean;
}

export interface PreviewedFile {
    uri: string;
    before: string | null;
    after: string | null;
    diff: string;
}

export const PROPOSALS = 'operator/proposals';
export const PROPOSALS_CHANGED = 'operator/proposalsChanged';
export const PREVIEW = 'operator/preview';
export const EDIT_OPS = 'operator/editOps';
