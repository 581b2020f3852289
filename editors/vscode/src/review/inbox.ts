// The inbox: the proposals of all open transcripts, by transcript and by what is to be done with them.
import * as vscode from 'vscode';
import type { Group } from '../server/protocol';
import { appliedBy } from './operationWords';
import { Redraw } from './redraw';
import { focused, selected } from './selected';
import { count, type Place, type Transcript, type Transcripts } from './transcripts';
import { watchTooLarge } from './tooLarge';
import { GROUPS, contextValue, counts, icon, needsALook, plural, row, state, toDo, transcriptContextValue } from './words';

/** A part of a transcript. */
export interface Section {
    transcript: Transcript;
    group: Group;
}

export type Node = Transcript | Section | Place;

export class Inbox implements vscode.TreeDataProvider<Node>, vscode.Disposable {
    private readonly redraw = new Redraw();
    private readonly view: vscode.TreeView<Node>;
    private readonly subscriptions: vscode.Disposable[];
    readonly onDidChangeTreeData = this.redraw.event;

    constructor(private readonly transcripts: Transcripts) {
        this.view = vscode.window.createTreeView('operator.inbox', { treeDataProvider: this });
        this.redraw.watch(this.view);
        this.subscriptions = [
            this.redraw,
            this.view,
            transcripts.onChange(() => this.update()),
            watchTooLarge(message => (this.view.message = message)),
        ];
    }

    getChildren(node?: Node): Node[] {
        if (node === undefined) {
            this.redraw.asked();
            return this.transcripts.all();
        }
        if ('proposals' in node) {
            return sections(node);
        }
        return 'group' in node ? placesOf(node) : [];
    }

    getParent(node: Node): Node | undefined {
        if ('proposals' in node) {
            return undefined;
        }
        return 'group' in node ? node.transcript : { transcript: node.transcript, group: node.proposal.group };
    }

    getTreeItem(node: Node): vscode.TreeItem {
        if ('proposals' in node) {
            return this.transcriptItem(node);
        }
        return 'group' in node ? sectionItem(node) : proposalItem(node);
    }

    /** What takes some time to put together is asked for when the mouse rests on a row. */
    resolveTreeItem(item: vscode.TreeItem, node: Node): vscode.TreeItem {
        item.tooltip ??= 'proposal' in node ? proposalTooltip(node) : undefined;
        return item;
    }

    /** Shows the row of a proposal, for the keys to go on from there. */
    async reveal(place: Place): Promise<void> {
        await vscode.commands.executeCommand('operator.inbox.focus');
        await this.view.reveal(place, { select: true, focus: true });
    }

    /** The block in the row that was chosen. @throws where it is not there any more. */
    async selected(): Promise<Place> {
        return this.block(await selected(this.view));
    }

    /** The block in the row that the keyboard is on. @throws where there is none. */
    async focused(): Promise<Place> {
        return this.block(await focused(this.view, node => this.getTreeItem(node).id));
    }

    dispose(): void {
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private transcriptItem(transcript: Transcript): vscode.TreeItem {
        const { uri, proposals } = transcript;
        const { name, opened } = this.transcripts.name(uri);
        const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
        item.id = uri.toString();
        item.iconPath = new vscode.ThemeIcon('comment-discussion');
        item.description = opened === undefined ? toDo(proposals) : `${toDo(proposals)} · ${opened}`;
        item.tooltip = `${uri.scheme === 'file' ? uri.fsPath : uri.path}\n${counts(proposals)}`;
        item.contextValue = transcriptContextValue(proposals);
        return item;
    }

    private block(node: Node): Place {
        if (!('proposal' in node)) {
            throw new Error('no block is selected in the inbox');
        }
        const place = this.transcripts.place(node.transcript.uri, node.block);
        if (place === undefined) {
            throw new Error('the block is not there any more');
        }
        return place;
    }

    private update(): void {
        const ready = count(this.transcripts.all(), 'ready');
        const tooltip = `${plural(ready, 'proposal')} ready`;
        this.view.badge = ready > 0 ? { value: ready, tooltip } : undefined;
        this.redraw.now();
    }
}

function sections(transcript: Transcript): Section[] {
    const groups = Object.keys(GROUPS) as Group[];
    const some = groups.filter(group => transcript.proposals.some(proposal => proposal.group === group));
    return some.map(group => ({ transcript, group }));
}

function placesOf({ transcript, group }: Section): Place[] {
    const all = transcript.proposals.map((proposal, block) => ({ transcript, block, proposal }));
    return all.filter(({ proposal }) => proposal.group === group);
}

function sectionItem(section: Section): vscode.TreeItem {
    const { transcript, group } = section;
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const hasOthers = transcript.proposals.some(proposal => proposal.group !== 'done');
    const item = new vscode.TreeItem(GROUPS[group], group === 'done' && hasOthers ? Collapsed : Expanded);
    item.id = `${transcript.uri.toString()}#${group}`;
    item.description = `${placesOf(section).length}`;
    item.contextValue = 'section';
    return item;
}

function proposalTooltip({ transcript, block, proposal }: Place): string {
    const { messages, problems, id, dialect } = proposal;
    const said = messages.map(message => `• ${message}`);
    const more = problems > messages.length ? [`• and ${problems - messages.length} more`] : [];
    const named = id === null ? `block ${block + 1}` : `block ${block + 1} (${id})`;
    const head = [proposal.summary, `${dialect} ${named}, ${proposal.status}`];
    const look = needsALook(proposal) ? [`Needs a look: ${proposal.cautionMessage ?? ''}`] : [];
    return [...head, ...appliedBy(proposal, transcript.uri), ...look, ...said, ...more].join('\n');
}

function proposalItem(place: Place): vscode.TreeItem {
    const { transcript, block, proposal } = place;
    const { label, description } = row(proposal);
    const shown = icon(proposal);
    const item = new vscode.TreeItem(label);
    item.id = `${transcript.uri.toString()}#${block}`;
    item.description = description;
    item.iconPath = new vscode.ThemeIcon(shown.icon, new vscode.ThemeColor(shown.color));
    item.contextValue = contextValue(proposal);
    item.accessibilityInformation = { label: `${state(proposal) ?? 'ready'}: ${label}, ${description}` };
    item.command = { command: 'operator.inbox.open', title: 'Open' };
    return item;
}
