"""Lets system calls of the commands that write fail, and looks at what is left."""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import world

BINARY = os.environ["OPERATOR_LSP"]
PREFIX = ".operator-lsp-"
# What opens, reads, changes and makes durable; memory, signals and time are left out.
CALLS = """openat openat2 open close read pread64 write pwrite64 writev fsync fdatasync rename renameat
renameat2 unlink unlinkat rmdir mkdir mkdirat link linkat symlinkat ftruncate fchmod fchmodat fchown
statx newfstatat fstat lseek getdents64 readlinkat readlink flistxattr fgetxattr fsetxattr
fremovexattr flock copy_file_range sendfile utimensat clone3""".split()
# What undo may find after a run that failed: nothing on record, or nothing left to be done.
LIMIT = 60
KINDS = ["apply", "undo", "redo", "structure"]
# A structure goes from one file to another, so that two are written.
MOVE = ["structure", "move-after", "shapes/a.py", "--target", "one", "--dest-path", "shapes/b.py", "--dest-target", "three"]
# Without these nothing can be looked at.
BLINDING = ("openat2", "openat", "statx", "fstat", "read")


class Wrong(Exception):
    """What is left is not as it must be."""


class Place:
    """A copy of the workspace, and a place for its journal."""

    def __init__(self, base, elsewhere):
        self.base = tempfile.mkdtemp(prefix="run-", dir=base.folder)
        self.root = os.path.join(self.base, "ws")
        subprocess.run(["cp", "-a", base.root, self.root], check=True)
        parent = elsewhere or self.base
        self.state = tempfile.mkdtemp(prefix="state-", dir=parent)
        self.chat = base.chat

    def reset(self, base):
        """Begins anew, at the same paths."""
        self.remove()
        os.mkdir(self.base)
        subprocess.run(["cp", "-a", base.root, self.root], check=True)
        os.mkdir(self.state, 0o700)

    def remove(self):
        shutil.rmtree(self.base, ignore_errors=True)
        shutil.rmtree(self.state, ignore_errors=True)

    def run(self, *arguments, fault=None, trace=None):
        command = [BINARY, *arguments, "--root", self.root]
        if arguments[0] == "apply":
            command.append(self.chat)
        strace = ["strace", "-f", "-qq", "-o", trace or "/dev/null"]
        kills = fault and fault[1].startswith("signal")
        if not kills:
            # Faster; but on some kernels a signal is not sent then, and no word is said of it.
            strace.insert(3, "--seccomp-bpf")
        if fault:
            call, what, when = fault
            command = [*strace, "-e", f"trace={call}", "-e", f"inject={call}:{what}:when={when}"] + command
        elif trace:
            command = [*strace, "-e", f"trace={','.join(CALLS)}"] + command
        environment = dict(os.environ, OPERATOR_LSP_STATE_DIR=self.state, RUST_BACKTRACE="0")
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT,
                              stdin=subprocess.DEVNULL, check=False)


class Base:
    """The workspace as it is before and after, and how apply is called."""

    def __init__(self, folder):
        self.folder = folder
        self.root = os.path.join(folder, "before")
        os.mkdir(self.root)
        world.make(self.root)
        self.chat = os.path.join(folder, "chat.md")
        self.blocks = world.transcript()
        with open(self.chat, "w", encoding="utf-8") as file:
            file.write("".join(text for _, text in self.blocks))
        help_text = subprocess.run([BINARY, "apply", "--help"], capture_output=True, text=True, check=True)
        self.apply = ["apply", "--yes", "--format", "json"]
        if "--allow-caution" in help_text.stdout:
            self.apply.append("--allow-caution")
        self.before = world.look(self.root)
        place = Place(self, None)
        ran = place.run(*self.apply)
        if ran.returncode != 0:
            raise SystemExit(f"apply does not work without faults:\n{ran.stdout}\n{ran.stderr}")
        self.after = world.look(place.root)
        undone = place.run("undo")
        if undone.returncode != 0 or world.look(place.root) != self.before:
            raise SystemExit(f"undo does not work without faults: {undone.stderr}")
        redone = place.run("redo")
        if redone.returncode != 0 or world.look(place.root) != self.after:
            raise SystemExit(f"redo does not work without faults: {redone.stderr}")
        place.remove()
        place = Place(self, None)
        ran = place.run(*MOVE)
        if ran.returncode != 0:
            raise SystemExit(f"structure does not work without faults: {ran.stderr}")
        self.moved = world.look(place.root)
        place.remove()

    def commands(self, kind):
        """What comes before a command of a kind, the command, and what it leaves."""
        return {
            "apply": ([], self.apply, self.after),
            "undo": ([self.apply], ["undo"], self.before),
            "redo": ([self.apply, ["undo"]], ["redo"], self.after),
            "structure": ([], MOVE, self.moved),
        }[kind]

    def counts(self, kind, elsewhere):
        """The first and the last call of each kind that is made once the workspace is looked at.

        strace counts the calls of each thread by itself; all but some syncs are the first thread's.
        """
        place = Place(self, elsewhere)
        trace = os.path.join(self.folder, "trace")
        earlier, command, _ = self.commands(kind)
        for other in earlier:
            place.run(*other)
        place.run(*command, trace=trace)
        early, all_calls, main = {}, collections.Counter(), None
        with open(trace, encoding="utf-8", errors="replace") as file:
            for line in file:
                found = re.match(r"(\d+) +(\w+)\(", line)
                if not found:
                    continue
                thread, call = found.groups()
                main = main or thread
                if not early.get("seen") and (place.root in line or place.state in line):
                    early = {"seen": True, **all_calls}
                all_calls[(thread, call)] += 1
        place.remove()
        counts = {}
        for (_, call), number in all_calls.items():
            first, last = counts.get(call, (early.get((main, call), 0) + 1, 0))
            counts[call] = (first, max(last, number))
        return counts


def temporaries(seen):
    return [path for path in seen if PREFIX in path]


def is_whole(base, seen):
    """Every file is the old one or the new one, or one of those that a rename is moving."""
    for path, what in seen.items():
        if PREFIX in path:
            continue
        known = [base.before.get(path), base.after.get(path), base.moved.get(path)]
        if path == "run2.sh":
            # The copy of a file whose edit before it has failed.
            known.append(base.before["run.sh"])
        # What is moved and edited has one of its contents at one of its paths meanwhile.
        for old, new in (("movedir", "movedir2"), ("src/f9.py", "src/g9.py")):
            for one, other in ((old, new), (new, old)):
                if path == one or path.startswith(one + "/"):
                    there = other + path[len(one):]
                    known += [base.before.get(there), base.after.get(there)]
        if what[0] == "directory":
            if all(it is None or it[0] != "directory" for it in known):
                raise Wrong(f"torn: the directory {path}")
            continue
        if what not in known:
            # A file is given its mode before it has its name, so that this is all.
            raise Wrong(f"torn: {path} is {what}")
        if what[0] == "file" and (what[2].count(b"import sys") > 1 or what[2].count(b"more") > 1):
            raise Wrong(f"twice: {path}")


def covers(entries, path):
    return any(path == it or path.startswith(it + "/") for it in entries)


def is_true(base, ran, seen, is_mute, is_blind):
    """Standard output and the exit code say what the disk shows."""
    if ran.returncode not in (0, 1, 2):
        raise Wrong(f"exit {ran.returncode}: {ran.stderr[-300:]}")
    files = {path: it for path, it in seen.items() if PREFIX not in path}
    if "cannot write the output" in ran.stderr:
        return
    if not ran.stdout.startswith("{"):
        if is_mute:
            return
        if files != base.before:
            raise Wrong(f"says nothing, and files have changed: {ran.stderr[-300:]}")
        return
    try:
        said = json.loads(ran.stdout)
    except ValueError:
        # The rest could not be written, nor that it could not.
        if is_mute and ran.returncode == 2:
            return
        raise Wrong(f"exit {ran.returncode}, and the output is cut: {ran.stdout[-100:]} {ran.stderr[-300:]}") from None
    if ran.returncode == 2 and "error" in said:
        if files != base.before:
            raise Wrong(f"says that it could not run, and files have changed: {said}")
        return
    for number, result in enumerate(said["results"]):
        if not result["ok"]:
            continue
        for path in base.blocks[number][0]:
            later = [it for paths, _ in base.blocks[number + 1:] for it in paths]
            if any(covers([path], it) or covers([it], path) for it in later):
                continue
            # A copy is one of what is there, also where an edit before it has failed.
            is_copy = path == "run2.sh" and files.get(path) == files.get("run.sh")
            if files.get(path) != base.after.get(path) and not is_copy:
                raise Wrong(f"block {number} is ok, and {path} is not as it says")
    changed = {it for entry in said["changed"] for it in (entry["path"], entry.get("from")) if it}
    differ = {path for path in base.before.keys() | files.keys()
              if files.get(path) != base.before.get(path)}
    for path in differ:
        # A directory on the way to a new file goes without saying, also where only the file's name is known.
        below = [it for it in differ | changed if it.startswith(path + "/")]
        is_parent = files.get(path, ("",))[0] == "directory" and below
        if not covers(changed, path) and not is_parent:
            raise Wrong(f"{path} has changed, and it is not said: {sorted(changed)}")
    # Where nothing can be looked at any more, what is on record may have changed, and is named.
    for path in () if is_blind else changed:
        if not any(it == path or it.startswith(path + "/") for it in differ):
            raise Wrong(f"{path} is said to have changed, and it has not")


def is_said(base, ran, seen, is_mute):
    """A structure operation says whether it is done, and which files it could not put back."""
    if ran.returncode not in (0, 1, 2):
        raise Wrong(f"exit {ran.returncode}: {ran.stderr[-300:]}")
    if ran.returncode == 0 or is_mute or "cannot write the output" in ran.stderr:
        return
    for path in base.before.keys() | seen.keys():
        if PREFIX not in path and seen.get(path) != base.before.get(path) and path not in ran.stderr:
            raise Wrong(f"{path} has changed, and it is not said: {ran.stderr[-300:]}")


def is_undone(base, place, ran):
    seen = world.look(place.root)
    if temporaries(seen):
        raise Wrong(f"temporary files: {temporaries(seen)}")
    if seen != base.before:
        differ = sorted(path for path in base.before.keys() | seen.keys()
                        if seen.get(path) != base.before.get(path))
        raise Wrong(f"lost: undo leaves {differ}: exit {ran.returncode}, {ran.stderr[-300:]}")
    if ran.returncode != 0 and "nothing to" not in ran.stderr:
        raise Wrong(f"undo says: exit {ran.returncode}, {ran.stderr[-300:]}")


def is_redone(base, place, ran, is_sure):
    seen = world.look(place.root)
    if temporaries(seen):
        raise Wrong(f"temporary files: {temporaries(seen)}")
    # What could not be kept, or looked at, while nothing could be written or read cannot be redone.
    refused = any(it in ran.stderr for it in ["nothing to redo", "is not kept", "could not be read after the undo"])
    expected = base.after if ran.returncode == 0 else base.before
    if ran.returncode != 0 and (is_sure or not refused) or seen != expected:
        differ = sorted(path for path in expected.keys() | seen.keys() if seen.get(path) != expected.get(path))
        raise Wrong(f"lost: redo leaves {differ}: exit {ran.returncode}, {ran.stderr[-300:]}")


def attempt(base, case):
    """One run with a fault, and what comes after it."""
    name, kind, elsewhere, fault, number = case
    place = Place(base, elsewhere)
    try:
        earlier, command, expected = base.commands(kind)
        for other in earlier:
            place.run(*other)
        ran = place.run(*command, fault=fault)
        if "signal" in fault[1] and ran.returncode != -signal.SIGKILL:
            raise Wrong(f"it was not killed: exit {ran.returncode}")
        seen = world.look(place.root)
        is_whole(base, seen)
        if "signal" not in fault[1]:
            files = {p: w for p, w in seen.items() if PREFIX not in p}
            if ran.returncode == 0 and files != expected:
                raise Wrong(f"{kind} says that all is done, and it is not")
            is_for_good = fault[2].endswith("+")
            # Where nothing can be written any more, nothing can be said.
            is_mute = is_for_good and fault[0].startswith("write")
            if kind == "apply":
                is_true(base, ran, seen, is_mute, is_blind=is_for_good and fault[0] in BLINDING)
            elif kind == "structure":
                is_said(base, ran, seen, is_mute)
        if number % 2 and kind == "apply" and "signal" in fault[1]:
            # Another run comes first, and is undone first.
            other = os.path.join(place.base, "other.md")
            with open(other, "w", encoding="utf-8") as file:
                file.write(world.block(99, "fs.write", path="another.txt", content_b64="x\n"))
            place.chat = other
            ran = place.run(*base.apply)
            if ran.returncode != 0:
                raise Wrong(f"the next run fails: {ran.stderr[-300:]}")
            if temporaries(world.look(place.root)):
                raise Wrong("the next run leaves temporary files")
            place.run("undo")
        is_undone(base, place, place.run("undo"))
        if kind in ("undo", "redo"):
            is_redone(base, place, place.run("redo"), "signal" in fault[1])
        place.remove()
        return None
    except (Wrong, subprocess.TimeoutExpired, OSError, ValueError) as error:
        return f"{name}: {error} [{place.base}]"


# To be killed before a call that only looks is to be killed before the next one that changes something.
LOOKS = set("""read pread64 statx newfstatat fstat lseek getdents64 readlinkat readlink flistxattr fgetxattr
flock""".split())
# The errors that a call may report, besides EIO, which all of them may.
ERRORS = {
    "ENOSPC": """openat openat2 open write pwrite64 writev fsync fdatasync rename renameat renameat2 mkdir
        mkdirat linkat symlinkat ftruncate fsetxattr copy_file_range sendfile""",
    "EACCES": """openat openat2 open rename renameat renameat2 unlink unlinkat rmdir mkdir mkdirat link linkat
        symlinkat statx newfstatat readlinkat readlink""",
    "EINTR": """openat openat2 open read pread64 write pwrite64 writev fsync fdatasync ftruncate flock getdents64
        copy_file_range sendfile""",
}
# What fails for good: not EINTR, after which a call is made again until it is not interrupted.
LASTING = ["EIO", "ENOSPC", "EMFILE", "EACCES"]


def reports(call, error):
    return error not in ERRORS or call in ERRORS[error].split()


def faults(call):
    errors = [it for it in ("EIO", *ERRORS) if reports(call, it)]
    return (["signal=KILL"] if call not in LOOKS else []) + [f"error={it}" for it in errors]


def plan(base, places):
    """Every run: a name, the command, where the journal is, the fault, a number."""
    cases = []
    for label, elsewhere in places:
        for kind in KINDS:
            counts = base.counts(kind, elsewhere)
            for call in sorted(counts):
                first, last = counts[call]
                for what in faults(call):
                    for when in range(first, last + 1):
                        cases.append((kind, label, elsewhere, (call, what, str(when))))
                step = max(1, (last - first + 1) // 6)
                for when in range(first, last + 1, step):
                    for error in LASTING:
                        if reports(call, error):
                            cases.append((kind, label, elsewhere, (call, f"error={error}", f"{when}+")))
    named = []
    for number, (kind, label, elsewhere, fault) in enumerate(cases):
        name = f"{kind} {label} {fault[0]} {fault[1]} {fault[2]}"
        named.append((name, kind, elsewhere, fault, number))
    return named


def stubborn(base):
    """30 edits and a deletion that fails, while somebody else changes one of the files."""
    place = Place(base, None)
    text = ""
    for number in range(30):
        path = os.path.join(place.root, f"many/f{number}.py")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("import os\n")
        text += world.insert(number, f"many/f{number}.py", "import os\n", "import sys\n")
    text += world.block(30, "fs.delete", path="gone.txt")
    place.chat = os.path.join(place.base, "chat.md")
    with open(place.chat, "w", encoding="utf-8") as file:
        file.write(text)
    before = world.look(place.root)
    first = os.path.join(place.root, "many/f0.py")

    def touch():
        until = time.monotonic() + LIMIT
        while time.monotonic() < until:
            with open(first, "r+", encoding="utf-8") as file:
                if "import sys" in file.read():
                    file.write("# theirs\n")
                    return
            time.sleep(0.005)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        touched = pool.submit(touch)
        # The 31st rename is the deletion: it takes its time, and fails.
        ran = place.run(*base.apply, fault=("renameat2", "error=EPERM:delay_enter=1500000", "31"))
        touched.result()
    try:
        said = json.loads(ran.stdout)
        seen = world.look(place.root)
        changed = [entry["path"] for entry in said["changed"]]
        differ = [path for path in before if seen.get(path) != before[path]]
        if ran.returncode != 1 or any(it["ok"] for it in said["results"]):
            raise Wrong(f"exit {ran.returncode}, {sum(it['ok'] for it in said['results'])} blocks are ok")
        if differ != ["many/f0.py"] or changed != differ:
            raise Wrong(f"changed are {differ}, said are {changed}")
        if seen["many/f0.py"][2].count(b"import sys") != 1:
            raise Wrong("twice: many/f0.py")
        undone = place.run("undo")
        if undone.returncode != 1 or "many/f0.py" not in undone.stderr:
            raise Wrong(f"undo: exit {undone.returncode}, {undone.stderr}")
        place.remove()
        return None
    except Wrong as error:
        return f"a deletion that fails while a file is changed: {error} [{place.base}]"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--sample", type=int)
    arguments.add_argument("--seed", type=int, default=13)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    given = arguments.parse_args()
    folder = tempfile.mkdtemp(prefix="operator-fault-")
    base = Base(folder)
    places = [("same", None)]
    if os.path.isdir("/dev/shm") and os.stat("/dev/shm").st_dev != os.stat(folder).st_dev:
        places.append(("other", "/dev/shm"))
    cases = [case for case in plan(base, places) if given.only in case[0]]
    everything = len(cases)
    if given.sample and given.sample < everything:
        step = everything / given.sample
        cases = [cases[int(given.seed % step + n * step) % everything] for n in range(given.sample)]
        print(f"{len(cases)} of {everything} runs, seed {given.seed}")
    wrong = [] if given.only else [it for it in [stubborn(base)] if it]
    passed = 0 if given.only else 1 - len(wrong)
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for number, result in enumerate(pool.map(lambda case: attempt(base, case), cases), 1):
            if result is None:
                passed += 1
            else:
                wrong.append(result)
                print(result, flush=True)
            if number % 500 == 0:
                print(f"{number} of {len(cases)}, {len(wrong)} failed, {time.monotonic() - start:.0f} s", flush=True)
    kinds = collections.Counter(kind for it in wrong for kind in ("torn", "lost", "twice") if f" {kind}:" in it)
    print(f"{len(cases)} runs in {time.monotonic() - start:.0f} s: {kinds['torn']} torn, {kinds['lost']} lost, {kinds['twice']} done twice")
    if not wrong:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {len(wrong)} failed")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
