#!/usr/bin/env python3
"""Runs the test programs that were built for Windows under wine, and compares what fails with wine.txt.

`tests.py [NAME...]` runs those of these names (core, lib, grammars, structures, cases, it, ...); without names all.
"""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = Path(os.environ.get("OPERATOR_WINDOWS") or HERE.parent.parent / ".cache/windows")
# How long one program may take, in seconds: git starts slowly under wine.
LIMIT = 3600
# What is said of a failure at most, in lines.
SHOWN = 40
RESULT = re.compile(r"^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)")
CASE = re.compile(r"^spec/cases/([^:]+):\d+: (.*)$")


def programs(wanted):
    """The name, the program and the directory of each test program, as cargo has listed them."""
    for line in (KEPT / "build.json").read_text(encoding="utf-8").splitlines():
        message = json.loads(line)
        if message.get("reason") != "compiler-artifact" or not message.get("executable"):
            continue
        if not message["profile"]["test"]:
            continue
        target, package = message["target"], Path(message["manifest_path"]).parent
        name = named(target, package)
        if not wanted or name in wanted:
            yield name, message["executable"], package


def named(target, package):
    """`lib` is the server's own; that of another package has the name of its folder."""
    if "lib" in target["kind"]:
        return "lib" if package.name == "server" else package.name
    if "bin" in target["kind"]:
        return "bin"
    return "languages" if target["name"] == "main" else target["name"]


class Listed:
    """The tests that are not expected to pass, each with its reason."""

    def __init__(self):
        self.reasons = {}
        # Those that pass now and then.
        self.unsteady = set()
        reason = None
        for line in (HERE / "wine.txt").read_text(encoding="utf-8").splitlines():
            line = line.strip()
            if line.startswith("[") and line.endswith("]"):
                reason = line[1:-1]
            elif line and not line.startswith("#"):
                key = line.removeprefix("? ")
                if reason is None or key in self.reasons:
                    sys.exit(f"wine.txt: `{line}` has no reason, or is there twice")
                self.reasons[key] = reason
                if key != line:
                    self.unsteady.add(key)


def run(name, program, directory):
    """The output of a test program, which grows in a log, and whether it came to its end."""
    windows = f"cd '{directory}' && timeout {LIMIT} wine '{program}' --test-threads=2 </dev/null"
    log = KEPT / f"{name}.log"
    with log.open("wb") as output:
        subprocess.run([str(HERE / "inside"), windows], stdout=output, stderr=subprocess.STDOUT, check=False)
    text = log.read_text(encoding="utf-8", errors="replace").replace("\r", "")
    return text, re.search(r"^test result:", text, re.MULTILINE) is not None


def outcomes(text):
    """What became of each test, and of each case that a failed one names."""
    results = {}
    for line in text.splitlines():
        if match := RESULT.match(line):
            results[match[1]] = match[2]
    sections = re.split(r"^---- (.+) stdout ----$", text, flags=re.MULTILINE)
    said = dict(zip(sections[1::2], sections[2::2]))
    return results, said


def keys(name, test, said):
    """What a failure is listed as: the test, or each case that fails in it."""
    found = [match for line in said.splitlines() if (match := CASE.match(line))]
    cases = [f"{name} {match[1].replace(chr(92), '/')}: {match[2]}" for match in found]
    return cases or [f"{name} {test}"]


def main():
    # Ended from outside, it leaves by way of `subprocess.run`, which kills its child: `unshare` ignores SIGTERM.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    wanted = sys.argv[1:]
    listed, seen, ran = Listed(), set(), set()
    passed = failed = 0
    for name, program, directory in programs(wanted):
        text, whole = run(name, program, directory)
        results, said = outcomes(text)
        ran.add(name)
        own = len([it for it in results.values() if it == "ok"])
        wrong = [] if whole else [(name, "the program did not come to its end:\n" + text[-4000:])]
        for test in [test for test, result in results.items() if result == "FAILED"]:
            found = keys(name, test, said.get(test, ""))
            seen.update(found)
            wrong += [(key, said.get(test, "")) for key in found if key not in listed.reasons]
        for key, says in wrong:
            print(f"{key}: fails\n" + "\n".join(says.strip().splitlines()[:SHOWN]))
        print(f"{name}: {own} of {len(results)} pass, {len(wrong)} fail that are not listed", flush=True)
        passed += own
        failed += len(wrong)
    for key in listed.reasons:
        if key.split(" ")[0] in ran and key not in seen | listed.unsteady:
            print(f"{key}: is listed in wine.txt, and passes")
            failed += 1
    for reason in sorted(set(listed.reasons[key] for key in seen if key in listed.reasons)):
        count = len([key for key in seen if listed.reasons.get(key) == reason])
        print(f"listed: {count} ({reason})")
    if not ran:
        failed += 1
        print("no test program was found")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
