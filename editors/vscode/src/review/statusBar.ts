// The status bar: how many proposals are ready, whether there are problems, whether the server runs.
import * as vscode from 'vscode';
import type { Server } from '../server/server';
import { count, type Transcripts } from './transcripts';
import { counts, isWrong, plural } from './words';

export class StatusBar implements vscode.Disposable {
    private readonly item = vscode.window.createStatusBarItem('operator', vscode.StatusBarAlignment.Left, 50);
    private readonly subscriptions: vscode.Disposable[];

    constructor(
        private readonly server: Server,
        private readonly transcripts: Transcripts,
    ) {
        this.item.name = 'Operator';
        this.item.command = 'operator.inbox.focus';
        this.subscriptions = [server.onState(() => this.update()), transcripts.onChange(() => this.update())];
        this.update();
        this.item.show();
    }

    dispose(): void {
        vscode.Disposable.from(...this.subscriptions).dispose();
        this.item.dispose();
    }

    private update(): void {
        const { item } = this;
        item.backgroundColor = undefined;
        switch (this.server.state) {
            case 'starting':
                item.text = '$(loading~spin) Operator';
                item.tooltip = 'The Operator language server is starting';
                break;
            case 'running':
                this.showCounts();
                break;
            default:
                item.text = '$(error) Operator';
                item.tooltip = 'The Operator language server is not running; the inbox says what to do';
                item.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
        }
    }

    private showCounts(): void {
        const all = this.transcripts.all();
        const ready = count(all, 'ready');
        const wrong = all.flatMap(transcript => transcript.proposals).filter(isWrong).length;
        const problems = wrong > 0 ? ` $(warning) ${wrong}` : '';
        this.item.text = `$(inbox) ${ready > 0 ? `${ready} ready` : 'Operator'}${problems}`;
        const every = counts(all.flatMap(transcript => transcript.proposals));
        const where = `in ${plural(all.length, 'transcript')}`;
        this.item.tooltip = every === '' ? 'No open document holds edit blocks' : `Edit blocks ${where}: ${every}`;
    }
}
