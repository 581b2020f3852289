// Which documents edits of the server have changed, until they are saved.
import type { WorkspaceEdit } from 'vscode-languageclient/node';

/** A document that an edit changes. */
export interface Changed {
    uri: string;
    /** Whether it had changes before that were not saved. */
    wasDirty: boolean;
}

/** What the editor does. */
export interface Documents {
    /** Whether a document has changes that are not saved. */
    isDirty(uri: string): boolean;
    /** Saves what is to be saved. Gives the names of those that are left with changes that are not saved. */
    save(changed: readonly Changed[]): Promise<string[]>;
}

/** The documents that edits of the server have changed, until they are saved. */
export class Saves {
    /** Changed, and to be saved once the command is done. */
    private waiting: Changed[] = [];
    /** Being saved now. */
    private underWay: Changed[] = [];

    constructor(private readonly documents: Documents) {}

    /** The documents that an edit changes, to be asked for before it is made. */
    changedBy({ documentChanges = [] }: WorkspaceEdit): Changed[] {
        const changed = documentChanges.flatMap(change => {
            if ('textDocument' in change) {
                return [{ uri: change.textDocument.uri, wasDirty: this.isDirty(change.textDocument.uri) }];
            }
            return change.kind === 'rename' ? [{ uri: change.newUri, wasDirty: this.isDirty(change.oldUri) }] : [];
        });
        // What is moved and then edited is one file.
        return [...new Map(changed.reverse().map(one => [one.uri, one])).values()].reverse();
    }

    /** Takes what an edit has changed. */
    add(changed: readonly Changed[]): void {
        this.waiting.push(...changed);
    }

    /** Leaves what has been changed as it is. */
    forget(): void {
        this.waiting = [];
    }

    /** Saves what has been changed. Gives the names of those that are left with changes that are not saved. */
    async save(): Promise<string[]> {
        const changed = this.waiting.splice(0);
        this.underWay.push(...changed);
        try {
            return await this.documents.save(changed);
        } finally {
            this.underWay = this.underWay.filter(one => !changed.includes(one));
        }
    }

    /** Whether somebody else has changed it. An undo may come before the edit that it undoes is saved. */
    private isDirty(uri: string): boolean {
        const isOwn = [...this.waiting, ...this.underWay].some(one => one.uri === uri && !one.wasDirty);
        return !isOwn && this.documents.isDirty(uri);
    }
}
