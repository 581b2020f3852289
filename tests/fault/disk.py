"""Cuts the power at each call of apply, undo and redo, with what was not synced there or lost, and looks at what is left."""

import argparse
import concurrent.futures
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import fault
import model
import world
from fault import PREFIX, Wrong

# So many times what is not synced is there by chance, at each call.
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
    for number in range(BY_CHANCE if disk.pending else 0):
        chance = random.Random(f"{seed} {name} {number}")
        chosen = {}
        some = lambda node: chosen.setdefault(id(node), chance.choice([lost, kept, torn]))(node)
        yield f"some, {number}", disk.crash(lambda _: chance.random() < 0.5, some)


def traced(place, command):
    """Runs a command, and gives its calls."""
    trace = os.path.join(place.base, "trace")
    line = [fault.BINARY, *command, "--root", place.root]
    if command[0] == "apply":
        line.append(place.chat)
    tool = ["strace", "-f", "-qq", "--seccomp-bpf", "-xx", "-s", str(1 << 24), "-o", trace]
    environment = dict(os.environ, OPERATOR_LSP_STATE_DIR=place.state, RUST_BACKTRACE="0")
    ran = subprocess.run([*tool, "-e", "trace=" + ",".join(model.CALLS), *line], env=environment, capture_output=True,
                         text=True, timeout=fault.LIMIT, stdin=subprocess.DEVNULL, check=False)
    if ran.returncode != 0:
        raise SystemExit(f"{command[0]} fails without a fault: {ran.stderr}")
    return model.calls(trace)


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
    """Everything that a power cut may leave of apply, then undo, then redo; each tree once."""
    disk = model.Disk([place.root, place.state])
    seen = set()
    for kind in fault.KINDS:
        _, command = base.commands(kind)
        disk.begin()
        expected = base.before if kind == "undo" else base.after
        number = 0
        for call, given, result in traced(place, command):
            if not disk.take(call, given, result):
                continue
            number += 1
            for how, tree in left_by(disk, f"{kind} {number}", seed):
                cut = Cut(f"{kind} {number} {call}, {how} is there", tree)
                if cut.digest not in seen:
                    seen.add(cut.digest)
                    yield cut
        check_model(disk, place)
        for how, tree in left_by(disk, kind, seed):
            yield Cut(f"{kind} done, {how} is there", tree, expected)


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
        return f"{cut.name}: {error}"[:2000]


def lane(given):
    """One share of the runs: a power cut is tried where the run was, since the journal knows the path."""
    base, elsewhere, number, options = given
    place = fault.Place(base, elsewhere)
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
    options = arguments.parse_args()
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
    print(f"{tried} power cuts in {time.monotonic() - start:.0f} s")
    print(f"{tried - len(wrong)} passed, {len(wrong)} failed")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
