// The view "Applied": every operation of this workspace with its blocks and files, to be undone and redone.
import * as vscode from 'vscode';
import { orShow } from '../failure';
import { folderOf, lastName } from '../paths';
import type { Operation } from '../server/protocol';
import type { Server } from '../server/server';
import { findFile, transcriptUri } from './operationFiles';
import { Operations } from './operations';
import { details, operationTooltip, transcriptName, what } from './operationWords';
import { Redraw } from './redraw';
import { selected } from './selected';
import type { Transcripts } from './transcripts';

const SHORT = 4_000;
/** Marks the rows of what was undone, so that they are dimmed. */
const SCHEME = 'operator-undone';

interface Block {
    operation: Operation;
    name: string;
    title: string;
}

interface File {
    operation: Operation;
    file: string;
}

type Row = Operation | Block | File;

export class Applied implements vscode.TreeDataProvider<Row>, vscode.Disposable {
    private readonly redraw = new Redraw();
    private readonly operations: Operations;
    private readonly view: vscode.TreeView<Row>;
    private readonly subscriptions: vscode.Disposable[];
    readonly onDidChangeTreeData = this.redraw.event;

    constructor(
        server: Server,
        private readonly transcripts: Transcripts,
    ) {
        const { registerCommand } = vscode.commands;
        this.operations = new Operations(server, transcripts, () => this.view.visible);
        this.view = vscode.window.createTreeView('operator.operations', { treeDataProvider: this });
        this.redraw.watch(this.view);
        this.subscriptions = [
            this.redraw,
            this.operations,
            this.view,
            this.operations.onChange(() => this.update()),
            this.view.onDidChangeVisibility(({ visible }) => visible && void this.operations.refresh()),
            vscode.window.registerFileDecorationProvider({ provideFileDecoration: dimmed }),
            registerCommand('operator.operations.refresh', () => this.operations.refresh()),
            registerCommand('operator.operations.undo', orShow('Nothing was undone', (row: Row) => this.undo(row))),
            registerCommand('operator.inbox.undo', orShow('Nothing was undone', () => this.undoNewest())),
            registerCommand('operator.operations.redo', orShow('Nothing was redone', () => this.redo())),
            registerCommand(
                'operator.operations.open',
                orShow('Nothing was opened', async () => {
                    const row = await selected(this.view);
                    await ('file' in row ? openFile(row) : this.openTranscript(row));
                }),
            ),
            registerCommand('operator.operations.openFile', orShow('The file cannot be opened', openFile)),
            registerCommand(
                'operator.operations.openTranscript',
                orShow('The transcript cannot be opened', (row: Row) => this.openTranscript(row)),
            ),
        ];
    }

    async getChildren(row?: Row): Promise<Row[]> {
        if (row === undefined) {
            if (this.operations.all() === undefined) {
                await this.operations.refresh();
            }
            this.redraw.asked();
            return this.operations.all() ?? [];
        }
        if (!('blocks' in row)) {
            return [];
        }
        const blocks = row.blocks.map(block => ({ operation: row, ...block }));
        return [...blocks, ...row.files.map(file => ({ operation: row, file }))];
    }

    getTreeItem(row: Row): vscode.TreeItem {
        if ('blocks' in row) {
            return operationItem(row);
        }
        return 'file' in row ? fileItem(row) : blockItem(row);
    }

    dispose(): void {
        vscode.Disposable.from(...this.subscriptions).dispose();
    }

    private update(): void {
        const { failure } = this.operations;
        this.view.message = failure === undefined ? '' : `What was applied cannot be listed: ${failure}`;
        const isEmpty = failure === undefined && this.operations.all()?.length === 0;
        void vscode.commands.executeCommand('setContext', 'operator.nothingApplied', isEmpty);
        this.redraw.now();
    }

    private async undo(row: Row | undefined): Promise<void> {
        if (row === undefined) {
            // To undo another one instead would be to guess.
            throw new Error('the list has changed just now; choose the operation again');
        }
        const operation = 'blocks' in row ? row : row.operation;
        await this.operations.undo(operation);
        tell(`Undid ${what(operation)}`);
    }

    private async undoNewest(): Promise<void> {
        await this.operations.undo();
        tell('Undid the last apply');
    }

    private async redo(): Promise<void> {
        await this.operations.redo();
        tell('Redid what was undone last');
    }

    /** Opens the transcript of an operation, at the block where that is still known. */
    private async openTranscript(row: Row): Promise<void> {
        const operation = 'blocks' in row ? row : row.operation;
        const { transcript } = operation;
        const uri = transcriptUri(transcript);
        if (uri === undefined) {
            throw new Error(`it came from ${transcriptName(transcript)}`);
        }
        const editor = await vscode.window.showTextDocument(uri);
        const proposals = (await this.transcripts.refresh(uri))?.proposals ?? [];
        const place = proposals.findIndex(({ id }, index) => 'name' in row && row.name === nameOf(id, index));
        const start = proposals[place]?.range.start;
        if (start !== undefined) {
            const at = new vscode.Position(start.line, start.character);
            editor.selection = new vscode.Selection(at, at);
            editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
        }
    }
}

function tell(done: string): void {
    vscode.window.setStatusBarMessage(done, SHORT);
}

/** How the server calls a block. */
function nameOf(id: string | null, index: number): string {
    return id === null ? `block ${index + 1}` : `block ${index + 1} (${id})`;
}

async function openFile({ operation, file }: File): Promise<void> {
    const found = await findFile(file, transcriptUri(operation.transcript));
    if (found === undefined) {
        throw new Error(`${file} is not there: it was deleted or moved`);
    }
    const { uri, isFolder } = found;
    await vscode.commands.executeCommand(isFolder ? 'revealInExplorer' : 'vscode.open', uri);
}

function operationItem(operation: Operation): vscode.TreeItem {
    const { id, undone } = operation;
    const item = new vscode.TreeItem(what(operation), vscode.TreeItemCollapsibleState.Collapsed);
    item.id = `${id}`;
    item.description = details(operation);
    item.tooltip = operationTooltip(operation);
    item.contextValue = undone ? 'operation-undone' : 'operation-applied';
    item.iconPath = undone
        ? new vscode.ThemeIcon('discard', new vscode.ThemeColor('disabledForeground'))
        : new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('charts.green'));
    if (undone) {
        item.resourceUri = vscode.Uri.from({ scheme: SCHEME, path: `/${id}` });
    }
    item.accessibilityInformation = { label: `${what(operation)}, ${details(operation)}` };
    return item;
}

function blockItem(block: Block): vscode.TreeItem {
    const item = new vscode.TreeItem(block.title);
    item.id = `${block.operation.id} ${block.name}`;
    item.description = block.name;
    item.tooltip = `${block.title}\n${block.name} of ${transcriptName(block.operation.transcript)}`;
    item.iconPath = new vscode.ThemeIcon('comment-discussion');
    item.contextValue = 'operation-block';
    item.command = { command: 'operator.operations.open', title: 'Go to Block' };
    return item;
}

function fileItem(row: File): vscode.TreeItem {
    const item = new vscode.TreeItem(lastName(row.file) || row.file);
    const folder = folderOf(row.file);
    item.id = `${row.operation.id} file ${row.file}`;
    item.description = folder ?? '';
    item.tooltip = row.file;
    item.iconPath = new vscode.ThemeIcon('file');
    item.contextValue = 'operation-file';
    item.command = { command: 'operator.operations.open', title: 'Open File' };
    return item;
}

function dimmed(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const color = new vscode.ThemeColor('disabledForeground');
    return uri.scheme === SCHEME ? { color, tooltip: 'undone' } : undefined;
}
