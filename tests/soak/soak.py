"""A person who works at random with an editor, a command line, git and a formatter; see README.md."""

import base64
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from client import Client, Ended, Refused

BINARY = os.environ["OPERATOR_LSP"]
CHAT = "chat.md"
# Each file: its line ending, and a word that is in each of its lines.
FILES = {
    "src/one.py": ("\n", "alpha"), "src/two.py": ("\n", "größer"), "notes.txt": ("\r\n", "crlf"),
    "docs/page.md": ("\n", "😀"), "deep/er/file.txt": ("\n", "omega"), "a b.txt": ("\r\n", "blank"),
}
LINES = 40
# The blocks of a chat before a person begins a new one.
LONG = 60
# After so many steps a strict run looks at all blocks.
OFTEN = 10
# What a file may take more at the end than in the middle of the run.
GROWTH = 1.25
SLACK = 8 << 20
# What it may take for each byte of the ledger, which grows until it holds 20,000 operations.
FOR_KEPT = 4
EXTRA = re.compile(r"^(token|typed)-\d+$")
TOKEN = re.compile(r"\btoken-\d+\b")
# What a server says of a block that was undone, or done above, and is there again.
AGAIN = "the lines that it adds are in"


class Wrong(Exception):
    """What is there is not as it must be."""


def base(path):
    """The lines of a file that nobody changes."""
    return [f"{FILES[path][1]} {number}" for number in range(LINES)]


def block(path, number, token, how, other=None):
    """A block that inserts a token after a line, in one of several dialects; one for two files where there is another."""
    if other:
        hunks = [f"*** Update File: {path}\n@@\n {FILES[path][1]} {number}\n+{token}\n"
                 for path, token in ((path, token), other)]
        return f"*** Begin Patch\n{''.join(hunks)}*** End Patch\n"
    eol, word = FILES[path]
    anchor = f"{word} {number}"
    if how == "operator":
        edit = {"op": "insertAfter", "anchor": anchor + eol, "text": token + eol}
        payload = base64.b64encode(json.dumps({"version": 1, "edits": [edit]}).encode()).decode()
        return f"OPERATOR_CMD\nversion: 1\nid: {token}\naction: fs.applyEdits\npath: {path}\nedits_b64: {payload}\nEND_OPERATOR_CMD\n"
    if how == "patch":
        return f"*** Begin Patch\n*** Update File: {path}\n@@\n {anchor}\n+{token}\n*** End Patch\n"
    return f"{path}\n```\n<<<<<<< SEARCH\n{anchor}\n=======\n{anchor}\n{token}\n>>>>>>> REPLACE\n```\n"


class Day:
    """One run."""

    def __init__(self, folder, seed, is_strict):
        self.random, self.is_strict = random.Random(seed), is_strict
        self.root, self.state = folder / "work space", folder / "state"
        self.root.mkdir()
        self.typed = {path: set() for path in FILES}
        self.tokens, self.blocks, self.before = 0, [], []
        self.done = collections.Counter()
        self.memory, self.checked, self.extra, self.gone, self.is_over = [], {}, {}, set(), False
        self.trace = collections.deque(maxlen=400)
        self.git("init", "-q")
        self.client, self.other = (Client(BINARY, self.root, self.state) for _ in range(2))
        for client in (self.client, self.other):
            client.says_no = lambda: self.random.random() < 0.05
            client.gives_up = lambda: self.random.random() < 0.1
            client.tells_late = lambda: self.random.random() < 0.5
        for path, (eol, _) in FILES.items():
            self.client.store(path, "".join(line + eol for line in base(path)))
        self.client.store(CHAT, "# A chat\n\n")
        self.client.open(CHAT)
        self.other.open(CHAT)
        self.git("add", "-A")
        self.git("commit", "-qm", "first")

    def git(self, *arguments):
        """Runs git."""
        line = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments]
        environment = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
        subprocess.run(line, cwd=self.root, env=environment, check=True, capture_output=True, timeout=60)

    # What must hold.

    def check(self):
        """Looks at all files: nothing is lost, nothing is there twice, all else is as it was."""
        seen = collections.Counter()
        for path, (eol, _) in FILES.items():
            text = self.client.text(path)
            if text != self.checked.get(path):
                self.extra[path] = extra = self.added(path, text.split(eol))
                self.trace.append(f"  {path}: {extra}")
                self.checked[path] = text
            extra = self.extra[path]
            seen.update(extra)
            if lost := self.typed[path] - set(extra):
                raise Wrong(f"{path} has lost {sorted(lost)}")
            if alien := {line for line in extra if line.startswith("typed")} - self.typed[path]:
                raise Wrong(f"{path} has {sorted(alien)} again")
        # What somebody has taken out of a file and put back there, no block has done.
        if twice := [line for line, times in seen.items() if times > 1 and line not in self.gone]:
            raise Wrong(f"{twice} are there twice")

    def added(self, path, lines):
        """The lines that blocks and people have added to a file; all others must be there as they were."""
        if lines.pop() != "":
            raise Wrong(f"{path} does not end with its line ending")
        if [line for line in lines if not EXTRA.match(line)] != base(path):
            raise Wrong(f"{path} has other lines than it had")
        return [line for line in lines if EXTRA.match(line)]

    # What a person does.

    def any(self):
        return self.random.choice(list(FILES))

    def line_start(self, text, eol):
        """The start of some line."""
        return self.random.choice([0, *(it.end() for it in re.finditer(re.escape(eol), text))])

    def type(self):
        """Types a line into a file."""
        path, eol = (it := self.any()), FILES[it][0]
        self.client.open(path)
        self.tokens += 1
        line = f"typed-{self.tokens}"
        at = self.line_start(self.client.buffers[path].text, eol)
        self.client.replace(path, at, at, line + eol)
        self.typed[path].add(line)

    def type_and_delete(self):
        """Types a character, and takes it away again."""
        path = self.random.choice([CHAT, self.any()])
        self.client.open(path)
        buffer = self.client.buffers[path]
        was, at = buffer.dirty, self.random.randrange(len(buffer.text) + 1)
        if buffer.text[at - 1:at + 1] == "\r\n":
            return
        past, future = buffer.past, buffer.future
        self.client.replace(path, at, at, "x")
        self.client.replace(path, at, at + 1, "")
        buffer.dirty, buffer.past, buffer.future = was, past, future

    def save(self):
        """Saves a file; a formatter may write it again."""
        for path in [path for path in FILES if path in self.client.buffers]:
            self.client.save(path)
            if self.random.random() < 0.3:
                self.tokens += 1
                self.client.store(path, self.client.disk(path) + f"typed-{self.tokens}" + FILES[path][0])
                self.typed[path].add(f"typed-{self.tokens}")
        self.client.look_at_disk()
        self.proposals()

    def close(self):
        """Closes a file that is saved."""
        saved = [path for path in FILES if path in self.client.buffers and not self.client.buffers[path].dirty]
        if saved:
            self.client.close(self.random.choice(saved))

    def throw_away(self):
        """Closes a file without saving it, or has the editor show what is saved."""
        unsaved = [path for path in FILES if path in self.client.buffers and self.client.buffers[path].dirty]
        if not unsaved:
            return
        path = self.random.choice(unsaved)
        if self.random.random() < 0.5:
            self.client.close(path)
        else:
            self.client.revert(path)
        self.typed[path] = {line for line in self.lines(path) if line.startswith("typed-")}

    def paste(self):
        """An answer comes in: some blocks, one of them perhaps from the chat before."""
        if len(self.blocks) > LONG:
            self.client.replace(CHAT, 0, len(self.client.buffers[CHAT].text), "# A chat\n\n")
            self.before, self.blocks = self.blocks, []
        for _ in range(self.random.randrange(1, 4)):
            self.tokens += 2
            how = self.random.choice(["operator", "pair", "patch"])
            number = self.random.randrange(LINES + 2)
            path, other = self.random.sample(list(FILES), 2)
            is_for_two = how == "patch" and self.random.random() < 0.3
            other = (other, f"token-{self.tokens - 1}") if is_for_two else None
            text = block(path, number, f"token-{self.tokens}", how, other) + "\n"
            if self.before and self.random.random() < 0.2:
                # Two equal blocks of one chat are two, so it is there once.
                text = self.before.pop(self.random.randrange(len(self.before)))
            end = len(self.client.buffers[CHAT].text)
            self.client.replace(CHAT, end, end, text)
            self.blocks.append(text)

    def proposals(self):
        return self.client.ask("operator/proposals", {"textDocument": {"uri": self.client.uri(CHAT)}})

    def command(self, command, **argument):
        """Runs a command of the server; gives its result, or nothing where it is refused."""
        try:
            start = time.monotonic()
            result = self.client.ask("workspace/executeCommand", {"command": command, "arguments": [argument]})
            self.done[command] += 1
            self.trace.append(f"  {command} {argument} gives {result} after {time.monotonic() - start:.3f} s")
        except Refused as error:
            self.done[command + " refused"] += 1
            self.trace.append(f"  {command} {argument} is refused: {error}")

    def apply(self):
        """Applies one of the blocks, ready or not."""
        proposals = self.proposals()
        ready = [at for at, it in enumerate(proposals) if "apply" in it["offers"]]
        if not proposals:
            return
        at = self.random.choice(ready if ready and self.random.random() < 0.9 else range(len(proposals)))
        if self.adds_again(proposals[at]):
            self.done["left, as its lines are there"] += 1
            if self.is_strict:
                self.check_cautions(proposals[at:at + 1])
            return
        reply = self.random.random() < 0.3
        self.trace.append(f"  {proposals[at]}")
        self.command("operator.apply", uri=self.client.uri(CHAT), block=at, reply=reply)

    @staticmethod
    def adds_again(proposal):
        """Whether a look is asked for as its lines are there, among other reasons."""
        return AGAIN in (proposal["cautionMessage"] or "")

    def check_cautions(self, proposals):
        """No block is to be added again that is there, but for what git has put back, or somebody has taken out."""
        lines = self.client.buffers[CHAT].text.split("\n")
        for at in [it["range"] for it in proposals if self.adds_again(it)]:
            tokens = set(TOKEN.findall("\n".join(lines[at["start"]["line"]:at["end"]["line"] + 1])))
            if not tokens & self.gone:
                raise Wrong(f"{sorted(tokens)} would be added again")

    def ledger(self):
        """How long the ledger is, in bytes."""
        return sum(path.stat().st_size for path in self.state.glob("*/ledger"))

    def apply_all(self):
        self.trace.append(f"  {[(it['path'], it['status']) for it in self.proposals()]}")
        self.command("operator.applyAll", uri=self.client.uri(CHAT))

    def undo(self):
        self.command("operator.undo", uri=self.client.uri(CHAT))

    def redo(self):
        self.command("operator.redo", uri=self.client.uri(CHAT))

    def editor_undo(self):
        """Has the editor undo some changes of a file, whoever made them."""
        self.in_editor([path for path in FILES if path in self.client.buffers and self.client.buffers[path].past],
                       self.client.undo, lambda path: self.client.buffers[path].past)

    def editor_redo(self):
        """Has the editor make some of them again."""
        self.in_editor([path for path in FILES if path in self.client.buffers and self.client.buffers[path].future],
                       self.client.redo, lambda path: self.client.buffers[path].future)

    def in_editor(self, paths, act, left):
        if not paths:
            return
        path = self.random.choice(paths)
        # Nobody is so fast that the server has not seen yet what the editor has read anew.
        self.proposals()
        for _ in range(self.random.randrange(1, 4)):
            if left(path):
                act(path)
                # The server looks at the text in between, or does not.
                if self.random.random() < 0.5:
                    self.proposals()
        self.typed[path] = {line for line in self.lines(path) if line.startswith("typed-")}

    def look(self):
        """Hovers, asks for lenses, actions and the reply."""
        document = {"uri": self.client.uri(CHAT)}
        text = self.client.buffers[CHAT].text
        position = self.client.position(text, self.random.randrange(len(text) + 1))
        self.client.ask("textDocument/hover", {"textDocument": document, "position": position})
        self.client.ask("textDocument/codeLens", {"textDocument": document})
        self.command("operator.reply", uri=document["uri"])

    def shell(self):
        """Does it on the command line."""
        self.client.save_all()
        arguments = self.random.choice([["apply", CHAT, "--yes"], ["undo"], ["redo"], ["check", CHAT], ["reply", CHAT]])
        ran = subprocess.run([BINARY, *arguments, "--root", "."], cwd=self.root, capture_output=True, timeout=60, check=False,
                             env=dict(os.environ, OPERATOR_LSP_STATE_DIR=str(self.state)), stdin=subprocess.DEVNULL)
        if ran.returncode not in (0, 1):
            raise Wrong(f"{arguments} ended with {ran.returncode}: {ran.stderr.decode()[-500:]}")
        self.done[f"shell {arguments[0]} {ran.returncode}"] += 1
        self.trace.append(f"  {arguments} ends with {ran.returncode}: {ran.stderr.decode()}")
        # What is not reloaded at once is so later, or what was there before is saved over it.
        if self.random.random() < 0.6:
            self.client.look_at_disk()
        else:
            self.client.tell_of_disk()

    def commit(self):
        self.client.save_all()
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "more")

    def checkout(self):
        """Has git put a file back."""
        self.client.save_all()
        path = self.any()
        before = self.lines(path)
        self.git("checkout", "-q", "--", path)
        self.client.look_at_disk()
        after = self.lines(path)
        self.gone |= before ^ after
        self.typed[path] = {line for line in after if line.startswith("typed-")}

    def lines(self, path):
        """The lines of a file that somebody has put there."""
        return {line for line in self.client.text(path).split(FILES[path][0]) if EXTRA.match(line)}

    def tidy(self):
        """Takes old lines out of a file, which would grow for ever."""
        path = self.any()
        self.client.open(path)
        text, eol = self.client.buffers[path].text, FILES[path][0]
        extra = [line for line in text.split(eol) if EXTRA.match(line)]
        if len(extra) > LINES:
            self.gone |= set(extra)
            self.client.replace(path, 0, len(text), "".join(line + eol for line in base(path)))
            self.typed[path] = set()

    def turn(self):
        """Goes on in the other editor."""
        self.client.save_all()
        self.proposals()
        self.client, self.other = self.other, self.client
        self.client.look_at_disk()
        self.client.forget_history()

    def notice(self):
        """The editor in the background looks at the files that were saved."""
        self.other.look_at_disk()

    def reload(self):
        """The editor looks at the files that others have changed."""
        self.client.look_at_disk()

    def restart(self):
        """The server is killed, or ends."""
        self.client.end(kill=self.random.random() < 0.5)
        self.client.begin()

    STEPS = {"type": 25, "type_and_delete": 20, "save": 6, "close": 4, "throw_away": 2, "paste": 8, "apply": 12, "apply_all": 2, "undo": 4,
             "redo": 2, "look": 10, "shell": 2, "commit": 0.5, "checkout": 0.5, "tidy": 4, "restart": 0.1, "turn": 1,
             "notice": 3, "reload": 1, "editor_undo": 4, "editor_redo": 3}

    def step(self):
        """Does one thing."""
        [name] = self.random.choices(list(self.STEPS), self.STEPS.values())
        self.done[name] += 1
        self.trace.append(f"{name} @{self.ledger()}")
        try:
            getattr(self, name)()
            self.check()
            if self.is_strict and sum(self.done[step] for step in self.STEPS) % OFTEN == 0:
                self.check_cautions(self.proposals())
        except (Wrong, Ended) as error:
            raise Wrong(f"after {name}: {error}") from error

    def resident(self):
        """The server's memory in bytes."""
        status = pathlib.Path(f"/proc/{self.client.process.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) << 10

    def run(self, steps):
        """Does that many things, and says how it went."""
        start = time.monotonic()
        for number in range(1, steps + 1):
            try:
                self.step()
            except Wrong as error:
                raise Wrong(f"step {number}: {error}") from error
            if number % 50 == 0:
                self.memory.append(self.resident())
            if number % 50_000 == 0:
                print(f"{number} steps in {time.monotonic() - start:.0f} s; the server takes {self.memory[-1] / 1e6:.1f} MB",
                      flush=True)
            if self.is_over:
                steps = number
                break
        third = len(self.memory) // 3
        middle, last = (max(part, default=0) for part in (self.memory[third:2 * third], self.memory[2 * third:]))
        took = time.monotonic() - start
        kept = sum(path.stat().st_size for path in self.state.rglob("*") if path.is_file())
        print(f"{steps} steps in {took:.0f} s; memory of the server: {middle / 1e6:.1f} MB at most in the middle third, "
              f"{last / 1e6:.1f} MB in the last; {kept / 1e6:.1f} MB are kept")
        print(", ".join(f"{name} {times}" for name, times in sorted(self.done.items())))
        if last > middle * GROWTH + SLACK + kept * FOR_KEPT:
            raise Wrong("the server's memory grows")
        for client in (self.client, self.other):
            client.end(kill=False)


def main():
    """Runs a day; what is left of one that failed stays where it is said."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="soak-"))
    day = Day(folder, seed, "strict" in sys.argv[3:])
    # Whoever ends it early is told how far it came.
    for end in (signal.SIGINT, signal.SIGTERM):
        signal.signal(end, lambda *_: setattr(day, "is_over", True))
    try:
        day.run(steps)
        shutil.rmtree(folder)
        print("1 passed, 0 failed")
    except (Wrong, Ended) as error:
        (folder / "trace.txt").write_text("\n".join(day.trace), encoding="utf-8")
        (folder / "chat.md").write_text(day.client.buffers[CHAT].text, encoding="utf-8")
        print(f"FAILED with seed {seed}: {error}\n  what is left is in {folder}\n0 passed, 1 failed")
        sys.exit(1)
    finally:
        for client in (day.client, day.other):
            client.process.kill()


if __name__ == "__main__":
    main()
