"""Lets the calls fail that a language server makes below its state folder, or kills it there, and looks at what it knows then."""

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import client
import fault
import world
from fault import BINARY, Wrong

CHAT = "chat.md"
# What the server does in one run, each by a command of the client.
STEPS = ["applyAll", "undo", "redo"]


class Place:
    """A workspace that is always at the same path, since the state folder has a name made of that."""

    def __init__(self, folder):
        self.root, self.state = os.path.join(folder, "ws"), os.path.join(folder, "state")
        self.text = world.insert(1, "a.txt", "one\n", "more\n") + world.block(2, "fs.write", path="new.txt", content_b64="new\n")
        self.before = {"a.txt": "one\ntwo\n"}
        self.twice = {"a.txt": "one\nmore\nmore\ntwo\n", "new.txt": "new\n"}
        self.after = {"a.txt": "one\nmore\ntwo\n", "new.txt": "new\n"}

    def begin(self):
        for folder in (self.root, self.state):
            shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(self.root)
        self.write("a.txt", self.before["a.txt"])
        self.write(CHAT, self.text)

    def write(self, path, text):
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
            file.write(text)

    def files(self):
        found = {}
        for name in os.listdir(self.root):
            if name != CHAT:
                with open(os.path.join(self.root, name), encoding="utf-8") as file:
                    found[name] = file.read()
        return found

    def environment(self):
        return dict(os.environ, OPERATOR_LSP_STATE_DIR=self.state, RUST_BACKTRACE="0")

    def serve(self, *before):
        server = client.Client([*before, BINARY], self.root, self.environment())
        server.open(CHAT, self.text)
        return server

    def apply_shown(self, files):
        """Applies all in an editor that shows these files."""
        server = self.serve()
        for path, text in files.items():
            server.open(path, text)
        self.command(server, "applyAll")
        server.end()

    def command(self, server, name):
        server.command(f"operator.{name}", {"uri": server.uri(CHAT)})

    def undo(self):
        return subprocess.run([BINARY, "undo", "--root", self.root], env=self.environment(), capture_output=True,
                              text=True, timeout=fault.LIMIT, stdin=subprocess.DEVNULL, check=False)


def do(place, server, done):
    """Has the server apply, undo and redo; notes what it has said of each."""
    for step in STEPS:
        place.command(server, step)
        done.append(step)
        # The answer comes once the record is written, or cannot be.
        server.command("operator.log")
    server.end()


def calls(place):
    """The calls below the state folder, how often each is made, and the paths."""
    place.begin()
    trace = os.path.join(os.path.dirname(place.root), "trace")
    tool = ["strace", "-f", "-qq", "-y", "-s", "1", "-o", trace, "-e", "trace=" + ",".join(fault.CALLS)]
    server = place.serve(*tool)
    do(place, server, [])
    if place.files() != place.after:
        raise SystemExit(f"without a fault there is {place.files()}")
    counts, paths = collections.Counter(), set()
    with open(trace, encoding="utf-8", errors="replace") as file:
        for line in file:
            found = re.findall(re.escape(place.state) + r"[^\"<>]*", line)
            paths.update(found)
            name = re.match(r"\d+ +(\w+)\(", line)
            if name and found:
                counts[name.group(1)] += 1
    return counts, sorted(paths)


def attempt(place, paths, call, what, when):
    """One run with a fault, and what another server and the command line know then.

    `known`: all. `told`: nothing can be written any more, and the user was told.
    """
    place.begin()
    trace = os.path.join(os.path.dirname(place.root), "trace")
    tool = ["strace", "-f", "-qq", "-o", trace]
    tool += [it for path in paths for it in ("-P", path)]
    tool += ["-e", f"trace={call}", "-e", f"inject={call}:{what}:when={when}"]
    done, server = [], None
    try:
        server = place.serve(*tool)
        do(place, server, done)
    except client.Refused:
        pass
    except client.Ended:
        if "signal" not in what:
            raise Wrong("the server has ended") from None
    finally:
        if server:
            server.kill()
    now = place.files()
    # The calls of each thread are counted by themselves, and syncs that wait together have threads of their own: what is to
    # fail once may fail in each attempt.
    with open(trace, encoding="utf-8", errors="replace") as file:
        is_lasting = str(when).endswith("+") or sum("(INJECTED)" in line for line in file) > 1
    if now not in (place.before, place.after):
        raise Wrong(f"torn: {now}")
    is_told = any("on record" in it or "cannot be undone" in it for it in server.shown)
    if is_told and not is_lasting:
        raise Wrong(f"told of what the next attempt has written: {server.shown}")
    again = place.serve()
    try:
        place.command(again, "applyAll")
    except client.Refused:
        pass
    again.command("operator.log")
    again.end()
    then = place.files()
    if then == place.twice:
        if is_lasting and is_told:
            return "told"
        raise Wrong(f"twice: after {done} it said {server.shown}")
    is_whole = all(then.get(path) in (place.before.get(path), text) for path, text in place.after.items())
    if then != place.after and is_whole and is_lasting and is_told:
        # That it was undone could not be written, either: an editor may hold the text of a file that is not open here, and
        # none holds one that is not there. What an editor shows is known.
        place.apply_shown(then)
        if place.files() != place.after:
            raise Wrong(f"open files do not count: after {done} {then}, and then {place.files()}")
        return "told"
    if then != place.after:
        raise Wrong(f"after {done} it said {server.shown}, and another server leaves {then}")
    ran = place.undo()
    if place.files() != place.before:
        if is_lasting and is_told:
            return "told"
        raise Wrong(f"lost: after {done} it said {server.shown}: undo leaves {place.files()}: exit {ran.returncode}: "
                    f"{ran.stderr[-300:]}")
    return "known"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--sample", type=int)
    arguments.add_argument("--seed", type=int, default=13)
    arguments.add_argument("--only", default="")
    given = arguments.parse_args()
    folder = tempfile.mkdtemp(prefix="operator-recorder-")
    place = Place(folder)
    counts, paths = calls(place)
    cases = [(call, what, when) for call in sorted(counts) for what in fault.faults(call)
             for when in range(1, counts[call] + 1)]
    cases += [(call, what, f"{when}+") for call in sorted(counts) for what in ("error=EIO", "error=ENOSPC")
              for when in range(1, counts[call] + 1, max(1, counts[call] // 6))]
    cases = [it for it in cases if given.only in " ".join(map(str, it))]
    everything = len(cases)
    if given.sample and given.sample < everything:
        step = everything / given.sample
        cases = [cases[int(given.seed % step + n * step) % everything] for n in range(given.sample)]
        print(f"{len(cases)} of {everything} runs, seed {given.seed}")
    start, wrong, ends = time.monotonic(), 0, collections.Counter()
    for case in cases:
        try:
            ends[attempt(place, paths, *case)] += 1
        except (Wrong, client.Refused, client.Ended, OSError, subprocess.SubprocessError) as error:
            wrong += 1
            print(f"{' '.join(map(str, case))}: {error}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    print(f"{ends['told']} times nothing could be written any more, which was said")
    print(f"{len(cases)} runs in {time.monotonic() - start:.0f} s")
    print(f"{len(cases) - wrong} passed, {wrong} failed")
    sys.exit(1 if wrong or not cases else 0)


if __name__ == "__main__":
    main()
