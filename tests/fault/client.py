"""An editor with no file open but transcripts: it makes the edits that the server asks for on the disk."""

import json
import os
import queue
import subprocess
import threading
import urllib.parse

# How long one answer may take, in seconds.
LIMIT = 60


class Refused(Exception):
    """The server answers with an error."""


class Ended(Exception):
    """The server is not there any more."""


class Client:
    """A server, and what it is told and asked."""

    def __init__(self, command, root, environment):
        self.root, self.number, self.incoming, self.shown = root, 0, queue.Queue(), []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=environment)
        threading.Thread(target=self.read, daemon=True).start()
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

    def read(self):
        """Reads one message after the other."""
        output = self.process.stdout
        while True:
            length = 0
            while line := output.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            body = output.read(length)
            # A server that is killed may leave half a message.
            if not length or len(body) < length:
                return self.incoming.put(None)
            self.incoming.put(json.loads(body))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()
        except OSError:
            raise Ended("the server has ended") from None

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        """Asks, and answers what is asked meanwhile."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.incoming.get(timeout=LIMIT)
            if message is None:
                raise Ended("the server has ended")
            if "method" in message:
                self.take(message)
            elif message.get("id") == self.number:
                if "error" in message:
                    raise Refused(message["error"]["message"])
                return message["result"]

    def take(self, message):
        """What is not the answer."""
        if message["method"].startswith("window/showMessage"):
            self.shown.append(message["params"]["message"])
        if "id" not in message:
            return
        result = None
        if message["method"] == "workspace/applyEdit":
            self.edit(message["params"]["edit"])
            result = {"applied": True}
        if message["method"] == "workspace/configuration":
            result = [None for _ in message["params"]["items"]]
        self.send({"id": message["id"], "result": result})

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

    def edit(self, edit):
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
        self.ask("shutdown", None)
        self.notify("exit", None)
        self.process.stdin.close()
        self.process.wait(LIMIT)
        # What it has said at last.
        while message := self.incoming.get(timeout=LIMIT):
            if "method" in message and "id" not in message:
                self.take(message)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(LIMIT)
