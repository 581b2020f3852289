// How proposals are put into words.
import type { Proposal, Status } from '../server/protocol';
import type { Judged } from './transcripts';

/** Every status with its icon and colour, in the order in which they are counted. */
const STATUSES: Record<Status, { icon: string; color: string }> = {
    ready: { icon: 'circle-large-outline', color: 'charts.blue' },
    stale: { icon: 'history', color: 'list.warningForeground' },
    blocked: { icon: 'circle-slash', color: 'list.warningForeground' },
    invalid: { icon: 'error', color: 'list.errorForeground' },
    applied: { icon: 'pass-filled', color: 'charts.green' },
    rejected: { icon: 'close', color: 'disabledForeground' },
    superseded: { icon: 'debug-step-over', color: 'disabledForeground' },
};

export function icon({ status, waits }: Judged): { icon: string; color: string } {
    return waits ? { icon: 'watch', color: 'disabledForeground' } : STATUSES[status];
}

/** `3 ready, 1 stale`, without what there is none of. */
export function counts(proposals: Proposal[]): string {
    const count = (status: string) => proposals.filter(proposal => proposal.status === status).length;
    return Object.keys(STATUSES)
        .filter(status => count(status) > 0)
        .map(status => `${count(status)} ${status}`)
        .join(', ');
}

/** Whether something has to be mended before a proposal can be used. */
export function isWrong({ status, waits }: Judged): boolean {
    return status === 'stale' || status === 'invalid' || (status === 'blocked' && !waits);
}

/** What there is left to do, in few letters: `3 ready, 2 wrong`; `done` where that is nothing. */
export function toDo(proposals: Judged[]): string {
    const ready = proposals.filter(({ status }) => status === 'ready').length;
    const wrong = proposals.filter(isWrong).length;
    const parts = [...(ready > 0 ? [`${ready} ready`] : []), ...(wrong > 0 ? [`${wrong} wrong`] : [])];
    return parts.join(', ') || (proposals.some(({ waits }) => waits) ? 'waiting' : 'done');
}

/** What the user is asked, from what the server calls a change; its first word is what is done. */
export function question(label: string): string {
    if (label === 'reply') {
        return 'Insert the reply';
    }
    return label.startsWith('Undo ') ? label : `Apply ${label}`;
}

/** What a list shows of a proposal: its target, how it stands, and which block it is. */
export function row({ action, path, status, id, summary }: Proposal): { label: string; description: string } {
    // Short enough for a narrow view; what is done is in the tooltip.
    const which = id ?? (path === null ? null : action);
    return { label: path ?? summary, description: which ? `${status} · ${which}` : status };
}

/** What can be done with a proposal, as the menus ask for it. */
export function contextValue({ status, effect }: Proposal): string {
    return `proposal-${status}-${effect === 'write' ? 'write' : 'read'}`;
}

export function plural(count: number, noun: string): string {
    return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
