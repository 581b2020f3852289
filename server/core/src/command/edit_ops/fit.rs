//! Where the ops of a proposal fall in the base texts, and which of them cannot be.

use super::{Op, Place};
use crate::snapshot::{CursorContext, FileId};
use crate::text::Span;

/// Why an op has no place in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfit {
    /// It is about a selection, and none is known in its file.
    NeedsSelection,
    /// It is about a cursor, and none is known in its file.
    NeedsCursor,
    /// The place lies beyond the text's end, runs backwards or falls inside a character.
    OutOfRange,
    /// It meets this earlier op.
    Overlap(usize),
}

/// The span of the base text that each op replaces; `length` is that of a file's base text, and
/// `boundary` tells whether an offset is between two of its characters.
///
/// # Errors
/// Every op that has no place, by its index.
pub fn fit(
    ops: &[&Op],
    asked: Option<&CursorContext>,
    length: impl Fn(FileId) -> usize,
    boundary: impl Fn(FileId, usize) -> bool,
) -> Result<Vec<Span>, Vec<(usize, Misfit)>> {
    let one = |op: &Op| {
        let (file, length) = (op.file(), length(op.file()));
        let asked = asked.filter(|asked| asked.file == file);
        let span = match op.place() {
            Place::Document => return Ok(0..length),
            Place::Selection => asked.and_then(|it| it.selection.clone()),
            Place::Cursor => asked.and_then(|it| it.cursor).map(|at| at..at),
        };
        let missing = match op.place() {
            Place::Cursor => Misfit::NeedsCursor,
            _ => Misfit::NeedsSelection,
        };
        let span = span.ok_or(missing)?;
        let fits = span.start <= span.end
            && span.end <= length
            && boundary(file, span.start)
            && boundary(file, span.end);
        if fits { Ok(span) } else { Err(Misfit::OutOfRange) }
    };
    let mut spans: Vec<Span> = Vec::new();
    let mut misfits = Vec::new();
    for (index, op) in ops.iter().enumerate() {
        let found = one(op).and_then(|span| {
            let earlier = spans.iter().zip(ops).position(|(other, of)| {
                of.file() == op.file() && (meet(other, &span) || whole(of) || whole(op))
            });
            earlier.map_or(Ok(span), |other| Err(Misfit::Overlap(other)))
        });
        match found {
            Ok(span) => spans.push(span),
            Err(misfit) => {
                misfits.push((index, misfit));
                // It keeps the places of the others by their index, and meets none of them.
                spans.push(usize::MAX..usize::MAX);
            }
        }
    }
    if misfits.is_empty() { Ok(spans) } else { Err(misfits) }
}

fn whole(op: &Op) -> bool {
    op.place() == Place::Document
}

/// Whether two spans share a character or, empty, are where the order would be a guess.
fn meet(one: &Span, other: &Span) -> bool {
    if one.is_empty() || other.is_empty() {
        return one.start <= other.end && other.start <= one.end;
    }
    one.start < other.end && other.start < one.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::edit_ops::read;

    /// Where the ops fall in the text `a😀bc` of tool.py, the other files being empty.
    fn falls(asked: Option<(FileId, Option<Span>, Option<usize>)>, ops: &[(&str, &str)]) -> String {
        let text = "a😀bc";
        let op = |(place, file): &(&str, &str)| {
            let (op, content) = match *place {
                "cursor" => ("insert", r#","content":"x""#),
                _ => ("delete", ""),
            };
            let target = format!(r#"{{"kind":"{place}"}}"#);
            format!(r#"{{"op":"{op}","target_file":"{file}","target":{target}{content}}}"#)
        };
        let list: Vec<_> = ops.iter().map(op).collect();
        let proposal = read(&format!(r#"{{"ops":[{}]}}"#, list.join(","))).proposal;
        let asked =
            asked.map(|(file, selection, cursor)| CursorContext { file, selection, cursor });
        let text_of = |file| if file == FileId::Tool { text } else { "" };
        let proposal = proposal.expect("a proposal");
        let found = fit(
            &proposal.ops.iter().collect::<Vec<_>>(),
            asked.as_ref(),
            |file| text_of(file).len(),
            |file, at| text_of(file).is_char_boundary(at),
        );
        format!("{found:?}")
    }

    #[test]
    fn each_op_has_its_place_or_a_reason() {
        let (tool, other) = (FileId::Tool, FileId::Entrypoint);
        let (document, selection) = (("document", "tool.py"), ("selection", "tool.py"));
        let cursor = ("cursor", "tool.py");
        assert_eq!(falls(None, &[document]), "Ok([0..7])");
        assert_eq!(falls(None, &[document, ("document", "entrypoint.txt")]), "Ok([0..7, 0..0])");
        assert_eq!(
            falls(None, &[selection, cursor]),
            "Err([(0, NeedsSelection), (1, NeedsCursor)])"
        );
        let asked = |selection, cursor| Some((tool, selection, cursor));
        assert_eq!(falls(asked(Some(1..5), Some(7)), &[selection, cursor]), "Ok([1..5, 7..7])");
        assert_eq!(
            falls(Some((other, Some(0..0), None)), &[selection]),
            "Err([(0, NeedsSelection)])"
        );
        for wrong in [Some(2..5), Some(1..9), Some(Span { start: 5, end: 1 })] {
            assert_eq!(falls(asked(wrong, None), &[selection]), "Err([(0, OutOfRange)])");
        }
    }

    #[test]
    fn ops_that_meet_are_refused() {
        let (document, selection) = (("document", "tool.py"), ("selection", "tool.py"));
        let cursor = ("cursor", "tool.py");
        let asked = |selection: Span, cursor| Some((FileId::Tool, Some(selection), Some(cursor)));
        for ops in [[document, document], [document, selection], [cursor, document]] {
            assert_eq!(falls(asked(0..1, 7), &ops), "Err([(1, Overlap(0))])");
        }
        // At the edge of what is replaced an insertion may be meant before it or after it.
        for at in [1, 5, 6] {
            assert_eq!(falls(asked(1..6, at), &[selection, cursor]), "Err([(1, Overlap(0))])");
        }
        assert_eq!(falls(asked(1..6, 7), &[selection, cursor, cursor]), "Err([(2, Overlap(1))])");
    }
}
