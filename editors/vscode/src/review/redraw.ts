// Has a view drawn again when what it shows has changed.
import * as vscode from 'vscode';

/** How long after a change the view is sure to have been filled. */
const SETTLED = 700;

export class Redraw implements vscode.Disposable {
    private readonly changed = new vscode.EventEmitter<undefined>();
    private readonly subscriptions: vscode.Disposable[] = [this.changed];
    private view: vscode.TreeView<unknown> | undefined;
    /** Whether the view has asked for its rows since they changed last. */
    private drawn = true;
    private again: NodeJS.Timeout | undefined;
    readonly event = this.changed.event;

    /** Says which view it is, once there is one. */
    watch(view: vscode.TreeView<unknown>): void {
        this.view = view;
        this.subscriptions.push(view.onDidChangeVisibility(({ visible }) => visible && !this.drawn && this.now()));
    }

    /** The view has asked for its rows. */
    asked(): void {
        this.drawn = true;
    }

    now(): void {
        this.drawn = false;
        this.changed.fire(undefined);
        clearTimeout(this.again);
        this.again = setTimeout(() => {
            // VS Code loses a change that comes while it fills the view for the first time.
            if (!this.drawn && this.view?.visible === true) {
                this.changed.fire(undefined);
            }
        }, SETTLED);
    }

    dispose(): void {
        clearTimeout(this.again);
        vscode.Disposable.from(...this.subscriptions).dispose();
    }
}
