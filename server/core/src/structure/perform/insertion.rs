//! Where and how a block is put beside a structure or at the edge of a file.

use super::block::{Block, Layout};
use super::delete::{blank_above, blank_below};
use super::gap::Among;
use super::indent::{self, Unit, is_blank, line_end, next_line, of_line};
use super::place::Place;
use super::prologue;
use super::written::Edits;
use crate::edit::Edit;
use crate::outline::Parsed;
use crate::outline::line_start;
use crate::structure::Kind;
use crate::syntax::Language;
use crate::text::Span;
use crate::text::lines::Ending;

/// A side of a structure or of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Before it; of a file, its start.
    Before,
    /// After it; of a file, its end.
    After,
}

/// A block put somewhere.
pub(super) struct Insertion {
    /// The edits.
    pub edits: Edits,
    /// Where the block is afterwards.
    pub written: Span,
}

/// A block that is to be put into a file.
pub(super) struct Putting<'a> {
    /// The file.
    pub parsed: &'a Parsed,
    /// The block.
    pub block: &'a Block,
    /// Whether it comes from the same file, so that its lines end and are indented as they are.
    pub is_native: bool,
}

/// How a block is joined to a structure on whose line it would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    /// As what is there is.
    AsThere,
    /// By a `;`.
    Semicolon,
    /// Not at all: statements get lines of their own.
    Lines,
}

/// The edits while they are gathered.
#[derive(Default)]
struct Gathered {
    edits: Vec<Edit>,
    /// The place of the block: the edit, and where in its text.
    block: (usize, Span),
}

impl Gathered {
    fn put(&mut self, span: Span, text: String) {
        self.edits.push(Edit { span, text });
    }

    fn put_block(&mut self, span: Span, before: &str, block: &str, after: &str) {
        self.block = (self.edits.len(), before.len()..before.len() + block.len());
        self.put(span, format!("{before}{block}{after}"));
    }

    fn done(mut self) -> Insertion {
        let (mut at, mut inside) = self.block;
        // Two insertions at one place are one.
        if at > 0 && self.edits[at - 1].span == self.edits[at].span {
            let before = self.edits.remove(at - 1).text;
            at -= 1;
            self.edits[at].text.insert_str(0, &before);
            inside = inside.start + before.len()..inside.end + before.len();
        }
        let start = self.edits[at].span.start;
        let edits = Edits::new(self.edits);
        let start = edits.moved_start(start) + inside.start;
        Insertion { edits, written: start..start + inside.len() }
    }
}

/// Whether a character is white space, or sets neighbours apart.
pub(super) fn is_joint(char: char) -> bool {
    char.is_whitespace() || matches!(char, ';' | ',')
}

impl<'a> Putting<'a> {
    fn text(&self) -> &'a str {
        self.parsed.text()
    }

    fn newline(&self) -> &'static str {
        Ending::dominant(self.text()).as_str()
    }

    fn layout<'l>(&self, base: &'l str, separator: &'l str) -> Layout<'l> {
        let unit: Option<Unit> = indent::unit_below(self.parsed, base, None);
        Layout {
            base,
            unit: unit.filter(|_| !self.is_native),
            ending: (!self.is_native).then(|| Ending::dominant(self.text())),
            separator,
        }
    }

    /// The block beside the structure at `index`, on its line joined as `join` says.
    pub(super) fn beside(&self, index: usize, side: Side, join: Join) -> Insertion {
        let place = Place::of(self.parsed, index);
        if place.own_lines || place.is_marked && side == Side::After {
            return self.on_lines(&place, side, self.gap(index, side));
        }
        if place.is_marked {
            return self.behind_marker(&place, self.gap(index, side).near);
        }
        match place.list {
            Some(separator) => self.in_list(&place, side, separator),
            None if join == Join::Lines || place.is_statement() && !self.block.is_simple() => {
                self.breaking(&place, side, self.gap(index, side).near)
            }
            None if join == Join::Semicolon => self.on_line(&place, side, "; "),
            None => self.on_line(&place, side, if place.is_statement() { "; " } else { " " }),
        }
    }

    /// How many blank lines are between the block and the structure beside it.
    fn gap(&self, index: usize, side: Side) -> Gap {
        let structure = &self.parsed.outline.structures[index];
        let among = Among::of(self.parsed, index);
        let near = among.blank_lines(self.parsed, structure.kind);
        let [first, last] = self.block.kinds;
        let kind = if side == Side::Before { last } else { first };
        let kind = kind.map(|kind| kind_in(self.parsed, structure.parent, kind));
        match kind.filter(|kind| *kind != structure.kind) {
            Some(kind) => {
                let own = among.blank_lines(self.parsed, kind);
                Gap { near: near.max(own), far: own }
            }
            None => Gap { near, far: 0 },
        }
    }

    /// On lines of its own.
    fn on_lines(&self, place: &Place<'_>, side: Side, gap: Gap) -> Insertion {
        let text = self.text();
        let newline = self.newline();
        let base = &indent::of_structure(self.parsed, place.extent.start);
        let mut gathered = Gathered::default();
        let separator =
            place.list.map_or_else(|| self.block.missing_end(place.ends), str::to_owned);
        match side {
            Side::Before => {
                let at = line_start(text, place.region.start);
                let above = text[blank_above(text, at)..at].matches('\n').count();
                let more = if place.opens { 0 } else { gap.far.saturating_sub(above) };
                let block = self.block.text(&self.layout(base, &separator));
                let after = newline.repeat(1 + gap.near);
                gathered.put_block(at..at, &newline.repeat(more), &block, &after);
            }
            Side::After => {
                let missing = match place.list {
                    Some(separator) if place.ends_list => separator.to_owned(),
                    Some(_) => String::new(),
                    None => place.missing_end(),
                };
                // The last one goes without as the one before it did.
                let own = if missing.is_empty() { separator.as_str() } else { "" };
                if !missing.is_empty() {
                    gathered.put(place.code_end..place.code_end, missing.clone());
                }
                let at = next_line(text, place.region.end);
                let below = text[at..blank_below(text, at)].matches('\n').count();
                let more = if place.closes { 0 } else { gap.far.saturating_sub(below) };
                let block = self.block.text(&self.layout(base, own));
                let ends = text[..at].ends_with('\n');
                let before = newline.repeat(gap.near + usize::from(!ends));
                let after = newline.repeat(more + usize::from(ends));
                gathered.put_block(at..at, &before, &block, &after);
            }
        }
        gathered.done()
    }

    /// Between a marker and what is after it, which gets a line of its own.
    fn behind_marker(&self, place: &Place<'_>, gap: usize) -> Insertion {
        let base = indent::of_structure(self.parsed, place.extent.start);
        let block = self.block.inline_text(&self.layout(&base, place.list.unwrap_or_default()));
        let after = format!("{}{base}", self.newline().repeat(1 + gap));
        let mut gathered = Gathered::default();
        gathered.put_block(place.extent.start..place.extent.start, "", &block, &after);
        gathered.done()
    }

    /// Among the members of a list that share lines.
    fn in_list(&self, place: &Place<'_>, side: Side, separator: &'static str) -> Insertion {
        let text = self.text();
        let glue = self.glue(place);
        let base = match glue.rfind('\n') {
            Some(newline) => &glue[newline + 1..],
            None => of_line(text, place.extent.start),
        };
        let mut gathered = Gathered::default();
        match (side, &place.separator) {
            (Side::Before, _) => {
                let at = place.extent.start;
                let block = self.block.inline_text(&self.layout(base, separator));
                let (span, newline) = self.broken(at, base);
                let after = if newline.is_empty() { glue } else { &newline };
                gathered.put_block(span, "", &block, after);
            }
            (Side::After, Some(after)) => {
                let block = self.block.inline_text(&self.layout(base, separator));
                let (span, newline) = self.broken(after.end, base);
                gathered.put_block(span, glue, &block, &newline);
            }
            (Side::After, None) => {
                let block = self.block.inline_text(&self.layout(base, ""));
                let (span, newline) = self.broken(place.code_end, base);
                gathered.put_block(span, &format!("{separator}{glue}"), &block, &newline);
            }
        }
        gathered.done()
    }

    /// Where a block goes that is put at an offset, and what parts it from the rest of the line there:
    /// a newline, where a comment at its end would take that in.
    fn broken(&self, at: usize, base: &str) -> (Span, String) {
        let text = self.text();
        let rest = &text[at..line_end(text, at)];
        if is_blank(rest) || !self.block.takes_in_more(self.parsed.language()) {
            return (at..at, String::new());
        }
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        (at..at + blanks, format!("{}{base}", self.newline()))
    }

    /// What is between a separator and the member after it: a blank where nothing shows it.
    fn glue(&self, place: &Place<'_>) -> &'a str {
        let text = self.text();
        let before = place.before.as_ref().map(|span| &text[span.end..place.extent.start]);
        let after = place.separator.as_ref().filter(|_| !place.closes).map(|span| {
            let rest = &text[span.end..];
            &rest[..rest.len() - rest.trim_start().len()]
        });
        [before, after].into_iter().flatten().find(|glue| glue.trim().is_empty()).unwrap_or(" ")
    }

    /// On the line of another statement or expression.
    fn on_line(&self, place: &Place<'_>, side: Side, joint: &str) -> Insertion {
        let text = self.text();
        let base = of_line(text, place.extent.start);
        let block = self.block.inline_text(&self.layout(base, ""));
        let mut gathered = Gathered::default();
        match (side, &place.separator) {
            (Side::Before, _) => {
                gathered.put_block(place.extent.start..place.extent.start, "", &block, joint);
            }
            (Side::After, Some(after)) => {
                let ending = &text[after.clone()];
                gathered.put_block(after.end..after.end, " ", &block, ending);
            }
            (Side::After, None) => {
                gathered.put_block(place.code_end..place.code_end, joint, &block, "");
            }
        }
        gathered.done()
    }

    /// On lines of its own, which the statements on a line are parted for.
    fn breaking(&self, place: &Place<'_>, side: Side, gap: usize) -> Insertion {
        let text = self.text();
        let newline = self.newline();
        let outer = of_line(text, place.extent.start);
        let first = line_start(text, place.extent.start);
        let mut gathered = Gathered::default();
        // A body on the line of its header goes to a line of its own.
        let body = place.parent.map(|parent| parent.start_byte());
        let body = body.filter(|start| *start > first && !is_blank(&text[first..*start]));
        let unit = indent::unit_below(self.parsed, outer, None).unwrap_or(Unit::Spaces(4));
        let base = match body {
            Some(_) => format!("{outer}{}", unit.text()),
            None => outer.to_owned(),
        };
        let blanks = |at: usize| first + text[first..at].trim_end_matches([' ', '\t']).len();
        let gaps = newline.repeat(1 + gap);
        let block = self.block.text(&self.layout(&base, ""));
        match side {
            Side::Before => {
                let opens = body.is_some_and(|start| start >= place.extent.start);
                let start = match &place.before {
                    Some(before) if !opens => blanks(before.start),
                    _ => blanks(place.extent.start),
                };
                if let (Some(body), false) = (body, opens) {
                    gathered.put(blanks(body)..body, format!("{newline}{base}"));
                }
                let above = if opens { newline } else { &gaps };
                let above = if start == first { "" } else { above };
                let span = start..place.extent.start;
                gathered.put_block(span, above, &block, &format!("{gaps}{base}"));
            }
            Side::After => {
                if let Some(body) = body {
                    gathered.put(blanks(body)..body, format!("{newline}{base}"));
                }
                let end = line_end(text, place.region.end);
                let rest = text[place.region.end..end].trim_start_matches([' ', '\t']).len();
                let after = if rest == 0 { String::new() } else { format!("{gaps}{base}") };
                let keeps =
                    rest == 0 || !text[place.code_end..place.region.end].chars().all(is_joint);
                let start = if keeps { place.region.end } else { place.code_end };
                gathered.put_block(start..end - rest, &gaps, &block, &after);
            }
        }
        gathered.done()
    }

    /// At the start of a file, at `start` or after the blank lines there.
    pub(super) fn at_start(&self, start: usize) -> Insertion {
        let text = self.text();
        let at = blank_below(text, start);
        if at >= prologue::close(self.parsed) {
            return self.at_end();
        }
        let gap = self.edge_gap(at);
        let above = text[start..at].matches('\n').count();
        let more = if start == 0 { 0 } else { gap.saturating_sub(above) };
        let newline = self.newline();
        let block = self.block.text(&self.layout("", ""));
        let mut gathered = Gathered::default();
        gathered.put_block(at..at, &newline.repeat(more), &block, &newline.repeat(1 + gap));
        gathered.done()
    }

    /// At the end of a file.
    pub(super) fn at_end(&self) -> Insertion {
        let text = self.text();
        let newline = self.newline();
        let block = self.block.text(&self.layout("", ""));
        let end = blank_above(text, prologue::close(self.parsed));
        let mut gathered = Gathered::default();
        if end == 0 {
            let prefix = self.parsed.language().fragment_prefix.trim_end();
            let has_own = block.starts_with(prefix);
            let before =
                if has_own { String::new() } else { opening(self.parsed.language(), newline) };
            gathered.put_block(0..text.len(), &before, &block, newline);
            return gathered.done();
        }
        let ends = text[..end].ends_with('\n');
        let before = newline.repeat(self.edge_gap(end) + usize::from(!ends));
        gathered.put_block(end..end, &before, &block, if ends { newline } else { "" });
        gathered.done()
    }

    fn edge_gap(&self, near: usize) -> usize {
        let kind = self.block.kinds[0].unwrap_or(Kind::Function);
        let among = Among { parent: None, near, is_tight: false };
        among.blank_lines(self.parsed, kind_in(self.parsed, None, kind))
    }
}

/// What a file of a language begins with, before its first structure.
pub(super) fn opening(language: &Language, newline: &str) -> String {
    match language.fragment_prefix.trim_end() {
        "" => String::new(),
        prefix => format!("{prefix}{}", newline.repeat(2)),
    }
}

/// Blank lines around what is put beside a structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Gap {
    /// Towards the structure.
    near: usize,
    /// Away from it, at least; more stay.
    far: usize,
}

/// What a structure is inside another: a function of a class is a method.
fn kind_in(parsed: &Parsed, parent: Option<usize>, kind: Kind) -> Kind {
    let has_members =
        parent.is_some_and(|parent| parsed.outline.structures[parent].kind.has_members());
    match kind {
        Kind::Function if has_members => Kind::Method,
        Kind::Method if !has_members => Kind::Function,
        Kind::Variable if has_members => Kind::Field,
        Kind::Field if !has_members => Kind::Variable,
        kind => kind,
    }
}
