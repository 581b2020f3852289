//! `read_structure`: the text of the structures that a target fits, at zero indent.

use serde_json::json;

use super::zero::Zero;
use super::{Context, find, markdown};
use crate::edit::ChangeSet;
use crate::structure::request::{Done, Failure};
use crate::text::Span;

/// Carries it out.
pub(super) fn read(
    context: &Context<'_>,
    path: &str,
    target: &str,
    all: bool,
) -> Result<Done, Failure> {
    let file = context.open(path)?;
    if !all {
        find::one(&file, target)?;
    }
    let parsed = &file.parsed;
    let shown = |text: String, span: &Span| json!({ "text": text, "line_range_inclusive": parsed.lines_of(span) });
    let matches: Vec<_> = match find::all(&file, target)? {
        None => vec![shown(parsed.text().replace("\r\n", "\n"), &(0..parsed.text().len()))],
        Some(found) => {
            let text = |index: usize| {
                if markdown::is(parsed.language()) {
                    return markdown::zero_lines(parsed, index).join("\n");
                }
                let extent = &parsed.outline.structures[index].extent;
                Zero::of(parsed, extent).lines.join("\n")
            };
            let extent = |index: usize| &parsed.outline.structures[index].extent;
            found.iter().map(|index| shown(text(*index), extent(*index))).collect()
        }
    };
    Ok(Done {
        result: json!({ "matches": matches }),
        warnings: Vec::new(),
        changes: ChangeSet::default(),
        targets: vec![file.touched()],
    })
}
