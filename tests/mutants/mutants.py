"""Applies each patch of this folder to a copy of the tree, and runs the test that is to fail then."""

import argparse
import collections
import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent
# Ignored by git, and kept, so that only what a patch changes is compiled again.
SCRATCH = SOURCE / "target" / "mutants"
TREE = SCRATCH / "tree"
# A build from nothing takes minutes, a test command seconds.
BUILD_SECONDS = 3600
TEST_SECONDS = 600

Mutant = collections.namedtuple("Mutant", "name breaks command patch")


def read(path):
    """A patch: `Breaks: …`, `Caught by: …`, an empty line, and the difference."""
    head, _, patch = path.read_text(encoding="utf-8").partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    if list(fields) != ["Breaks", "Caught by"]:
        raise SystemExit(f"{path} does not begin with `Breaks:` and `Caught by:`")
    return Mutant(path.stem, fields["Breaks"], fields["Caught by"], patch)


def copy_tree():
    """Makes the copy equal to the tree. What is equal already keeps its time, so it is not compiled again."""
    listed = subprocess.run(["git", "ls-files", "-zco", "--exclude-standard"], cwd=SOURCE, capture_output=True,
                            check=True).stdout.decode()
    names = {name for name in listed.split("\0") if name and (SOURCE / name).is_file()}
    for name in names:
        source, target = SOURCE / name, TREE / name
        content = source.read_bytes()
        if not target.is_file() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        target.chmod(source.stat().st_mode & 0o777)
    for folder, folders, leaves in os.walk(TREE):
        if pathlib.Path(folder) == TREE:
            folders[:] = [it for it in folders if it not in ("target", ".cache")]
        for leaf in leaves:
            path = pathlib.Path(folder, leaf)
            if str(path.relative_to(TREE)) not in names:
                path.unlink()


def copy_build():
    """Begins with what is built already: the libraries are the same."""
    built, target = SOURCE / "target" / "debug", SCRATCH / "target" / "debug"
    if built.is_dir() and not target.exists():
        shutil.copytree(built, target, ignore=shutil.ignore_patterns("incremental", "examples"))


def run(command, seconds, log):
    """Whether a command succeeds; `None` where it takes too long. What it started ends with it."""
    environment = dict(os.environ, CARGO_TARGET_DIR=str(SCRATCH / "target"), CARGO_INCREMENTAL="1",
                       GIT_CEILING_DIRECTORIES=str(SCRATCH))
    # Each run has the same cases of property tests, so that a mutant is always caught or never.
    environment.setdefault("PROPTEST_RNG_SEED", "20261122")
    environment.pop("OPERATOR_LSP", None)
    with subprocess.Popen(command, shell=True, cwd=TREE, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                          stderr=log, start_new_session=True) as process:
        try:
            return process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None


def builds(command):
    """The command that compiles what another one runs."""
    if "cargo test" in command:
        return command.split(" -- ")[0] + " --no-run"
    return "cargo build -p operator-lsp"


def end_of(path):
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(f"    {line}" for line in lines[-12:])


def passes_without(command):
    """Whether a test command passes on the tree as it is: one that always fails catches nothing."""
    path = SCRATCH / "log"
    with open(path, "w", encoding="utf-8") as log:
        passed = run(builds(command), BUILD_SECONDS, log) and run(command, TEST_SECONDS, log)
    if not passed:
        print(f"fails without a fault: {command}\n{end_of(path)}", flush=True)
    return passed


def outcome(mutant):
    """The result of one mutant: `caught`, or why that is not so."""
    with open(SCRATCH / "log", "w", encoding="utf-8") as log:
        patch = SCRATCH / "patch"
        patch.write_text(mutant.patch, encoding="utf-8")
        if not run(f"git apply '{patch}'", TEST_SECONDS, log):
            return "does not apply"
        if not run(builds(mutant.command), BUILD_SECONDS, log):
            return "does not build"
        return {True: "survived", False: "caught", None: "took too long"}[run(mutant.command, TEST_SECONDS, log)]


def chosen(given):
    """The mutants that are asked for; those with one command come one after the other."""
    mutants = [read(path) for path in sorted(HERE.glob("*.patch"))]
    mutants = [it for it in mutants if not given.words or any(word in it.name for word in given.words)]
    if given.sample and given.sample < len(mutants):
        step = len(mutants) / given.sample
        mutants = [mutants[int(given.seed % step + n * step) % len(mutants)] for n in range(given.sample)]
    return sorted(mutants, key=lambda it: (builds(it.command), it.command, it.name))


def unfit():
    """The names of the patches that do not fit the tree any more, whichever are asked for."""
    check = ["git", "apply", "--check"]
    return [path.stem for path in sorted(HERE.glob("*.patch"))
            if subprocess.run([*check, path], cwd=SOURCE, capture_output=True, check=False).returncode != 0]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("words", nargs="*")
    arguments.add_argument("--sample", type=int)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--copy", action="store_true", help="make the copy of the tree, and nothing else")
    given = arguments.parse_args()
    TREE.mkdir(parents=True, exist_ok=True)
    copy_build()
    if given.copy:
        copy_tree()
        return
    # One copy, one user.
    lock = open(SCRATCH / "lock", "w", encoding="ascii")
    fcntl.flock(lock, fcntl.LOCK_EX)
    start, mutants, passed, sound = time.monotonic(), chosen(given), 0, {}
    others = [name for name in unfit() if name not in [it.name for it in mutants]]
    for name in others:
        print(f"does not apply  {name}", flush=True)
    for mutant in mutants:
        copy_tree()
        if mutant.command not in sound:
            sound[mutant.command] = passes_without(mutant.command)
        if not sound[mutant.command]:
            print(f"not tried  {mutant.name}", flush=True)
            continue
        began = time.monotonic()
        what = outcome(mutant)
        passed += what == "caught"
        took = f"{time.monotonic() - began:4.0f} s"
        if what == "caught":
            print(f"caught     {took}  {mutant.name}", flush=True)
        else:
            print(f"{what}  {took}  {mutant.name}: {mutant.breaks}\n    {mutant.command}", flush=True)
            if what == "does not build" or what == "does not apply":
                print(end_of(SCRATCH / "log"), flush=True)
    copy_tree()
    print(f"{len(mutants)} faults in {time.monotonic() - start:.0f} s")
    failed = len(mutants) - passed + len(others)
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if mutants and not failed else 1)


if __name__ == "__main__":
    main()
