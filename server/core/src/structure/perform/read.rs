//! `read_structure`: the text of every structure that a target fits, at zero indent.

use serde_json::json;

use super::zero::Zero;
use super::{Context, find};
use crate::edit::ChangeSet;
use crate::structure::request::{Done, Failure};
use crate::text::Span;

/// Carries it out.
pub(super) fn read(context: &Context<'_>, path: &str, target: &str) -> Result<Done, Failure> {
    let file = context.open(path)?;
    let parsed = &file.parsed;
    let shown = |text: String, span: &Span| json!({ "text": text, "line_range_inclusive": parsed.lines_of(span) });
    let matches: Vec<_> = match find::all(&file, target)? {
        None => vec![shown(parsed.text().replace("\r\n", "\n"), &(0..parsed.text().len()))],
        Some(found) => {
            let extents = found.iter().map(|index| &parsed.outline.structures[*index].extent);
            extents.map(|extent| shown(Zero::of(parsed, extent).lines.join("\n"), extent)).collect()
        }
    };
    Ok(Done {
        result: json!({ "matches": matches }),
        warnings: Vec::new(),
        changes: ChangeSet::default(),
        targets: vec![file.touched()],
    })
}
