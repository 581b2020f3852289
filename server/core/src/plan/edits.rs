//! `fs.applyEdits`: edits of a text, in order, each on what the one before left.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use super::context::{Context, shown};
use super::edit::Edited;
use super::issue::Remedy;
use super::spliced::Spliced;
use super::work::Work;
use super::{Issue, nearby};
use crate::command::edits::TextEdit;
use crate::path::FilePath;
use crate::problem::{
    Code, PLAN_FILE_TOO_LARGE, PLAN_RANGE_OUT_OF_BOUNDS, PLAN_TEXT_AMBIGUOUS, PLAN_TEXT_NOT_FOUND,
};
use crate::spec::FieldRole;
use crate::text::fence;
use crate::text::find;
use crate::text::lines::{self, Ending};
use crate::text::replacement::{self, LineEndings};
use crate::text::{Content, Span};

/// An ambiguous text is searched for up to this many times.
const COUNTED: usize = 1_000;
/// An ambiguous text's places are named up to this many times.
const NAMED: usize = 20;

/// The text after edits in order; the first that fails keeps all from being done.
pub(super) fn in_order(
    context: &Context<'_>,
    path: &FilePath,
    before: &Content,
    edits: &[TextEdit],
) -> Edited {
    let running = Running::of(context, path, FieldRole::Edits);
    let mut text = Spliced::new(before.text.to_string());
    for (index, edit) in edits.iter().enumerate() {
        running.apply(&mut text, edit).map_err(|issue| in_edit(index, issue))?;
        context.check_size(text.as_str().len(), FieldRole::Edits)?;
    }
    Ok((text.into_string(), None))
}

fn in_edit(index: usize, mut issue: Box<Issue>) -> Box<Issue> {
    issue.message = format!("edits[{index}]: {}", issue.message);
    issue.detail("edit", index)
}

impl TextEdit {
    /// The text that it brings.
    pub(super) fn text(&self) -> &str {
        match self {
            TextEdit::InsertAfter { text, .. }
            | TextEdit::InsertBefore { text, .. }
            | TextEdit::ReplaceFirst { text, .. }
            | TextEdit::ReplaceAll { text, .. }
            | TextEdit::ReplaceRange { text, .. } => text,
        }
    }
}

/// One edit on the running text of a file.
pub(super) struct Running<'a> {
    path: &'a FilePath,
    limit: usize,
    work: &'a Work<'a>,
    /// The field that says what is searched for.
    field: FieldRole,
    /// How many lines of the file come before the text that is looked through.
    above: usize,
}

impl<'a> Running<'a> {
    /// Edits of a file for what is in `field`.
    pub(super) fn of(
        context: &'a Context<'a>,
        path: &'a FilePath,
        field: FieldRole,
    ) -> Running<'a> {
        Running { path, limit: context.limits.file_bytes, work: context.work, field, above: 0 }
    }

    /// The same in a text before which so many lines are.
    pub(super) fn below(self, lines: usize) -> Running<'a> {
        Running { above: lines, ..self }
    }

    /// Where the text is that must be there exactly once.
    pub(super) fn the_one(&self, text: &str, needle: &str) -> Result<Span, Box<Issue>> {
        self.one(text, needle, None)
    }

    /// Puts a text in the place of one that must be there exactly once.
    pub(super) fn replace_one(
        &self,
        text: &mut Spliced,
        old: &str,
        new: &str,
    ) -> Result<(), Box<Issue>> {
        let span = self.one(text.as_str(), old, None);
        let span = span.map_err(|issue| self.in_a_fence(issue, text.as_str(), old, new))?;
        let new = Replacer::new(text, old, new).at(&span).into_owned();
        self.splice(text, span, &new)
    }

    /// The issue of a text to find that is there without the fence around it.
    fn in_a_fence(&self, issue: Box<Issue>, text: &str, old: &str, new: &str) -> Box<Issue> {
        let inner = fence::inside(old).filter(|inner| {
            issue.code == PLAN_TEXT_NOT_FOUND && !find::matches(text, inner, 1).is_empty()
        });
        let Some(inner) = inner else { return issue };
        let name = self.name();
        let message = format!(
            "the text is in `{name}` without the code fence around it: leave the fence out"
        );
        let issue = self.issue(PLAN_TEXT_NOT_FOUND, message);
        if self.field != FieldRole::Search {
            return issue;
        }
        let new = fence::inside(new).unwrap_or(new);
        let values = [(FieldRole::Search, inner), (FieldRole::Replace, new)];
        let values = values.map(|(role, text)| (role, text.to_owned())).to_vec();
        issue.choice("Remove the fence".to_owned(), Remedy::Values(values))
    }

    fn splice(&self, text: &mut Spliced, span: Span, new: &str) -> Result<(), Box<Issue>> {
        // What comes after it is moved.
        self.work.add(text.as_str().len() - span.start, self.field)?;
        text.splice(span, new);
        Ok(())
    }

    fn apply(&self, text: &mut Spliced, edit: &TextEdit) -> Result<(), Box<Issue>> {
        let (span, new) = match edit {
            TextEdit::InsertAfter { anchor, text: new, occurrence } => {
                let at = self.one(text.as_str(), anchor, *occurrence)?.end;
                (at..at, inserted(text, anchor, new))
            }
            TextEdit::InsertBefore { anchor, text: new, occurrence } => {
                let at = self.one(text.as_str(), anchor, *occurrence)?.start;
                (at..at, inserted(text, anchor, new))
            }
            TextEdit::ReplaceFirst { find, text: new, occurrence: None } => {
                return self.replace_one(text, find, new);
            }
            TextEdit::ReplaceFirst { find, text: new, occurrence } => {
                let span = self.one(text.as_str(), find, *occurrence)?;
                let new = Replacer::new(text, find, new).at(&span).into_owned();
                (span, new)
            }
            TextEdit::ReplaceAll { find, text: new } => {
                *text = Spliced::new(self.replace_all(text, find, new)?);
                return Ok(());
            }
            TextEdit::ReplaceRange { start_line, end_line, text: new } => {
                self.replace_range(text, *start_line, *end_line, new)?
            }
        };
        self.splice(text, span, &new)
    }

    /// The one place that an edit means.
    fn one(
        &self,
        text: &str,
        needle: &str,
        which: Option<NonZeroUsize>,
    ) -> Result<Span, Box<Issue>> {
        self.work.add(text.len(), self.field)?;
        if let Some(which) = which {
            return self.numbered(text, needle, which.get());
        }
        let mut found = find::matches(text, needle, COUNTED + 1);
        match found.as_slice() {
            [] => Err(self.not_found(text, needle)),
            [only] => match find::overlapping(text, needle, only) {
                None => Ok(only.clone()),
                Some(second) => {
                    found.push(second);
                    Err(self.ambiguous(text, needle, &found, "; the places overlap"))
                }
            },
            several => Err(self.ambiguous(text, needle, several, "")),
        }
    }

    fn numbered(&self, text: &str, needle: &str, which: usize) -> Result<Span, Box<Issue>> {
        let haystack = find::Haystack::new(text, needle);
        let mut count = 0;
        for span in find::each(&haystack, needle) {
            count += 1;
            self.work.add_match(count, self.field)?;
            if count == which {
                return Ok(span);
            }
        }
        if count == 0 {
            return Err(self.not_found(text, needle));
        }
        let times = times(count);
        let message = format!(
            "occurrence {which} is asked for, and the text is in `{}` {times}",
            self.name()
        );
        Err(self.issue(PLAN_TEXT_NOT_FOUND, message).detail("matches", count))
    }

    /// The text with each match replaced; none is an issue.
    pub(super) fn replace_all(
        &self,
        running: &Spliced,
        needle: &str,
        new: &str,
    ) -> Result<String, Box<Issue>> {
        let mut replacer = Replacer::new(running, needle, new);
        let text = running.as_str();
        let haystack = find::Haystack::new(text, needle);
        let mut result = String::with_capacity(text.len());
        let mut done = 0;
        self.work.add(2 * text.len(), self.field)?;
        for (count, span) in (1..).zip(find::each(&haystack, needle)) {
            self.work.add_match(count, self.field)?;
            result.push_str(&text[done..span.start]);
            result.push_str(&replacer.at(&span));
            done = span.end;
            if result.len() > self.limit {
                let message = format!("the file would have more than {} bytes", self.limit);
                return Err(self.issue(PLAN_FILE_TOO_LARGE, message).detail("limit", self.limit));
            }
        }
        if done == 0 {
            return Err(self.not_found(text, needle));
        }
        result.push_str(&text[done..]);
        Ok(result)
    }

    fn replace_range(
        &self,
        running: &Spliced,
        first: usize,
        last: usize,
        new: &str,
    ) -> Result<(Span, String), Box<Issue>> {
        let text = running.as_str();
        self.work.add(text.len(), self.field)?;
        let Some(span) = lines::span_of(text, first, last) else {
            let total = lines::count(text);
            let name = self.name();
            let message = format!("lines {first} to {last} are out of range: `{name}` has {total}");
            return Err(self.issue(PLAN_RANGE_OUT_OF_BOUNDS, message).detail("lines", total));
        };
        let old = &text[span.clone()];
        let mut new = replacement::with_endings_of(old, new, running.dominant());
        match Ending::of_line(old) {
            _ if new.is_empty() => {}
            Some(ending) if !new.ends_with('\n') => new.push_str(ending.as_str()),
            Some(_) => {}
            None => new.truncate(lines::without_ending(&new).len()),
        }
        Ok((span, new))
    }

    fn not_found(&self, text: &str, needle: &str) -> Box<Issue> {
        let name = self.name();
        let Some(mut near) = nearby::nearest(text, needle) else {
            let message = format!("the text is not in `{name}`, and no line is like it");
            return self.issue(PLAN_TEXT_NOT_FOUND, message);
        };
        near.first += self.above;
        near.line += self.above;
        let message = format!("the text is not in `{name}`; {}", near.sentence());
        let issue = self.issue(PLAN_TEXT_NOT_FOUND, message).detail("line", near.line);
        let issue = issue.detail("nearest", vec![near.quoted(text, needle, self.above)]);
        issue.detail("differs", near.differs).related("the nearest text", self.path, near.line)
    }

    fn ambiguous(&self, text: &str, needle: &str, found: &[Span], more: &str) -> Box<Issue> {
        let is_more = found.len() > COUNTED;
        let count = match is_more {
            true => find::each(&find::Haystack::new(text, needle), needle).count(),
            false => found.len(),
        };
        let lines: Vec<usize> =
            line_numbers(text, found).into_iter().map(|line| line + self.above).collect();
        let named: Vec<String> = lines.iter().take(NAMED).map(usize::to_string).collect();
        let rest = if lines.len() > NAMED { ", …" } else { "" };
        let which = match self.field {
            FieldRole::Edits => ", or say which with `occurrence`",
            _ => "",
        };
        let times = match is_more {
            true => format!("more than {COUNTED} times"),
            false => times(found.len()),
        };
        let message = format!(
            "the text is in `{}` {times}, in lines {}{rest}{more}; include more surrounding lines{which}",
            self.name(),
            named.join(", "),
        );
        let mut issue = self.issue(PLAN_TEXT_AMBIGUOUS, message).detail("matches", count);
        for line in lines.iter().take(NAMED) {
            issue = issue.related("a match", self.path, *line);
        }
        issue.detail("lines", lines)
    }

    fn issue(&self, code: Code, message: String) -> Box<Issue> {
        let issue = Issue::new(code, self.field, message);
        match self.field {
            FieldRole::Edits => issue,
            field => issue.detail("parameter", field.name()),
        }
    }

    fn name(&self) -> String {
        shown(self.path)
    }
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// The text that is in the place of a match, at ascending matches.
struct Replacer<'a> {
    text: &'a str,
    new: &'a str,
    /// Whether it is written as it is given.
    exact: bool,
    running: &'a Spliced,
    endings: LineEndings<'a>,
}

impl<'a> Replacer<'a> {
    fn new(running: &'a Spliced, needle: &str, new: &'a str) -> Replacer<'a> {
        let exact = needle.contains('\r') || !new.contains('\n');
        let text = running.as_str();
        Replacer { text, new, exact, running, endings: LineEndings::new(text) }
    }

    fn at(&mut self, span: &Span) -> Cow<'a, str> {
        if self.exact {
            return self.new.into();
        }
        let other = self.endings.at(span.end).or_else(|| self.running.dominant());
        replacement::with_endings_of(&self.text[span.clone()], self.new, other).into()
    }
}

/// The text as it is inserted at a match of `anchor`: new lines end as the file's do.
fn inserted(text: &Spliced, anchor: &str, new: &str) -> String {
    match text.dominant() {
        Some(ending) if !anchor.contains('\r') => lines::with_ending(new, ending),
        _ => new.to_owned(),
    }
}

/// The 1-based line that each span begins in; the spans ascend.
fn line_numbers(text: &str, spans: &[Span]) -> Vec<usize> {
    let (mut line, mut counted) = (1, 0);
    let number = |span: &Span| {
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..span.start]).count();
        counted = span.start;
        line
    };
    spans.iter().map(number).collect()
}
