"""A language client with buffers: what an editor does with what a server asks."""

import os
import pathlib
import sys
import time
from urllib.parse import quote, unquote, urlparse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from language_client import LIMIT, Connection, Ended, Refused

__all__ = ["Client", "Ended", "Refused"]

# How many changes of a document can be undone.
HISTORY = 10
# For how many seconds nobody saves what was loaded anew.
PAUSE = 0.5


def offset(text, position):
    """Where a position is, whose characters are UTF-16 code units."""
    at = 0
    for _ in range(position["line"]):
        at = text.index("\n", at) + 1
    left = position["character"]
    while left > 0:
        left -= 2 if ord(text[at]) > 0xFFFF else 1
        at += 1
    return at


class Buffer:
    """An open document."""

    def __init__(self, text):
        self.text, self.version, self.dirty = text, 1, False
        # When it was loaded anew.
        self.loaded = 0.0
        # The texts to undo to and to redo to, the next one last.
        self.past, self.future = [], []


class Client(Connection):
    """An editor with one server."""

    def __init__(self, binary, root, state):
        self.root, self.buffers = root, {}
        self.environment = dict(os.environ, OPERATOR_LSP_STATE_DIR=str(state), GIT_CONFIG_GLOBAL="/dev/null")
        self.command = [binary, "serve"]
        self.says_no, self.gives_up, self.tells_late = lambda: False, lambda: False, lambda: False
        self.late = []
        self.begin()

    def begin(self):
        """Starts a server, and opens in it what is open."""
        self.connect(self.command, env=self.environment, cwd=self.root)
        self.forget_history()
        edits = {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"], "failureHandling": "abort"}
        capabilities = {"workspace": {"applyEdit": True, "workspaceEdit": edits}}
        self.ask("initialize", {"processId": os.getpid(), "rootUri": self.uri(""), "capabilities": capabilities})
        self.notify("initialized", {})
        for path in list(self.buffers):
            self.tell_open(path)

    def end(self, kill):
        """Ends the server."""
        if not kill:
            if (code := self.shut_down()) != 0:
                raise Ended(f"the server ended with {code}")
            return
        self.process.kill()
        self.process.wait(timeout=LIMIT)
        self.process.stdin.close()

    def uri(self, path):
        """The URI of a path of the workspace."""
        return "file://" + quote(str(self.root / path))

    def path(self, uri):
        """The path of a URI in the workspace."""
        return os.path.relpath(unquote(urlparse(uri).path), self.root)

    # Documents.

    def disk(self, path):
        """What is on disk."""
        with open(self.root / path, encoding="utf-8", newline="") as file:
            return file.read()

    def store(self, path, text):
        """Writes a file."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        with open(self.root / path, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def text(self, path):
        """What a person sees of a file; nothing where it is not there."""
        if path in self.buffers:
            return self.buffers[path].text
        return self.disk(path) if (self.root / path).exists() else None

    def open(self, path):
        """Opens a file."""
        if path not in self.buffers:
            self.buffers[path] = Buffer(self.disk(path))
            self.tell_open(path)

    def tell_open(self, path):
        buffer = self.buffers[path]
        language = "markdown" if path.endswith(".md") else "plaintext"
        document = {"uri": self.uri(path), "languageId": language, "version": buffer.version, "text": buffer.text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def close(self, path):
        """Closes a file; what is not saved is gone."""
        del self.buffers[path]
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}})

    def replace(self, path, start, end, new):
        """Types: replaces a part of an open document."""
        self.change(path, [(start, end, new)])

    def change(self, path, spans):
        """Replaces parts of an open document, one after the other, as one change of it."""
        buffer, changes = self.buffers[path], []
        buffer.past, buffer.future = [*buffer.past, buffer.text][-HISTORY:], []
        for start, end, new in spans:
            spot = {"start": self.position(buffer.text, start), "end": self.position(buffer.text, end)}
            buffer.text = buffer.text[:start] + new + buffer.text[end:]
            changes.append({"range": spot, "text": new})
        buffer.version, buffer.dirty = buffer.version + 1, True
        document = {"uri": self.uri(path), "version": buffer.version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def forget_history(self):
        """Leaves nothing to undo or redo."""
        for buffer in self.buffers.values():
            buffer.past, buffer.future = [], []

    def undo(self, path):
        """Has the editor undo the last change of an open document."""
        buffer = self.buffers[path]
        past, future = buffer.past[:-1], [*buffer.future, buffer.text]
        self.show(path, buffer.past[-1])
        buffer.past, buffer.future = past, future

    def redo(self, path):
        """Has the editor make again what it has undone."""
        buffer = self.buffers[path]
        past, future = [*buffer.past, buffer.text], buffer.future[:-1]
        self.show(path, buffer.future[-1])
        buffer.past, buffer.future = past, future

    def show(self, path, text):
        """Shows another text of an open document; only the lines that differ are changed."""
        old, new = (it.splitlines(keepends=True) for it in (self.buffers[path].text, text))
        pairs = list(zip(old, new))
        same = next((at for at, (a, b) in enumerate(pairs) if a != b), len(pairs))
        pairs = list(zip(reversed(old[same:]), reversed(new[same:])))
        after = next((at for at, (a, b) in enumerate(pairs) if a != b), len(pairs))
        start, end = (sum(map(len, lines)) for lines in (old[:same], old[:len(old) - after]))
        self.replace(path, start, end, "".join(new[same:len(new) - after]))
        self.buffers[path].dirty = text != self.disk(path)

    @staticmethod
    def position(text, at):
        """The position of an offset."""
        line = text.rfind("\n", 0, at) + 1
        return {"line": text.count("\n", 0, at), "character": len(text[line:at].encode("utf-16-le")) // 2}

    def save(self, path):
        """Saves an open document, but not what was loaded anew just now."""
        buffer = self.buffers[path]
        if not buffer.dirty and time.monotonic() < buffer.loaded + PAUSE:
            return
        self.store(path, buffer.text)
        buffer.dirty = False
        self.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(path)}})

    def save_all(self):
        """Saves what is not saved."""
        for path in [path for path, buffer in self.buffers.items() if buffer.dirty]:
            self.save(path)

    def revert(self, path):
        """Shows what is on disk."""
        buffer = self.buffers[path]
        self.replace(path, 0, len(buffer.text), self.disk(path))
        buffer.dirty, buffer.loaded = False, time.monotonic()

    def look_at_disk(self):
        """Takes in what others have done to files that are open and saved."""
        for path in [path for path, buffer in self.buffers.items() if not buffer.dirty]:
            buffer = self.buffers[path]
            if not (self.root / path).exists():
                self.close(path)
            elif self.disk(path) != buffer.text:
                self.revert(path)
        self.tell_of_disk()

    def tell_of_disk(self):
        """Tells the server that others have changed files."""
        self.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": self.uri("."), "type": 2}]})

    # Edits of the server.

    def take(self, message):
        """Takes what is not an answer; tells of some changes after its own answer, as some editors do."""
        super().take(message)
        late, self.late = self.late, []
        for change in late:
            self.make(change)

    def answer_to_edit(self, edit):
        """Makes an edit, or gives up at its last change; gives what the server is told of it."""
        changes = edit.get("documentChanges", [])
        if len(changes) < 2 or not self.is_known(changes) or not self.gives_up():
            return super().answer_to_edit(edit)
        made = changes[:-1]
        if self.tells_late():
            self.late = made
        else:
            for change in made:
                self.make(change)
        return {"applied": False, "failedChange": len(made), "failureReason": "the file is locked"}

    def is_known(self, changes):
        """Whether the server knows the versions of all documents."""
        for change in changes:
            document = change.get("textDocument", {})
            buffer = self.buffers.get(self.path(document["uri"])) if document else None
            if buffer and document.get("version") not in (None, buffer.version):
                return False
        return True

    def apply(self, edit):
        """Makes an edit whole, or nothing of it, or says no; saves what was saved before."""
        if self.says_no():
            return False
        changes = edit.get("documentChanges", [])
        if not self.is_known(changes):
            return False
        for change in changes:
            self.make(change)
        return True

    def make(self, change):
        """Makes one change of an edit."""
        kind = change.get("kind")
        if kind == "create":
            path = self.path(change["uri"])
            if not (self.root / path).exists() or change.get("options", {}).get("overwrite"):
                self.store(path, "")
        elif kind == "delete":
            path = self.path(change["uri"])
            if path in self.buffers:
                self.close(path)
            (self.root / path).unlink()
        elif kind is None:
            self.rewrite(self.path(change["textDocument"]["uri"]), change["edits"])
        else:
            raise Ended(f"an edit of kind {kind}")

    def rewrite(self, path, edits):
        """Makes the edits of one document."""
        was_open = path in self.buffers
        self.open(path)
        was_dirty, text = self.buffers[path].dirty, self.buffers[path].text
        spans = [[offset(text, it["range"][side]) for side in ("start", "end")] + [it["newText"]] for it in edits]
        # Of two at one place the first in the list comes first in the text.
        self.change(path, reversed(sorted(spans, key=lambda span: span[0])))
        if not was_dirty:
            self.save(path)
        if not was_open:
            self.close(path)
