// The inbox: the proposals of all open transcripts, by transcript.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { appliedBy } from './operationWords';
import { Redraw } from './redraw';
import { count, type Place, type Transcript, type Transcripts } from './transcripts';
import { watchTooLarge } from './tooLarge';
import { contextValue, counts, icon, needsALook, plural, row, toDo, transcriptContextValue } from './words';

export type Node = Transcript | Place;

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
        const proposals = 'proposals' in node ? node.proposals : [];
        return proposals.map((proposal, block) => ({ transcript: node as Transcript, block, proposal }));
    }

    getParent(node: Node): Node | undefined {
        return 'proposals' in node ? undefined : node.transcript;
    }

    getTreeItem(node: Node): vscode.TreeItem {
        return 'proposals' in node ? transcriptItem(node) : proposalItem(node);
    }

    /** What takes some time to put together is asked for when the mouse rests on a row. */
    resolveTreeItem(item: vscode.TreeItem, node: Node): vscode.TreeItem {
        item.tooltip ??= 'proposals' in node ? undefined : proposalTooltip(node);
        return item;
    }

    dispose(): void {
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private update(): void {
        const ready = count(this.transcripts.all(), 'ready');
        const tooltip = `${plural(ready, 'proposal')} ready`;
        this.view.badge = ready > 0 ? { value: ready, tooltip } : undefined;
        this.redraw.now();
    }
}

function transcriptItem(transcript: Transcript): vscode.TreeItem {
    const { uri, proposals } = transcript;
    const item = new vscode.TreeItem(path.posix.basename(uri.path), vscode.TreeItemCollapsibleState.Expanded);
    item.id = uri.toString();
    item.iconPath = new vscode.ThemeIcon('comment-discussion');
    item.description = toDo(proposals);
    item.tooltip = `${uri.scheme === 'file' ? uri.fsPath : uri.path}\n${counts(proposals)}`;
    item.contextValue = transcriptContextValue(proposals);
    return item;
}

function proposalTooltip({ transcript, block, proposal }: Place): string {
    const { messages, problems } = proposal;
    const said = messages.map(message => `• ${message}`);
    const more = problems > messages.length ? [`• and ${problems - messages.length} more`] : [];
    const head = `${proposal.summary}\n${proposal.dialect} block ${block + 1}, ${proposal.status}`;
    const look = needsALook(proposal) ? [`Needs a look: ${proposal.cautionMessage ?? ''}`] : [];
    return [head, ...appliedBy(proposal, transcript.uri), ...look, ...said, ...more].join('\n');
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
    const spoken = needsALook(proposal) ? 'needs a look' : proposal.status;
    item.accessibilityInformation = { label: `${spoken}: ${proposal.summary}` };
    item.command = { command: 'operator.inbox.show', title: 'Go to Block', arguments: [place] };
    return item;
}
