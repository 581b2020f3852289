// Which blocks the model is to be told of, and of which it has not been told yet.
import type { Proposal } from '../server/protocol';

export interface Answerable {
    block: number;
    /** Stays the same for as long as the model would be told the same. */
    key: string;
}

/** The blocks that there is something to say about, in order; for one reply together the last. */
export function answerable(proposals: Proposal[]): Answerable[] {
    const settled = proposals.flatMap((proposal, block) => (isSettled(proposal) ? [{ proposal, block }] : []));
    return settled.flatMap(({ proposal, block }, index) => {
        const { repliesWith } = proposal;
        if (repliesWith === null) {
            return [{ block, key: `${block} ${proposal.id ?? ''} ${stage(proposal)}` }];
        }
        const all = settled.filter(other => other.proposal.repliesWith === repliesWith);
        const isLast = !settled.slice(index + 1).some(other => other.proposal.repliesWith === repliesWith);
        const key = all.map(other => `${other.block} ${stage(other.proposal)}`).join(',');
        return isLast ? [{ block, key: `${repliesWith} ${key}` }] : [];
    });
}

/** How many blocks wait for the user, so that the model cannot be told of them yet. */
export function undecided(proposals: Proposal[]): number {
    return proposals.filter(({ status, effect }) => status === 'ready' && changes(effect)).length;
}

function isSettled({ status, effect }: Proposal): boolean {
    return status !== 'superseded' && !(status === 'ready' && changes(effect));
}

function changes(effect: Proposal['effect']): boolean {
    return effect === 'write' || effect === 'exec';
}

/** What only looks is told of once; whether its answer was inserted makes no difference. */
function stage({ status, effect }: Proposal): string {
    return changes(effect) || effect === null || (status !== 'ready' && status !== 'applied') ? status : 'looked';
}
