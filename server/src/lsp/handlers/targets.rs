//! The structures that the targets in a transcript mean, in the files as the editor has them.

use std::sync::Arc;

use operator_core::dialect::Dialect;
use operator_core::outline::Parsed;
use operator_core::structure::{self, Index, Kind, Match, Target};
use operator_core::text::Span;
use tower_lsp::ls_types::CompletionItemKind;

use crate::lsp::context::Context;
use crate::lsp::payload;

/// The file that a block names, with its structures; `None` where it has none.
pub fn parsed(context: &Context, path: &str, dialect: &dyn Dialect) -> Option<Arc<Parsed>> {
    let view = context.view();
    let through = payload::through(&view, dialect);
    structure::open(path, &through, context.limits()).ok()
}

/// The extents of the structures that a target fits.
pub fn extents(parsed: &Parsed, target: &str) -> Vec<Span> {
    match Index::new(parsed).find(&Target::parse(target)) {
        Match::Structures(places) => {
            places.iter().map(|place| parsed.outline.structures[*place].extent.clone()).collect()
        }
        Match::File => std::iter::once(0..parsed.text().len()).collect(),
        Match::Nothing { .. } => Vec::new(),
    }
}

/// A target on one line, as menus show it.
pub fn on_one_line(target: &str) -> String {
    target.lines().collect::<Vec<_>>().join(" › ")
}

/// What a menu shows a structure as.
pub fn item_kind(kind: Kind) -> CompletionItemKind {
    match kind {
        Kind::Function | Kind::Lambda => CompletionItemKind::FUNCTION,
        Kind::Method => CompletionItemKind::METHOD,
        Kind::Class | Kind::Impl | Kind::Type => CompletionItemKind::CLASS,
        Kind::Module => CompletionItemKind::MODULE,
        Kind::Struct => CompletionItemKind::STRUCT,
        Kind::Enum => CompletionItemKind::ENUM,
        Kind::Variant => CompletionItemKind::ENUM_MEMBER,
        Kind::Interface | Kind::Trait => CompletionItemKind::INTERFACE,
        Kind::Constant => CompletionItemKind::CONSTANT,
        Kind::Variable => CompletionItemKind::VARIABLE,
        Kind::Field => CompletionItemKind::FIELD,
        Kind::Key | Kind::Element | Kind::Rule => CompletionItemKind::PROPERTY,
        _ => CompletionItemKind::TEXT,
    }
}
