//! `grep` and `glob`: what is found below a directory.

use serde_json::{Value, json};

use super::context::Context;
use super::search::{Hits, WITHOUT_TRANSCRIPT, transcript_among};
use super::{Issue, Plan, summary};
use crate::path::{FilePath, Kind};
use crate::problem::PLAN_TEXT_EMPTY;
use crate::text::glob::Glob;

/// The lines that hold a substring.
pub(super) fn grep(
    context: &Context<'_>,
    pattern: &str,
    written: &str,
    include: Option<&Glob>,
) -> Result<Plan, Box<Issue>> {
    if pattern.is_empty() {
        let message = "`pattern` is empty: the empty text is everywhere";
        let issue = Issue::new(PLAN_TEXT_EMPTY, "pattern", message);
        return Err(issue.detail("parameter", "pattern"));
    }
    let mut found = Found::new(context, written, "path")?;
    let own = transcript_among(context, found.kind, found.files.iter().map(|(file, _)| file));
    found.files.retain(|(file, _)| Some(file) != own.as_ref());
    let (mut total, mut matches) = (0, Vec::new());
    let all = context.limits.matches_per_tree;
    for (file, name) in &found.files {
        context.work.go_on("pattern")?;
        if include.is_some_and(|glob| !glob.fits_name(name)) {
            continue;
        }
        // What is no text has no lines.
        let Ok(content) = context.read(file) else { continue };
        let room = all.saturating_sub(matches.len()).min(context.limits.matches_per_file);
        let hits = Hits::new(&content.text, pattern, room);
        total += hits.total;
        let path = found.absolute(name);
        matches.extend(
            hits.lines
                .into_iter()
                .map(|(number, line)| json!({"file": path, "line_number": number, "line": line})),
        );
    }
    let mut said = summary::count(total, "matching line");
    if total > matches.len() {
        said = format!("{said}, {} shown", matches.len());
    }
    if own.is_some() {
        said.push_str(WITHOUT_TRANSCRIPT);
    }
    found.plan(context, "searched", &said, matches)
}

/// The files that fit a glob.
pub(super) fn glob(context: &Context<'_>, glob: &Glob, written: &str) -> Result<Plan, Box<Issue>> {
    let found = Found::new(context, written, "path")?;
    let fitting = found.files.iter().filter(|(_, name)| glob.fits(name));
    let paths: Vec<Value> = fitting.map(|(_, name)| found.absolute(name).into()).collect();
    let said = summary::count(paths.len(), "file");
    found.plan(context, "looked through", &said, paths)
}

/// The files of a directory by their paths from it on; a file by itself by its name.
struct Found<'a> {
    written: &'a str,
    path: FilePath,
    kind: Kind,
    files: Vec<(FilePath, String)>,
}

impl<'a> Found<'a> {
    fn new(
        context: &Context<'_>,
        written: &'a str,
        field: &'static str,
    ) -> Result<Found<'a>, Box<Issue>> {
        let (path, kind) = context.existing(written, field)?;
        let files = match kind {
            Kind::File => {
                let name = path.path.rsplit('/').next().unwrap_or_default().to_owned();
                vec![(path.clone(), name)]
            }
            Kind::Directory => {
                let limit = context.limits.files_per_command;
                let files =
                    context.ask(&path, field, |snapshot| snapshot.files(&path, false, limit))?;
                let start = if path.path.is_empty() { 0 } else { path.path.len() + 1 };
                let name = |file: FilePath| {
                    let name = file.path[start..].to_owned();
                    (file, name)
                };
                files.into_iter().map(name).collect()
            }
        };
        Ok(Found { written, path, kind, files })
    }

    fn absolute(&self, name: &str) -> String {
        match self.kind {
            Kind::File => self.written.to_owned(),
            Kind::Directory => format!("{}/{name}", self.written.trim_end_matches('/')),
        }
    }

    fn plan(
        self,
        context: &Context<'_>,
        verb: &str,
        said: &str,
        data: Vec<Value>,
    ) -> Result<Plan, Box<Issue>> {
        let path = self.path;
        let state = context.ask(&path, "path", |snapshot| snapshot.state(&path))?;
        let summary = summary::summary(verb, &path.to_string(), &format!(": {said}"));
        Ok(Plan::of_reading(path, state, summary, String::new()).with(Value::Array(data)))
    }
}
