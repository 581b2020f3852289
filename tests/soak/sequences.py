"""Short sequences of what a person does with an editor and a command line, at random; see README.md."""

import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from client import Client, Ended, Refused

BINARY = os.environ["OPERATOR_LSP"]
CHAT = "chat.md"
# Each file: its line, and the one that a block adds below it.
FILES = {"a.txt": ("one", "two"), "b.txt": ("1", "2")}
LONGEST = 9
# How often a sequence that fails is tried once more. What needs two programs within the same millisecond and fails once
# alone is said, and is not a failure.
AGAIN = 4
# How long a server lives at least, in seconds, after what it is killed after.
PAUSE = 0.05


def block(paths):
    """A block that adds a line to each of these files."""
    hunks = "".join(f"*** Update File: {path}\n@@\n {FILES[path][0]}\n+{FILES[path][1]}\n" for path in paths)
    return f"*** Begin Patch\n{hunks}*** End Patch\n"


class Run:
    """A workspace with one block, its editor, and what is done in it."""

    def __init__(self, folder, paths):
        self.root, self.state, self.typed = folder / "workspace", folder / "state", 0
        self.root.mkdir()
        self.client = Client(BINARY, self.root, self.state)
        for path, text in {CHAT: block(paths), **{path: f"{line}\n" for path, (line, _) in FILES.items()}}.items():
            self.client.store(path, text)
            self.client.open(path)
        self.look()

    def look(self):
        """Asks what can be done with the block."""
        return self.client.ask("operator/proposals", {"textDocument": {"uri": self.client.uri(CHAT)}})[0]

    def apply(self):
        """Applies the block, unless the server says that its lines are there again."""
        if self.look()["caution"] != "adds-again":
            argument = {"uri": self.client.uri(CHAT), "block": 0}
            try:
                self.client.ask("workspace/executeCommand", {"command": "operator.apply", "arguments": [argument]})
            except Refused:
                pass

    def type(self, path):
        """Types a line at the end of a file."""
        self.client.open(path)
        end = len(self.client.text(path))
        self.client.replace(path, end, end, f"typed {self.typed}\n")
        self.typed += 1

    def in_editor(self, path, act, left):
        """Undoes or redoes a change in the editor."""
        if path in self.client.buffers and getattr(self.client.buffers[path], left):
            act(path)

    def close(self, path):
        """Closes a file that is saved."""
        if path in self.client.buffers and not self.client.buffers[path].dirty:
            self.client.close(path)

    def save(self, path):
        """Saves a file."""
        if path in self.client.buffers:
            self.client.save(path)

    def shell(self, *arguments):
        """Does it on the command line; files are reloaded later, or never."""
        environment = dict(os.environ, OPERATOR_LSP_STATE_DIR=str(self.state))
        subprocess.run([BINARY, *arguments, "--root", "."], cwd=self.root, env=environment, check=False,
                       capture_output=True, timeout=60, stdin=subprocess.DEVNULL)

    def restart(self, kill):
        """Ends or kills the server, and starts another one."""
        if kill:
            # Within these milliseconds it may not have written yet what the editor shows.
            self.look()
            time.sleep(PAUSE)
        self.client.end(kill)
        self.client.begin()

    STEPS = {
        "apply": apply,
        "look": look,
        "reload": lambda self: self.client.look_at_disk(),
        "shell apply": lambda self: self.shell("apply", CHAT, "--yes"),
        "shell undo": lambda self: self.shell("undo"),
        "restart": lambda self: self.restart(kill=False),
        "kill": lambda self: self.restart(kill=True),
        "undo": lambda self: self.in_editor("a.txt", self.client.undo, "past"),
        "redo": lambda self: self.in_editor("a.txt", self.client.redo, "future"),
        "close a.txt": lambda self: self.close("a.txt"),
        **{f"type {path}": lambda self, path=path: self.type(path) for path in FILES},
        **{f"save {path}": lambda self, path=path: self.save(path) for path in FILES},
    }

    def end(self):
        """Saves all and applies the block once more, on the command line and in the editor."""
        self.look()
        self.client.save_all()
        self.look()
        self.shell("apply", CHAT, "--yes")
        self.check("the command line")
        self.client.look_at_disk()
        self.apply()
        self.check("the editor")

    def check(self, after):
        """No line of the block is there twice."""
        for path, (_, added) in FILES.items():
            for text in (self.client.text(path), self.client.disk(path)):
                if text.split("\n").count(added) > 1:
                    raise Ended(f"after {after}, {path} has {added!r} twice: {text!r}")


def run(steps, paths):
    """What is wrong with a sequence of steps; nothing where it is right."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sequence-"))
    day = Run(folder, paths)
    try:
        for step in steps:
            Run.STEPS[step](day)
            day.check(step)
        day.end()
    except Ended as error:
        return str(error)
    finally:
        day.client.process.kill()
        day.client.process.wait()
        shutil.rmtree(folder)
    return None


def main():
    """Runs so many sequences."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32)
    choice, failed = random.Random(seed), 0
    for _ in range(number):
        steps = [choice.choice(list(Run.STEPS)) for _ in range(choice.randrange(3, LONGEST + 1))]
        paths = list(FILES)[:choice.randrange(1, 3)]
        if wrong := run(steps, paths):
            times = 1 + sum(run(steps, paths) is not None for _ in range(AGAIN))
            failed += times > 1
            print(f"{'FAILED' if times > 1 else 'once'}: {steps} with a block for {paths}, {times} times of {AGAIN + 1}: {wrong}",
                  flush=True)
    print(f"seed {seed}\n{number - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
