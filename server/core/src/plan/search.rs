//! `fs.search` and `fs.searchTree`: the lines that hold a text.

use super::context::Context;
use super::read::numbered;
use super::{Issue, Plan, summary};
use crate::path::{FilePath, Kind, State};
use crate::text::find;
use crate::text::lines;

/// A longer line is cut around the match's line start, and the summary says so.
const LINE_CHARACTERS: usize = 500;

/// The lines of one file, numbered.
pub(super) fn file(context: &Context<'_>, path: &str, query: &str) -> Result<Plan, Box<Issue>> {
    let (path, content) = context.file(path)?;
    let limit = context.limits.matches_per_file;
    let found = Hits::new(&content.text, query, limit);
    let mut said = summary::count(found.total, "matching line");
    if found.total > found.lines.len() {
        said = format!("the first {limit} of {said}");
    }
    if found.cut {
        said.push_str(", long lines cut");
    }
    let summary = summary::summary("searched", &path.to_string(), &format!(": {said}"));
    let state = State::File(content.fingerprint());
    Ok(Plan::of_reading(path, state, summary, numbered(found.lines)))
}

/// The lines of every file below a directory, or of one file, with their paths.
pub(super) fn tree(context: &Context<'_>, path: &str, query: &str) -> Result<Plan, Box<Issue>> {
    let (path, kind) = context.existing(path, "path")?;
    let mut files = match kind {
        Kind::File => vec![path.clone()],
        Kind::Directory => {
            let limit = context.limits.files_per_command;
            context.ask(&path, "path", |snapshot| snapshot.files(&path, false, limit))?
        }
    };
    let own = transcript_among(context, kind, files.iter());
    files.retain(|file| Some(file) != own.as_ref());
    let mut tree = Tree { without_transcript: own.is_some(), ..Tree::default() };
    for file in &files {
        context.work.go_on("query")?;
        tree.look(context, file, query);
    }
    let summary = summary::summary(
        "searched",
        &path.to_string(),
        &format!(": {}", tree.said(context, files.len())),
    );
    let state = context.ask(&path, "path", |snapshot| snapshot.state(&path))?;
    Ok(Plan::of_reading(path, state, summary, tree.lines.join("\n")))
}

/// The transcript where it is one of the files below a directory that is searched for a text: it
/// holds the text of every search, and is left out.
pub(super) fn transcript_among<'f>(
    context: &Context<'_>,
    kind: Kind,
    mut files: impl Iterator<Item = &'f FilePath>,
) -> Option<FilePath> {
    let own = context.transcript().filter(|_| kind == Kind::Directory)?;
    files.any(|file| *file == own).then_some(own)
}

/// What a summary says of that.
pub(super) const WITHOUT_TRANSCRIPT: &str = "; this transcript is left out";

#[derive(Default)]
struct Tree {
    without_transcript: bool,
    lines: Vec<String>,
    total: usize,
    matching_files: usize,
    skipped: usize,
    cut: bool,
}

impl Tree {
    fn look(&mut self, context: &Context<'_>, file: &FilePath, query: &str) {
        let Ok(content) = context.snapshot.read(file) else {
            self.skipped += 1;
            return;
        };
        let room = context.limits.matches_per_tree.saturating_sub(self.lines.len());
        let hits = Hits::new(&content.text, query, room.min(context.limits.matches_per_file));
        let path = summary::excerpt(&file.to_string(), usize::MAX);
        self.total += hits.total;
        self.matching_files += usize::from(hits.total > 0);
        self.cut |= hits.cut;
        self.lines
            .extend(hits.lines.iter().map(|(number, text)| format!("{path}:{number}: {text}")));
    }

    fn said(&self, context: &Context<'_>, files: usize) -> String {
        let mut said = summary::count(self.total, "matching line");
        if self.total > 0 {
            said.push_str(&format!(" in {}", summary::count(self.matching_files, "file")));
        }
        said.push_str(&format!(" of {files}"));
        if self.total > self.lines.len() {
            let (each, all) = (context.limits.matches_per_file, context.limits.matches_per_tree);
            let shown = self.lines.len();
            said.push_str(&format!("; {shown} shown, at most {each} a file and {all} in all"));
        }
        if self.cut {
            said.push_str("; long lines cut");
        }
        if self.without_transcript {
            said.push_str(WITHOUT_TRANSCRIPT);
        }
        if self.skipped > 0 {
            let files = summary::count(self.skipped, "file");
            said.push_str(&format!("; {files} not searched (no UTF-8 text, too large, or closed)"));
        }
        said
    }
}

/// The lines of one text that hold a query.
pub(super) struct Hits {
    /// The first of them, with their 1-based numbers.
    pub lines: Vec<(usize, String)>,
    /// How many there are.
    pub total: usize,
    /// Whether a line was cut.
    cut: bool,
}

impl Hits {
    pub(super) fn new(text: &str, query: &str, limit: usize) -> Hits {
        let mut hits = Hits { lines: Vec::new(), total: 0, cut: false };
        let haystack = find::Haystack::new(text, query);
        let (mut number, mut counted, mut end) = (1, 0, 0);
        for found in find::each(&haystack, query) {
            if hits.total > 0 && found.start < end {
                continue;
            }
            let between = &text.as_bytes()[counted..found.start];
            number += memchr::memchr_iter(b'\n', between).count();
            counted = found.start;
            let start =
                memchr::memrchr(b'\n', &text.as_bytes()[..found.start]).map_or(0, |at| at + 1);
            let rest = memchr::memchr(b'\n', &text.as_bytes()[found.start..]);
            end = rest.map_or(text.len(), |at| found.start + at + 1);
            hits.total += 1;
            if hits.lines.len() < limit {
                let line = lines::without_ending(&text[start..end]);
                let shown: String = line.chars().take(LINE_CHARACTERS).collect();
                let cut = shown.len() < line.len();
                hits.cut |= cut;
                hits.lines.push((number, shown + if cut { "…" } else { "" }));
            }
        }
        hits
    }
}
