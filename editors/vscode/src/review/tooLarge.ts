// Documents that VS Code shows and keeps to itself, so that nobody looks for blocks in them.
import * as path from 'node:path';
import * as vscode from 'vscode';

/** From here on VS Code tells extensions nothing of a document. */
const LIMIT = 50 * 1024 * 1024;
const MAY_HOLD_BLOCKS = /\.(md|markdown|txt|operator|sham|nesl|jsonc?)$/i;

/** Has it said when such a document is active, and nothing said when it is not any more. */
export function watchTooLarge(say: (message: string) => void): vscode.Disposable {
    const look = async () => {
        const uri = hidden();
        const isTooLarge = uri !== undefined && (await size(uri)) >= LIMIT;
        // Another tab may be active by now.
        if (uri?.toString() === hidden()?.toString()) {
            say(isTooLarge ? message(uri) : '');
        }
    };
    const { tabGroups } = vscode.window;
    void look();
    return vscode.Disposable.from(
        tabGroups.onDidChangeTabs(() => void look()),
        tabGroups.onDidChangeTabGroups(() => void look()),
    );
}

/** The file of the active tab where VS Code has no document for us, or not yet. */
function hidden(): vscode.Uri | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (!(input instanceof vscode.TabInputText) || !MAY_HOLD_BLOCKS.test(input.uri.path)) {
        return undefined;
    }
    const isKnown = vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === input.uri.toString());
    return isKnown ? undefined : input.uri;
}

async function size(uri: vscode.Uri): Promise<number> {
    try {
        return (await vscode.workspace.fs.stat(uri)).size;
    } catch {
        return 0;
    }
}

function message(uri: vscode.Uri): string {
    const name = path.posix.basename(uri.path);
    return (
        `${name} is not searched for blocks: VS Code hands no document of 50 MB or more to extensions. ` +
        `In a terminal "operator-lsp check ${name}" looks at it.`
    );
}
