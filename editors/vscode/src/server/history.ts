// What a step between git commits came to, in words.

export interface Moved {
    ok: boolean;
    action: string;
    branch: string;
    to?: { subject: string };
    conflicts?: string[];
    stash?: string | null;
}

export function moved({ ok, action, branch, to, conflicts = [], stash }: Moved): string {
    const where = to === undefined ? branch : `${branch} is at "${to.subject}"`;
    if (ok) {
        return `Git ${action}: ${where}.`;
    }
    const kept = stash == null ? 'the stash' : `the stash ${stash}`;
    return `Git ${action}: ${where}, but ${conflicts.join(', ')} did not fit and is still in ${kept}.`;
}
