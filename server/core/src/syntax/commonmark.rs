//! The blocks of a CommonMark text, as the items that a query would find in a tree.
//!
//! What a line of Markdown is depends on all lines above it, on paragraphs that go on lazily and
//! on markers that may not interrupt one; no syntax tree says it without errors. A parser of the
//! CommonMark specification does, and it is fast enough to look at all of a text each time.

mod after;
mod blocks;
mod ends;
mod header;
mod metadata;
mod nesting;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

pub(super) use self::after::find_after;
use self::blocks::Blocks;
use super::{Found, Item, Patience, Unparsed};
use crate::syntax::Kind;
use crate::text::Span;

/// How many events go by between two questions whether to go on.
const EVENTS: usize = 4096;

/// The blocks of a text.
///
/// # Errors
/// [`Unparsed::TooDeep`] where blocks are nested so deeply that it would take seconds, and
/// [`Unparsed::TooSlow`] where `patience` ends.
pub(super) fn find(text: &str, patience: Patience<'_>) -> Result<Found, Unparsed> {
    let start = metadata::end(text);
    let mut items: Vec<Item> = metadata::item(text, start).into_iter().collect();
    items.extend(blocks(text, start..text.len(), patience)?);
    Ok(Found { items, ..Found::default() })
}

/// The blocks of a part of a text that begins and ends outside of all blocks.
fn blocks(text: &str, part: Span, patience: Patience<'_>) -> Result<Vec<Item>, Unparsed> {
    let (text, start) = (&text[..part.end], part.start);
    nesting::check(&text[start..])?;
    let mut blocks = Blocks::new(text);
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    let events = Parser::new_ext(&text[start..], options).into_offset_iter();
    for (count, (event, span)) in events.enumerate() {
        if count % EVENTS == 0 && patience().is_break() {
            return Err(Unparsed::TooSlow);
        }
        see(&mut blocks, &event, start + span.start..start + span.end);
    }
    Ok(blocks.finished())
}

fn see(blocks: &mut Blocks<'_>, event: &Event<'_>, span: Span) {
    match event {
        Event::Start(tag) => match tag {
            Tag::Item => blocks.enter(Kind::Item, &span),
            Tag::BlockQuote(_) => blocks.enter(Kind::Quote, &span),
            // What GitHub shows as a footnote is one thing, and reads as a paragraph.
            Tag::FootnoteDefinition(_) => blocks.enter(Kind::Paragraph, &span),
            Tag::Paragraph => blocks.paragraph(&span),
            Tag::Heading { level, .. } => blocks.heading(*level as u8, &span),
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => blocks.code(true, &span),
            Tag::CodeBlock(CodeBlockKind::Indented) => blocks.code(false, &span),
            Tag::Table(_) => blocks.table(&span),
            Tag::HtmlBlock => blocks.other(&span),
            Tag::List(_) => blocks.end_text(),
            _ => blocks.inline(&span),
        },
        Event::Rule => {
            blocks.other(&span);
            blocks.leave_leaf();
        }
        Event::End(end) => match end {
            TagEnd::Item | TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition => {
                blocks.leave(span.end);
            }
            TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::CodeBlock
            | TagEnd::Table
            | TagEnd::HtmlBlock => blocks.leave_leaf(),
            _ => {}
        },
        _ => blocks.inline(&span),
    }
}
