"""A real model server, and a way to it that can be cut."""

import json
import os
import pathlib
import select
import socket
import socketserver
import subprocess
import threading
import time
import urllib.request

KEY = "the-key-of-this-test"
ROOT = pathlib.Path(__file__).resolve().parents[3]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """`llama-server` with its own C library, so that it runs on older systems, too."""

    def __init__(self, cache, *options, context=32768):
        self.port = free_port()
        libraries = f"{cache}/root/usr/lib/x86_64-linux-gnu"
        environment = {**os.environ, "GGML_BACKEND_PATH": f"{libraries}/ggml/backends0/libggml-cpu-x64.so"}
        self.process = subprocess.Popen(
            [
                f"{libraries}/ld-linux-x86-64.so.2", "--library-path", f"{libraries}:{libraries}/llama",
                f"{cache}/root/usr/bin/llama-server", "--model", f"{cache}/model.gguf", "--host", "127.0.0.1",
                "--port", str(self.port), "--ctx-size", str(context), "--parallel", "1", "--threads", "1",
                "--api-key", KEY, "--no-warmup", "--skip-chat-parsing", *options,
            ],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )

    def __enter__(self):
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            try:
                if self.get("health")["status"] == "ok":
                    return self
            except OSError:
                pass
            time.sleep(0.05)
        self.end()
        raise AssertionError("the model server does not begin")

    def __exit__(self, *_):
        self.end()

    def end(self):
        self.process.kill()
        self.process.wait(20)

    def get(self, path):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{path}", headers={"Authorization": f"Bearer {KEY}"})
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.load(answer)

    def is_busy(self):
        return any(slot["is_processing"] for slot in self.get("slots"))


class Way:
    """The way to a server: it adds our schema to a request, which this server makes a grammar of, and may cut the answer
    after some bytes."""

    def __init__(self, server, cut=None):
        self.server, self.cut, self.requests = server, cut, []
        # How many clients have gone before they had an answer.
        self.gone = 0
        schema = json.loads((ROOT / "spec/edit-ops.schema.json").read_text(encoding="utf-8"))
        for name in ("enabled", "eval", "base_fingerprints"):
            schema["properties"].pop(name, None)
        schema["properties"]["ops"]["maxItems"] = 3
        # What is said is ASCII: this model would not always say whole characters.
        letters = "[A-Za-z0-9 .,;:!?()=+*/_-]"
        plain = {"type": "string", "pattern": f"^{letters}{{0,60}}$"}
        schema["properties"]["assistant_message"] = plain
        for op in schema["properties"]["ops"]["items"]["oneOf"]:
            if "content" in op["properties"]:
                op["properties"]["content"] = {"type": "string", "pattern": f"^{letters}{{1,60}}$"}
        schema["required"] = ["assistant_message", "ops"]
        self.schema = schema
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                outer.forward(self.connection, self.rfile, self.wfile)

        class Listener(socketserver.ThreadingTCPServer):
            daemon_threads = True

        self.listener = Listener(("127.0.0.1", 0), Handler)
        self.port = self.listener.server_address[1]
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown()
        self.listener.server_close()

    def forward(self, client, read, write):
        head, length = [], 0
        while (line := read.readline().rstrip(b"\r\n")):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            elif name.lower() not in (b"host", b"connection"):
                head.append(line)
        body = json.loads(read.read(length))
        self.requests.append("response_format" in body)
        if "response_format" in body:
            # With a response format this server reads the answer once more, and refuses some that its grammar allows.
            del body["response_format"]
            if self.schema:
                body["json_schema"] = self.schema
        body = json.dumps(body).encode()
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=60) as there:
            head += [b"Host: 127.0.0.1", b"Connection: close", b"Content-Length: %d" % len(body)]
            there.sendall(b"\r\n".join(head) + b"\r\n\r\n" + body)
            left = self.cut
            if client in select.select([client, there], [], [], 60)[0]:
                self.gone += 1
                return
            while (some := there.recv(1 << 16)):
                write.write(some if left is None else some[:left])
                left = None if left is None else left - len(some)
                if left is not None and left <= 0:
                    return
