// Proposals for the tests, of which only what matters is said.
import type { Proposal } from '../src/server/protocol';

export function proposal(status: Proposal['status'], more: Partial<Proposal> = {}): Proposal {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    return {
        id: null,
        dialect: 'operator',
        repliesWith: null,
        action: null,
        path: null,
        range,
        status,
        effect: 'write',
        caution: null,
        cautionMessage: null,
        summary: '',
        does: { kind: 'edit' },
        group: 'changes',
        problems: 0,
        messages: [],
        offers: [],
        after: null,
        ...more,
    };
}
