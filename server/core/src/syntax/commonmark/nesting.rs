//! How deep blocks can be nested, before they are parsed: every line is held against every
//! container that is open, and the parser cannot be stopped.

use crate::syntax::Unparsed;

/// How many containers may be looked at, over all lines: less than a second's worth.
const STEPS: usize = 100_000_000;

/// How many footnotes may begin inside one another on a line: each takes as much room as all that
/// it is in.
const FOOTNOTES: usize = 256;

/// Looks at how deep the blocks of a text may be nested at most.
///
/// # Errors
/// [`Unparsed::TooDeep`] where its lines times its depth are too many.
pub(super) fn check(text: &str) -> Result<(), Unparsed> {
    let (mut lines, mut markers, mut deepest) = (0usize, 0usize, 0usize);
    for line in text.as_bytes().split(|byte| matches!(byte, b'\n' | b'\r')) {
        lines += 1;
        let (mut here, mut columns, mut footnotes) = (0usize, 0usize, 0usize);
        let mut rest = line;
        while let [byte, after @ ..] = rest {
            rest = after;
            match byte {
                b'\t' => columns += 4,
                b' ' | b'0'..=b'9' => columns += 1,
                b'>' | b'-' | b'+' | b'*' | b'.' | b')' => here += 1,
                b'[' if after.starts_with(b"^") => {
                    let Some(end) = memchr::memmem::find(after, b"]:") else { break };
                    rest = &after[end + 2..];
                    (here, footnotes) = (here + 1, footnotes + 1);
                    if footnotes > FOOTNOTES {
                        return Err(Unparsed::TooDeep);
                    }
                }
                _ => break,
            }
        }
        markers += here;
        // A level takes two columns, and at least one marker somewhere above.
        deepest = deepest.max((here + columns / 2).min(markers));
    }
    if lines.saturating_mul(deepest) > STEPS { Err(Unparsed::TooDeep) } else { Ok(()) }
}
