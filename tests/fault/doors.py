"""Lets two doors change one workspace at random: two command lines at once, or a command line and a language server in turns."""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

import client
import shelf
from shelf import Block

BINARY = os.environ["OPERATOR_LSP"]
LIMIT = 60
PATHS = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"]
BUSY = "another run is changing this workspace"
# So many rounds a workspace has: the journal keeps 200 operations, and a round makes two at most.
ROUNDS = 40


class Wrong(Exception):
    """What is there is not what the model says."""


class Said:
    """What a door has said of one thing that it was to do."""

    def __init__(self, is_done, blocks=(), is_busy=False, text=""):
        self.is_done, self.blocks, self.is_busy, self.text = is_done, set(blocks), is_busy, text

    def __repr__(self):
        return f"{'done' if self.is_done else 'refused'} {sorted(self.blocks)} {self.text.strip()[:300]}"


class Workspace:
    """A workspace, its model, and the doors to it."""

    def __init__(self, folder, seed, has_server):
        self.chance = random.Random(seed)
        self.base = tempfile.mkdtemp(prefix="doors-", dir=folder)
        self.root, self.chats = os.path.join(self.base, "ws"), os.path.join(self.base, "chats")
        self.environment = dict(os.environ, OPERATOR_LSP_STATE_DIR=os.path.join(self.base, "state"), RUST_BACKTRACE="0")
        os.mkdir(self.root)
        os.mkdir(self.chats)
        # No two blocks are equal: of equal ones the second counts as applied, whatever its transcript.
        self.tokens, self.numbers = itertools.count(1), itertools.count(1)
        self.transcripts, self.tried, self.done = {}, set(), collections.Counter()
        files = {path: self.token() + self.token() for path in PATHS[:3]}
        for path, text in files.items():
            self.write(path, text)
        self.model = shelf.Model(files)
        # Where two undos at once leave the same files and the same log in both orders, what is made again next tells them apart.
        self.maybe = [self.model]
        self.told, self.opened = dict(files), set()
        self.server = client.Client([BINARY], self.root, self.environment) if has_server else None

    def token(self):
        return f"<{next(self.tokens):06}>\n"

    def write(self, path, text):
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
            file.write(text)

    def files(self):
        """What is on the disk, but for the transcripts."""
        found = {}
        for name in os.listdir(self.root):
            if not name.endswith(".md"):
                with open(os.path.join(self.root, name), encoding="utf-8") as file:
                    found[name] = file.read()
        return found

    def transcript(self, is_plain):
        """A new transcript of blocks that fit one after the other; its name."""
        name = f"chat{len(self.transcripts)}.md"
        trial, blocks = self.model.copy(), []
        for _ in range(self.chance.randint(1, 3)):
            there = sorted(trial.files)
            kinds = ["insert"] * 4 + ["write"] * 2 + ["move"] + ([] if is_plain else ["delete"])
            kind = self.chance.choice(kinds) if there else "write"
            free = [path for path in PATHS if path not in trial.files]
            if kind == "write":
                # A plain one makes new files only: a client may ask before it writes over one.
                targets = free if is_plain else PATHS
                block = Block("write", self.chance.choice(targets), self.token()) if targets else None
            elif kind == "insert":
                path = self.chance.choice(there)
                anchor = self.chance.choice(trial.files[path].splitlines(True))
                block = Block("insert", path, anchor, self.token())
            elif kind == "move":
                block = Block("move", self.chance.choice(there), self.chance.choice(free)) if free else None
            else:
                block = Block("delete", self.chance.choice(there))
            if block:
                blocks.append(block)
                trial.apply(name, blocks, {len(blocks) - 1})
        if not blocks:
            return self.transcript(is_plain)
        self.transcripts[name] = blocks
        self.write(name, "".join(block.text(next(self.numbers)) for block in blocks))
        return name

    def draw(self, is_plain):
        """Something to do: a kind, and a transcript or an operation."""
        kind = self.chance.choice(["apply"] * 5 + ["again"] * 2 + ["undo"] * 3 + ["undo one"] + ["redo"] * 3)
        known = [name for name, blocks in sorted(self.transcripts.items())
                 if not is_plain or all(block.kind != "write" for block in blocks)]
        if kind == "again" and known:
            return ("apply", self.chance.choice(known))
        if kind == "undo one" and self.model.operations:
            return ("undo", self.chance.choice(sorted(self.model.operations)))
        if kind in ("undo", "redo"):
            return (kind, None)
        return ("apply", self.transcript(is_plain))

    def start(self, what):
        """The command line begins."""
        kind, of = what
        command = [BINARY, kind, "--root", self.root]
        if kind == "apply":
            command += ["--yes", "--allow-caution", "--format", "json", os.path.join(self.root, of)]
        elif of is not None:
            command.append(str(of))
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=self.environment, text=True)

    def end(self, what, process):
        """What the command line has said."""
        out, error = process.communicate(timeout=LIMIT)
        if process.returncode not in (0, 1, 2):
            raise Wrong(f"{what}: exit {process.returncode}: {error}")
        is_busy = BUSY in out + error
        if what[0] != "apply":
            if process.returncode == 2 and not is_busy and "no operation" not in error:
                raise Wrong(f"{what}: exit 2: {error}")
            return Said(process.returncode == 0, is_busy=is_busy, text=out + error)
        blocks = []
        if out.startswith("{"):
            blocks = [at for at, result in enumerate(json.loads(out)["results"]) if result["ok"]]
        elif not is_busy:
            raise Wrong(f"{what} says nothing: exit {process.returncode}: {error}")
        return Said(process.returncode == 0, blocks, is_busy, out + error)

    def ask_server(self, what):
        """What the language server has said."""
        kind, of = what
        try:
            if kind == "apply":
                if of not in self.opened:
                    with open(os.path.join(self.root, of), encoding="utf-8") as file:
                        self.server.open(of, file.read())
                    self.opened.add(of)
                self.server.command("operator.applyAll", {"uri": self.server.uri(of)})
            else:
                self.server.command(f"operator.{kind}", {"id": of} if of else None)
            said = Said(True)
        except client.Refused as error:
            said = Said(False, text=str(error))
        # The answer to this comes after the record is written.
        self.server.command("operator.log")
        return said

    def tell_server(self):
        """Has the server know of what others have changed."""
        now = self.files()
        changed = sorted(path for path in PATHS if now.get(path) != self.told.get(path))
        if self.server and changed:
            self.server.tell(changed)
        self.told = now

    def model_after(self, model, what, said, is_exact, skips=False):
        """Has the model do what was said to be done; `False` where that cannot be."""
        kind, of = what
        if said.is_busy and (is_exact or not said.blocks):
            return not is_exact
        if kind == "apply":
            blocks = self.transcripts[of]
            fitting = set(model.fitting(of, blocks))
            # What was there when a file was to be written whole may have changed since.
            may_be_stale = {at for at, block in enumerate(blocks) if of in self.tried and block.kind == "write"}
            if is_exact and (said.blocks - fitting or not may_be_stale and fitting - said.blocks):
                return False
            return model.apply(of, blocks, said.blocks)
        if kind == "redo":
            return model.redo() == said.is_done
        number = model.newest(skips) if of is None else of
        return (number is not None and model.undo(number)) == said.is_done

    def at_once(self):
        """Two command lines at the same time: what is there is what one after the other leaves."""
        both = [self.draw(False), self.draw(False)]
        if self.chance.random() < 0.3:
            both[1] = both[0]
        running = [self.start(it) for it in both]
        said = [self.end(it, process) for it, process in zip(both, running)]
        self.tried |= {of for kind, of in both if kind == "apply"}
        now, models = self.files(), []
        for base, order in itertools.product(self.maybe, ([0, 1], [1, 0])):
            model = base.copy()
            if all(self.model_after(model, both[at], said[at], False) for at in order) and model.files == now:
                models.append(model)
        self.done["at once, one busy" if any(it.is_busy for it in said) else "at once"] += 1
        if not models:
            raise Wrong(f"no order of {list(zip(both, said))} makes of {self.model.files} what is there: {now}")
        # Which of them has its number first shows in the log, where both orders leave the same.
        log = self.log()
        if not self.keep([it for it in models if self.logged(it) == log]):
            raise Wrong(f"after {list(zip(both, said))} the log is {log}, not {[self.logged(it) for it in models]}")

    def keep(self, models):
        """Goes on with those models that are not equal; whether there is one."""
        self.maybe = list({tuple(it.redoable): it for it in models}.values())
        if self.maybe:
            self.model = self.maybe[0]
        return bool(self.maybe)

    def after_one(self, what, said, is_exact, skips=False):
        """Has the models do what one door has said that it has done; whether one of them fits that."""
        models = [it.copy() for it in self.maybe]
        return self.keep([it for it in models if self.model_after(it, what, said, is_exact, skips) and it.files == self.files()])

    def alone(self):
        """One door, and then it must be exactly as the model says."""
        is_server = self.server is not None and self.chance.random() < 0.5
        what = self.draw(self.server is not None)
        if is_server:
            said = self.by_server(what)
        else:
            said = self.end(what, self.start(what))
        if not self.after_one(what, said, not is_server, skips=is_server):
            raise Wrong(f"{what} by {'the server' if is_server else 'the command line'}: {said}: there is {self.files()}, "
                        f"with {self.state()}")
        self.tried |= {what[1]} if what[0] == "apply" else set()
        self.tell_server()
        self.done["by the server" if is_server else "by a command line"] += 1

    def by_server(self, what):
        """The same through the server, which says of blocks only that all are applied that can be."""
        said = self.ask_server(what)
        if what[0] == "apply":
            name, blocks = what[1], self.transcripts[what[1]]
            fitting = set(self.model.fitting(name, blocks))
            done = {it for it in fitting if (name, it) in self.model.applied()}
            if said.is_done != bool(fitting - done):
                raise Wrong(f"{what} by the server: {said}, with {self.state()}")
            said.blocks = fitting
        return said

    def by_hand(self):
        """A person adds a line to a file."""
        if self.model.files:
            path = self.chance.choice(sorted(self.model.files))
            text = self.model.files[path] + self.token()
            self.write(path, text)
            for model in self.maybe:
                model.by_hand(path, text)
            self.tell_server()
            self.done["by hand"] += 1

    def state(self):
        model = self.model
        return f"{model.files}, {model.operations}, owners {model.owners}, undone {model.undone}, to redo {model.redoable}"

    def log(self):
        """The operations, the oldest first, with whether they are undone."""
        line = [BINARY, "log", "--format", "json", "--root", self.root]
        ran = subprocess.run(line, env=self.environment, capture_output=True, text=True, timeout=LIMIT, check=True)
        operations = json.loads(ran.stdout)["operations"]
        return [(it["id"], os.path.basename(it["transcript"]), it["undone"]) for it in reversed(operations)]

    def logged(self, model):
        return [(it, blocks[0][0], it in model.undone) for it, blocks in model.blocks.items()]

    def check_log(self):
        if self.log() != self.logged(self.model):
            raise Wrong(f"the log is {self.log()}, and not {self.logged(self.model)}")

    def run(self, rounds, until):
        """Does as many rounds as are asked for, and then undoes all that can be undone."""
        for number in range(rounds):
            if time.monotonic() > until:
                break
            if self.chance.random() < 0.05:
                self.by_hand()
            elif self.server is None and self.chance.random() < 0.7:
                self.at_once()
            else:
                self.alone()
            if number % 8 == 7:
                self.check_log()
        self.check_log()
        for _ in range(2 * rounds + 1):
            said = self.end(("undo", None), self.start(("undo", None)))
            if not self.after_one(("undo", None), said, True):
                raise Wrong(f"undo at the end: {said}: there is {self.files()}, with {self.state()}")
            if not said.is_done:
                break
        if self.server:
            self.server.end()

    def remove(self):
        shutil.rmtree(self.base, ignore_errors=True)


def attempt(folder, seed, has_server, until):
    """One workspace: what went wrong in it, if anything, and how much was done."""
    place = Workspace(folder, seed, has_server)
    name = f"seed {seed}, {'a server and a command line' if has_server else 'two command lines'}"
    try:
        place.run(ROUNDS, until)
        place.remove()
        return None, place.done
    except (Wrong, client.Refused, client.Ended, OSError, ValueError, subprocess.SubprocessError) as error:
        return f"{name}: {error} [{place.base}]", place.done
    finally:
        if place.server:
            place.server.kill()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--worlds", type=int, default=40)
    arguments.add_argument("--seconds", type=float, default=120)
    arguments.add_argument("--seed", type=int, default=20261122)
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    given = arguments.parse_args()
    folder = tempfile.mkdtemp(prefix="operator-doors-")
    start, passed, wrong, done = time.monotonic(), 0, [], collections.Counter()
    until = start + given.seconds
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        seeds = range(given.seed, given.seed + given.worlds)
        # After the time nothing is begun.
        tried = lambda seed: attempt(folder, seed, seed % 2 == 1, until) if time.monotonic() < until else None
        for result in pool.map(tried, seeds):
            if result is None:
                continue
            error, counts = result
            done.update(counts)
            if error is None:
                passed += 1
            else:
                wrong.append(error)
                print(error, flush=True)
    if not wrong:
        shutil.rmtree(folder, ignore_errors=True)
    print(", ".join(f"{count} {what}" for what, count in sorted(done.items())))
    print(f"{sum(done.values())} rounds in {time.monotonic() - start:.0f} s, from seed {given.seed}")
    print(f"{passed} passed, {len(wrong)} failed")
    sys.exit(1 if wrong or not passed else 0)


if __name__ == "__main__":
    main()
