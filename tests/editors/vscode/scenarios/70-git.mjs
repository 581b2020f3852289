// Applies as commits, and steps between them.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { replace } from '../driver/blocks.mjs';

function git(workspace, ...args) {
    const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    return execFileSync('git', ['-C', workspace, ...person, ...args], { encoding: 'utf8' }).trim();
}

function repository(workspace) {
    git(workspace, 'init', '--quiet', '--initial-branch=main');
    git(workspace, 'config', 'user.name', 'Ada');
    git(workspace, 'config', 'user.email', 'ada@example.org');
    git(workspace, 'add', '--all');
    git(workspace, 'commit', '--quiet', '--message=first');
}

export default [
    {
        name: 'each apply is a commit when it is saved; steps go back, forward, together and away',
        settings: { 'operator.git.commit': true },
        files: {
            'a.txt': 'a\n',
            'b.txt': 'b\n',
            'chat.md': [replace('one', 'a.txt', 'a', 'A'), replace('two', 'b.txt', 'b', 'B')].join('\n'),
        },
        prepare: ({ workspace }) => repository(workspace),
        async run({ window, inbox, workspace }) {
            const subjects = () => git(workspace, 'log', '--format=%s').split('\n');
            const step = async (title, says, ...expected) => {
                await window.command(`Operator: Git: ${title}`);
                await window.notification(says).waitFor();
                await window.becomes(subjects, expected);
                await window.dismissNotifications();
            };
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.click('a.txt', 'Apply', inbox.section('Done', 1));
            // What is applied is saved, and then committed at once.
            await window.becomes(subjects, ['AI: edit a.txt', 'first']);
            // A code action is a command here, and no edit.
            await window.openFile('chat.md');
            await window.goTo(10);
            await window.press('Control+.');
            const apply = window.page.locator('.action-widget .monaco-list-row.action', { hasText: 'Apply fs.applyEdits b.txt' });
            await apply.first().hover({ force: true });
            await apply.first().click();
            await inbox.section('Done', 2).waitFor();
            await window.openFile('b.txt');
            await window.becomes(subjects, ['AI: edit b.txt', 'AI: edit a.txt', 'first']);

            await step('Step Back', 'Git back: main is at "AI: edit a.txt".', 'AI: edit a.txt', 'first');
            await window.shows(/^b\n/);
            await step('Step Forward', 'Git forward: main is at "AI: edit b.txt".', 'AI: edit b.txt', 'AI: edit a.txt', 'first');
            await window.shows(/^B\n/);

            await window.command('Operator: Git: Squash AI Commits');
            await window.quickInput().fill('last');
            await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'The last ones' }).waitFor();
            await window.screenshot('git-squash');
            await window.press('Enter');
            await window.page.getByText('How many AI commits?').waitFor();
            await window.quickInput().fill('0');
            await window.page.getByText('Write a whole number from 1').waitFor();
            await window.quickInput().fill('2');
            await window.press('Enter');
            await window.notification('2 commits are one now').waitFor();
            await window.screenshot('git-squashed');
            await window.until('one commit', () => subjects().length === 2 && subjects()[0].startsWith('AI: '));
            await window.dismissNotifications();

            await step('Undo the Last AI Commit', 'Git undo: main is at "first".', 'first');
            await window.until('the old file', () => readFileSync(path.join(workspace, 'a.txt'), 'utf8') === 'a\n');
            await window.shows(/^b\n/);
        },
    },
    {
        name: 'what cannot be committed is not applied, and a step that cannot be made says why',
        settings: { 'operator.git.commit': true },
        files: { 'a.txt': 'a\n', 'chat.md': replace('one', 'a.txt', 'a', 'A') },
        async run({ window, inbox, workspace }) {
            await window.openFile('chat.md');
            await inbox.open();
            await inbox.click('a.txt', 'Apply', window.notification('The block was not applied'));
            await window.screenshot('git-no-repository');
            await window.dismissNotifications();
            repository(workspace);
            writeFileSync(path.join(workspace, 'b.txt'), 'b\n');
            await window.command('Operator: Git: Undo the Last AI Commit');
            await window.notification('no AI commit on this branch').waitFor();
        },
    },
];
