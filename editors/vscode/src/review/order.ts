// The order in which the changes of a transcript are looked at.
import type { Place, Transcript } from './transcripts';

/** `2 of 5`: the place of a block among those that change something, decided or not; nothing of a single one. */
export function among({ transcript, block }: Place): string[] {
    const changes = places(transcript).filter(({ proposal }) => proposal.effect === 'write');
    const number = changes.findIndex(place => place.block === block) + 1;
    return changes.length > 1 ? [`${number} of ${changes.length}`] : [];
}

/** The next block with a diff to decide on, or the one before; after the last comes the first. */
export function neighbour(transcript: Transcript, block: number, step: 1 | -1): Place | undefined {
    const open = places(transcript).filter(place => place.block !== block && place.proposal.offers.includes('preview'));
    return step === 1
        ? (open.find(place => place.block > block) ?? open[0])
        : (open.filter(place => place.block < block).at(-1) ?? open.at(-1));
}

function places(transcript: Transcript): Place[] {
    return transcript.proposals.map((proposal, block) => ({ transcript, block, proposal }));
}
