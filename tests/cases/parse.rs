//! Reads a `.cases.md` file: `## name` opens a case, its fenced blocks are its sections.

use std::path::{Path, PathBuf};

use crate::{escape, macros};

/// One file of cases.
pub struct CaseFile {
    pub path: PathBuf,
    pub lines: Vec<String>,
    pub cases: Vec<Case>,
}

/// One case; `start..end` are its 0-based lines, the heading included.
pub struct Case {
    pub name: String,
    pub start: usize,
    pub end: usize,
    pub sections: Vec<Section>,
}

/// One fenced block; `start..end` are its 0-based lines, both fences included.
#[derive(Clone)]
pub struct Section {
    pub kind: String,
    pub args: Vec<String>,
    pub escaped: bool,
    /// The `call` that it is, or is about, counted from 1; 0 where it is about the whole case.
    pub call: usize,
    pub body: String,
    pub start: usize,
    pub end: usize,
}

const KINDS: [&str; 17] = [
    "file",
    "link",
    "client",
    "transcript",
    "blocks",
    "problems",
    "reply",
    "after",
    "deleted",
    "fixed",
    "corrected",
    "call",
    "result",
    "text",
    "outline",
    "error",
    "warnings",
];

/// The kinds that are about the `call` above them.
const OF_CALLS: [&str; 6] = ["call", "result", "text", "outline", "error", "warnings"];

impl CaseFile {
    pub fn read(path: &Path) -> CaseFile {
        let text = std::fs::read_to_string(path).unwrap();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut cases: Vec<Case> = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let line = &lines[at];
            if let Some(name) = line.strip_prefix("## ") {
                let name = name.trim().to_owned();
                cases.push(Case { name, start: at, end: at, sections: Vec::new() });
            } else if let Some((fence, info)) = fence_of(line) {
                let mut section = section(path, &lines, at, fence, info);
                at = section.end - 1;
                let case = cases.last_mut().expect("a section is under a `## name`");
                if OF_CALLS.contains(&&*section.kind) {
                    section.call = case.calls() + usize::from(section.kind == "call");
                }
                case.sections.push(section);
            }
            at += 1;
            if let Some(case) = cases.last_mut() {
                case.end = at;
            }
        }
        CaseFile { path: path.to_owned(), lines, cases }
    }
}

/// The fence and the info string of a line that opens a block.
fn fence_of(line: &str) -> Option<(&str, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = line.trim_start_matches(mark);
    let fence = &line[..line.len() - info.len()];
    (fence.len() >= 3).then(|| (fence, info.trim()))
}

fn section(path: &Path, lines: &[String], start: usize, fence: &str, info: &str) -> Section {
    let place = || format!("{}:{}", path.display(), start + 1);
    let length = lines[start + 1..].iter().position(|line| line.trim_end() == fence);
    let length = length.unwrap_or_else(|| panic!("{}: the block is never closed", place()));
    let mut words = words(info);
    let escaped = words.iter().any(|word| word == "escaped");
    words.retain(|word| word != "escaped");
    let kind = if words.is_empty() { String::new() } else { words.remove(0) };
    assert!(KINDS.contains(&&*kind), "{}: no section is called `{kind}`", place());
    let body = lines[start + 1..start + 1 + length].iter().map(|line| format!("{line}\n"));
    let (body, end) = (body.collect(), start + length + 2);
    Section { kind, args: words, escaped, call: 0, body, start, end }
}

/// Words between blanks; a word in double quotes may hold blanks.
fn words(info: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in info.split('"').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

impl Case {
    pub fn of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Section> {
        self.sections.iter().filter(move |section| section.kind == kind)
    }

    pub fn first(&self, kind: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.kind == kind)
    }

    fn calls(&self) -> usize {
        self.of("call").count()
    }

    /// The exact bytes of the transcript.
    pub fn transcript(&self) -> Vec<u8> {
        let section = self.first("transcript").expect("every case has a transcript");
        self.expand(section)
    }

    /// The exact bytes of a section that is a transcript.
    pub fn expand(&self, section: &Section) -> Vec<u8> {
        macros::expand(&section.bytes(), &self.files())
    }

    /// The files of the workspace before, by path.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let files = self.of("file").filter(|section| !section.path().ends_with('/'));
        files.flat_map(Section::files).collect()
    }
}

impl Section {
    /// The path that the section is about.
    pub fn path(&self) -> &str {
        self.args.first().expect("the section names a path")
    }

    pub fn has(&self, word: &str) -> bool {
        self.args.iter().any(|arg| arg == word)
    }

    /// The body with its escapes decoded.
    pub fn bytes(&self) -> Vec<u8> {
        if self.escaped { escape::decode(&self.body) } else { self.body.clone().into_bytes() }
    }

    /// The files that a `file` or `after` section stands for: one, or many with `times <n>`.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let bytes = match self.escaped {
            true => macros::expand(&self.bytes(), &[]),
            false => self.bytes(),
        };
        let times = self.args.iter().position(|arg| arg == "times");
        let times = times.map_or(1, |at| self.args[at + 1].parse::<usize>().unwrap());
        let name = |n: usize| self.path().replace("{n}", &n.to_string());
        (1..=times).map(|n| (name(n), bytes.clone())).collect()
    }
}
