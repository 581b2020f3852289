//! Heredocs: where each ends, and the fixes for one that nothing ends.

use super::draft::{Draft, Field};
use super::line::{self, Value};
use super::marker::{self, Flaw, NearTerminator, Style};
use super::reader::{is_of_a_block, successor_ends};
use crate::dialect::begins_block;
use crate::limits::PROBLEMS;
use crate::problem::{self, Problem, Replacement, Severity};
use crate::text::fence::Fences;
use crate::text::work;
use crate::text::{Span, lines};

/// How many lines are looked at for the terminator of a heredoc that is opened without a delimiter.
const LOOKED_AT: usize = 1_000;

/// What `wrong_delimiter` must know of the heredoc.
struct Opened<'d> {
    opening: Span,
    written: &'d str,
    /// The line that ends it.
    end: Option<&'d Span>,
}

/// Whether a line that is nearly a terminator is meant for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meant {
    Surely,
    Perhaps,
    Unknown,
}

impl<'a> Draft<'a> {
    /// Reads a heredoc's lines, and gives how many they are with the one that ends it.
    pub(super) fn heredoc(
        &mut self,
        field: &mut Field<'a>,
        opening: Span,
        delimiter: Span,
        rest: &[Span],
        last: Option<&Span>,
    ) -> usize {
        let text = self.source.text;
        let written = &text[delimiter.clone()];
        let is_right = self.delimiter().as_deref() == Some(written);
        field.heredoc = true;
        let start = lines::after_ending(text, field.whole.end);
        let found = self.end_of_heredoc(rest, written, is_right);
        if is_right && let Some(slip) = self.slip(rest, found, written) {
            let span = rest[slip].clone();
            let content = start..span.start;
            self.near_terminator(&span, written, Meant::Surely);
            field.value = self.without_last_ending(content, &span);
            field.whole.end = span.end;
            return slip + 1;
        }
        let end = found.map(|at| &rest[at]);
        if !is_right || text[opening.clone()] != *format!("<<'{written}'") {
            let opened = Opened { opening: opening.clone(), written, end };
            let problem = self.wrong_delimiter(&opened, rest, last);
            self.problems.extend(problem);
        }
        let Some(end) = end else {
            let until = rest.last().map_or(field.whole.end, |span| span.end);
            if is_right {
                self.unclosed_heredoc(&field.whole, opening, written);
                return rest.len();
            }
            // The block's own end marker ends it.
            if written.is_empty() {
                return 0;
            }
            field.value = start.min(until)..until;
            field.whole.end = until;
            return rest.len();
        };
        let content = match is_right && self.style == Style::Nesl && text[end.clone()] != *written {
            true => start..self.inexact_terminator(end, written),
            false => start..end.start,
        };
        if is_right {
            let problem = self.runs_on(content.clone(), &opening, written);
            self.problems.extend(problem);
        }
        let content = self.without_last_ending(content, end);
        field.text = Some(text[content.clone()].replace("\r\n", "\n"));
        field.value = content;
        field.whole.end = end.end;
        found.map_or(0, |at| at + 1)
    }

    /// Which of the lines ends a heredoc that is opened with this delimiter.
    fn end_of_heredoc(&self, rest: &[Span], written: &str, is_right: bool) -> Option<usize> {
        let wanted = self.delimiter();
        let ends = |span: &Span| {
            let line = &self.source.text[span.clone()];
            match self.style {
                _ if line == written => true,
                _ if !is_right => Some(line) == wanted.as_deref(),
                Style::Nesl => successor_ends(line, written),
                Style::Sham => false,
            }
        };
        if written.is_empty() { None } else { rest.iter().position(ends) }
    }

    /// The problem of a heredoc whose text goes on over the end of its block and the header of another
    /// one with the same id: a lost terminator leaves such a text, and the next one ends it.
    fn runs_on(&self, content: Span, opening: &Span, delimiter: &str) -> Option<Problem> {
        let (start, text) = (content.start, &self.source.text[content]);
        let own_end = self.end_marker()?;
        memchr::memmem::find(text.as_bytes(), own_end.as_bytes())?;
        let ends = |span: &Span| text[span.clone()] == *own_end;
        let end = lines::each(text).find(ends)?;
        let below = &text[end.end..];
        let is_next = |span: &Span| {
            let line = &below[span.clone()];
            let next = || {
                lines::each(&below[span.end..])
                    .nth(1)
                    .map(|it| span.end + it.start..span.end + it.end)
            };
            marker::header(line).is_some_and(|it| {
                it.id.clone().map(|id| &line[id]) == self.id
                    && (it.flaw != Flaw::Loose
                        || next().is_some_and(|next| is_of_a_block(&below[next])))
            })
        };
        lines::each(below).find(is_next)?;
        let says = format!(
            "this heredoc goes on over `{own_end}` and the header of another block, so `{delimiter}` \
             may be missing above it; where these lines are text, give the block another id"
        );
        let problem = Problem::new(problem::SHAM_UNCLOSED_HEREDOC, opening.clone(), says);
        let at = start + end.start;
        let edit = Replacement::insert(at, format!("{delimiter}{}", self.eol));
        let title = format!("Insert {delimiter} before the end marker");
        Some(problem.choice(title, vec![edit]))
    }

    /// The content without the line break before the line that ends it.
    fn without_last_ending(&self, mut content: Span, end: &Span) -> Span {
        if content.end == end.start && content.end > content.start {
            let trimmed = lines::trim_ending(&self.source.text[..content.end]).len();
            content.end = trimmed.max(content.start);
        }
        content
    }

    /// The line, before the one that ends the heredoc, that is nearly a terminator and has the
    /// opening of the block's next heredoc right after it.
    ///
    /// Such a line is taken for the slip that it is: the next heredoc's terminator would end this
    /// one, with the next key in its text.
    fn slip(&self, rest: &[Span], end: Option<usize>, delimiter: &str) -> Option<usize> {
        let line = |span: &Span| &self.source.text[span.clone()];
        rest[..end?].windows(2).position(|two| {
            opens_heredoc(line(&two[1]), delimiter)
                && marker::near_terminator(line(&two[0]), delimiter).is_some()
        })
    }

    /// Reports a terminator of the successor's that is after the last line's text or before a
    /// quote, and gives where the content ends.
    fn inexact_terminator(&mut self, end: &Span, written: &str) -> usize {
        let line = &self.source.text[end.clone()];
        let inline = line.strip_suffix('\'').unwrap_or(line).len() - written.len().min(line.len());
        let says = "the delimiter must be alone on its line, without a quote after it";
        let span = end.start + inline..end.end;
        let mut problem = Problem::new(problem::SHAM_MARKER_NOT_EXACT, span.clone(), says);
        problem.severity = Severity::Warning;
        let break_before = if inline > 0 { self.eol } else { "" };
        let edit = Replacement::new(span, format!("{break_before}{written}"));
        self.problems.push(problem.fix("Put it on a line of its own", vec![edit]));
        end.start + inline
    }

    /// The heredoc that holds a line which opens the heredoc of another key, and that line.
    pub(super) fn opened_inside(&self, key: &str) -> Option<(&Field<'a>, Span)> {
        let delimiter = self.delimiter()?;
        self.fields.iter().filter(|field| field.heredoc).find_map(|field| {
            let content = self.source.text.get(field.value.clone())?;
            let opens = |span: &Span| {
                let line = &content[span.clone()];
                let named = line.strip_prefix(key).is_some_and(|rest| rest.starts_with([' ', '=']));
                named && opens_heredoc(line, &delimiter)
            };
            let span = lines::spans(content).into_iter().find(opens)?;
            let origin = field.value.start;
            Some((field, origin + span.start..origin + span.end))
        })
    }

    fn wrong_delimiter(
        &self,
        opened: &Opened<'_>,
        rest: &[Span],
        last: Option<&Span>,
    ) -> Option<Problem> {
        let wanted = self.delimiter()?;
        let text = self.source.text;
        let (opening, written) = (&opened.opening, opened.written);
        let says = format!("a heredoc of this block is opened with `<<'{wanted}'`");
        let mut edits = vec![Replacement::new(opening.clone(), format!("<<'{wanted}'"))];
        let mut is_sure = true;
        match (opened.end, last) {
            (Some(end), _) if text[end.clone()] == *wanted => {}
            (Some(end), _) => edits.push(Replacement::new(end.clone(), wanted.clone())),
            (None, Some(last)) => {
                let near = |span: &&Span| {
                    let line = &text[(*span).clone()];
                    [written, wanted.as_str()]
                        .iter()
                        .filter(|delimiter| !delimiter.is_empty())
                        .find_map(|delimiter| marker::near_terminator(line, delimiter))
                };
                // Many openings without a delimiter may come before the same lines.
                let most = if written.is_empty() { LOOKED_AT } else { usize::MAX };
                let near: Vec<_> =
                    rest.iter().take(most).filter_map(|it| Some((it, near(&it)?))).collect();
                is_sure = !written.is_empty() && near.len() < 2;
                edits.push(match near.last() {
                    Some((span, near)) => {
                        is_sure &= near.is_sure;
                        Replacement::new((*span).clone(), self.exact(near, &wanted))
                    }
                    None => Replacement::insert(last.start, format!("{wanted}{}", self.eol)),
                });
            }
            (None, None) => {}
        }
        let code = problem::SHAM_INVALID_HEREDOC_DELIMITER;
        let problem = Problem::new(code, opening.clone(), says).detail("delimiter", written);
        let title = format!("Make it `<<'{wanted}'`");
        Some(if is_sure { problem.fix(title, edits) } else { problem.choice(title, edits) })
    }

    /// The line or lines that a line that is nearly a terminator should be.
    fn exact(&self, near: &NearTerminator<'_>, delimiter: &str) -> String {
        match near.content {
            "" => delimiter.to_owned(),
            content => format!("{content}{}{delimiter}", self.eol),
        }
    }

    /// Reports a line that is nearly a terminator.
    fn near_terminator(&mut self, span: &Span, delimiter: &str, meant: Meant) {
        let origin = self.source.text.len();
        let line = match span.start.checked_sub(origin) {
            Some(start) => &self.source.beyond[start..span.end - origin],
            None => &self.source.text[span.clone()],
        };
        let Some(near) = marker::near_terminator(line, delimiter) else { return };
        let says = format!("only a line that is exactly `{delimiter}` ends the heredoc");
        let problem = Problem::new(problem::SHAM_MARKER_NOT_EXACT, span.clone(), says);
        let edit = vec![Replacement::new(span.clone(), self.exact(&near, delimiter))];
        let title = format!("Make the line exactly {delimiter}");
        self.problems.push(match meant {
            Meant::Surely if near.is_sure => problem.fix(title, edit),
            Meant::Surely | Meant::Perhaps => problem.choice(title, edit),
            Meant::Unknown => problem,
        });
    }

    /// Reports a heredoc that nothing ends: at the lines that are nearly its terminator, or at the
    /// line that opens it where there is no such line.
    fn unclosed_heredoc(&mut self, line: &Span, opening: Span, delimiter: &str) {
        self.leaves_heredoc_open = true;
        let (origin, beyond) = (self.source.text.len(), self.source.beyond);
        let of_transcript = |span: &Span| origin + span.start..origin + span.end;
        let all: Vec<Span> = self.until_next_block().collect();
        let is_near =
            |span: &Span| marker::near_terminator(&beyond[span.clone()], delimiter).is_some();
        let near: Vec<usize> = (0..all.len()).filter(|at| is_near(&all[*at])).collect();
        if near.is_empty() {
            let problem = self.missing_terminator(&all, line, opening, delimiter);
            self.problems.push(problem);
            return;
        }
        for (number, at) in near.iter().enumerate() {
            if number == PROBLEMS {
                self.problems.push(problem::too_many(of_transcript(&all[*at])));
                break;
            }
            let next = all.get(at + 1).map(|next| &beyond[next.clone()]);
            let is_before_next = next.is_some_and(|it| opens_heredoc(it, delimiter));
            let meant = match number {
                _ if near.len() == 1 || is_before_next => Meant::Surely,
                // Where there are more, a person must see which of them ends it. After the first
                // the others would be text.
                0 => Meant::Perhaps,
                _ => Meant::Unknown,
            };
            self.near_terminator(&of_transcript(&all[*at]), delimiter, meant);
        }
    }

    fn missing_terminator(
        &self,
        all: &[Span],
        line: &Span,
        opening: Span,
        delimiter: &str,
    ) -> Problem {
        let (origin, beyond) = (self.source.text.len(), self.source.beyond);
        let says = format!("nothing ends this heredoc: the line `{delimiter}` is missing");
        let problem = Problem::new(problem::SHAM_UNCLOSED_HEREDOC, opening, says);
        if self.source.own_end {
            let at = origin + beyond.len();
            let edit = self.insert_lines(at, &[delimiter]);
            let title = format!("Insert {delimiter} before the end marker");
            // The end marker may be that of another block with the same id.
            let is_own = !self.source.inside && !beyond.lines().any(|line| begins_block(line, ""));
            return match is_own {
                true => problem.fix(title, vec![edit]),
                false => problem.choice(title, vec![edit]),
            };
        }
        let Some(exact) = self.end_marker() else { return problem };
        let title = format!("Insert {delimiter} and the end marker");
        let near = all.iter().find(|span| self.is_nearly_own_end(&beyond[(*span).clone()]));
        if let Some(span) = near {
            let span = origin + span.start..origin + span.end;
            let lines = [delimiter, &exact].join(self.eol);
            let edit = Replacement::new(span, lines);
            return problem.fix(format!("Insert {delimiter} before the end marker"), vec![edit]);
        }
        let at = self.end_of_raw(all, line.end);
        // Nothing says where the text was to end.
        problem.choice(title, vec![self.insert_lines(at, &[delimiter, &exact])])
    }

    /// Whether a line is the block's end marker but for what is around it.
    fn is_nearly_own_end(&self, line: &str) -> bool {
        marker::end(line).is_some_and(|end| end.alone && self.id == Some(&line[end.id]))
    }

    /// Inserts whole lines at a place in what follows the block: before a line, or at the very end
    /// after one.
    fn insert_lines(&self, at: usize, inserted: &[&str]) -> Replacement {
        let (origin, beyond) = (self.source.text.len(), self.source.beyond);
        let begins = at > origin && beyond[..at - origin].ends_with(['\n', '\r']);
        let inserted = inserted.join(self.eol);
        match begins {
            true => Replacement::insert(at, format!("{inserted}{}", self.eol)),
            false => Replacement::insert(at, format!("{}{inserted}", self.eol)),
        }
    }

    /// The lines of what may be raw text: all of them where the block's own end marker follows, else
    /// those before the next block, which has an end of its own.
    fn until_next_block(&self) -> impl Iterator<Item = Span> + use<'a> {
        let beyond = self.source.beyond;
        // A block inside another's raw text looks no further than the next one.
        let to_end = self.source.own_end && !self.source.inside;
        let line_at = move |start: usize| {
            let rest = beyond.get(start..).filter(|rest| !rest.is_empty())?;
            let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
            Some(start..start + end)
        };
        let mut next = line_at(0);
        std::iter::from_fn(move || {
            let span = next.take()?;
            next = line_at(lines::after_ending(beyond, span.end).max(span.end + 1));
            let line = &beyond[span.clone()];
            let after = next.clone().map_or("", |next| &beyond[next]);
            let header = || marker::header(line).is_some_and(|it| it.flaw != Flaw::Loose);
            let is_another = || header() || begins_block(line, after);
            work::add(span.len() + 1);
            (to_end || !is_another()).then_some(span)
        })
        .fuse()
    }

    /// Where a missing terminator may belong: before the next header or the end of the fence around
    /// the block, else at the end.
    fn end_of_raw(&self, all: &[Span], after: usize) -> usize {
        let beyond = self.source.beyond;
        let origin = self.source.text.len();
        let mut fences = Fences::default();
        let mut end = 0;
        for span in all {
            if fences.is_outer_end(&beyond[span.clone()]) && origin + span.start > after {
                return origin + span.start;
            }
            end = lines::after_ending(beyond, span.end);
        }
        let at_end = end >= beyond.len();
        origin + if at_end { lines::trim_ending(beyond).len() } else { end }
    }
}

/// Whether a line opens a heredoc with this delimiter under a sound key.
fn opens_heredoc(text: &str, delimiter: &str) -> bool {
    line::read(text).is_some_and(|it| {
        it.key_is_sound
            && it.operator.is_none()
            && matches!(it.value, Value::Heredoc(span) if text[span.clone()] == *delimiter)
    })
}
