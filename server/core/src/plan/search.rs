//! Steps that search a file or a tree: for lines with a text, or for files that fit a glob.

use super::context::{Context, shown};
use super::{Fact, FoundInTree, Issue, Matches, Plan};
use crate::command::SearchFor;
use crate::path::{FilePath, Kind, State};
use crate::problem::PLAN_TEXT_EMPTY;
use crate::snapshot::Denied;
use crate::spec::FieldRole;
use crate::text::glob::Glob;
use crate::text::{find, lines};

/// A longer line is cut, and the fact says so.
const LINE_CHARACTERS: usize = 500;

/// What is found in a file, or in all files of a tree.
pub(super) fn plan(
    context: &Context<'_>,
    path: &str,
    what: &SearchFor,
    in_tree: bool,
) -> Result<Plan, Box<Issue>> {
    match what {
        SearchFor::Text { query, .. } if !in_tree => file(context, path, query),
        SearchFor::Text { query, include } => text(context, path, query, include.as_ref()),
        SearchFor::Files(glob) => files(context, path, glob),
    }
}

/// The lines of one file.
fn file(context: &Context<'_>, path: &str, query: &str) -> Result<Plan, Box<Issue>> {
    let (path, content) = context.file(path)?;
    let limit = context.limits.matches_per_file;
    let found = matches(&content.text, query, limit);
    let fact = Fact::FoundInFile { path: path.clone(), found, limit };
    Ok(Plan::of_reading(path, State::File(content.fingerprint()), fact))
}

/// The lines of every file of a tree, but for the transcript in it: it holds the text of every
/// search.
fn text(
    context: &Context<'_>,
    path: &str,
    query: &str,
    include: Option<&Glob>,
) -> Result<Plan, Box<Issue>> {
    if query.is_empty() {
        let message = "`pattern` is empty: the empty text is everywhere";
        let issue = Issue::new(PLAN_TEXT_EMPTY, FieldRole::Pattern, message);
        return Err(issue.detail("parameter", FieldRole::Pattern.name()));
    }
    let mut tree = Tree::new(context, path)?;
    let own = context.transcript().filter(|_| tree.kind == Kind::Directory);
    let leaves_transcript = own.as_ref().is_some_and(|own| tree.files.contains(own));
    tree.files.retain(|file| Some(file) != own.as_ref());
    let limits = (context.limits.matches_per_file, context.limits.matches_per_tree);
    let mut found = FoundInTree {
        path: tree.path.clone(),
        files: Vec::new(),
        total: 0,
        matching: 0,
        searched: tree.files.len(),
        skipped: tree.unread.len(),
        is_cut: false,
        limits,
        leaves_transcript,
    };
    for file in &tree.files {
        context.work.go_on(FieldRole::Query)?;
        if include.is_none_or(|glob| glob.fits_name(tree.name(file))) {
            look(context, file, query, &mut found);
        }
    }
    tree.plan(context, Fact::FoundInTree(found))
}

fn look(context: &Context<'_>, file: &FilePath, query: &str, found: &mut FoundInTree) {
    let content = context.snapshot.read(file).ok();
    let Some(content) = content.filter(|it| it.len() <= context.limits.file_bytes) else {
        found.skipped += 1;
        return;
    };
    let (each, all) = found.limits;
    let room = all.saturating_sub(found.given()).min(each);
    let here = matches(&content.text, query, room);
    found.total += here.total;
    found.matching += usize::from(here.total > 0);
    found.is_cut |= here.is_cut;
    if !here.lines.is_empty() {
        found.files.push((file.clone(), here.lines));
    }
}

/// The files that fit a glob.
fn files(context: &Context<'_>, path: &str, glob: &Glob) -> Result<Plan, Box<Issue>> {
    let tree = Tree::new(context, path)?;
    let fitting = tree.files.iter().filter(|file| glob.fits(tree.name(file))).cloned().collect();
    let fact = Fact::FoundFiles { path: tree.path.clone(), files: fitting };
    tree.plan(context, fact)
}

/// The files of a directory, or one file.
struct Tree {
    path: FilePath,
    kind: Kind,
    files: Vec<FilePath>,
    /// What is passed over.
    unread: Vec<(FilePath, Denied)>,
}

impl Tree {
    fn new(context: &Context<'_>, written: &str) -> Result<Tree, Box<Issue>> {
        let (path, kind) = context.existing(written, FieldRole::Path)?;
        let limit = context.limits.files_per_command;
        let files = match kind {
            Kind::File => vec![path.clone()],
            Kind::Directory => context
                .ask(&path, FieldRole::Path, |snapshot| snapshot.files(&path, false, limit))?,
        };
        let unread = match kind {
            Kind::File => Vec::new(),
            Kind::Directory => context.snapshot.unread(&path, false),
        };
        Ok(Tree { path, kind, files, unread })
    }

    /// A file's path from the directory on; of one file by itself its name.
    fn name<'f>(&self, file: &'f FilePath) -> &'f str {
        match self.kind {
            Kind::File => file.path.rsplit('/').next().unwrap_or_default(),
            Kind::Directory => {
                let below = file.path.get(self.path.path.len()..).unwrap_or_default();
                below.strip_prefix('/').unwrap_or(below)
            }
        }
    }

    fn plan(self, context: &Context<'_>, fact: Fact) -> Result<Plan, Box<Issue>> {
        let Tree { path, unread, .. } = self;
        let state = context.ask(&path, FieldRole::Path, |snapshot| snapshot.state(&path))?;
        let mut plan = Plan::of_reading(path, state, fact);
        plan.remarks.extend(unread.first().map(|(first, why)| {
            let are = match unread.len() - 1 {
                0 => "is".to_owned(),
                more => format!("and {more} more are"),
            };
            let message = format!("`{}` {are} not searched: {why}", shown(first));
            *Issue::warning(why.code(), FieldRole::Path, message)
        }));
        Ok(plan)
    }
}

/// The lines of one text that hold a query, and the text of so many of them at most.
fn matches(text: &str, query: &str, limit: usize) -> Matches {
    let mut hits = Matches { lines: Vec::new(), total: 0, is_cut: false };
    let haystack = find::Haystack::new(text, query);
    let (mut number, mut counted, mut end) = (1, 0, 0);
    for found in find::each(&haystack, query) {
        if found.start < end {
            continue;
        }
        let between = &text.as_bytes()[counted..found.start];
        number += memchr::memchr_iter(b'\n', between).count();
        counted = found.start;
        let start = memchr::memrchr(b'\n', &text.as_bytes()[..found.start]).map_or(0, |at| at + 1);
        let rest = memchr::memchr(b'\n', &text.as_bytes()[found.start..]);
        end = rest.map_or(text.len(), |at| found.start + at + 1);
        hits.total += 1;
        if hits.lines.len() < limit {
            let line = lines::without_ending(&text[start..end]);
            let shown: String = line.chars().take(LINE_CHARACTERS).collect();
            let cut = shown.len() < line.len();
            hits.is_cut |= cut;
            hits.lines.push((number, shown + if cut { "…" } else { "" }));
        }
    }
    hits
}
