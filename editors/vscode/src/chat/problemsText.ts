// The problems of a transcript as a text that asks the model for better blocks.

export interface BlockProblems {
    /** What the block is: `block 3, fs.write src/main.rs, id edit-1`. */
    title: string;
    problems: { severity: 'error' | 'warning'; code: string; message: string; line: number; text: string }[];
}

const LONGEST = 200;

/** `undefined` where there is no problem. */
export function problemsText(blocks: BlockProblems[]): string | undefined {
    const damaged = blocks.filter(({ problems }) => problems.length > 0);
    if (damaged.length === 0) {
        return undefined;
    }
    const intro = [
        'Some of your edit blocks could not be used. For each block below, send one corrected block: whole,',
        'with a new id where blocks have ids, and in the same block language. Do not repeat the other blocks.',
    ];
    return `${[intro.join('\n'), ...damaged.map(blockText)].join('\n\n')}\n`;
}

function blockText({ title, problems }: BlockProblems): string {
    const lines = problems.flatMap(({ severity, code, message, line, text }) => [
        `- ${severity} ${code}, line ${line}: ${message}`,
        ...(text.trim() === '' ? [] : [`  > ${shortened(text)}`]),
    ]);
    return [`${title}:`, ...lines].join('\n');
}

/** Payloads may be very long, and the model has written them itself. */
function shortened(text: string): string {
    const letters = [...text];
    return letters.length <= LONGEST ? text : `${letters.slice(0, LONGEST).join('')}…`;
}
