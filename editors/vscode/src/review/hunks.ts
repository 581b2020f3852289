// The separate hunks of a preview: which of them a selection is on, and which are taken.
import type { PreviewedHunk } from '../server/protocol';

/** Some lines of one side of a file, from 0, the last one included. */
export interface Lines {
    uri: string;
    side: 'before' | 'after';
    first: number;
    last: number;
}

/** The numbers of the hunks that are taken. */
export function taken(hunks: PreviewedHunk[]): number[] {
    return hunks.flatMap((hunk, number) => (hunk.taken ? [number] : []));
}

/** The numbers of the taken hunks that some lines are on. */
export function touched(hunks: PreviewedHunk[], { uri, side, first, last }: Lines): number[] {
    const isTouched = (hunk: PreviewedHunk) => {
        const start = side === 'before' ? hunk.line : hunk.lineAfter;
        const length = side === 'before' ? hunk.removed : hunk.added;
        // A hunk without lines on this side is between two lines: both belong to it.
        const [from, to] = length === 0 ? [start - 1, start] : [start, start + length - 1];
        return hunk.uri === uri && first <= to && from <= last;
    };
    return taken(hunks).filter(number => {
        const hunk = hunks[number];
        return hunk !== undefined && isTouched(hunk);
    });
}

/** Whether two previews have the same hunks, whichever of them are taken, and wherever the lines around them have moved. */
export function same(some: PreviewedHunk[], others: PreviewedHunk[]): boolean {
    const words = (hunks: PreviewedHunk[]) =>
        hunks.map(({ uri, removed, added }) => `${uri} ${removed} ${added}`).join('\n');
    return words(some) === words(others);
}
