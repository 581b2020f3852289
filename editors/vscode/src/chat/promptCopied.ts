// What a person is told of a prompt that was copied.
import { plural } from '../review/words';
import type { Prompt } from '../server/protocol';

/** How many files are named that were left out. */
const NAMED = 3;

/** `Prompt copied: 3 files, about 4,200 tokens.`, and what is not in it as it was asked for. */
export function promptCopied({ tokens, files, leftOut }: Prompt): string {
    const outlines = files.filter(({ outline }) => outline).map(({ path }) => path);
    const parts = [
        `Prompt copied: ${plural(files.length, 'file')}, about ${rounded(tokens).toLocaleString('en')} tokens.`,
        outlines.length === 0 ? '' : `Only the outline of ${list(outlines)}.`,
        leftOut.length === 0 ? '' : `Left out: ${list(leftOut.map(({ path, reason }) => `${path} (${reason})`))}.`,
    ];
    return parts.filter(part => part !== '').join(' ');
}

/** To two digits: the real number depends on the model. */
function rounded(tokens: number): number {
    return Number(tokens.toPrecision(2));
}

function list(names: string[]): string {
    const more = names.length - NAMED;
    return [...names.slice(0, NAMED), ...(more > 0 ? [`and ${String(more)} more`] : [])].join(', ');
}
