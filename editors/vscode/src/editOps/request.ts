// A request for an edit, and its result, as data.

export const FILES = [
    'tool.py',
    'entrypoint.txt',
    'settings_schema.json',
    'input_schema.json',
    'usage_instructions.md',
] as const;

export type FileId = (typeof FILES)[number];

export interface Turn {
    role: 'user' | 'assistant';
    content: string;
}

export interface Request {
    tool_id: string;
    instruction: string;
    conversation: Turn[];
    active_file: FileId;
    /** Offsets in UTF-16 code units. */
    selection?: { from: number; to: number };
    cursor?: { pos: number };
    virtual_files: Record<FileId, string>;
}

export interface Response {
    enabled: boolean;
    assistant_message: string;
    ops: unknown[];
    base_fingerprints: Record<string, string>;
}

/** How many turns of the conversation go along; older ones are forgotten. */
const TURNS = 20;

export function isFileId(name: string): name is FileId {
    return (FILES as readonly string[]).includes(name);
}

/** Where what is selected is meant, that; where nothing is, the cursor. */
export function target(from: number, to: number): Pick<Request, 'selection' | 'cursor'> {
    return from === to ? { cursor: { pos: from } } : { selection: { from, to } };
}

export function remember(conversation: Turn[], instruction: string, answer: string): Turn[] {
    const turns: Turn[] = [...conversation, { role: 'user', content: instruction }];
    if (answer !== '') {
        turns.push({ role: 'assistant', content: answer });
    }
    return turns.slice(-TURNS);
}

/** The response as a transcript that the server finds a block in. */
export function toTranscript({ enabled, assistant_message, ops, base_fingerprints }: Response): string {
    return `${JSON.stringify({ enabled, assistant_message, ops, base_fingerprints }, null, 2)}\n`;
}
