"""Cuts the power at each call of the commands that write, with what was not synced there or lost, and looks at what is left."""

import argparse
import concurrent.futures
import hashlib
import itertools
import os
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
import time

import fault
import model
import world
from fault import PREFIX, Wrong

# Commands that follow one another; each row begins with the workspace as it is before.
ROWS = [
    [("apply", None), ("undo", None), ("redo", None)],
    [("structure", None)],
    # The new files are written, and none is put in its place.
    [("structure", "renameat2:error=EIO:when=1")],
    [("structure", "renameat2:signal=KILL:when=1"), ("structure", None)],
]
# Where there are no more possibilities than these of what is left, all are tried; else so many by chance.
FEW = 32
BY_CHANCE = 3


class Cut:
    """What is left of a run whose power was cut."""

    def __init__(self, name, tree, expected=None):
        self.name, self.tree = name, tree
        # The files that must be there: the run has said that all is done.
        self.expected = expected
        said = hashlib.sha256(repr(sorted(tree.items())).encode())
        said.update(repr(expected is None).encode())
        self.digest = said.digest()


def lost(node):
    return node.synced or (b"", node.first, {})


def kept(node):
    return (node.data, node.mode, node.extended)


def torn(node):
    """Half of what was not synced."""
    data, mode, extended = lost(node)
    if node.data.startswith(data):
        data = node.data[:(len(data) + len(node.data)) // 2]
    return (data, mode, extended)


def left_by(disk, name, seed):
    """Everything that may be left, as far as it is tried, with how that came to be."""
    yield "nothing else", disk.crash(lambda _: False, lost)
    yield "the names", disk.crash(lambda _: True, lost)
    yield "the names and half of the bytes", disk.crash(lambda _: True, torn)
    yield "the bytes", disk.crash(lambda _: False, kept)
    yield "all", disk.crash(lambda _: True, kept)
    yield from some(disk, f"{seed} {name}")


def some(disk, seed):
    """Some of what was not synced: each possibility, or a few by chance, which are the same for the same calls."""
    files = disk.unsynced()
    survivals = list(itertools.islice(disk.survivals(), FEW + 1))
    if len(survivals) * 3 ** len(files) <= FEW:
        ways = list(itertools.product(survivals, itertools.product([lost, torn, kept], repeat=len(files))))
    else:
        chance = random.Random(seed)
        ways = [([chance.random() < 0.5 for _ in disk.pending], [chance.choice([lost, torn, kept]) for _ in files])
                for _ in range(BY_CHANCE)]
    for number, (survives, contents) in enumerate(ways):
        content = {id(file): how for file, how in zip(files, contents)}
        tree = disk.crash(lambda at, it=survives: it[at], lambda node, it=content: it.get(id(node), kept)(node))
        yield f"some, {number} of {len(ways)}", tree


def traced(place, command, meets):
    """Runs a command, and gives its calls and its exit code."""
    trace = os.path.join(place.base, "trace")
    line = [fault.BINARY, *command, "--root", place.root]
    if command[0] == "apply":
        line.append(place.chat)
    tool = ["strace", "-f", "-qq", "-xx", "-s", str(1 << 24), "-o", trace]
    tool += ["-e", f"inject={meets}"] if meets else ["--seccomp-bpf"]
    environment = dict(os.environ, OPERATOR_LSP_STATE_DIR=place.state, RUST_BACKTRACE="0")
    ran = subprocess.run([*tool, "-e", "trace=" + ",".join(model.CALLS), *line], env=environment, capture_output=True,
                         text=True, timeout=fault.LIMIT, stdin=subprocess.DEVNULL, check=False)
    if (ran.returncode != 0) != bool(meets):
        raise SystemExit(f"{command[0]} with the fault {meets}: exit {ran.returncode}, {ran.stderr}")
    return model.calls(trace), ran.returncode


def check_model(disk, place):
    """The model and the disk must be the same, or the model is wrong."""
    seen = {}
    for folder in (place.root, place.state):
        seen.update({f"{folder}/{path}": what for path, what in world.look(folder).items()})
    modelled = {path: what for path, what in disk.now().items() if path not in (place.root, place.state)}
    for path in sorted(seen.keys() | modelled.keys()):
        one, other = seen.get(path), modelled.get(path)
        same = one and other and one[:2] == other[:2] if one and one[0] != "file" else (
            one and other and one[2] == other[1] and one[1] == other[2])
        if not same and path != os.path.join(place.state, "lock"):
            raise SystemExit(f"the model is not the disk: {path}: {str(one)[:300]}, {str(other)[:300]}")


def cuts(base, place, seed):
    """Everything that a power cut may leave of the commands of each row; each tree once."""
    seen = set()
    for row in ROWS:
        place.reset(base)
        disk = model.Disk([place.root, place.state])
        for kind, meets in row:
            for cut in cuts_of(base, place, disk, kind, meets, seed):
                if cut.expected is not None or cut.digest not in seen:
                    seen.add(cut.digest)
                    yield cut


def cuts_of(base, place, disk, kind, meets, seed):
    """Everything that a power cut may leave of one command, which is run once."""
    _, command, expected = base.commands(kind)
    name = f"{kind} with {meets}" if meets else kind
    disk.begin()
    number = 0
    calls, code = traced(place, command, meets)
    for call, given, result in calls:
        if not disk.take(call, given, result):
            continue
        number += 1
        for how, tree in left_by(disk, f"{name} {number}", seed):
            yield Cut(f"{name} {number} {call}, {how} is there", tree)
    check_model(disk, place)
    if code >= 0:
        for how, tree in left_by(disk, name, seed):
            yield Cut(f"{name} done, {how} is there", tree, base.before if code else expected)


def put_there(place, tree):
    """Makes the disk as the power cut has left it."""
    for folder in (place.root, place.state):
        shutil.rmtree(folder)
    for path, (kind, *what) in sorted(tree.items()):
        if kind == "directory":
            os.mkdir(path)
        elif kind == "link":
            os.symlink(what[0], path)
        else:
            data, mode, extended = what
            with open(path, "wb") as file:
                file.write(data)
            for name, value in extended.items():
                os.setxattr(path, name, value)
            os.chmod(path, mode)
    for path, (kind, *what) in sorted(tree.items(), reverse=True):
        if kind == "directory":
            os.chmod(path, what[0])


def attempt(base, place, cut):
    """Looks at what is left, and undoes it."""
    try:
        put_there(place, cut.tree)
        seen = world.look(place.root)
        fault.is_whole(base, seen)
        for path in base.before.keys() & base.after.keys() - seen.keys():
            if base.after[path][0] == "file":
                raise Wrong(f"torn: {path} is not there")
        files = {path: it for path, it in seen.items() if PREFIX not in path}
        if cut.expected is not None and files != cut.expected:
            differ = sorted(path for path in files.keys() | cut.expected.keys()
                            if files.get(path) != cut.expected.get(path))
            raise Wrong(f"lost: it has said that all is done: {differ}")
        ran = place.run("undo")
        fault.is_undone(base, place, ran)
        return None
    except (Wrong, OSError, subprocess.TimeoutExpired) as error:
        if not place.kept_at:
            return f"{cut.name}: {error}"[:2000]
        with tempfile.NamedTemporaryFile(prefix="cut-", dir=place.kept_at, delete=False) as file:
            pickle.dump((place.root, place.state, base, cut), file)
        return f"{cut.name}: {error}"[:2000] + f" [{file.name}]"


def once_more(path):
    """A power cut that was kept since it left what it must not: at the same paths, since the journal knows them."""
    with open(path, "rb") as file:
        root, state, base, cut = pickle.load(file)
    place = fault.Place.__new__(fault.Place)
    place.root, place.state, place.kept_at = root, state, None
    for folder in (root, state):
        os.makedirs(folder)
    wrong = attempt(base, place, cut)
    for folder in (os.path.dirname(root), state):
        shutil.rmtree(folder)
    print(wrong or "it leaves nothing that it must not")
    print(f"{int(not wrong)} passed, {int(bool(wrong))} failed")
    sys.exit(1 if wrong else 0)


def lane(given):
    """One share of the runs: a power cut is tried where the run was, since the journal knows the path."""
    base, elsewhere, number, options = given
    place = fault.Place(base, elsewhere)
    place.kept_at = options.found
    all_cuts = [it for it in cuts(base, place, options.seed) if options.only in it.name]
    share = all_cuts[number::options.jobs]
    if options.sample:
        most = max(1, options.sample // options.jobs)
        step = max(1, len(share) / most)
        # What must be there at the end is always looked at.
        chosen = {int(options.seed % step + at * step) for at in range(most)}
        share = [it for at, it in enumerate(share) if at in chosen or it.expected is not None]
    wrong = [it for it in (attempt(base, place, cut) for cut in share) if it]
    place.remove()
    return len(all_cuts), len(share), wrong


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--sample", type=int)
    arguments.add_argument("--seed", type=int, default=13)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments.add_argument("--again", metavar="FILE", help="once more what was found")
    options = arguments.parse_args()
    if options.again:
        once_more(options.again)
    options.found = tempfile.mkdtemp(prefix="operator-found-")
    folder = tempfile.mkdtemp(prefix="operator-disk-")
    base = fault.Base(folder)
    places = [None]
    if os.path.isdir("/dev/shm") and os.stat("/dev/shm").st_dev != os.stat(folder).st_dev:
        places.append("/dev/shm")
    start, tried, wrong = time.monotonic(), 0, []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for elsewhere in places:
            shares = [(base, elsewhere, number, options) for number in range(options.jobs)]
            for everything, here, found in pool.map(lane, shares):
                tried += here
                wrong += [f"{'other' if elsewhere else 'same'} {it}" for it in found]
            print(f"journal {'elsewhere' if elsewhere else 'on the same file system'}: {everything} different states",
                  flush=True)
    # Of one mistake there are many.
    for it in wrong[:20]:
        print(it)
    shutil.rmtree(folder, ignore_errors=True)
    if not wrong:
        os.rmdir(options.found)
    print(f"{tried} power cuts in {time.monotonic() - start:.0f} s")
    print(f"{tried - len(wrong)} passed, {len(wrong)} failed")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
