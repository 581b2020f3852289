// How proposals are put into words.
import { folderOf, lastName } from '../paths';
import type { AppliedResult, Does, Group, Proposal, Status } from '../server/protocol';

/** Every status with its colour, in the order in which they are counted. */
const STATUSES: Record<Status, string> = {
    ready: 'charts.blue',
    stale: 'list.warningForeground',
    blocked: 'list.warningForeground',
    invalid: 'list.errorForeground',
    applied: 'charts.green',
    satisfied: 'charts.green',
    rejected: 'disabledForeground',
    superseded: 'disabledForeground',
};

/** What a block does, as an icon. */
const KINDS: Record<Does['kind'], string> = {
    edit: 'edit',
    write: 'edit',
    create: 'new-file',
    delete: 'trash',
    move: 'arrow-right',
    copy: 'files',
    makeDirectory: 'new-folder',
    read: 'book',
    list: 'list-tree',
    stat: 'info',
    search: 'search',
    run: 'terminal',
    other: 'symbol-misc',
};

/** The parts of the inbox, in order. */
export const GROUPS: Record<Group, string> = { changes: 'Changes', questions: 'Questions', done: 'Done' };

/** How many characters of a search are shown, and of the name of a chat. */
const [LONGEST_QUERY, LONGEST_NAME] = [24, 24];

/** Whether a proposal is ready and is never applied together with others. */
export function needsALook({ caution }: Proposal): boolean {
    return typeof caution === 'string';
}

/** Whether a proposal is blocked only until an earlier one is applied, which is not an error. */
function waits({ after }: Proposal): boolean {
    return after !== null;
}

/** How many blocks wait for the user, so that the model cannot be told of them yet. */
export function undecided(proposals: Proposal[]): number {
    const changes = ({ effect }: Proposal) => effect === 'write' || effect === 'exec';
    return proposals.filter(proposal => proposal.status === 'ready' && changes(proposal)).length;
}

/** What a block does as an icon, in the colour of its state. */
export function icon(proposal: Proposal): { icon: string; color: string } {
    const { does, status } = proposal;
    if (needsALook(proposal)) {
        return { icon: KINDS[does.kind], color: 'list.warningForeground' };
    }
    return { icon: KINDS[does.kind], color: waits(proposal) ? 'disabledForeground' : STATUSES[status] };
}

/** What a block does, in few words: `edit +2 −1`, `new file, 7 lines`, `→ docs/ideas.txt`. */
export function deed({ does, action }: Proposal): string {
    const { kind, files = 1, added = 0, removed = 0, to = '' } = does;
    const many = files > 1 ? ` ${plural(files, 'file')}` : '';
    switch (kind) {
        case 'edit':
            return does.added === undefined ? `edit${many}` : `edit${many === '' ? '' : `${many},`} +${added} −${removed}`;
        case 'write':
            return 'whole file';
        case 'create':
            return files > 1 ? `${files} new files` : `new file, ${plural(added, 'line')}`;
        case 'delete':
            return removed > 0 && many === '' ? `delete ${plural(removed, 'line')}` : `delete${many}`;
        case 'move':
            return to === '' ? 'move' : `→ ${to}`;
        case 'copy':
            return `copy → ${to}`;
        case 'makeDirectory':
            return 'new folder';
        case 'read':
            return `read${lines(does)}`;
        case 'search':
            return does.query === undefined ? 'search' : `search “${shortened(does.query, LONGEST_QUERY)}”`;
        case 'stat':
            return 'size and lines';
        case 'list':
        case 'run':
            return kind;
        case 'other':
            return action ?? '';
    }
}

function lines({ first, last }: Does): string {
    if (first === undefined || last === undefined) {
        return '';
    }
    return first === last ? ` line ${first}` : ` lines ${first}–${last}`;
}

function shortened(text: string, longest: number): string {
    const letters = [...text.replaceAll(/\s+/g, ' ')];
    return letters.length <= longest ? letters.join('') : `${letters.slice(0, longest - 1).join('')}…`;
}

/** The name of a chat that is not saved: its first line of prose, of those that are in no block. */
export function chatName(lines: string[]): string {
    const bare = lines.map(line => line.replaceAll(/^[\s#>*_─-]+|[\s*_:]+$/g, '').replaceAll('**', ''));
    const prose = bare.find(line => /^\p{L}.*\p{L}/u.test(line));
    return prose === undefined ? 'Chat' : shortened(prose, LONGEST_NAME);
}

/** `3 ready, 1 stale`, without what there is none of. */
export function counts(proposals: Proposal[]): string {
    const count = (status: string) => proposals.filter(proposal => proposal.status === status).length;
    return Object.keys(STATUSES)
        .filter(status => count(status) > 0)
        .map(status => `${count(status)} ${status}`)
        .join(', ');
}

/** Whether something must be fixed before a proposal can be used. */
export function isWrong(proposal: Proposal): boolean {
    const { status } = proposal;
    return status === 'stale' || status === 'invalid' || (status === 'blocked' && !waits(proposal));
}

/** What there is left to do, in few letters: `3 ready, 2 wrong`; `done` where that is nothing. */
export function toDo(proposals: Proposal[]): string {
    const ready = proposals.filter(it => it.status === 'ready' && !needsALook(it)).length;
    const toLookAt = proposals.filter(needsALook).length;
    const wrong = proposals.filter(isWrong).length;
    const parts = [
        ...(ready > 0 ? [`${ready} ready`] : []),
        ...(toLookAt > 0 ? [`${toLookAt} to look at`] : []),
        ...(wrong > 0 ? [`${wrong} wrong`] : []),
    ];
    return parts.join(', ') || (proposals.some(waits) ? 'waiting' : 'done');
}

/** What the user is asked, from what the server calls a change; its first word is what is done. */
export function question(label: string): string {
    if (label === 'reply') {
        return 'Insert the reply';
    }
    return /^(Undo|Redo) /.test(label) ? label : `Apply ${label}`;
}

/** The state of a block, where that is not simply ready. */
export function state(proposal: Proposal): string | undefined {
    if (needsALook(proposal)) {
        return 'needs a look';
    }
    if (waits(proposal)) {
        return 'waits';
    }
    return proposal.status === 'ready' ? undefined : proposal.status;
}

/** What a list shows of a proposal: its file, what it does, its state, and the file's folder. */
export function row(proposal: Proposal): { label: string; description: string } {
    const { path, summary } = proposal;
    const folder = path === null ? undefined : folderOf(path);
    const label = path === null ? summary : lastName(path) || path;
    const parts = [deed(proposal), state(proposal), folder];
    return { label, description: parts.filter(part => part !== undefined && part !== '' && part !== label).join(' · ') };
}

/** What can be done with a proposal, as the menus ask for it: `proposal,preview,apply,`. */
export function contextValue({ offers }: Proposal): string {
    return ['proposal', ...offers].map(word => `${word},`).join('');
}

/** The same of a transcript: `transcript-apply-problems`. */
export function transcriptContextValue(proposals: Proposal[]): string {
    const some = proposals.some(({ offers }) => offers.includes('apply') || offers.includes('run'));
    const problems = proposals.some(proposal => proposal.problems > 0);
    return `transcript${some ? '-apply' : ''}${problems ? '-problems' : ''}`;
}

/** What is said after an apply: `Applied 5 changes in 5 files. Not saved: a.txt.` */
export function done({ changes = 0, files = 0 }: AppliedResult, unsaved: string[]): string {
    const what =
        changes === 0
            ? 'Nothing had to be changed; the reply has the answers.'
            : `Applied ${plural(changes, 'change')} in ${plural(files, 'file')}.`;
    return [what, ...notSaved(unsaved)].join(' ');
}

/** Which files are left with changes that are not saved. */
export function notSaved(unsaved: string[]): string[] {
    return unsaved.length === 0 ? [] : [`Not saved: ${unsaved.join(', ')}.`];
}

export function plural(count: number, noun: string): string {
    return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
