//! `read_structure`: the text of the structures that a target fits, at zero indent.

use super::zero::Zero;
use super::{Context, find, markdown};
use crate::edit::ChangeSet;
use crate::structure::Arguments;
use crate::structure::Failure;
use crate::structure::output::{Done, Excerpt, Output};
use crate::text::Span;

/// Reads the structures that the target fits.
pub(super) fn read(context: &Context<'_>, arguments: &Arguments) -> Result<Done, Failure> {
    let target = &arguments.target;
    let file = context.source(&arguments.path)?;
    if arguments.only_one {
        find::one(&file, target)?;
    }
    let parsed = &file.parsed;
    let shown = |text: String, span: &Span| Excerpt { text, lines: parsed.lines_of(span) };
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
        output: Output::Read { matches },
        warnings: Vec::new(),
        changes: ChangeSet::default(),
        targets: vec![file.touched()],
    })
}
