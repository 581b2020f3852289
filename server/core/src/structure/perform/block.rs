//! Text that is to be put somewhere: the content of a request, or a structure that moves.

use super::Context;
use super::indent::{self, Unit, is_blank, is_first, leading, line_end};
use super::markdown;
use super::place::{self, Place};
use super::verbatim;
use super::zero::keeping;
use crate::outline::Parsed;
use crate::outline::line_start;
use crate::structure::Kind;
use crate::structure::{ErrorCode, Failure};
use crate::syntax::Language;
use crate::text::lines::{self, Ending};
use crate::text::{Content, Span};

/// Text that is to be put somewhere.
pub(super) struct Block {
    lines: Vec<Line>,
    /// The indentation of the first line.
    base: String,
    /// What one level is indented by, where the text says so in one way only.
    pub unit: Option<Unit>,
    /// A comment at the end of the last line, with the white space before: separators go before.
    comment: String,
    /// Whether lines left of the first one keep their place.
    anchored: bool,
    /// The kinds of its first and its last structure.
    pub kinds: [Option<Kind>; 2],
    /// Whether it is sound by itself.
    is_sound: bool,
}

struct Line {
    text: String,
    ending: Option<Ending>,
    verbatim: bool,
}

/// How a block is written.
pub(super) struct Layout<'a> {
    /// The indentation of its first line, and of what is no deeper.
    pub base: &'a str,
    /// What one level is indented by there, where that is known.
    pub unit: Option<Unit>,
    /// How lines end; `None` to leave them as they are, `\n` where they say nothing.
    pub ending: Option<Ending>,
    /// What is after it, before a comment.
    pub separator: &'a str,
}

impl Block {
    /// The block of a request's content, one separator of `separators` at its end left out.
    ///
    /// # Errors
    /// [`ErrorCode::TextEmpty`] for nothing but white space, [`ErrorCode::ParserFailed`] where the
    /// content is too much for the parser.
    pub(super) fn of_content(
        context: &Context<'_>,
        language: &'static Language,
        content: &str,
        separators: &[&str],
    ) -> Result<Block, Failure> {
        check_text(content)?;
        let unix = content.replace("\r\n", "\n");
        if markdown::is(language) {
            let lines = markdown::content_lines(&unix);
            let (parsed, offset) = fragment(context, language, &lines.join("\n"))?;
            return Ok(Block::of_lines(lines, outer_kinds(&parsed, offset)));
        }
        let trimmed = unix.trim_end();
        let first = trimmed.len() - trimmed.trim_start().len();
        let content = &trimmed[line_start(trimmed, first)..];
        let (parsed, offset) = fragment(context, language, content)?;
        let (code, comment) = parted(&parsed, offset..parsed.text().len());
        let code = separators.iter().find_map(|it| code.strip_suffix(it)).unwrap_or(code);
        let span = offset..offset + code.trim_end().len();
        let mut lines = lines_of(&parsed, &span);
        if let (Some(line), true) = (lines.last_mut(), lacks_terminator(&parsed, &span)) {
            line.text.push(';');
        }
        let plain = lines.iter().filter(|line| !line.verbatim).map(|line| line.text.as_str());
        Ok(Block {
            comment: comment.to_owned(),
            base: leading(content).to_owned(),
            anchored: false,
            kinds: outer_kinds(&parsed, offset),
            is_sound: parsed.outline.errors.is_empty(),
            unit: indent::only_unit(&parsed, &span).or_else(|| indent::unit_of_lines(plain)),
            lines,
        })
    }

    /// The block of a structure that goes elsewhere.
    pub(super) fn of_place(parsed: &Parsed, place: &Place<'_>, kind: Kind) -> Block {
        if markdown::is(parsed.language()) {
            return Block::of_lines(markdown::moving_lines(parsed, place.index), [Some(kind); 2]);
        }
        let text = parsed.text();
        let is_tail = line_end(text, place.code_end) >= place.extent.end;
        let end = if is_tail { place.code_end } else { place.extent.end };
        let comment = match &place.separator {
            Some(separator) if separator.end > end => {
                format!("{}{}", &text[end..separator.start], &text[separator.end..place.region.end])
            }
            _ => text[end..place.region.end].to_owned(),
        };
        let first = is_first(text, place.extent.start);
        let start = if first { line_start(text, place.extent.start) } else { place.extent.start };
        let base = indent::of_structure(parsed, place.extent.start);
        let mut lines = lines_of(parsed, &(start..end));
        if let (Some(line), false) = (lines.first_mut(), first) {
            line.text.insert_str(0, &base);
        }
        Block {
            lines,
            base,
            unit: indent::only_unit(parsed, &place.extent)
                .or_else(|| indent::most_common_unit(parsed)),
            comment: comment.trim_end().to_owned(),
            anchored: true,
            kinds: [Some(kind); 2],
            is_sound: true,
        }
    }

    /// The block of lines that stay as they are, whatever is put before them.
    fn of_lines(lines: Vec<String>, kinds: [Option<Kind>; 2]) -> Block {
        let line = |text: String| Line { text, ending: None, verbatim: true };
        Block {
            lines: lines.into_iter().map(line).collect(),
            base: String::new(),
            unit: None,
            comment: String::new(),
            anchored: false,
            kinds,
            is_sound: true,
        }
    }

    /// Whether it may be on a line with other statements: one line, nothing with a body.
    pub(super) fn is_simple(&self) -> bool {
        let plain = [Kind::Variable, Kind::Constant, Kind::Field, Kind::Type, Kind::Lambda];
        let is_plain = |kind: &Kind| plain.contains(kind);
        self.lines.len() == 1
            && self.comment.is_empty()
            && self.kinds.iter().flatten().all(is_plain)
    }

    /// Whether it begins with a statement that has a body, or a branch of one, and is sound.
    pub(super) fn is_statement(&self) -> bool {
        self.is_sound && self.kinds[0] == Some(Kind::Block)
    }

    /// The mark that its code lacks at its end, of those that it may end with.
    pub(super) fn missing_end(&self, ends: &[&str]) -> String {
        place::missing_end(ends, self.lines.last().map_or("", |line| line.text.as_str()))
    }

    /// Whether a comment is at the end of its last line.
    pub(super) fn has_comment(&self) -> bool {
        !self.comment.is_empty()
    }

    /// Whether what follows its last line on the same line would be a part of a comment.
    pub(super) fn takes_in_more(&self, language: &Language) -> bool {
        language.line_comment.is_some_and(|start| self.comment.trim_start().starts_with(start))
    }

    /// The text in a layout, without a newline at its end; the first line has its indentation.
    pub(super) fn text(&self, layout: &Layout<'_>) -> String {
        let mut text = String::new();
        for (place, line) in self.lines.iter().enumerate() {
            self.put(&mut text, line, layout);
            if place + 1 < self.lines.len() {
                let ending = layout.ending.or(line.ending).unwrap_or(Ending::Lf);
                text.push_str(ending.as_str());
            }
        }
        text.push_str(layout.separator);
        text.push_str(&self.comment);
        text
    }

    fn put(&self, text: &mut String, line: &Line, layout: &Layout<'_>) {
        if line.verbatim {
            text.push_str(&line.text);
        } else if is_blank(&line.text) {
            // Blank lines that stay at their depth keep what is on them.
            let stays = self.anchored && layout.base == self.base;
            text.push_str(if stays { &line.text } else { "" });
        } else if let Some(rest) = line.text.strip_prefix(self.base.as_str()) {
            let own = leading(rest);
            text.push_str(layout.base);
            match (self.unit, layout.unit) {
                (Some(from), Some(to)) => text.push_str(&from.reexpressed(to, own)),
                _ => text.push_str(own),
            }
            text.push_str(&rest[own.len()..]);
        } else if self.anchored {
            text.push_str(&line.text);
        } else {
            let own = leading(&line.text);
            let missing = self.base.len().saturating_sub(own.len());
            text.push_str(&layout.base[..layout.base.len().saturating_sub(missing)]);
            text.push_str(&line.text[own.len()..]);
        }
    }

    /// The text in a layout without the indentation of its first line.
    pub(super) fn inline_text(&self, layout: &Layout<'_>) -> String {
        let text = self.text(layout);
        text.strip_prefix(layout.base).map(str::to_owned).unwrap_or(text)
    }

    /// The lines in a layout, each by itself.
    pub(super) fn written_lines(&self, layout: &Layout<'_>) -> Vec<String> {
        let line = |line: &Line| {
            let mut text = String::new();
            self.put(&mut text, line, layout);
            text
        };
        let mut written: Vec<String> = self.lines.iter().map(line).collect();
        if let Some(last) = written.last_mut() {
            last.push_str(layout.separator);
            last.push_str(&self.comment);
        }
        written
    }

    /// The lines as they came.
    pub(super) fn own_lines(&self) -> Vec<String> {
        let mut own: Vec<String> = self.lines.iter().map(|line| line.text.clone()).collect();
        if let Some(last) = own.last_mut() {
            last.push_str(&self.comment);
        }
        own
    }
}

/// Whether there is something in a content.
///
/// # Errors
/// [`ErrorCode::TextEmpty`] for nothing but white space.
pub(super) fn check_text(content: &str) -> Result<(), Failure> {
    if !content.trim().is_empty() {
        return Ok(());
    }
    let message = "the content is empty; `delete_structure` takes a structure out";
    Err(Failure::new(ErrorCode::TextEmpty, message))
}

/// A content parsed by itself, and where it begins in what was parsed. Errors do not matter.
fn fragment(
    context: &Context<'_>,
    language: &'static Language,
    content: &str,
) -> Result<(Parsed, usize), Failure> {
    let mut text = language.fragment_prefix.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let offset = text.len();
    text.push_str(content);
    let mut patience = context.snapshot.patience(text.len());
    let parsed = Parsed::new(language, Content::plain(text), &mut patience);
    let parsed = parsed.map_err(|why| {
        Failure::new(ErrorCode::ParserFailed, format!("the content: {why}"))
            .detail("parse_errors", serde_json::json!([]))
    })?;
    Ok((parsed, offset))
}

/// Code and the comment on its last line, with the white space between.
fn parted(parsed: &Parsed, span: Span) -> (&str, &str) {
    let text = parsed.text();
    let comment = parsed.outline.comments.last().map(|comment| comment.start);
    let comment = comment.filter(|start| {
        let has_code = *start > span.start && !text[span.start..*start].trim().is_empty();
        has_code && !is_first(text, *start) && line_end(text, *start) == text.len()
    });
    let end = comment.map_or(span.end, |start| text[..start].trim_end().len());
    (&text[span.start..end], &text[end..])
}

/// Whether code ends with what the language ends with a `;`, which the code does not have.
fn lacks_terminator(parsed: &Parsed, code: &Span) -> bool {
    let root = parsed.tree.root();
    let mut node = root.descendant_for_byte_range(code.end.saturating_sub(1), code.end);
    while let Some(found) = node.filter(|it| it.end_byte() == code.end) {
        if parsed.language().terminated.contains(&found.kind()) {
            return true;
        }
        node = found.parent();
    }
    false
}

fn outer_kinds(parsed: &Parsed, offset: usize) -> [Option<Kind>; 2] {
    let structures = &parsed.outline.structures;
    let mut outer = structures.iter().filter(|it| it.depth == 0 && it.extent.start >= offset);
    let first = outer.next().map(|structure| structure.kind);
    [first, outer.next_back().map(|structure| structure.kind).or(first)]
}

fn lines_of(parsed: &Parsed, span: &Span) -> Vec<Line> {
    let raw: Vec<&str> = lines::with_endings(&parsed.text()[span.clone()]).collect();
    let keeps = keeping(&raw, span.start, &verbatim::line_starts(parsed, span));
    let line = |(line, verbatim): (&&str, bool)| Line {
        text: lines::without_ending(line).to_owned(),
        ending: Ending::of_line(line),
        verbatim,
    };
    raw.iter().zip(keeps).map(line).collect()
}
