// Previews: what a block would change, in VS Code's own diff editor.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { orShow } from '../failure';
import { lastName } from '../paths';
import {
    PREVIEW,
    type AppliedResult,
    type BlockArgument,
    type Preview,
    type PreviewedFile,
    type PreviewedHunk,
} from '../server/protocol';
import type { Server } from '../server/server';
import { show } from './actions';
import { same, taken, touched } from './hunks';
import { among, neighbour } from './order';
import { pickedPlace, type Given, type Sources } from './picked';
import type { Place, Transcripts } from './transcripts';

const SCHEME = 'operator-preview';
/** How long the status bar says what was done. */
const SHORT = 4_000;

/** A block that is being previewed. */
interface Shown {
    uri: vscode.Uri;
    block: number;
    /** Which block it is, whatever its place. */
    identity: string;
    /** What is previewed, for a person: `cli.py (2 of 5, proposed)`. */
    subject: string;
    /** The tab's title: the subject, and whose it is where there are two. */
    title: string;
    /** The block and its targets as they are shown; what else they have become is not applied. */
    applies: BlockArgument;
    files: PreviewedFile[];
    /** Its hunks, where it can be applied in part. */
    hunks: PreviewedHunk[];
}

/** Which side of which file of which preview a document is. */
interface Side {
    preview: string;
    file: number;
    side: 'before' | 'after';
}

export class Previews implements vscode.TextDocumentContentProvider, vscode.Disposable {
    private readonly shown = new Map<string, Shown>();
    /** The previews that another one takes the place of. */
    private readonly leaving = new Set<Shown>();
    private readonly transcripts: Transcripts;
    private readonly changed = new vscode.EventEmitter<vscode.Uri>();
    private readonly subscriptions: vscode.Disposable[];
    readonly onDidChange = this.changed.event;

    constructor(
        private readonly server: Server,
        sources: Sources,
    ) {
        const { commands, window, workspace } = vscode;
        const { transcripts } = sources;
        this.transcripts = transcripts;
        const onTab = (command: string, what: string, work: (shown: Shown) => Promise<void>) =>
            commands.registerCommand(command, orShow(what, async () => work(this.active())));
        this.subscriptions = [
            workspace.registerTextDocumentContentProvider(SCHEME, this),
            commands.registerCommand(
                'operator.inbox.preview',
                orShow('No preview was opened', async (...given: Given[]) =>
                    this.open(await pickedPlace(sources, given)),
                ),
            ),
            // What a row of the inbox opens.
            commands.registerCommand(
                'operator.inbox.open',
                orShow('The block was not opened', async () => {
                    const place = await sources.inbox.selected();
                    return place.proposal.offers.includes('preview') ? this.open(place) : show(place);
                }),
            ),
            onTab('operator.diff.apply', 'The block was not applied', shown => this.apply(shown)),
            onTab('operator.diff.applyAndReply', 'The block was not applied', shown => this.apply(shown, { reply: true })),
            onTab('operator.diff.applyAndNext', 'The block was not applied', shown => this.apply(shown, { next: true })),
            onTab('operator.diff.reject', 'The block was not rejected', shown => this.reject(shown)),
            onTab('operator.diff.rejectAndNext', 'The block was not rejected', shown => this.reject(shown, { next: true })),
            onTab('operator.diff.leaveOut', 'No change was left out', shown => this.leaveOut(shown)),
            onTab('operator.diff.takeAll', 'The changes were not shown again', shown => this.take(shown)),
            onTab('operator.diff.next', 'No other diff was shown', shown => this.go(shown, 1)),
            onTab('operator.diff.previous', 'No other diff was shown', shown => this.go(shown, -1)),
            transcripts.onChange(uri => uri && void this.update(uri)),
            window.tabGroups.onDidChangeTabs(({ closed }) => {
                closed.forEach(({ label }) => this.forget(label));
                this.followTabs();
            }),
            window.tabGroups.onDidChangeTabGroups(() => this.followTabs()),
        ];
    }

    provideTextDocumentContent(uri: vscode.Uri): string {
        const { preview, file, side } = JSON.parse(uri.query) as Side;
        return this.shown.get(preview)?.files[file]?.[side] ?? '';
    }

    dispose(): void {
        vscode.Disposable.from(...this.subscriptions).dispose();
        this.changed.dispose();
    }

    private async open(place: Place): Promise<void> {
        const key = `${place.transcript.uri.toString()}#${place.block}`;
        const asked = await this.ask(place);
        const { files } = asked;
        if (files.length === 0) {
            throw new Error('the block changes no text file');
        }
        const title = this.ownTitle(key, asked);
        const shown = { ...asked, title };
        this.shown.set(key, shown);
        files.forEach((_, file) => this.sides(key, shown, file).forEach(uri => this.changed.fire(uri)));
        const [only] = files;
        if (only !== undefined && files.length === 1) {
            const [before, after] = this.sides(key, shown, 0);
            await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true });
            return;
        }
        const resources = files.map(({ uri, before, after }, file) => {
            const [left, right] = this.sides(key, shown, file);
            return [vscode.Uri.parse(uri), before === null ? undefined : left, after === null ? undefined : right];
        });
        await vscode.commands.executeCommand('vscode.changes', title, resources);
    }

    /** Asks what a block would change, whole or in part, and by which argument exactly that is applied. */
    private async ask(place: Place, part?: BlockArgument): Promise<Shown> {
        const { transcript, block, proposal } = place;
        const textDocument = { uri: transcript.uri.toString() };
        // The numbers of hunks are about a version of the block and its targets.
        const chosen = part && { hunks: part.hunks, version: part.version, digest: part.digest };
        const params = { textDocument, block, ...chosen };
        const { files, hunks = [], argument } = await this.server.request<Preview>(PREVIEW, params);
        const where = lastName(proposal.path ?? files[0]?.uri ?? '');
        const subject = `${where} (${[...among(place), 'proposed'].join(', ')})`;
        return {
            uri: transcript.uri,
            block,
            identity: [proposal.dialect, proposal.id, proposal.action, proposal.path].join(' '),
            subject,
            title: subject,
            applies: { ...argument, ...(part && { hunks: part.hunks }) },
            files,
            hunks,
        };
    }

    /** A title that no other preview has: tabs of several files are told apart by nothing else. */
    private ownTitle(key: string, { subject, uri }: Shown): string {
        const titles = [subject, `${subject} – ${path.posix.basename(uri.path)}`, `${subject} – ${uri.path}`];
        const others = [...this.shown].filter(([other]) => other !== key).map(([, { title }]) => title);
        return titles.find(title => !others.includes(title)) ?? `${subject} – ${key}`;
    }

    private sides(key: string, { files }: Shown, file: number): [vscode.Uri, vscode.Uri] {
        const target = vscode.Uri.parse(files[file]?.uri ?? '');
        const side = (name: Side['side']) => {
            const query: Side = { preview: key, file, side: name };
            return target.with({ scheme: SCHEME, query: JSON.stringify(query) });
        };
        return [side('before'), side('after')];
    }

    /** Keeps what is shown the same as what would be applied. */
    private async update(uri: vscode.Uri): Promise<void> {
        for (const [key, shown] of this.shown) {
            const place = this.transcripts.place(shown.uri, shown.block);
            if (shown.uri.toString() !== uri.toString() || place === undefined || this.tab(shown) === undefined) {
                continue;
            }
            if (this.leaving.has(shown)) {
                continue;
            }
            if (place.proposal.status === 'applied' || place.proposal.status === 'rejected') {
                // There is nothing left to decide.
                await this.close(shown);
                continue;
            }
            try {
                const whole = await this.ask(place);
                const part = shown.applies.hunks;
                const keeps = part !== undefined && same(shown.hunks, whole.hunks);
                // The numbers of other hunks say nothing.
                const now = keeps ? await this.ask(place, { ...whole.applies, hunks: part }) : whole;
                if (this.showAgain(key, shown, now) && part !== undefined && !keeps) {
                    void vscode.window.showWarningMessage(
                        `${shown.subject}: the block or its file has changed, so all changes are shown again.`,
                    );
                }
            } catch {
                // It cannot be planned any more; to apply it says why.
            }
        }
    }

    /** Whether it is shown: another block, or another number of files, is not what the tab was opened for. */
    private showAgain(key: string, shown: Shown, now: Shown): boolean {
        // What was shown meanwhile is newer.
        const isLast = this.shown.get(key) === shown;
        if (!isLast || now.identity !== shown.identity || now.files.length !== shown.files.length) {
            return false;
        }
        this.shown.set(key, { ...now, title: shown.title });
        now.files.forEach((_, file) => this.sides(key, now, file).forEach(it => this.changed.fire(it)));
        this.followTabs();
        return true;
    }

    /** Leaves out the hunks that the selection is on: what the diff shows is what is applied. */
    private async leaveOut(shown: Shown): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (editor === undefined || editor.document.uri.scheme !== SCHEME) {
            throw new Error('the cursor is not in the diff');
        }
        if (shown.hunks.length === 0) {
            throw new Error('the proposal is one change, which is applied or rejected whole');
        }
        const { file, side } = JSON.parse(editor.document.uri.query) as Side;
        const { start, end } = editor.selection;
        // A selection of whole lines ends at the start of the line after them.
        const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
        const lines = { uri: shown.files[file]?.uri ?? '', side, first: start.line, last };
        const left = touched(shown.hunks, lines);
        if (left.length === 0) {
            throw new Error('the cursor is not on a change; F7 goes to the next one');
        }
        const rest = taken(shown.hunks).filter(number => !left.includes(number));
        if (rest.length === 0) {
            throw new Error('it is the only change that is left: reject the proposal');
        }
        await this.take(shown, rest);
    }

    /** Shows a proposal with some of its hunks, or with all. */
    private async take(shown: Shown, part?: number[]): Promise<void> {
        const key = [...this.shown].find(([, it]) => it === shown)?.[0];
        const place = this.transcripts.place(shown.uri, shown.block);
        if (key === undefined || place === undefined) {
            throw new Error('the proposal is not shown any more');
        }
        const now = await this.ask(place, part && { ...shown.applies, hunks: part });
        if (this.showAgain(key, shown, now)) {
            const count = `${taken(now.hunks).length} of ${now.hunks.length} changes`;
            vscode.window.setStatusBarMessage(`${count} are shown and will be applied`, SHORT);
        }
    }

    private async apply(shown: Shown, { reply = false, next = false } = {}): Promise<void> {
        const quiet = next && this.neighbour(shown, 1) !== undefined;
        await this.decide(shown, next, async () => {
            const argument = { ...shown.applies, reply };
            const { applied } = await this.server.execute<AppliedResult>('operator.apply', argument, { quiet });
            return applied;
        });
    }

    private async reject(shown: Shown, { next = false } = {}): Promise<void> {
        // What became of the target does not matter to a refusal.
        const block = { ...shown.applies };
        delete block.digest;
        delete block.hunks;
        await this.decide(shown, next, async () => {
            await this.server.execute('operator.reject', block);
            vscode.window.setStatusBarMessage(`Rejected: ${shown.title}`, SHORT);
            return true;
        });
    }

    /** Decides on what is shown, and goes on to the next proposal, or back to the chat after the last. */
    private async decide(shown: Shown, goesOn: boolean, work: () => Promise<boolean>): Promise<void> {
        this.leaving.add(shown);
        try {
            if (!(await work())) {
                return;
            }
            await this.transcripts.refresh(shown.uri);
            const next = goesOn ? this.neighbour(shown, 1) : undefined;
            if (next !== undefined) {
                await this.open(next);
            }
            await this.close(shown);
            const decided = this.transcripts.place(shown.uri, shown.block);
            if (goesOn && next === undefined && decided !== undefined) {
                await show(decided);
            }
        } finally {
            this.leaving.delete(shown);
        }
    }

    /** Shows another proposal in the place of this one. */
    private async go(shown: Shown, step: 1 | -1): Promise<void> {
        const next = this.neighbour(shown, step);
        if (next === undefined) {
            throw new Error('no other proposal of this chat can be applied');
        }
        await this.open(next);
        await this.close(shown);
    }

    private neighbour({ uri, block }: Shown, step: 1 | -1): Place | undefined {
        const transcript = this.transcripts.get(uri);
        return transcript && neighbour(transcript, block, step);
    }

    private async close(shown: Shown): Promise<void> {
        const tab = this.tab(shown);
        if (tab !== undefined) {
            await vscode.window.tabGroups.close(tab);
        }
    }

    private tab(shown: Shown): vscode.Tab | undefined {
        const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
        return tabs.find(tab => isOf(tab.label, shown));
    }

    private active(): Shown {
        const shown = this.activeOrNone();
        if (shown === undefined) {
            throw new Error('the active tab is not a preview of a proposal');
        }
        return shown;
    }

    private forget(closed: string): void {
        for (const [key, shown] of this.shown) {
            if (isOf(closed, shown) && this.tab(shown) === undefined) {
                this.shown.delete(key);
            }
        }
    }

    private followTabs(): void {
        const shown = this.activeOrNone();
        const count = taken(shown?.hunks ?? []).length;
        const context = (name: string, holds: boolean) => vscode.commands.executeCommand('setContext', name, holds);
        void context('operator.previewShown', shown !== undefined);
        void context('operator.previewCanLeaveOut', count > 1);
        void context('operator.previewInPart', shown !== undefined && count < shown.hunks.length);
    }

    private activeOrNone(): Shown | undefined {
        const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
        return [...this.shown.values()].find(shown => isOf(label, shown));
    }
}

/** Whether a tab is a preview's; to a title of several files VS Code adds how many there are. */
function isOf(label: string, { title, files }: Shown): boolean {
    return label === title || (files.length > 1 && label.startsWith(`${title} (`));
}
