"""What the language clients of the tests share: a server over pipes, messages, requests and their answers."""

import json
import queue
import subprocess
import threading

# How long one answer may take, in seconds.
LIMIT = 60


class Refused(Exception):
    """The server answers with an error."""


class Ended(Exception):
    """The server has ended, or does not answer."""


def read(output, incoming):
    """Reads one message after the other; nothing comes after the last one."""
    while True:
        length = 0
        while line := output.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        body = output.read(length)
        # A server that is killed may leave half a message.
        if not length or len(body) < length:
            return incoming.put(None)
        incoming.put(json.loads(body))


class Connection:
    """A server, and what it is told and asked."""

    def connect(self, command, **options):
        """Starts a server."""
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, **options)
        self.number, self.incoming = 0, queue.Queue()
        threading.Thread(target=read, args=(self.process.stdout, self.incoming), daemon=True).start()

    def send(self, message):
        """Sends one message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()
        except OSError:
            raise Ended("the server has ended") from None

    def notify(self, method, params):
        """Tells the server something."""
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        """Asks, and answers what is asked meanwhile."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.next(method)
            if "method" in message:
                self.take(message)
            elif message.get("id") == self.number:
                if "error" in message:
                    raise Refused(message["error"]["message"])
                return message["result"]

    def next(self, method):
        """The next message, while `method` is asked."""
        try:
            message = self.incoming.get(timeout=LIMIT)
        except queue.Empty:
            raise Ended(f"no answer to {method}") from None
        if message is None:
            raise Ended(f"the server ended instead of answering {method}")
        return message

    def take(self, message):
        """Takes what is not the answer, and answers it where it is a request."""
        method, params = message["method"], message.get("params")
        if "id" not in message:
            return self.told(method, params)
        result = None
        if method == "workspace/applyEdit":
            result = self.answer_to_edit(params["edit"])
        elif method == "workspace/configuration":
            result = [None for _ in params["items"]]
        return self.send({"id": message["id"], "result": result})

    def told(self, method, params):
        """Hears a notification."""

    def answer_to_edit(self, edit):
        """Makes an edit; gives what the server is told of it."""
        return {"applied": self.apply(edit)}

    def apply(self, edit):
        """Makes an edit; gives whether it was made."""
        raise NotImplementedError

    def shut_down(self):
        """Ends the server as an editor does; gives its exit code."""
        self.ask("shutdown", None)
        self.notify("exit", None)
        self.process.stdin.close()
        return self.process.wait(timeout=LIMIT)
