// What a step between git commits came to, in words.

export interface Moved {
    ok: boolean;
    action: string;
    branch: string;
    to?: { subject: string };
    conflicts?: string[];
    stash?: string | null;
}

export interface Squashed {
    commit: { subject: string };
    replaced: unknown[];
}

export function squashed({ commit, replaced }: Squashed): string {
    return `Git squash: ${replaced.length} commits are one now, "${commit.subject}".`;
}

export function moved({ ok, action, branch, to, conflicts = [], stash }: Moved): string {
    const where = to === undefined ? branch : `${branch} is at "${to.subject}"`;
    if (ok) {
        return `Git ${action}: ${where}.`;
    }
    const kept = stash == null ? 'the stash' : `the stash ${stash}`;
    return `Git ${action}: ${where}, but ${conflicts.join(', ')} did not fit and is still in ${kept}.`;
}
