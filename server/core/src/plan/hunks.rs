//! Edits by hunks: whole lines in the place of others, each hunk at the one place that it fits.

use std::iter;
use std::ops::Range;

use serde_json::json;

use super::context::{Context, Written, shown};
use super::{Fact, Issue, Outcome, Plan, Remedy, Repair, Wrote, nearby};
use crate::command::Missing;
use crate::command::hunks::{Hunk, Reading};
use crate::path::FilePath;
use crate::place::{self, Candidate, Difference, Hints, Indent, Lines, Placement};
use crate::problem::{
    PLAN_NO_CHANGE, PLAN_TEXT_AMBIGUOUS, PLAN_TEXT_NOT_FOUND, SEARCH_REPLACE_SEVERAL_SPLITS,
};
use crate::spec::FieldRole;
use crate::text::one_line::{count, excerpt};
use crate::text::{Content, LineList};

/// So many places are named in a message.
const NAMED: usize = 10;
/// So many lines of the file are given for a place that is like the searched one.
pub(super) const SHOWN: usize = 20;
/// So many lines of the file at most say where a hunk goes.
const CONTEXT: usize = 5;
/// A file of more lines is not put into a block as a whole.
const WHOLE: usize = 200;

/// Edits one file, or creates it where the hunks say all of it.
pub(super) fn plan(
    context: &Context<'_>,
    written: &str,
    hunks: &[Hunk],
    missing: Missing,
) -> Result<Plan, Box<Issue>> {
    let readings = || hunks.iter().flat_map(|hunk| &hunk.readings);
    let bytes = readings().map(|it| it.old.text().len() + it.new.text().len()).sum();
    context.check_payload(bytes, FieldRole::Replace)?;
    let path = context.resolve(written, FieldRole::Path)?;
    let first = hunks.iter().filter_map(|hunk| hunk.readings.first());
    let texts = first.map(|reading| reading.new.joined()).collect();
    let place =
        Written { how: Wrote::Edited, path, field: FieldRole::Replace, texts, replacements: None };
    let kind = context.ask(&place.path, FieldRole::Path, |snapshot| snapshot.kind(&place.path))?;
    if missing == Missing::Create && kind.is_none() {
        context.free(written, FieldRole::Path)?;
        let is_new = |reading: &&Reading| reading.old.is_empty();
        let created: Vec<(&Hunk, &Reading)> = hunks
            .iter()
            .filter_map(|hunk| Some((hunk, hunk.readings.iter().find(is_new)?)))
            .collect();
        if created.iter().any(|(hunk, reading)| hunk.is_doubled(reading)) {
            return Err(doubled());
        }
        let content: String = created.iter().map(|(_, reading)| reading.new.text()).collect();
        return context.created(place, Content::of_file(&content));
    }
    let before = match hunks.iter().all(is_ascii) {
        true => context.read_any(&place.path)?,
        false => context.read(&place.path)?,
    };
    let path = place.path.clone();
    let marked = if before.bom { without_mark(hunks) } else { None };
    let (text, made) = edited(context, &path, &before.text, marked.as_deref().unwrap_or(hunks))
        .map_err(|issue| if before.is_utf8() { issue } else { issue.without_private() })?;
    let after = before.with_text(text);
    let plan = context.edited(place, before, after)?;
    Ok(if made.is_empty() || plan.changes.is_empty() { plan } else { beside(plan, path, made) })
}

/// The hunks without the byte order mark in the first line of the first one, which is not of the text
/// of a file; `None` where it is not there before and afterwards.
fn without_mark(hunks: &[Hunk]) -> Option<Vec<Hunk>> {
    let without = |lines: &LineList| -> Option<LineList> {
        let first = lines.get(0)?.strip_prefix('\u{feff}')?;
        Some(iter::once(first).chain(lines.iter().skip(1)).collect())
    };
    let mut hunks = hunks.to_vec();
    for reading in &mut hunks.first_mut()?.readings {
        (reading.old, reading.new) = (without(&reading.old)?, without(&reading.new)?);
    }
    Some(hunks)
}

/// A plan that says, too, which hunks have their changes in the file already.
fn beside(mut plan: Plan, path: FilePath, hunks: Vec<usize>) -> Plan {
    for number in &hunks {
        let message = format!("the change of hunk {number} is in `{}` already", shown(&path));
        plan.remarks.push(*Issue::warning(PLAN_NO_CHANGE, FieldRole::Search, message));
    }
    if let Outcome::Done(facts) = &mut plan.outcome {
        facts.push(Fact::ThereAlready { path, hunks });
    }
    plan
}

/// Whether all that a hunk finds and writes is ASCII.
fn is_ascii(hunk: &Hunk) -> bool {
    let is_ascii = |it: &Reading| it.old.text().is_ascii() && it.new.text().is_ascii();
    hunk.readings.iter().all(is_ascii) && hunk.anchors.iter().all(|line| line.is_ascii())
}

/// The text with each hunk at its place, below the place of the hunk before it, and the numbers of the
/// hunks that are made already.
fn edited(
    context: &Context<'_>,
    path: &FilePath,
    text: &str,
    hunks: &[Hunk],
) -> Result<(String, Vec<usize>), Box<Issue>> {
    // What comes below a hunk is as it was before it, so all are placed in the same lines.
    let final_ending = hunks.last().and_then(|hunk| hunk.final_ending);
    let lines = Lines::new(text);
    let mut file = File {
        context,
        path,
        text,
        lines,
        below: 0,
        kept: 0,
        stated: 0,
        numbered: Vec::new(),
        is_made: false,
        drift: 0,
        number: None,
        final_ending,
    };
    let mut pieces = Pieces::new();
    let mut made = Vec::new();
    for (index, hunk) in hunks.iter().enumerate() {
        context.work.go_on(FieldRole::Search)?;
        file.number = (hunks.len() > 1).then_some(index + 1);
        let found = match file.pieces(hunk)? {
            Found::Pieces(found) => found,
            Found::Made(reading, place) => {
                file.made_at(hunk, reading, &place);
                made.push(index + 1);
                continue;
            }
        };
        for (place, new) in found {
            file.found_at(hunk, &place, &new);
            match pieces.last_mut() {
                Some((before, lines)) if before.end == place.start => {
                    before.end = place.end;
                    lines.extend(new);
                }
                _ => pieces.push((place, new)),
            }
        }
    }
    Ok((file.lines.replace_all(&pieces, file.final_ending), made))
}

/// A file while hunks are placed in it.
struct File<'a> {
    context: &'a Context<'a>,
    path: &'a FilePath,
    text: &'a str,
    lines: Lines<'a>,
    /// The line, counted from 0, that the hunk comes at or below.
    below: usize,
    /// How many lines above that one the hunk before keeps, after all that it changes.
    kept: usize,
    /// The line, counted from 1, that the numbers of the hunk before say it ends above.
    stated: usize,
    /// The numbers of the hunks before, each with the line, counted from 1, at which it was found.
    numbered: Vec<(usize, usize)>,
    /// Whether a hunk before is made already.
    is_made: bool,
    /// By how many lines the last hunk was found below the line that its number says, with the lines
    /// that are more since hunks are made already.
    drift: isize,
    /// The hunk's number, where there are several.
    number: Option<usize>,
    /// Whether it ends with an ending afterwards, where the hunks say so.
    final_ending: Option<bool>,
}

/// What is written where: the lines that are replaced, and the ones in their place, in order.
type Pieces<'h> = Vec<(Range<usize>, Vec<&'h str>)>;

/// What a hunk comes to.
enum Found<'h> {
    /// What is to be written.
    Pieces(Pieces<'h>),
    /// Its new lines are there already.
    Made(&'h Reading, Range<usize>),
}

impl File<'_> {
    /// Takes note of where a hunk is.
    fn found_at(&mut self, hunk: &Hunk, place: &Range<usize>, new: &[&str]) {
        let old: Vec<&str> = place.clone().filter_map(|line| self.lines.get(line)).collect();
        self.ends_at(hunk, place, kept_below(&old, new), old.len());
        let Some(line) = hunk.line.filter(|_| hunk.finds_lines()) else { return };
        self.numbered.push((line, place.start + 1));
        self.drift = (place.start + 1).cast_signed() - line.cast_signed();
    }

    /// Takes note of where the new lines of a hunk are already.
    fn made_at(&mut self, hunk: &Hunk, reading: &Reading, place: &Range<usize>) {
        let kept = kept_below(&all(&reading.old), &all(&reading.new));
        self.ends_at(hunk, place, kept, reading.old.len());
        self.is_made = true;
        self.drift += reading.new.len().cast_signed() - reading.old.len().cast_signed();
    }

    /// Takes note of where a hunk ends, and how many lines it finds.
    fn ends_at(&mut self, hunk: &Hunk, place: &Range<usize>, kept: usize, found: usize) {
        (self.below, self.kept) = (place.end, kept);
        self.stated = hunk.stated.map_or(self.stated, |line| line + found);
    }

    /// The line, counted from 0, from which on the places of a hunk are counted: it may share the lines
    /// that the hunk before keeps at its end, or its header states a place above.
    fn counted_from(&self, hunk: &Hunk, old: &[&str]) -> usize {
        let is_there = |line: usize| !self.lines.places(old, line..line + old.len()).is_empty();
        let is_stated_above = hunk.stated.is_some_and(|line| {
            let line_before = line.saturating_sub(1);
            line < self.stated || line_before < self.below && is_there(line_before)
        });
        if is_stated_above { 0 } else { self.below - self.kept }
    }

    /// Where the pieces of a hunk go, or where its change is already.
    fn pieces<'h>(&self, hunk: &'h Hunk) -> Result<Found<'h>, Box<Issue>> {
        let placed: Vec<(&Reading, Placement)> =
            hunk.readings.iter().map(|reading| (reading, self.place(hunk, reading))).collect();
        // Where the file goes on with the line that parts the texts, the author quotes the file.
        let is_quoted = |index: usize| match (&placed[index].1, hunk.dividers.get(index)) {
            (Placement::One(place), Some(divider)) => self.lines.get(place.end) == Some(divider),
            _ => false,
        };
        let (quoted, others): (Vec<usize>, Vec<usize>) =
            (0..placed.len()).partition(|at| is_quoted(*at));
        let mut fitting: Vec<(&Reading, &Range<usize>)> = Vec::new();
        for (reading, placement) in others.iter().map(|at| &placed[*at]) {
            if let Placement::One(place) = placement {
                fitting.push((reading, place));
            }
        }
        // Readings that differ in context alone write the same.
        let written = |(reading, place): &(&Reading, &Range<usize>)| {
            self.lines.replace((*place).clone(), &all(&reading.new), None).apply(self.text)
        };
        if let [first, rest @ ..] = &fitting[..]
            && rest.iter().map(written).all(|text| text == written(first))
        {
            return match hunk.is_doubled(first.0) {
                true => Err(doubled()),
                false => Ok(Found::Pieces(vec![(first.1.clone(), all(&first.0.new))])),
            };
        }
        if !fitting.is_empty() {
            return Err(self.several_splits(hunk, fitting.len()));
        }
        let made = placed.iter().find_map(|(reading, placement)| match placement {
            Placement::Satisfied(place) => Some(Found::Made(reading, place.clone())),
            _ => None,
        });
        if let Some(made) = made {
            return Ok(made);
        }
        let several = placed.iter().find_map(|(reading, placement)| match placement {
            Placement::Several(lines) => Some((*reading, lines)),
            _ => None,
        });
        if let Some((reading, lines)) = several {
            return Err(self.ambiguous(hunk, reading, lines));
        }
        if others.is_empty() && !quoted.is_empty() {
            return Err(self.no_divider(hunk));
        }
        match others.first().and_then(|first| placed.into_iter().nth(*first)) {
            Some((_, Placement::NoAnchor(index))) => Err(self.no_anchor(hunk, index)),
            Some((reading, Placement::None(near))) if !reading.old.is_empty() => {
                let elided = self.elided(hunk, reading);
                elided.map(Found::Pieces).ok_or_else(|| self.not_found(reading, &near))
            }
            _ => Err(self.no_place(hunk)),
        }
    }

    /// The issue of a block in which each line that may be the divider is one of the file.
    fn no_divider(&self, hunk: &Hunk) -> Box<Issue> {
        let message = format!(
            "{} lines here may be the divider, and each of them is in `{}` there, too; put a divider \
             between the text to find and the new text, or send a smaller block",
            hunk.readings.len(),
            shown(self.path)
        );
        Issue::new(SEARCH_REPLACE_SEVERAL_SPLITS, FieldRole::Search, message)
    }

    fn several_splits(&self, hunk: &Hunk, fitting: usize) -> Box<Issue> {
        let message = format!(
            "{} lines here may be the divider, and with {fitting} of them the text to find is in \
             `{}` exactly once; send a smaller block",
            hunk.readings.len(),
            shown(self.path)
        );
        Issue::new(SEARCH_REPLACE_SEVERAL_SPLITS, FieldRole::Search, message)
    }

    fn place(&self, hunk: &Hunk, reading: &Reading) -> Placement {
        let anchors: Vec<&str> = hunk.anchors.iter().map(String::as_str).collect();
        // What speaks of the end of the file is there.
        let last = self.lines.len().saturating_sub(reading.old.len());
        let from = self.counted_from(hunk, &all(&reading.old));
        let first = if hunk.final_ending.is_some() { last.max(from) } else { from };
        let hints = Hints {
            line: None,
            or_line: None,
            made_at: hunk.line.and_then(|line| line.checked_add_signed(self.drift)),
            anchors: &anchors,
            at_end: hunk.at_end,
            open_end: hunk.open_end,
            within: Some(first..self.lines.len()),
            not_above: self.below,
        };
        let (old, new) = (all(&reading.old), all(&reading.new));
        let mut wanted = place::Hunk { old: &old, new: &new, hints };
        let placement = wanted.place(&self.lines);
        // Where the lines are now is asked for where a number has something to choose.
        match (&placement, hunk.line.and_then(|line| Some((line, self.line_now(line)?)))) {
            (Placement::Several(_), Some((written, line))) => {
                (wanted.hints.line, wanted.hints.or_line) = (Some(line), Some(written));
                wanted.place(&self.lines)
            }
            _ => placement,
        }
    }

    /// The line that a number means now; `None` where that is not known, or where a hunk before was found
    /// at another line than its number means: some tools then count from there, and others do not.
    fn line_now(&self, written: usize) -> Option<usize> {
        let now = |line| self.context.snapshot.line_now(self.path, line);
        let holds = |(line, found): &(usize, usize)| now(*line) == Some(*found);
        if self.is_made || !self.numbered.iter().all(holds) { None } else { now(written) }
    }

    /// The pieces of a hunk between lines `...` of both texts, where each is there exactly once and
    /// all are in order.
    fn elided<'h>(&self, hunk: &Hunk, reading: &'h Reading) -> Option<Pieces<'h>> {
        let is_mark = |line: &&str| line.trim() == "...";
        let pieces = |lines: &'h LineList| -> Vec<Vec<&'h str>> {
            all(lines).split(is_mark).map(<[&str]>::to_vec).collect()
        };
        let (old, new) = (pieces(&reading.old), pieces(&reading.new));
        if !hunk.elides || hunk.is_doubled(reading) || old.len() < 2 || old.len() != new.len() {
            return None;
        }
        let mut below = self.below;
        let mut placed = Vec::new();
        for (old, new) in old.into_iter().zip(new) {
            if old.is_empty() && new.is_empty() {
                continue;
            }
            // What is there twice is ambiguous, wherever the pieces before it are.
            let [at] = self.lines.places(&old, self.below..self.lines.len())[..] else {
                return None;
            };
            if at < below {
                return None;
            }
            below = at + old.len();
            placed.push((at..below, new));
        }
        Some(placed)
    }

    fn not_found(&self, reading: &Reading, near: &[Candidate]) -> Box<Issue> {
        let name = shown(self.path);
        let what = self.what();
        let Some(best) = near.first() else {
            let message = format!("{what} is not in `{name}`, and no line is like it");
            return Issue::new(PLAN_TEXT_NOT_FOUND, FieldRole::Search, message);
        };
        let message = format!("{what} is not in `{name}`; {}", sentence(best));
        let shown = |near: &Candidate| {
            let last = (near.line - 1 + reading.old.len().min(SHOWN)).min(self.lines.len());
            let lines: Vec<&str> =
                (near.line - 1..last).filter_map(|line| self.lines.get(line)).collect();
            json!({"line": near.line, "text": lines.join("\n")})
        };
        let nearest: Vec<_> = near.iter().take(1).map(shown).collect();
        let mut issue = Issue::new(PLAN_TEXT_NOT_FOUND, FieldRole::Search, message);
        issue = issue.detail("line", best.line).detail("nearest", nearest);
        for near in near {
            issue = issue.related("the nearest text", self.path, near.line);
        }
        issue.repairs.extend(self.repair(reading, best));
        issue
    }

    /// What makes a text fit of which one thing alone differs in all of its lines.
    fn repair(&self, reading: &Reading, near: &Candidate) -> Option<Repair> {
        let there = near.line - 1..near.line - 1 + reading.old.len();
        let (old, new, title) = match &near.difference {
            Difference::Indent(indent) => {
                let all = |lines: &LineList| -> Option<Vec<String>> {
                    lines.iter().map(|line| indent.line(line)).collect()
                };
                let title = match indent {
                    Indent::Add(blanks) => format!("Indent by {} more", blanks_named(blanks)),
                    Indent::Remove(blanks) => format!("Indent by {} less", blanks_named(blanks)),
                };
                (all(&reading.old)?, all(&reading.new)?, title)
            }
            Difference::TrailingBlanks | Difference::Case | Difference::LookAlike(_) => {
                let old = there.map(|line| self.lines.get(line).map(str::to_owned));
                let title = format!("Take the text to find from line {} of the file", near.line);
                let new = reading.new.iter().map(str::to_owned).collect();
                (old.collect::<Option<_>>()?, new, title)
            }
            Difference::LineNumbers | Difference::Line(_) | Difference::Excluded => return None,
        };
        let mut values = vec![(FieldRole::Search, old.join("\n"))];
        if !new.is_empty() {
            values.push((FieldRole::Replace, new.join("\n")));
        }
        Some(Repair { title, remedy: Remedy::Values(values), is_choice: true })
    }

    fn ambiguous(&self, hunk: &Hunk, reading: &Reading, lines: &[usize]) -> Box<Issue> {
        // New lines alone come below the anchor, which is what is there several times.
        let above = usize::from(reading.old.is_empty());
        let lines: Vec<usize> = lines.iter().map(|line| line.saturating_sub(above)).collect();
        let named: Vec<String> = lines.iter().take(NAMED).map(usize::to_string).collect();
        let rest = if lines.len() > NAMED { ", …" } else { "" };
        if reading.old.is_empty() {
            let message = format!(
                "the line after `@@` is in `{}` {} times, at lines {}{rest}; add lines of context",
                shown(self.path),
                lines.len(),
                named.join(", ")
            );
            let issue = Issue::new(hunk.no_choice, FieldRole::Search, message);
            return issue.detail("lines", lines);
        }
        let now = |line| self.context.snapshot.line_now(self.path, line);
        let moved = hunk.line.filter(|line| now(*line) != Some(*line));
        let moved = moved.map(|line| {
            format!(
                ", and the file has changed since the block came in, so line {line} chooses none"
            )
        });
        let message = format!(
            "{} is in `{}` {} times, at lines {}{rest}{}; add lines before or after it",
            self.what(),
            shown(self.path),
            lines.len(),
            named.join(", "),
            moved.unwrap_or_default()
        );
        let mut issue = Issue::new(PLAN_TEXT_AMBIGUOUS, FieldRole::Search, message);
        for line in lines.iter().take(NAMED) {
            issue = issue.related("a match", self.path, *line);
        }
        issue.detail("matches", lines.len()).detail("lines", lines)
    }

    /// The issue of a hunk without lines to find.
    fn no_place(&self, hunk: &Hunk) -> Box<Issue> {
        let message = format!(
            "`{}` has {}, and nothing says where the new lines go; give the lines before or after \
             them",
            shown(self.path),
            count(self.lines.len(), "line")
        );
        let mut issue = Issue::new(hunk.no_place, FieldRole::Search, message);
        let [reading] = &hunk.readings[..] else { return issue };
        if self.number.is_some_and(|number| number > 1) || reading.new.is_empty() {
            return issue;
        }
        if let Some(line) = hunk.line
            && let Some(context) = self.context_until(line - 1)
        {
            let title = format!("Insert after line {}", line - 1);
            issue = issue.choice(title, Remedy::Context(context));
        }
        let context = self.context_until(self.lines.len()).unwrap_or_default();
        let new: Vec<String> = reading.new.iter().map(str::to_owned).collect();
        let below = [&context[..], &new].concat();
        if let Some(remedy) = instead(&context, &below).filter(|_| !context.is_empty()) {
            issue = issue.choice("Add it at the end of the file".to_owned(), remedy);
        }
        let whole = (0..self.lines.len().min(WHOLE + 1)).filter_map(|line| self.lines.get(line));
        let whole: Vec<String> = whole.map(str::to_owned).collect();
        if let Some(remedy) = instead(&whole, &new).filter(|_| whole.len() <= WHOLE) {
            let title = format!("Replace the {} of the file", count(whole.len(), "line"));
            issue = issue.choice(title, remedy);
        }
        issue
    }

    /// The last lines before a line, counted from 0, that are in the file once: as few as possible.
    fn context_until(&self, until: usize) -> Option<Vec<String>> {
        let lines =
            |from| (from..until).map(|line| self.lines.get(line)).collect::<Option<Vec<_>>>();
        let mut from = (0..until).rev().take(CONTEXT);
        let is_unique =
            |lines: &Vec<&str>| self.lines.places(lines, 0..self.lines.len()).len() == 1;
        let found = from.find_map(|from| lines(from).filter(is_unique))?;
        Some(found.into_iter().map(str::to_owned).collect())
    }

    fn no_anchor(&self, hunk: &Hunk, index: usize) -> Box<Issue> {
        let anchor = hunk.anchors.get(index).map_or("", String::as_str);
        let (shown_anchor, name) = (excerpt(anchor, 80), shown(self.path));
        let Some(near) = nearby::nearest(self.text, anchor) else {
            let message = format!("`{shown_anchor}` is not in `{name}`");
            return Issue::new(hunk.no_anchor, FieldRole::Search, message);
        };
        // The line may be there, and above the anchor before it.
        let line = self.lines.get(near.line - 1).unwrap_or_default();
        let message = format!(
            "`{shown_anchor}` is not a line of `{name}` below what comes before it; the nearest is \
             line {}, `{}`",
            near.line,
            excerpt(line, 80)
        );
        Issue::new(hunk.no_anchor, FieldRole::Search, message)
            .detail("nearest", vec![near.quoted(self.text, anchor, 0)])
    }

    fn what(&self) -> String {
        match self.number {
            Some(number) => format!("the text to find of hunk {number}"),
            None => "the text to find".to_owned(),
        }
    }
}

/// The issue of a dividing line at the end of a block that has one before.
fn doubled() -> Box<Issue> {
    let message = "the text to write would end with this second divider; remove it, or, where the \
                   file has such a line, write the line after it in both texts, too";
    Issue::new(SEARCH_REPLACE_SEVERAL_SPLITS, FieldRole::NewText, message)
}

/// These lines of the file to find, which were none, and those to write in their place; `None` where
/// a line of the file could be taken for a marker of a block.
fn instead(old: &[String], new: &[String]) -> Option<Remedy> {
    let is_marker = |line: &String| {
        ["<<<", "===", ">>>", "---", "+++", "..."].iter().any(|it| line.trim().starts_with(it))
    };
    if old.iter().any(is_marker) {
        return None;
    }
    let text = |lines: &[String]| lines.join("\n");
    let values = vec![(FieldRole::Search, text(old) + "\n"), (FieldRole::Replace, text(new))];
    Some(Remedy::Values(values))
}

/// How many lines at the end are the same.
fn kept_below(old: &[&str], new: &[&str]) -> usize {
    old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count()
}

fn all(lines: &LineList) -> Vec<&str> {
    lines.iter().collect()
}

/// What the best candidate differs in, and what would fit.
fn sentence(near: &Candidate) -> String {
    let at = near.line;
    match &near.difference {
        Difference::Indent(Indent::Add(blanks)) => {
            format!("indented by {} more it is at line {at}", blanks_named(blanks))
        }
        Difference::Indent(Indent::Remove(blanks)) => {
            format!("indented by {} less it is at line {at}", blanks_named(blanks))
        }
        Difference::LineNumbers => format!("without the line numbers it is at line {at}"),
        Difference::TrailingBlanks => {
            format!("but for blanks at the ends of lines it is at line {at}")
        }
        Difference::Case => format!("but for upper and lower case it is at line {at}"),
        Difference::LookAlike(name) => format!("but for {name} it is at line {at}"),
        Difference::Excluded => {
            format!("it is at line {at}, which comes before the place of the hunk")
        }
        Difference::Line(_) => match &near.there {
            Some(there) => {
                let there = excerpt(there.trim(), 60);
                format!(
                    "the nearest text is at line {at}, and line {} is `{there}`",
                    near.differs_at
                )
            }
            None => format!("the nearest text is at line {at}, and the file ends in it"),
        },
    }
}

fn blanks_named(blanks: &str) -> String {
    match (blanks.len(), blanks.contains('\t')) {
        (length, true) => count(length, "tab"),
        (length, false) => count(length, "blank"),
    }
}
