"""Lets each git command of `apply --commit` and `history` fail or be killed, and looks at the repository."""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import world

BINARY = os.environ["OPERATOR_LSP"]
GIT = shutil.which("git")
LIMIT = 60
KINDS = ["commit", "undo", "back", "forward", "squash"]
# What a command meets: it does nothing and fails; it does all and fails; who asks for it is killed before it, or after it;
# it is killed as it puts its first file in its place, which leaves the lock that git takes.
HOWS = ["refused", "late", "killed before", "killed after", "git killed"]
RENAMES = "rename,renameat,renameat2"


class Wrong(Exception):
    """What is left is not as it must be."""


def git(root, *arguments, check=True):
    """What a git command prints."""
    line = [GIT, "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments]
    environment = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
    ran = subprocess.run(line, cwd=root, env=environment, capture_output=True, timeout=LIMIT, check=False)
    if check and ran.returncode != 0:
        raise Wrong(f"git {' '.join(arguments)}: {ran.stderr.decode()[-300:]}")
    return ran.stdout.decode().strip()


class Place:
    """A workspace, with a journal of its own, and a `git` that counts."""

    def __init__(self, folder, start=None):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=folder))
        self.root, self.state, self.bin = self.base / "ws", self.base / "state", self.base / "bin"
        self.count = self.base / "count"
        self.bin.mkdir()
        if start:
            subprocess.run(["cp", "-a", start, self.root], check=True)

    def plant(self, at, how):
        """Has the git command of that number meet a fault; none with 0."""
        killed = f"exec strace -f -qq -o /dev/null -e trace={RENAMES} -e inject={RENAMES}:signal=KILL:when=1 {GIT} \"$@\""
        does = {
            "refused": "echo 'fatal: planted' >&2; exit 128",
            "late": f"{GIT} \"$@\"; echo 'fatal: planted' >&2; exit 128",
            "killed before": "kill -KILL $PPID; exit 128",
            "killed after": f"{GIT} \"$@\"; kill -KILL $PPID; exit 128",
            "git killed": killed,
            None: ":",
        }[how]
        script = f"""#!/bin/bash
n=$(( $(cat '{self.count}' 2>/dev/null || echo 0) + 1 ))
echo $n >'{self.count}'
if (( n == {at} )); then {does}; fi
exec {GIT} "$@"
"""
        (self.bin / "git").write_text(script)
        (self.bin / "git").chmod(0o755)

    def run(self, *arguments):
        environment = dict(os.environ, OPERATOR_LSP_STATE_DIR=str(self.state), RUST_BACKTRACE="0",
                           PATH=f"{self.bin}:{os.environ['PATH']}", GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
        return subprocess.run([BINARY, *arguments, "--root", str(self.root)], env=environment, capture_output=True,
                              text=True, timeout=LIMIT, stdin=subprocess.DEVNULL, check=False)

    def files(self):
        return {path: it for path, it in world.look(self.root).items() if not path.startswith(".git")}

    def write(self, path, text):
        (self.root / path).write_text(text)

    def must(self, *arguments):
        ran = self.run(*arguments)
        if ran.returncode != 0:
            raise SystemExit(f"{arguments} fails without a fault: {ran.stdout}{ran.stderr}")

    def remove(self):
        shutil.rmtree(self.base, ignore_errors=True)


class Base:
    """The states that each kind begins and ends with."""

    def __init__(self, folder):
        self.folder = folder
        self.chats = []
        for number in range(3):
            path = os.path.join(folder, f"chat{number}.md")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.transcript(number))
            self.chats.append(path)
        place = Place(folder)
        place.plant(0, None)
        self.make(place)
        self.starts, self.ends, self.calls, self.heads = {}, {}, {}, {}
        self.take(place, "commit")
        self.take(place, "undo")
        # `history undo` wants everything committed, so it is undone and done again.
        place.must("history", "forward")
        self.more(place)
        self.take(place, "back")
        self.take(place, "forward")
        git(place.root, "checkout", "-q", "--", "b.txt")
        (place.root / "w.txt").unlink()
        place.must(*self.apply(1))
        self.take(place, "squash")
        place.remove()

    def transcript(self, number):
        if number:
            return world.insert(10 * number, "a.txt", "one\n", f"more {number}\n")
        return "".join([
            world.insert(1, "a.txt", "one\n", "first\n"),
            world.block(2, "fs.write", path="new.txt", content_b64="new\n"),
            world.block(3, "fs.delete", path="gone.txt"),
            world.block(4, "fs.move", path="move.txt", path_to="deep/moved.txt"),
        ])

    def make(self, place):
        place.root.mkdir()
        git(place.root, "init", "-q", "-b", "main")
        git(place.root, "config", "user.name", "t")
        git(place.root, "config", "user.email", "t@example.com")
        for path in ("a.txt", "b.txt", "c.txt", "gone.txt", "move.txt"):
            place.write(path, f"one\n{path}\n")
        git(place.root, "add", "-A")
        git(place.root, "commit", "-q", "-m", "base")
        # A person's own work: changed, staged in another state than it is in, and untracked.
        place.write("b.txt", "changed by a person\n")
        place.write("c.txt", "staged by a person\n")
        git(place.root, "add", "c.txt")
        place.write("c.txt", "changed after it was staged\n")
        place.write("u.txt", "untracked by a person\n")
        self.work = ["changed by a person\n", "staged by a person\n", "changed after it was staged\n", "untracked by a person\n"]

    def more(self, place):
        """More work that is not committed."""
        place.write("b.txt", "changed later\n")
        place.write("w.txt", "untracked later\n")

    def apply(self, number):
        return ["apply", "--yes", "--allow-caution", "--format", "json", "--commit", self.chats[number]]

    def command(self, kind):
        return self.apply(0) if kind == "commit" else ["history", kind, "--format", "json"]

    def take(self, place, kind):
        """Keeps the state before a command, runs it, and notes what it leaves."""
        start = os.path.join(self.folder, f"start-{kind}")
        subprocess.run(["cp", "-a", str(place.root), start], check=True)
        before = (place.files(), tree(place.root))
        place.count.unlink(missing_ok=True)
        place.must(*self.command(kind))
        self.starts[kind], self.ends[kind] = (start, *before), (place.files(), tree(place.root))
        self.calls[kind] = int(place.count.read_text())
        self.heads[kind] = {before[1], self.ends[kind][1]} | set(git(place.root, "log", "--format=%T").split())

    def work_of(self, kind):
        return self.work + (["changed later\n", "untracked later\n"] if kind in ("back", "forward") else [])


def tree(root):
    return git(root, "rev-parse", "HEAD^{tree}")


def kept(root):
    """The contents that are somewhere: in a file, in the index, or in what a ref or the stash leads to."""
    found = {it[2] for it in world.look(root).values() if it[0] == "file"}
    names = [line.split(" ")[0] for line in git(root, "rev-list", "--objects", "--all").splitlines()]
    if git(root, "rev-parse", "-q", "--verify", "refs/stash", check=False):
        reflog = git(root, "rev-list", "-g", "refs/stash").split()
        names += [line.split(" ")[0] for line in git(root, "rev-list", "--objects", *reflog).splitlines()]
    names += [line.split()[1] for line in git(root, "ls-files", "-s").splitlines()]
    asked = "\n".join(dict.fromkeys(names)) + "\n"
    printed = subprocess.run([GIT, "cat-file", "--batch"], cwd=root, input=asked.encode(), capture_output=True, check=True).stdout
    return found, printed


def check_repository(base, kind, place):
    """Nothing is damaged, nothing of a person's work is gone, and no file is torn."""
    fsck = subprocess.run([GIT, "fsck", "--strict", "--no-dangling"], cwd=place.root, capture_output=True, text=True,
                          timeout=LIMIT, check=False)
    if fsck.returncode != 0:
        raise Wrong(f"damaged: {fsck.stdout[-300:]}{fsck.stderr[-300:]}")
    if tree(place.root) not in base.heads[kind]:
        raise Wrong(f"the branch leads to a tree that nobody has made: {git(place.root, 'log', '--oneline')}")
    files, objects = kept(place.root)
    for text in base.work_of(kind):
        if text.encode() not in files and text.encode() not in objects:
            raise Wrong(f"lost: {text!r} is nowhere")
    _, before, _ = base.starts[kind]
    after, _ = base.ends[kind]
    for path, what in place.files().items():
        if what not in (before.get(path), after.get(path)):
            raise Wrong(f"torn: {path} is {what}")


def go_on(base, kind, how, place):
    """What a person does then: removes git's locks, and does it again, or undoes it."""
    for lock in (place.root / ".git").rglob("*.lock"):
        lock.unlink()
    place.plant(0, None)
    _, before, _ = base.starts[kind]
    if kind == "commit":
        ran = place.run("undo")
        if place.files() != before:
            raise Wrong(f"undo leaves another state: exit {ran.returncode}: {ran.stderr[-300:]}")
        return
    ended = lambda: (place.files(), tree(place.root)) == base.ends[kind]
    if not ended():
        ran = place.run(*base.command(kind))
        # A git that was killed may have left the files that it was to write as changes, which is told with what to do.
        if (kind, how) == ("undo", "git killed") and "git/changed-since" in ran.stdout and "`history back`" in ran.stdout:
            ran = place.run(*base.command("back"))
        if not ended():
            said = ran.stdout + ran.stderr
            raise Wrong(f"done again it leaves another state: exit {ran.returncode}: {said[-600:]}: "
                        f"{git(place.root, 'status', '--short')}: {git(place.root, 'log', '--oneline')}")
    check_repository(base, kind, place)


def attempt(base, case):
    kind, at, how = case
    name = f"{kind}, git command {at} of {base.calls[kind]} {how}"
    place = Place(base.folder, base.starts[kind][0])
    try:
        place.plant(at, how)
        ran = place.run(*base.command(kind))
        if how.startswith("killed") and ran.returncode != -signal.SIGKILL:
            raise Wrong(f"it was not killed: exit {ran.returncode}")
        check_repository(base, kind, place)
        if ran.returncode == 0 and (place.files(), tree(place.root)) != base.ends[kind]:
            raise Wrong(f"says that all is done, and it is not: {ran.stdout[-600:]}")
        if ran.returncode not in (0, 1, 2, -signal.SIGKILL):
            raise Wrong(f"exit {ran.returncode}: {ran.stderr[-300:]}")
        go_on(base, kind, how, place)
        place.remove()
        return None
    except (Wrong, subprocess.SubprocessError, OSError, ValueError) as error:
        return f"{name}: {error} [{place.base}]"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--sample", type=int)
    arguments.add_argument("--seed", type=int, default=13)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    given = arguments.parse_args()
    folder = tempfile.mkdtemp(prefix="operator-git-")
    base = Base(folder)
    cases = [(kind, at, how) for kind in KINDS for at in range(1, base.calls[kind] + 1) for how in HOWS]
    cases = [it for it in cases if given.only in f"{it[0]} {it[2]}"]
    print(", ".join(f"{kind} {calls}" for kind, calls in base.calls.items()), "git commands")
    if given.sample and given.sample < len(cases):
        step = len(cases) / given.sample
        cases = [cases[int(given.seed % step + n * step) % len(cases)] for n in range(given.sample)]
    start, wrong = time.monotonic(), []
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for result in pool.map(lambda case: attempt(base, case), cases):
            if result:
                wrong.append(result)
                print(result, flush=True)
    if not wrong:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(cases)} runs in {time.monotonic() - start:.0f} s")
    print(f"{len(cases) - len(wrong)} passed, {len(wrong)} failed")
    sys.exit(1 if wrong or not cases else 0)


if __name__ == "__main__":
    main()
