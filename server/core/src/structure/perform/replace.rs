//! `replace_structure`: another text in the place of a structure, exactly inverse to `read`.
//!
//! Lines that are as `read` gives them, from the first on and from the last back, keep their
//! bytes; those between are indented by rule.

use super::block::{Block, Layout, check_text};
use super::find::{self, Goal};
use super::indent::{self, is_blank, leading, line_end};
use super::kept::Comparison;
use super::place::Place;
use super::warnings::{self, Suspect};
use super::written::{Edits, Written};
use super::zero::Zero;
use super::{Context, markdown};
use crate::outline::{Parsed, line_start};
use crate::spec::FieldRole;
use crate::structure::Arguments;
use crate::structure::Failure;
use crate::structure::file::File;
use crate::structure::output::{Done, Output};
use crate::text::Span;
use crate::text::lines::{self, Ending};

/// Puts the content in the place of the structure.
pub(super) fn replace(context: &Context<'_>, arguments: &Arguments) -> Result<Done, Failure> {
    let content = &arguments.content;
    context.check_content(FieldRole::Content, content)?;
    let file = context.source(&arguments.path)?;
    let goal = find::one(&file, &arguments.target)?;
    let (edits, new) = match goal {
        Goal::File => whole_file(context, &file, content)?,
        Goal::Structure(index) => structure(context, &file.parsed, index, content)?,
    };
    let written = Written::new(context, &file, edits.apply(file.parsed.text()))?;
    let (suspects, misread) = match goal {
        Goal::Structure(index) => {
            let compared = Comparison {
                before: &written.before,
                after: &written.after,
                edits: &edits,
                old: file.parsed.outline.structures[index].extent.clone(),
                new: new.clone(),
            };
            (suspects(&written.after, index, &new), compared.misread())
        }
        Goal::File => (Vec::new(), None),
    };
    Ok(Done {
        output: Output::Replaced { lines: written.after.lines_of(&new) },
        warnings: warnings::of(&written, Some(&new), &suspects, misread),
        changes: written.change.into_iter().collect(),
        targets: vec![written.touched],
    })
}

/// The edits, and where the new text is afterwards.
fn structure(
    context: &Context<'_>,
    parsed: &Parsed,
    index: usize,
    content: &str,
) -> Result<(Edits, Span), Failure> {
    if markdown::is(parsed.language()) {
        check_text(content)?;
        return Ok(markdown::replace(parsed, index, content));
    }
    let text = parsed.text();
    let place = Place::of(parsed, index);
    let block = Block::of_content(context, parsed.language(), content, &place.separators())?;
    let zero = Zero::of(parsed, &place.extent);
    let mut span = zero.span.clone();
    let mut after = "";
    if let (Some(separator), true) = (&place.separator, block.has_comment()) {
        // The separator goes before the comment, or it would be a part of that. A comment that the
        // structure has after its own separator is replaced with it.
        after = &text[separator.clone()];
        span.end = separator.end.max(parsed.outline.structures[index].extent.end);
    }
    let mut written = written(parsed, &zero, &block, after);
    let start = span.start;
    let new = start..start + written.len();
    let rest = &text[span.end..line_end(text, span.end)];
    if block.takes_in_more(parsed.language()) && !is_blank(rest) {
        // What is after it would be a part of its comment.
        span.end += rest.len() - rest.trim_start_matches([' ', '\t']).len();
        written.push_str(Ending::dominant(text).as_str());
        written.push_str(&zero.base);
    }
    Ok((Edits::one(span, written), new))
}

fn whole_file(context: &Context<'_>, file: &File, content: &str) -> Result<(Edits, Span), Failure> {
    let text = file.parsed.text();
    if content.trim().is_empty() {
        return Ok((Edits::one(0..text.len(), content), 0..content.len()));
    }
    let block = Block::of_content(context, file.parsed.language(), content, &[])?;
    let lines = lines_with_text(&file.parsed);
    if lines.is_empty() {
        let layout = Layout { base: "", unit: None, ending: None, separator: "" };
        let mut new = block.text(&layout);
        let length = new.len();
        new.push_str(Ending::dominant(text).as_str());
        return Ok((Edits::one(0..text.len(), new), 0..length));
    }
    let zero = Zero::of(&file.parsed, &lines);
    let written = written(&file.parsed, &zero, &block, "");
    let new = zero.span.start..zero.span.start + written.len();
    Ok((Edits::one(zero.span, written), new))
}

/// From the start of the first line that is not blank to the end of what is not blank, as [`Block::of_content`] takes a
/// content. Empty where nothing is.
fn lines_with_text(parsed: &Parsed) -> Span {
    let text = parsed.text();
    let (first, end) = match markdown::is(parsed.language()) {
        true => {
            let blanks = [' ', '\t', '\r', '\n'];
            let end = text.trim_end_matches(blanks).len();
            (text.len() - text.trim_start_matches(blanks).len(), line_end(text, end))
        }
        false => (text.len() - text.trim_start().len(), text.trim_end().len()),
    };
    line_start(text, first).min(end)..end
}

/// The block in the place of lines: what is the same at both ends keeps its bytes.
fn written(parsed: &Parsed, old: &Zero<'_>, block: &Block, separator: &str) -> String {
    let own = block.own_lines();
    let same = |(one, other): &(&String, &&str)| one.as_str() == **other;
    let first = own.iter().zip(&old.lines).take_while(same).count();
    let shorter = own.len().min(old.lines.len()) - first;
    let last = own.iter().rev().zip(old.lines.iter().rev()).take(shorter).take_while(same).count();
    // Where the first line does not show it, lines that stayed show that it is at the depth of
    // what was read.
    let as_read = old.inline && first + last > 0;
    let base = if as_read { old.removed.as_str() } else { old.base.as_str() };
    let unit = indent::unit_below(parsed, base, Some(&old.span));
    let mut new = block.written_lines(&Layout { base, unit, ending: None, separator });
    if let (Some(line), true) = (new.first_mut(), old.inline) {
        line.replace_range(..leading(line).len().min(base.len()), "");
    }
    let dominant = Ending::dominant(parsed.text());
    let old_tail = old.raw.len() - last;
    let new_tail = new.len() - last;
    let mut written = String::new();
    for (place, line) in new.iter().enumerate() {
        let raw = match place {
            place if place < first => old.raw.get(place),
            place if place >= new_tail => old.raw.get(old_tail + (place - new_tail)),
            _ => None,
        };
        let keeps = raw.is_some() && (separator.is_empty() || place + 1 < new.len());
        let beside = old.raw.get(place).filter(|_| place < old_tail);
        match raw.filter(|_| keeps) {
            Some(raw) => written.push_str(lines::without_ending(raw)),
            None => written.push_str(line),
        }
        if place + 1 < new.len() {
            let ending = raw.or(beside).and_then(|raw| Ending::of_line(raw));
            written.push_str(ending.unwrap_or(dominant).as_str());
        }
    }
    written
}

/// The structure that is now where the old one was.
fn suspects(after: &Parsed, index: usize, new: &Span) -> Vec<Suspect> {
    let structures = &after.outline.structures;
    let place = structures.partition_point(|structure| structure.extent.start < new.start);
    let now = structures.get(place).filter(|structure| structure.extent.start < new.end);
    now.map(|now| Suspect { before: index, own_start: now.own_start }).into_iter().collect()
}
