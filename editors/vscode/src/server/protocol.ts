// The names and shapes that the server adds to the protocol, see spec/lsp-extensions.md.
import type { Range } from 'vscode-languageclient/node';

export type Status = 'ready' | 'invalid' | 'blocked' | 'stale' | 'applied' | 'satisfied' | 'rejected' | 'superseded';

/** What can be done with a block, as a button. */
export type Offer = 'preview' | 'apply' | 'applyAndReply' | 'run' | 'reject' | 'undo' | 'applyAgain';

/** The program that an operation was made with; `hand` where somebody typed a block's whole change. */
export type Door = 'lsp' | 'cli' | 'hand';

/** How a block was applied: by an operation, by hand, or as a reply of the transcript says. */
export type How = 'apply' | 'hand' | 'reply';

/** Who applied a block, and when. */
export interface By {
    /** The number of the operation. */
    operation: number;
    door: Door;
    time: string;
    transcript: string;
}

/** One apply, as `operator.log` lists it. */
export interface Operation {
    id: number;
    time: string;
    door: Door;
    /** The path or the URI of the transcript, or `stdin:` and a digest. */
    transcript: string;
    blocks: { name: string; title: string }[];
    /** Relative to the workspace folder, absolute where they are in another. */
    files: string[];
    undone: boolean;
}

/** What a block does, as facts; what is not known is left out. */
export interface Does {
    kind:
        | 'edit'
        | 'write'
        | 'create'
        | 'delete'
        | 'move'
        | 'copy'
        | 'makeDirectory'
        | 'read'
        | 'list'
        | 'stat'
        | 'search'
        | 'run'
        | 'other';
    /** How many files it changes. */
    files?: number;
    /** How many lines come and go. */
    added?: number;
    removed?: number;
    /** Where a file is moved or copied to. */
    to?: string;
    /** The lines that are asked for, from 1. */
    first?: number;
    last?: number;
    /** What is searched for. */
    query?: string;
}

/** A part of the inbox. */
export type Group = 'changes' | 'questions' | 'done';

/** What an apply came to. */
export interface AppliedResult {
    applied: boolean;
    /** How many blocks changed something, and how many files that were. */
    changes?: number;
    files?: number;
}

export interface Proposal {
    id: string | null;
    dialect: string;
    /** The same text for all blocks that one reply answers together. */
    repliesWith: string | null;
    action: string | null;
    path: string | null;
    range: Range;
    status: Status;
    by?: How | undefined;
    /** Who applied it, and when, where that is known. */
    appliedBy?: By | undefined;
    effect: 'read' | 'write' | 'meta' | 'exec' | null;
    /** Why it needs a look of its own, and that as a sentence. */
    caution: string | null;
    cautionMessage: string | null;
    summary: string;
    does: Does;
    group: Group;
    problems: number;
    /** What the first of them say. */
    messages: string[];
    /** What can be done with it. */
    offers: Offer[];
    /** The 0-based index of the block that must be applied before it. */
    after: number | null;
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
    /** Whether a block that was applied before is applied once more. */
    again?: boolean;
    /** The numbers of the hunks that are applied, from 0; all where it is left out. */
    hunks?: number[];
}

export interface PreviewedFile {
    uri: string;
    before: string | null;
    after: string | null;
    diff: string;
}

/** One of the separate hunks of what a block edits. */
export interface PreviewedHunk {
    uri: string;
    /** The line where it begins in the file before, and in the text that is shown, from 0. */
    line: number;
    lineAfter: number;
    /** How many lines go and come. */
    removed: number;
    added: number;
    taken: boolean;
}

/** What a block would change; `hunks` where it can be applied in part. */
export interface Preview {
    files: PreviewedFile[];
    hunks?: PreviewedHunk[];
    /** By which exactly that is applied. */
    argument: BlockArgument;
}

/** The first message to a model, as `operator.prompt` makes it. */
export interface Prompt {
    text: string;
    tokens: number;
    files: { path: string; tokens: number; outline: boolean }[];
    leftOut: { path: string; reason: string }[];
}

/** Makes the first message to a model. */
export const PROMPT = 'operator.prompt';

/** The server's commands for operations. */
export const LOG = 'operator.log';
export const UNDO = 'operator.undo';
export const REDO = 'operator.redo';

/** Searches a document as a chat is searched. */
export const SCAN = 'operator.scan';

export const PROPOSALS = 'operator/proposals';
export const PROPOSALS_CHANGED = 'operator/proposalsChanged';
export const PREVIEW = 'operator/preview';
export const EDIT_OPS = 'operator/editOps';
