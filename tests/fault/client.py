"""An editor with no file open but transcripts: it makes the edits that the server asks for on the disk."""

import os
import pathlib
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from language_client import LIMIT, Connection, Ended, Refused

__all__ = ["Client", "Ended", "Refused"]


class Client(Connection):
    """A server, and what it is told and asked."""

    def __init__(self, command, root, environment):
        self.root, self.shown = root, []
        self.connect(command, env=environment)
        edits = {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]}
        able = {"workspace": {"applyEdit": True, "workspaceEdit": edits}}
        folders = [{"uri": self.uri(""), "name": "w"}]
        self.ask("initialize", {"processId": None, "capabilities": able, "workspaceFolders": folders,
                                "rootUri": self.uri("")})
        self.notify("initialized", {})

    def uri(self, path):
        return "file://" + urllib.parse.quote(os.path.join(self.root, path).rstrip("/"))

    def path(self, uri):
        return urllib.parse.unquote(urllib.parse.urlsplit(uri).path)

    def take(self, message):
        if message["method"].startswith("window/showMessage"):
            self.shown.append(message["params"]["message"])
        super().take(message)

    def command(self, name, argument=None):
        return self.ask("workspace/executeCommand", {"command": name, "arguments": [argument] if argument else []})

    def open(self, path, text):
        document = {"uri": self.uri(path), "languageId": "markdown", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def shut(self, path):
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}})

    def tell(self, paths):
        """Says that files have changed on the disk."""
        kinds = {path: 2 if os.path.exists(os.path.join(self.root, path)) else 3 for path in paths}
        self.notify("workspace/didChangeWatchedFiles",
                    {"changes": [{"uri": self.uri(path), "type": kind} for path, kind in kinds.items()]})

    def apply(self, edit):
        """Makes an edit on the disk."""
        for change in edit.get("documentChanges", []):
            kind = change.get("kind")
            if kind == "create":
                path = self.path(change["uri"])
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "x", encoding="utf-8"):
                    pass
            elif kind == "rename":
                os.rename(self.path(change["oldUri"]), self.path(change["newUri"]))
            elif kind == "delete":
                path = self.path(change["uri"])
                (os.rmdir if os.path.isdir(path) else os.remove)(path)
            else:
                self.edit_text(self.path(change["textDocument"]["uri"]), change["edits"])
        for uri, edits in edit.get("changes", {}).items():
            self.edit_text(self.path(uri), edits)
        return True

    def edit_text(self, path, edits):
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        starts = [0] + [at + 1 for at, char in enumerate(text) if char == "\n"] + [len(text)]
        at = lambda place: min(starts[min(place["line"], len(starts) - 1)] + place["character"], len(text))
        placed = sorted((at(it["range"]["start"]), at(it["range"]["end"]), it["newText"]) for it in edits)
        for start, end, new in reversed(placed):
            text = text[:start] + new + text[end:]
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def end(self):
        """Ends the server as an editor does."""
        self.shut_down()
        # What it has said at last.
        while message := self.incoming.get(timeout=LIMIT):
            if "method" in message and "id" not in message:
                self.take(message)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(LIMIT)
