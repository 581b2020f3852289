// How proposals are put into words.
import type { Proposal, Status } from '../server/protocol';

/** Every status with its icon and colour, in the order in which they are counted. */
const STATUSES: Record<Status, { icon: string; color: string }> = {
    ready: { icon: 'circle-large-outline', color: 'charts.blue' },
    stale: { icon: 'history', color: 'list.warningForeground' },
    blocked: { icon: 'circle-slash', color: 'list.warningForeground' },
    invalid: { icon: 'error', color: 'list.errorForeground' },
    applied: { icon: 'pass-filled', color: 'charts.green' },
    satisfied: { icon: 'check', color: 'charts.green' },
    rejected: { icon: 'close', color: 'disabledForeground' },
    superseded: { icon: 'debug-step-over', color: 'disabledForeground' },
};

/** Whether a proposal is ready and is never applied together with others. */
export function needsALook({ caution }: Proposal): boolean {
    return typeof caution === 'string';
}

/** Whether a proposal is blocked only until an earlier one is applied, which is no error. */
function waits({ waitsFor }: Proposal): boolean {
    return waitsFor.length > 0;
}

export function icon(proposal: Proposal): { icon: string; color: string } {
    if (needsALook(proposal)) {
        return { icon: 'eye', color: 'list.warningForeground' };
    }
    return waits(proposal) ? { icon: 'watch', color: 'disabledForeground' } : STATUSES[proposal.status];
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

/** What a list shows of a proposal: its target, how it stands, and which block it is. */
export function row(proposal: Proposal): { label: string; description: string } {
    const { action, path, id, summary } = proposal;
    // Short enough for a narrow view; what is done is in the tooltip.
    const which = id ?? (path === null ? null : action);
    const status = needsALook(proposal) ? 'needs a look' : proposal.status;
    return { label: path ?? summary, description: which ? `${status} · ${which}` : status };
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

export function plural(count: number, noun: string): string {
    return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
