#!/usr/bin/env python3
"""Loads the extension as Zed does, and looks at what it says of how operator-lsp is started.

    cargo build --target wasm32-wasip2 --release
    python3 try.py target/wasm32-wasip2/release/operator_zed.wasm

needs the Python package `wasmtime`. What the extension asks of Zed is answered here.
"""

import json
import sys
import tempfile

from wasmtime import Engine, Store, WasiConfig
from wasmtime.component import Component, Linker, ResourceHost, ResourceType, Variant

NAME = "operator-lsp"
ENVIRONMENT = [("HOME", "/home/user"), ("PATH", "/usr/bin")]
INTERFACES = ("common", "context-server", "dap", "lsp", "process", "slash-command")
# A number for each type of resource.
WORKTREE, PROJECT, KEY_VALUE_STORE = 1, 2, 3


class Zed:
    """The extension in a Zed with these settings for operator-lsp, and with it on the PATH or not."""

    def __init__(self, engine, component, folder, settings, on_path):
        self.settings, self.on_path = settings, on_path
        self.store = Store(engine)
        wasi = WasiConfig()
        # An extension has a folder of its own.
        wasi.env = [("PWD", "/")]
        wasi.preopen_dir(folder, "/")
        self.store.set_wasi(wasi)
        linker = Linker(engine)
        linker.add_wasip2()
        with linker.root() as root:
            self.define(root)
        self.instance = linker.instantiate(self.store, component)
        self.function("init-extension")(self.store)

    def define(self, root):
        for name, kind in ("worktree", WORKTREE), ("project", PROJECT), ("key-value-store", KEY_VALUE_STORE):
            root.add_resource(name, ResourceType.host(kind), lambda _store, _number: None)
        for name in INTERFACES:
            root.add_instance("zed:extension/" + name).close()
        root.add_func("get-settings", self.get_settings)
        self.add_method(root, "id", lambda: 1)
        self.add_method(root, "which", lambda name: f"/usr/bin/{name}" if self.on_path else None)
        self.add_method(root, "shell-env", lambda: ENVIRONMENT)

    def add_method(self, root, name, answer):
        def method(store, worktree, *arguments):
            worktree.drop(store)
            return answer(*arguments)

        root.add_func("[method]worktree." + name, method)

    def get_settings(self, _store, _location, category, key):
        if (category, key) != ("lsp", NAME):
            return Variant("err", f"asked for the settings {category} {key}")
        return Variant("ok", json.dumps(self.settings))

    def function(self, name):
        function = self.instance.get_func(self.store, name)
        assert function, f"the extension has no {name}"
        return function

    def ask(self, name):
        """What the extension says about the worktree."""
        worktree = ResourceHost.own(1, WORKTREE).to_any(self.store)
        return self.function("language-server-" + name)(self.store, NAME, worktree)


def start(answer):
    """How operator-lsp is started: program, arguments and environment; or why it cannot be."""
    return answer if isinstance(answer, str) else (answer.command, answer.args, answer.env)


def told(answer):
    """What the server is told of the settings."""
    assert answer.tag == "ok", answer.payload
    return answer.payload and json.loads(answer.payload)


def same(what, answer, expected):
    print("ok      " if answer == expected else "FAILED  ", what, sep="")
    if answer != expected:
        sys.exit(f"  is:       {answer}\n  expected: {expected}")


def main():
    engine = Engine()
    component = Component.from_file(engine, sys.argv[1])
    named = {"binary": {"path": "/opt/lsp", "arguments": ["serve"], "env": {"NO_COLOR": "1"}}}
    options, settings = {"confirm": "always"}, {"trace": "messages"}
    with tempfile.TemporaryDirectory() as folder:

        def ask(name, settings, on_path=True):
            return Zed(engine, component, folder, settings, on_path).ask(name)

        from_path = ("/usr/bin/operator-lsp", [], ENVIRONMENT)
        from_settings = ("/opt/lsp", ["serve"], [*ENVIRONMENT, ("NO_COLOR", "1")])
        nowhere = "`operator-lsp` is not on the PATH: install it, or set lsp.operator-lsp.binary.path"
        same("the program is found on the PATH", start(ask("command", {})), from_path)
        same("the settings come first", start(ask("command", named)), from_settings)
        same("and suffice", start(ask("command", named, on_path=False)), from_settings)
        same("a program that is nowhere is said", start(ask("command", {}, on_path=False)), nowhere)
        for name, key, value, expected in (
            ("initialization-options", "initialization_options", options, options),
            ("workspace-configuration", "settings", settings, {"operator": settings}),
        ):
            same(f"the server gets its {name}", told(ask(name, {key: value})), expected)
            same(f"which may be missing: {name}", told(ask(name, {})), None)


main()
