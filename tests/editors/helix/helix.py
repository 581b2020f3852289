"""Helix as a person has it: a workspace, our settings, keys, and the screen."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from terminal import HEIGHT, Terminal

# How long anything may take, in seconds.
LIMIT = 10
ESCAPE, NEXT, ENTER = "\x1b", "\x0e", "\r"
# The backgrounds of a menu's entries and of the chosen one in Helix's own theme.
ENTRY, CHOSEN = "281733", "ffffff"
# Where a row has the number of its line, and its text.
NUMBER, CONTENT = slice(2, 5), 7

REPOSITORY = Path(os.environ["OPERATOR_REPOSITORY"])
RESULTS = Path(os.environ["OPERATOR_RESULTS"])
SERVER = os.environ["OPERATOR_LSP"]
PROGRAM = os.environ["OPERATOR_HELIX"]
SETTINGS = REPOSITORY / "editors/helix/languages.toml"


class Helix:
    """One workspace; the editor is started with `open`."""

    def __init__(self, name):
        self.name = name
        self.workspace = RESULTS / "workspaces" / name
        self.home = RESULTS / "homes" / name
        self.log = RESULTS / "logs" / f"{name}.log"
        self.bin = self.home / "bin"
        for folder in (self.workspace, self.bin, self.home / ".config/helix", self.log.parent):
            folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(SETTINGS, self.home / ".config/helix/languages.toml")
        self.serve(f'exec "{SERVER}"')
        self.terminal = None
        self.expected = ["Failed to load tree-sitter parser"]
        self.elsewhere = None
        self.git("init", "--quiet")

    # Before it is started

    def serve(self, command):
        """Has a shell command start the server."""
        program = self.bin / "operator-lsp"
        program.write_text(f"#!/bin/sh\n{command}\n")
        program.chmod(0o755)

    def leave_repository(self):
        """Has the workspace be a folder that lies in no repository."""
        self.elsewhere = tempfile.TemporaryDirectory()
        self.workspace = Path(self.elsewhere.name).resolve()

    def git(self, *arguments):
        command = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
        done = subprocess.run(command, cwd=self.workspace, capture_output=True, text=True, timeout=LIMIT)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def write(self, path, text):
        file = self.workspace / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    def has(self, path):
        return (self.workspace / path).exists()

    def on_disk(self, path):
        return (self.workspace / path).read_bytes().decode()

    def environment(self):
        """Nothing of the user's own settings or undo journal takes part."""
        path = f"{self.bin}:{os.environ.get('PATH', '')}"
        return {"PATH": path, "HOME": str(self.home), "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}

    # Keys and screen

    def open(self, text, path="chat.md"):
        """Starts the editor on a transcript, and waits until the server has looked at it."""
        self.write(path, text)
        command = [PROGRAM, "-vv", "--log", str(self.log), path]
        self.terminal = Terminal(command, str(self.workspace), self.environment())
        reviewed = '"method":"textDocument/publishDiagnostics"'
        self.until("the review of the transcript", lambda: reviewed in self.said())
        self.sees("NOR")

    def keys(self, keys):
        self.terminal.type(keys)

    def until(self, what, found):
        return self.terminal.until(what, found, LIMIT)

    def text(self):
        return self.terminal.text()

    def sees(self, text):
        self.until(repr(text), lambda: text in self.text())

    def sees_no(self, text):
        self.until(f"the end of {text!r}", lambda: text not in self.text())

    def hears(self, message):
        """A message below the status line."""
        last = lambda: self.terminal.lines()[HEIGHT - 1]
        self.until(f"the message {message!r}", lambda: message in last())

    def run(self, command):
        """Types a command; what it does must be waited for."""
        self.keys(f":{command}")
        self.until(f"the prompt with {command!r}", lambda: self.terminal.lines()[HEIGHT - 1] == f":{command}")
        self.keys(ENTER)
        self.until("the end of the prompt", lambda: not self.terminal.lines()[HEIGHT - 1].startswith(f":{command}"))

    def edit(self, path):
        self.run(f"open {path}")
        self.in_file(path)

    def in_file(self, path):
        self.until(f"{path} in the status line", lambda: path in self.status())

    def save_all(self):
        """Saves everything; that a file is written must be waited for."""
        self.run("write-all")
        self.until("the end of saving", lambda: "[+]" not in self.status())

    def saved(self, path, text):
        """Waits until a file on disk holds a text."""
        now = lambda: self.on_disk(path) if self.has(path) else None
        self.until(f"{text!r} in {path}", lambda: now() == text)

    def insert(self, keys, text):
        """Types text, which begins with these keys."""
        self.keys(keys)
        self.until("insert mode", lambda: " INS " in self.status())
        self.keys(text)
        self.sees(text.strip().splitlines()[-1])
        self.keys(ESCAPE)
        self.until("normal mode", lambda: " NOR " in self.status())

    def status(self):
        return self.terminal.lines()[HEIGHT - 2]

    def line_of(self, text):
        """The number and the content of the first line on the screen that holds a text."""
        for number, line in self.numbered():
            if text in line:
                return number, line
        return None

    def numbered(self):
        for row in self.terminal.lines()[: HEIGHT - 2]:
            if row[NUMBER].strip().isdigit():
                yield int(row[NUMBER]), row[CONTENT:]

    def buffer(self):
        """The lines of the file that is shown, as far as they are on the screen."""
        return [line.rstrip() for _, line in self.numbered()]

    def go_to(self, text):
        """Puts the cursor on the first place of a text."""
        number, line = self.until(f"{text!r}", lambda: self.line_of(text))
        column = line.index(text)
        self.keys(f"{number}gg")
        if column:
            self.keys(f"{column}l")
        self.until(f"the cursor on {text!r}", lambda: self.status().endswith(f" {number}:{column + 1}"))

    def marks(self):
        """What is underlined, as `(line, text)`."""
        found = []
        for row, line in enumerate(self.terminal.lines()[: HEIGHT - 2]):
            for underlined, text in self.terminal.stretches(row, lambda cell: cell.underscore):
                if underlined and line[NUMBER].strip().isdigit():
                    found.append((int(line[NUMBER]), text))
        return found

    # Menus and pickers

    def entries(self, *looks):
        found = []
        for row in range(HEIGHT - 2):
            for background, text in self.terminal.stretches(row, lambda cell: cell.bg):
                if background in looks and text.strip():
                    found.append(text.strip())
        return found

    def menu(self):
        """Opens the code actions, and gives their titles."""
        self.keys(" a")
        self.until("a menu or a message", lambda: self.entries(CHOSEN) or "No code actions" in self.text())
        return self.entries(ENTRY, CHOSEN)

    def choose(self, title):
        """Takes an entry of the menu that is open."""
        for _ in self.entries(ENTRY, CHOSEN):
            chosen = self.entries(CHOSEN)
            if chosen == [title]:
                break
            self.keys(NEXT)
            self.until("the next entry", lambda: self.entries(CHOSEN) != chosen)
        assert self.entries(CHOSEN) == [title], f"{title!r} is not in {self.entries(ENTRY, CHOSEN)}"
        self.keys(ENTER)
        self.until("the end of the menu", lambda: not self.entries(CHOSEN))

    def take(self, text, title):
        """Takes the action of that title where a text is."""
        self.go_to(text)
        self.menu()
        self.choose(title)

    def close(self, text):
        """Leaves what shows a text: a menu, a picker, a popup."""
        self.keys(ESCAPE)
        self.sees_no(text)

    def picked(self):
        rows = [re.match(r"^.*?│ [ >] (\S+)\s+(.*?)\s*│", line) for line in self.terminal.lines()]
        found = [(row.group(1), re.sub(r"\s{2,}", " ", row.group(2))) for row in rows if row]
        return [entry for entry in found if entry[0] not in ("kind", "severity")]

    def statuses(self, expected):
        """Waits until the blocks, as the picker of symbols has them, are these."""
        self.until(f"blocks that are {expected}", lambda: self.symbols() == expected)

    def symbols(self):
        self.keys(" s")
        self.sees("┌")
        self.until("the picker's entries", self.picked)
        found = [entry[1] for entry in self.picked()]
        self.keys(ESCAPE)
        self.sees_no("┌")
        return found

    # Afterwards

    def said(self):
        """Helix's own log."""
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""

    def expect(self, error):
        """An error that is to be in the log."""
        self.expected.append(error)

    def check_log(self):
        """What Helix logs while it ends is not looked at: it hangs up on its servers."""
        errors = [line for line in self.said().splitlines() if "[ERROR]" in line]
        strange = [line for line in errors if not any(known in line for known in self.expected)]
        assert not strange, "nobody expected this in Helix's log:\n" + "\n".join(strange)
        for known in self.expected[1:]:
            assert any(known in line for line in errors), f"{known!r} is not in Helix's log"

    def quit(self):
        if self.terminal and not self.terminal.closed:
            self.keep_screen()
            self.keys(":quit-all!" + ENTER)
            self.until("the end of Helix", lambda: self.terminal.closed)

    def keep_screen(self):
        """Keeps what is to be seen once it is drawn to the end."""
        for _ in range(20):
            if not self.terminal.read(0.05):
                break
        screens = RESULTS / "screens"
        screens.mkdir(exist_ok=True)
        (screens / f"{self.name}.txt").write_text("\n".join(self.terminal.lines()) + "\n", encoding="utf-8")

    def end(self):
        """Ends what is left, and keeps the screen of a test that has failed."""
        if self.terminal:
            if not self.terminal.closed:
                self.keep_screen()
            self.terminal.end()
        if self.elsewhere:
            self.elsewhere.cleanup()
