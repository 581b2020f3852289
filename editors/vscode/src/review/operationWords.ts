// How operations are put into words, and who applied a block.
import { isSamePath } from '../paths';
import type { Door, Operation, Proposal } from '../server/protocol';
import { plural } from './words';

/** How many blocks a tooltip names. */
const MOST_NAMED = 10;

const DOORS: Record<Door, string> = { lsp: 'editor', cli: 'command line', hand: 'by hand' };

/** `15:36` of today, `22 Nov 15:36` of this year. */
export function when(time: string, now = new Date()): string {
    const date = new Date(time);
    if (Number.isNaN(date.getTime())) {
        return time;
    }
    const clock = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
    if (date.toDateString() === now.toDateString()) {
        return clock;
    }
    const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const };
    return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year })} ${clock}`;
}

/** What an operation did, in a line: its first block, and how many more there are. */
export function what({ blocks, files }: Operation): string {
    const [first] = blocks;
    if (first === undefined) {
        return `changes of ${plural(files.length, 'file')}`;
    }
    return blocks.length === 1 ? first.title : `${first.title} and ${blocks.length - 1} more`;
}

/** What is shown after it: when, by which program, how many files if more than one, and its number. */
export function details(operation: Operation, now = new Date()): string {
    const { id, time, door, files, undone } = operation;
    const parts = [
        ...(undone ? ['undone'] : []),
        when(time, now),
        DOORS[door],
        ...(files.length === 1 ? [] : [plural(files.length, 'file')]),
        `#${id}`,
    ];
    return parts.join(' · ');
}

/** All that is known of an operation. */
export function operationTooltip(operation: Operation): string {
    const { id, time, door, blocks, undone } = operation;
    const named = blocks.slice(0, MOST_NAMED).map(({ name, title }) => `• ${name}: ${title}`);
    const more = blocks.length > MOST_NAMED ? [`• and ${blocks.length - MOST_NAMED} more`] : [];
    const head = `Operation ${id}${undone ? ', undone' : ''}: ${when(time)}, ${DOORS[door]}`;
    return [head, `from ${transcriptName(operation.transcript)}`, ...named, ...more].join('\n');
}

/** A transcript for people: its path, or what it is where it has none. */
export function transcriptName(transcript: string): string {
    return transcript.startsWith('stdin:') ? 'standard input' : transcript.replace(/^untitled:/, '');
}

/** A sentence on who applied a block and when, or why there is nothing to do; empty for any other. */
export function appliedBy(
    { status, by, appliedBy: known }: Proposal,
    transcript: { fsPath: string; path: string },
): string[] {
    if (status === 'satisfied') {
        return ['The file already has this content'];
    }
    if (status !== 'applied' || by === undefined) {
        return [];
    }
    if (by === 'reply') {
        return ['Applied, as the reply in the transcript says'];
    }
    if (known === undefined) {
        return ['Applied'];
    }
    const door = by === 'hand' ? 'by hand' : `by the ${DOORS[known.door]}`;
    const isOther = ![transcript.fsPath, transcript.path].some(own => isSamePath(own, known.transcript));
    const from = isOther ? ` from ${transcriptName(known.transcript)}` : '';
    return [`Applied ${door} ${when(known.time)} (operation ${known.operation})${from}`];
}
