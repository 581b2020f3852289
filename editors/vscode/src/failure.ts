// Failures, as a person is told of them.
import * as vscode from 'vscode';

let showLog: () => void = () => undefined;

/** Says how the log is shown, which every error offers. */
export function offerLog(show: () => void): void {
    showLog = show;
}

export function reason(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

/** Shows what failed and why. */
export async function showFailure(what: string, error: unknown): Promise<void> {
    const log = 'Show the Log';
    const chosen = await vscode.window.showErrorMessage(failure(what, reason(error)), log);
    if (chosen === log) {
        showLog();
    }
}

/** What failed and why, where the reason does not begin with what failed itself. */
function failure(what: string, why: string): string {
    const says = why.toLowerCase().startsWith(what.toLowerCase());
    return says ? `${what}${why.slice(what.length)}` : `${what}: ${why}`;
}

/** What the user has cancelled is not a failure. */
export function showUnlessCancelled(what: string, error: unknown): void {
    if (!(error instanceof vscode.CancellationError)) {
        void showFailure(what, error);
    }
}

/** Runs what a command does; whatever goes wrong is shown. */
export function orShow<A extends unknown[]>(what: string, work: (...args: A) => unknown) {
    return async (...args: A): Promise<void> => {
        try {
            await work(...args);
        } catch (error) {
            showUnlessCancelled(what, error);
        }
    };
}
