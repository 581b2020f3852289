"""Tries every small change of some sources that cargo-mutants knows, all of them compiled into one program."""

import argparse
import collections
import concurrent.futures
import fcntl
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

import tree_sitter
import tree_sitter_rust

import mutants

sys.setrecursionlimit(20000)

OUT = mutants.SCRATCH / "general"
ROOMS = [f"server/core/src/{room}/**" for room in ("place", "edit", "ledger", "scan", "plan")]
CRATE = "server/core/src/lib.rs"
# Fewer cases of each property find most changes at once.
FEW_CASES = 16
# A test that takes longer than this many times what it takes, and so many seconds more, has an endless loop.
TIMES, SECONDS = 10, 15
# How many tests run at once that wait most of the time.
WAITING = 8
# A change that more cases come to is tried with some of them.
MOST_CASES = 80

# What is compiled into the crate: which change is in force, and which ones a test came to.
SWITCH = """
#[doc(hidden)]
#[allow(warnings, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
pub mod mutation {
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::sync::{Mutex, OnceLock};

    static ACTIVE: OnceLock<u32> = OnceLock::new();
    static LOG: OnceLock<Option<Mutex<std::fs::File>>> = OnceLock::new();
    static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

    #[inline]
    pub fn at(ids: &[u32]) -> u32 {
        if !SEEN[ids[0] as usize].load(Relaxed) && !SEEN[ids[0] as usize].swap(true, Relaxed) {
            note(ids);
        }
        *ACTIVE.get_or_init(|| std::env::var("MUTATION").ok().and_then(|it| it.parse().ok()).unwrap_or(0))
    }

    /// One of two results of a function that says only which trait its result has.
    pub enum Either<A, B> {
        Changed(A),
        Unchanged(B),
    }

    impl<A: Iterator, B: Iterator<Item = A::Item>> Iterator for Either<A, B> {
        type Item = A::Item;

        fn next(&mut self) -> Option<A::Item> {
            match self {
                Either::Changed(it) => it.next(),
                Either::Unchanged(it) => it.next(),
            }
        }
    }

    impl<A: DoubleEndedIterator, B: DoubleEndedIterator<Item = A::Item>> DoubleEndedIterator for Either<A, B> {
        fn next_back(&mut self) -> Option<A::Item> {
            match self {
                Either::Changed(it) => it.next_back(),
                Either::Unchanged(it) => it.next_back(),
            }
        }
    }

    #[cold]
    fn note(ids: &[u32]) {
        let open = || std::fs::OpenOptions::new().append(true).create(true).open(std::env::var_os("MUTATION_LOG")?).ok();
        if let Some(log) = LOG.get_or_init(|| open().map(Mutex::new)) {
            let lines: String = ids.iter().map(|id| format!("{id}\\n")).collect();
            let _ = log.lock().map(|mut log| log.write_all(lines.as_bytes()));
        }
    }
}
"""

# Changes that nothing can show, as `key` has them, and why.
UNSEEN = mutants.SOURCE / "tests/mutants/unseen.toml"

Change = collections.namedtuple("Change", "id name path genre start end replacement text")


class Untried(Exception):
    """A change that is not tried, and why."""


# Changes are compiled beside the code as it is.
APART = "cannot be beside the code as it is"
# `work::add` is empty but for the fuzzer.
COUNTED = "is counted for the fuzzer alone"


def listed(tool, given):
    """Every change of the files."""
    files = [word for name in given.files or ROOMS for word in ("--file", name)]
    done = subprocess.run([tool, "mutants", "--list", "--json", "--package", "operator-core", *files],
                          cwd=mutants.TREE, capture_output=True, check=True)
    changes = []
    for number, it in enumerate(json.loads(done.stdout), 1):
        ends = [(it["span"][end]["line"], it["span"][end]["column"]) for end in ("start", "end")]
        line, column = ends[0]
        text = (mutants.TREE / it["file"]).read_text(encoding="utf-8").splitlines()[line - 1][column - 1:]
        changes.append(Change(number, it["name"], it["file"], it["genre"], *ends, it.get("replacement", ""), text))
    return changes


def shown(change):
    """A change, and what is there."""
    return f"{change.name} | {change.text}"


def key(line):
    """What names a change, wherever it has moved to in its file."""
    return re.sub(r":\d+:\d+: ", ": ", line.strip(), count=1)


def unseen(changes):
    """The changes that nothing can show, and the keys of those that are not there any more."""
    keys = {it for group in tomllib.loads(UNSEEN.read_text(encoding="utf-8"))["unseen"] for it in group["changes"]}
    found = {change for change in changes if key(shown(change)) in keys}
    paths = {change.path for change in changes}
    gone = {it for it in keys - {key(shown(change)) for change in found} if it.split(": ")[0] in paths}
    return found, sorted(gone)


def parsed(text):
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language())).parse(text).root_node


class Source:
    """A source with all its changes in it. `/*N{*/ … /*N}*/` is around each, and around what it is part of with an `n`."""

    def __init__(self, path, changes):
        self.text = (mutants.TREE / path).read_bytes()
        self.lines = self.text.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.root = parsed(self.text)
        # By what is there: expressions with alternatives, blocks and arms that begin otherwise.
        self.alternatives, self.first, self.guards = (collections.defaultdict(list) for _ in range(3))
        self.either = set()
        self.untried = {}
        for change in changes:
            try:
                self.put(change)
            except Untried as why:
                self.untried[change] = str(why)

    def offset(self, place):
        line, column = place
        return self.starts[line - 1] + len(self.lines[line - 1].decode()[:column - 1].encode())

    def of(self, node):
        return self.text[node.start_byte:node.end_byte].decode()

    def put(self, change):
        start, end = self.offset(change.start), self.offset(change.end)
        node = self.root.descendant_for_byte_range(start, end)
        above = node
        while above is not None:
            if above.type == "call_expression" and self.of(above).startswith("work::add("):
                raise Untried(COUNTED)
            above = above.parent
        if change.genre == "FnValue":
            while node is not None and not (node.type == "block" and node.parent.type == "function_item"):
                node = node.parent
            if node is None:
                raise Untried(APART)
            result = node.parent.child_by_field_name("return_type")
            if result is not None and self.of(result).startswith("impl "):
                # Both results must be of one type.
                body = self.of(node)
                if "return" in body or "?" in body:
                    raise Untried(APART)
                self.alternatives[node.start_byte, node.end_byte].append((change.id, change.replacement))
                self.either.add(node.start_byte)
                return
            self.first[node.start_byte].append((change.id, change.replacement))
            return
        if change.genre == "MatchArm":
            while node is not None and node.type != "match_arm":
                node = node.parent
            pattern = node and node.child_by_field_name("pattern")
            if pattern is None or "let_chain" in str(pattern) or "let_condition" in str(pattern):
                raise Untried(APART)
            self.guards[pattern.start_byte, pattern.end_byte].append(change.id)
            return
        if change.genre == "MatchArmGuard":
            if node.start_byte != start or node.end_byte != end:
                raise Untried(APART)
            self.alternatives[start, end].append((change.id, change.replacement))
            return
        whole = node
        if change.genre == "StructField":
            while whole is not None and whole.type != "struct_expression":
                whole = whole.parent
            if whole is None:
                raise Untried(APART)
            before, after = self.text[whole.start_byte:start], self.text[end:whole.end_byte]
            text = (before + after.lstrip().removeprefix(b",")).decode()
        elif change.genre == "UnaryOperator":
            while whole is not None and whole.type != "unary_expression":
                whole = whole.parent
            if whole is None or whole.start_byte != start:
                raise Untried(APART)
            text = self.of(whole.children[-1])
        else:
            whole = node.parent if not node.is_named else node
            if whole.type not in ("binary_expression", "compound_assignment_expr"):
                raise Untried(APART)
            left, right = (whole.child_by_field_name(side) for side in ("left", "right"))
            is_binary = whole.type == "binary_expression"
            text = f"({self.of(left)}) {change.replacement} ({self.of(right)})" if is_binary else \
                f"{self.of(left)} {change.replacement} {self.of(right)}"
        self.alternatives[whole.start_byte, whole.end_byte].append((change.id, text))

    def render(self, without):
        """The text with the changes but some."""
        text = self.node(self.root, without)
        return self.text[:self.root.start_byte].decode() + text + self.text[self.root.end_byte:].decode()

    def node(self, node, without):
        parts, last = [], node.start_byte
        for child in node.children:
            parts.append(self.text[last:child.start_byte].decode())
            parts.append(self.node(child, without))
            last = child.end_byte
        parts.append(self.text[last:node.end_byte].decode())
        text = "".join(parts)
        place = node.start_byte, node.end_byte
        if node.type == "block":
            added = [(id, it) for id, it in self.first.get(node.start_byte, []) if id not in without]
            for id, value in reversed(added):
                text = f"{{/*{id}{{*/if crate::mutation::at(&[{id}]) == {id} {{ return {value}; }}/*{id}}}*/{text[1:]}"
        if node.type == "match_pattern":
            ids = [id for id in self.guards.get(place, []) if id not in without]
            if ids:
                [id] = ids
                guard = f"/*{id}{{*/crate::mutation::at(&[{id}]) != {id}/*{id}}}*/"
                condition = node.child_by_field_name("condition")
                if condition is None:
                    return f"{text} if {guard}"
                head, _, tail = text.partition(" if ")
                return f"{head} if {guard} && ({tail})"
            return text
        # A node may take the same place as the one around it; the inner one comes first.
        if node.parent is not None and (node.parent.start_byte, node.parent.end_byte) == place:
            return text
        added = [(id, it) for id, it in self.alternatives.get(place, []) if id not in without]
        if not added:
            return text
        arms = "".join(f"{id} => {{ /*{id}{{*/{it}/*{id}}}*/ }} " for id, it in added)
        ids = ", ".join(str(id) for id, _ in added)
        number = added[0][0]
        if node.type == "block" and node.start_byte in self.either:
            for id, it in added:
                text = (f"{{ if crate::mutation::at(&[{id}]) == {id} {{ crate::mutation::Either::Changed(/*{id}{{*/{it}/*{id}}}*/) }} "
                        f"else {{ crate::mutation::Either::Unchanged({text}) }} }}")
            return text
        return f"(/*{number}n{{*/match crate::mutation::at(&[{ids}]) {{ {arms}_ => {{ {text} }} }}/*{number}n}}*/)"


MARK = re.compile(rb"/\*(\d+)(n?)([{}])\*/")


def at_fault(text, code, start, end, alternatives):
    """The changes that a problem of the compiler is about: those it lies in, else those at that place."""
    spans, open_ = [], {}
    for mark in MARK.finditer(text):
        number, kind, side = int(mark[1]), mark[2], mark[3]
        if side == b"{":
            open_[number, kind] = mark.end()
        else:
            spans.append((open_[number, kind], mark.start(), number, kind))
    if code == "E0004":
        # A match without an arm for everything: those of its arms that may be left out.
        whole = parsed(text).descendant_for_byte_range(start, end)
        while whole.type != "match_expression":
            whole = whole.parent
        body = whole.child_by_field_name("body")
        arms = [it.child_by_field_name("pattern") for it in body.children if it.type == "match_arm"]
        return {it[2] for it in spans for arm in arms if arm.start_byte <= it[0] and it[1] <= arm.end_byte}
    within = [it for it in spans if it[0] <= start and end <= it[1]]
    plain = [it for it in within if not it[3]]
    if plain:
        return {min(plain, key=lambda it: it[1] - it[0])[2]}
    inside = {it[2] for it in spans if not it[3] and start <= it[0] and it[1] <= end}
    if within:
        nearest = min(within, key=lambda it: it[1] - it[0])
        return {id for group in alternatives.values() for id, _ in group
                if any(one == nearest[2] for one, _ in group)}
    return inside


def cargo(*words, **more):
    environment = dict(os.environ, CARGO_TARGET_DIR=str(mutants.SCRATCH / "target"), CARGO_INCREMENTAL="1")
    environment.pop("OPERATOR_LSP", None)
    command = ["cargo", *words, "--config", "profile.dev.package.operator-core.opt-level=1", "--message-format=json"]
    done = subprocess.run(command, cwd=mutants.TREE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
    return done, lines


def compiled(sources, count):
    """Writes the changes that compile, and gives the ids of those that do not."""
    without = set()
    for _ in range(60):
        texts = {}
        for path, source in sources.items():
            texts[path] = source.render(without)
        if CRATE not in texts:
            texts[CRATE] = (mutants.TREE / CRATE).read_text(encoding="utf-8").split("\n#[doc(hidden)]\n#[allow(warn")[0]
        texts[CRATE] += SWITCH.replace("COUNT", str(count + 1))
        for path, text in texts.items():
            file = mutants.TREE / path
            if file.read_text(encoding="utf-8") != text:
                file.write_text(text, encoding="utf-8")
        done, lines = cargo("check", "--quiet", "--package", "operator-core", "--lib")
        errors = [it["message"] for it in lines if it["reason"] == "compiler-message" and it["message"]["level"] == "error"]
        if done.returncode == 0:
            return without
        found = set()
        for error in errors:
            code = (error["code"] or {}).get("code")
            spans = [it for it in error["spans"] if it["is_primary"]] + [it for it in error["spans"] if not it["is_primary"]]
            for span in spans:
                path = span["file_name"]
                if path not in sources:
                    continue
                text = texts[path].encode()
                one = at_fault(text, code, span["byte_start"], span["byte_end"], sources[path].alternatives) - without
                found |= one
                if one:
                    break
        if not found:
            raise SystemExit("does not compile:\n" + "".join(it.get("rendered") or it["message"] for it in errors[:10])
                             + done.stderr.decode()[-2000:])
        without |= found
        print(f"{len(without)} changes do not compile", flush=True)
    raise SystemExit("does not compile")


def built(*words):
    """The test program of a package."""
    done, lines = cargo("test", "--quiet", "--no-run", *words)
    programs = [it["executable"] for it in lines if it["reason"] == "compiler-artifact" and it.get("executable")
                and it["profile"]["test"]]
    if done.returncode:
        raise SystemExit(done.stderr.decode()[-4000:])
    return programs[-1]


class Tests:
    """The tests of a program: what each takes, and the changes that it comes to."""

    def __init__(self, program, folder):
        self.program, self.folder = program, mutants.TREE / folder
        listed = subprocess.run([program, "--list", "--format=terse"], capture_output=True, text=True, check=True)
        self.names = [line.removesuffix(": test") for line in listed.stdout.splitlines() if line.endswith(": test")]

    def run(self, names, seconds, threads=1, **more):
        """Whether tests pass; `None` where they take too long."""
        environment = dict(os.environ, GIT_CEILING_DIRECTORIES=str(mutants.SCRATCH),
                           PROPTEST_DISABLE_FAILURE_PERSISTENCE="true")
        environment.setdefault("PROPTEST_RNG_SEED", "20261122")
        if os.path.isdir("/dev/shm"):
            environment["TMPDIR"] = "/dev/shm"
        with subprocess.Popen([self.program, "--exact", "--test-threads", str(threads), *names], cwd=self.folder,
                              env=environment | more, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True) as process:
            try:
                return process.wait(seconds) == 0
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return None

    def learn(self, tests, run, jobs):
        """What each test takes, and the tests that come to each change, in their order."""
        def one(test):
            with tempfile.NamedTemporaryFile() as log:
                began = time.monotonic()
                passed = run(test, 900, MUTATION_LOG=log.name)
                return test, passed, time.monotonic() - began, {int(it) for it in log.read().split()}
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            known = list(pool.map(one, tests))
        failed = [str(it[0]) for it in known if not it[1]]
        if failed:
            print(f"fail without a change, and are left out: {', '.join(failed)}", flush=True)
        self.took = {test: took for test, passed, took, _ in known if passed}
        self.reached = collections.defaultdict(list)
        for test, passed, _, ids in known:
            for id in ids if passed else ():
                self.reached[id].append(test)
        print(f"{len(tests)} tests: {sum(self.took.values()):.0f} s", flush=True)


class Functions(Tests):
    """The tests of one program that are functions; of each property there are few cases, where it says so."""

    def __init__(self, words, folder, jobs, cases=None, threads=1):
        super().__init__(built(*words), folder)
        self.more = {"PROPTEST_CASES": str(cases)} if cases else {}
        # More than one where tests wait most of the time.
        self.threads = threads
        self.learn(self.names, lambda name, *words, **more: self.run([name], *words, **more), jobs)

    def outcome(self, id):
        """What they say of a change."""
        names = sorted(self.reached[id], key=self.took.get)
        # The quick ones together, then one after the other.
        quick = [name for name in names if self.took[name] < 0.1]
        groups = [quick[n:n + 40] for n in range(0, len(quick), 40)] + [[name] for name in names[len(quick):]]
        if self.threads > 1:
            groups = [names] if names else []
        for group in groups:
            limit = TIMES * sum(self.took[name] for name in group) + SECONDS
            # What waits for something may fail by itself where much else runs.
            for _ in range(min(self.threads, 2)):
                passed = self.run(group, limit, self.threads, MUTATION=str(id), **self.more)
                if passed:
                    break
            if not passed:
                return "caught" if passed is False else "took too long"
        return "missed"


class Cases(Tests):
    """The cases of `spec/cases`."""

    def __init__(self, jobs):
        super().__init__(built("--package", "operator-lsp", "--test", "cases"), "server")
        cases = []
        for path in sorted((mutants.TREE / "spec/cases").glob("*/*.cases.md")):
            suite = path.parent.name.replace("-", "_")
            text = path.read_text(encoding="utf-8")
            cases += [(suite, line[3:].strip()) for line in text.splitlines() if line.startswith("## ")]
        self.learn(list(dict.fromkeys(cases)), self.one, jobs)

    def one(self, case, seconds, **more):
        suite, name = case
        return self.run([suite], seconds, CASE=name, **more)

    def outcome(self, id):
        """What they say of a change."""
        cases = self.reached[id]
        # Of many, some from everywhere.
        step = max(1, len(cases) / MOST_CASES)
        for case in [cases[int(n * step)] for n in range(min(len(cases), MOST_CASES))]:
            passed = self.one(case, TIMES * self.took[case] + SECONDS, MUTATION=str(id))
            if not passed:
                return "caught" if passed is False else "took too long"
        return "missed"


CORE = ["--package", "operator-core", "--lib"], "server/core"
# What a change is tried with, one after the other.
TESTS = {
    "core": lambda jobs: Functions(*CORE, jobs, FEW_CASES),
    "cases": Cases,
    "server": lambda jobs: Functions(["--package", "operator-lsp", "--lib"], "server", jobs),
    "it": lambda jobs: Functions(["--package", "operator-lsp", "--test", "it"], "server", jobs, threads=WAITING),
    "properties": lambda jobs: Functions(*CORE, jobs),
}


def tried(changes, outcome, jobs, write):
    """Tries changes, and gives those that nothing has noticed."""
    missed, done, lock = [], collections.Counter(), threading.Lock()

    def one(change):
        began = time.monotonic()
        what = outcome(change.id)
        with lock:
            done[what] += 1
            write(f"{what:13}  {time.monotonic() - began:5.1f} s  {change.name}")
            if what == "missed":
                missed.append(change)
            if sum(done.values()) % 100 == 0:
                print(f"{sum(done.values())} of {len(changes)}: {dict(done)}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, changes))
    return sorted(missed)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("tool")
    arguments.add_argument("files", nargs="*")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments.add_argument("--tests", choices=TESTS, action="append")
    arguments.add_argument("--names", help="only changes that are a line of this file")
    given = arguments.parse_intermixed_args()
    OUT.mkdir(parents=True, exist_ok=True)
    mutants.TREE.mkdir(parents=True, exist_ok=True)
    mutants.copy_build()
    lock = open(mutants.SCRATCH / "lock", "w", encoding="ascii")
    fcntl.flock(lock, fcntl.LOCK_EX)
    mutants.copy_tree()
    start = time.monotonic()
    changes = listed(given.tool, given)
    left_out, gone = unseen(changes)
    changes = [it for it in changes if it not in left_out]
    if given.names:
        wanted = {key(line) for line in pathlib.Path(given.names).read_text(encoding="utf-8").splitlines()}
        changes = [it for it in changes if key(shown(it)) in wanted]
    by_file = collections.defaultdict(list)
    for change in changes:
        by_file[change.path].append(change)
    sources = {path: Source(path, some) for path, some in by_file.items()}
    untried = {change: why for source in sources.values() for change, why in source.untried.items()}
    without = compiled(sources, max(it.id for it in changes))
    known = [it for it in changes if it.id not in without and it not in untried]
    print(f"{len(changes) + len(left_out)} changes: {len(without)} do not compile, {len(left_out)} show nothing", flush=True)
    for why, number in collections.Counter(untried.values()).items():
        print(f"not tried: {number}: {why}", flush=True)
    with open(OUT / "log", "w", encoding="utf-8", buffering=1) as log:
        for change, why in sorted(untried.items()):
            log.write(f"not tried, {why}: {change.name}\n")

        def write(line):
            log.write(line + "\n")

        missed = known
        for what in given.tests or TESTS:
            if missed:
                before = len(missed)
                missed = tried(missed, TESTS[what](given.jobs).outcome, given.jobs, write)
                print(f"{what}: {len(missed)} of {before} are missed; {time.monotonic() - start:.0f} s", flush=True)
    mutants.copy_tree()
    (OUT / "missed.txt").write_text("".join(f"{shown(it)}\n" for it in missed), encoding="utf-8")
    for change in missed:
        print(shown(change))
    for change in gone:
        print(f"{UNSEEN.name} has what is not there any more: {change}")
    print(f"{len(known)} changes in {time.monotonic() - start:.0f} s")
    print(f"{len(known) - len(missed)} passed, {len(missed) + len(gone)} failed")
    sys.exit(1 if missed or gone else 0)


if __name__ == "__main__":
    main()
