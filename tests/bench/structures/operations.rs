//! Operations that must leave every byte as it was, on real code: a structure replaced by what
//! `read` gives, an insertion deleted again, a move there and back.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use operator_core::limits::Limits;
use operator_core::outline::Parsed;
use operator_core::path::{FilePath, Kind as PathKind, State};
use operator_core::snapshot::{Denied, Entry, MemorySnapshot, Snapshot};
use operator_core::structure::{Arguments, Failure, Index, Kind, Output, Request, perform};
use operator_core::syntax::{LANGUAGES, Language, Unparsed};
use operator_core::text::Content;

use crate::library;

const PATH: &str = "code.py";
/// Of so many files one is looked at.
const EVERY: usize = 100;
/// So many structures of a file are moved, and get something inserted after them.
const MOVED: usize = 6;

/// A workspace of one file, parsed once.
struct One {
    files: MemorySnapshot,
    parsed: Arc<Parsed>,
}

impl One {
    fn new(content: &Content) -> Option<One> {
        let python = LANGUAGES.iter().find(|language| language.name == "python")?;
        let parsed = Parsed::new(python, content.clone(), &mut || ControlFlow::Continue(()));
        let files = MemorySnapshot {
            files: [(PATH.to_owned(), content.to_bytes())].into_iter().collect(),
            ..MemorySnapshot::default()
        };
        Some(One { files, parsed: Arc::new(parsed.ok()?) })
    }

    /// The file after an operation.
    fn after(&self, request: &Request) -> Result<One, Failure> {
        let done = perform(request, self, &Limits::default())?;
        let mut files = self.files.clone();
        files.apply(&done.changes);
        let bytes = files.files.remove(PATH).expect("no operation deletes the file");
        let content = Content::of_bytes(bytes).expect("it was UTF-8");
        Ok(One::new(&content).expect("it was code"))
    }

    fn text(&self) -> &str {
        self.parsed.text()
    }
}

impl Snapshot for One {
    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        self.files.resolve(path)
    }
    fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
        self.resolve(path)
    }

    fn kind(&self, path: &FilePath) -> Result<Option<PathKind>, Denied> {
        self.files.kind(path)
    }
    fn read(&self, _: &FilePath) -> Result<Content, Denied> {
        Ok(self.parsed.content.clone())
    }
    fn state(&self, path: &FilePath) -> Result<State, Denied> {
        self.files.state(path)
    }
    fn writable(&self, path: &FilePath) -> Result<(), Denied> {
        self.files.writable(path)
    }
    fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied> {
        self.files.list(path)
    }
    fn files(&self, path: &FilePath, ignored: bool, limit: usize) -> Result<Vec<FilePath>, Denied> {
        self.files.files(path, ignored, limit)
    }
    fn parsed(
        &self,
        _: &FilePath,
        language: &'static Language,
        content: Content,
    ) -> Result<Arc<Parsed>, Unparsed> {
        if content == self.parsed.content {
            return Ok(Arc::clone(&self.parsed));
        }
        Parsed::new(language, content, &mut || ControlFlow::Continue(())).map(Arc::new)
    }
}

fn path() -> String {
    PATH.to_owned()
}

/// What was tried and what went wrong.
#[derive(Default)]
struct Tally {
    replaced: usize,
    inserted: usize,
    moved: usize,
    refused: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn and(mut self, other: Tally) -> Tally {
        self.replaced += other.replaced;
        self.inserted += other.inserted;
        self.moved += other.moved;
        self.refused += other.refused;
        self.wrong.extend(other.wrong);
        self
    }
}

#[test]
fn what_is_put_back_leaves_every_byte() {
    let tally = all(&library::some(EVERY));
    println!(
        "{} replaced by themselves, {} inserted and deleted, {} moved there and back, {} refused \
         for syntax errors, {} differences",
        tally.replaced,
        tally.inserted,
        tally.moved,
        tally.refused,
        tally.wrong.len()
    );
    let shown = &tally.wrong[..tally.wrong.len().min(40)];
    assert!(tally.wrong.is_empty(), "\n{}", shown.join("\n"));
}

/// Tries each file, on as many threads as there are processors.
fn all(files: &[PathBuf]) -> Tally {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut tally = Tally::default();
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            try_file(file, &mut tally);
        }
        tally
    };
    let number = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..number).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .fold(Tally::default(), |all, it| all.and(it.join().expect("no thread fails")))
    })
}

fn try_file(file: &Path, tally: &mut Tally) {
    let bytes = std::fs::read(file).expect("the library can be read");
    let Ok(content) = Content::of_bytes(bytes) else { return };
    let one = One::new(&content).expect("it is code");
    let name = file.display().to_string();
    replace_each(&one, &name, tally);
    insert_and_move(&one, &name, tally);
}

fn request(name: &str, target: &str, more: Arguments) -> Request {
    let arguments = Arguments { path: path(), target: target.to_owned(), ..more };
    Request::new(name, arguments).expect("it is in the table")
}

fn replace_each(one: &One, name: &str, tally: &mut Tally) {
    for target in Index::new(&one.parsed).targets() {
        let read = request("read_structure", &target, Arguments::default());
        let content = match perform(&read, one, &Limits::default()) {
            Ok(done) => match done.output {
                Output::Read { matches } => matches[0].text.clone(),
                other => panic!("{other:?}"),
            },
            Err(failure) if failure.code.as_str() == "PARSER_FAILED" => {
                tally.refused += 1;
                continue;
            }
            Err(failure) => {
                tally.wrong.push(format!("{name}: read {target:?}: {}", failure.message));
                continue;
            }
        };
        let content = Arguments { content, ..Default::default() };
        let replace = request("replace_structure", &target, content);
        tally.replaced += 1;
        match perform(&replace, one, &Limits::default()) {
            Ok(done) if done.changes.is_empty() => {}
            Ok(_) => tally.wrong.push(format!("{name}: {target:?} is not what it was")),
            Err(failure) => {
                tally.wrong.push(format!("{name}: replace {target:?}: {}", failure.message));
            }
        }
    }
}

/// Functions and classes whose neighbours are as far apart as each other, in pairs.
fn regular_pairs(one: &One) -> Vec<(usize, usize)> {
    let structures = &one.parsed.outline.structures;
    let mut pairs = Vec::new();
    let parents = std::iter::once(None).chain((0..structures.len()).map(Some));
    for parent in parents {
        let children: Vec<usize> = one.parsed.outline.children(parent).collect();
        let gap = |pair: &[usize]| {
            let between = structures[pair[0]].extent.end..structures[pair[1]].extent.start;
            let between = &one.text()[between];
            between.trim().is_empty().then(|| between.matches('\n').count()).filter(|it| *it > 0)
        };
        let gaps: Vec<_> = children.windows(2).map(gap).collect();
        let kinds: Vec<Kind> = children.iter().map(|it| structures[*it].kind).collect();
        let definitions =
            kinds.iter().all(|kind| matches!(kind, Kind::Function | Kind::Method | Kind::Class));
        let same_kind = kinds.windows(2).all(|pair| pair[0] == pair[1]);
        let regular = gaps.windows(2).all(|pair| pair[0] == pair[1]) && !gaps.contains(&None);
        if definitions && same_kind && regular && children.len() > 2 {
            // What is before the first, a docstring perhaps, or after the last, as a `return`,
            // may be nearer or farther.
            let end = parent.map_or(one.text().len(), |parent| structures[parent].extent.end);
            let last = children.last().map_or(end, |last| structures[*last].extent.end);
            let followed = !one.text()[last.min(end)..end].trim().is_empty();
            let inner = &children[..children.len() - usize::from(followed)];
            pairs.extend(inner.windows(2).skip(1).map(|pair| (pair[0], pair[1])));
        }
    }
    pairs
}

fn insert_and_move(one: &One, name: &str, tally: &mut Tally) {
    let index = Index::new(&one.parsed);
    let pairs = regular_pairs(one);
    let step = pairs.len().div_ceil(MOVED).max(1);
    for (first, second) in pairs.into_iter().step_by(step) {
        let structures = &one.parsed.outline.structures;
        let (target, next) = (index.target(first), index.target(second));
        let new = match structures[first].kind {
            Kind::Class => "class AddedByATest:\n    pass\n",
            _ => "def AddedByATest():\n    pass\n",
        };
        let content = Arguments { content: new.to_owned(), ..Default::default() };
        let insert = request("insert_after_structure", &target, content);
        let delete = request("delete_structure", "AddedByATest", Arguments::default());
        let inserted = one.after(&insert).and_then(|after| after.after(&delete));
        tally.inserted += 1;
        note(one, inserted, &format!("{name}: insert after {target:?}"), tally);
        // A number in a target counts what is before it, which a move changes.
        if target.contains(" [") || next.contains(" [") {
            continue;
        }
        let there = |side: &str| {
            let dest_target = next.clone();
            let to = Arguments { dest_path: path(), dest_target, ..Default::default() };
            request(&format!("move_structure_to_{side}"), &target, to)
        };
        let moved = one.after(&there("after"));
        let back = moved.and_then(|after| after.after(&there("before")));
        tally.moved += 1;
        note(one, back, &format!("{name}: move {target:?} after {next:?}"), tally);
    }
}

fn note(one: &One, after: Result<One, Failure>, what: &str, tally: &mut Tally) {
    match after {
        Ok(after) if after.text() == one.text() => {}
        Ok(_) => tally.wrong.push(format!("{what}: not what it was")),
        Err(failure) if failure.code.as_str() == "PARSER_FAILED" => tally.refused += 1,
        Err(failure) => tally.wrong.push(format!("{what}: {}", failure.message)),
    }
}
