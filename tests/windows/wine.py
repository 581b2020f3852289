"""What the programs here share: where things are, what held, and a client of a server under wine."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from queue import Empty, Queue

HERE = Path(__file__).resolve().parent
KEPT = Path(os.environ.get("OPERATOR_WINDOWS") or HERE.parent.parent / ".cache/windows")
DRIVE = KEPT / "prefix/drive_c"
# How long one answer may take, in seconds.
LIMIT = 60


class Checks:
    """What held and what did not."""

    def __init__(self):
        self.passed = self.failed = 0

    def that(self, what, holds, seen=""):
        """Takes note of one of them."""
        self.passed += bool(holds)
        self.failed += not holds
        print(f"{'ok' if holds else 'FAILED'}: {what}" + ("" if holds else f"\n  {seen}"))

    def end(self):
        """Says how many of each there are, and ends."""
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(self.failed > 0)


class Client:
    """A client that makes the edits it is sent, in memory, and answers whatever else it is asked."""

    def __init__(self, program):
        command = [str(HERE / "inside"), f"exec wine '{program}'"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.incoming, self.edits, self.diagnostics, self.number = Queue(), [], {}, 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        """Reads one message after the other."""
        output = self.process.stdout
        while True:
            length = 0
            while line := output.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return self.incoming.put(None)
            self.incoming.put(json.loads(output.read(length)))

    def send(self, message):
        """Sends one message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        """Tells the server something."""
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        """Asks, and answers what is asked meanwhile."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            try:
                message = self.incoming.get(timeout=LIMIT)
            except Empty:
                raise SystemExit(f"no answer to {method}") from None
            if message is None:
                raise SystemExit(f"the server ended instead of answering {method}")
            if message.get("id") == self.number and "method" not in message:
                if "error" in message:
                    raise SystemExit(f"{method}: {message['error']}")
                return message["result"]
            self.take(message)

    def end(self):
        """Ends the server as an editor does; its exit code."""
        self.ask("shutdown", None)
        self.notify("exit", None)
        self.process.stdin.close()
        return self.process.wait(timeout=LIMIT)

    def take(self, message):
        """What is not the answer."""
        method, params = message.get("method"), message.get("params")
        if method == "textDocument/publishDiagnostics":
            self.diagnostics[params["uri"]] = params["diagnostics"]
        if "id" not in message:
            return
        result = None
        if method == "workspace/applyEdit":
            self.edits.append(params["edit"])
            result = {"applied": True}
        if method == "workspace/configuration":
            result = [None for _ in params["items"]]
        self.send({"id": message["id"], "result": result})
