//! Follows an open block line by line.

use super::marker::{self, Likeness, Marked, Word};
use super::walk::{Line, Walk, is_believed};
use crate::dialect::Ahead;
use crate::dialect::{BlockEnd, LineKind, Opening, Reader};
use crate::problem::{self, Problem, Replacement};

/// What a page leaves of a marker, where it takes `<FILE>` for a tag.
const EATEN: &str = "<<>>";

/// What a line outside any block is.
pub fn opens(line: &str, next: &str) -> Opening {
    if line.trim() == EATEN {
        let says = format!(
            "`{EATEN}` is what a rendered page leaves of a marker such as <<<FILE>>>; copy the answer \
             with the chat's copy button"
        );
        let start = line.len() - line.trim_start().len();
        let place = start..start + EATEN.len();
        return Opening::Stray(Problem::new(problem::SCAN_RENDERED, place, says));
    }
    let Some(marked) = marker::find(line) else { return Opening::Nothing };
    match (marked.word, marked.likeness) {
        (Word::End, Likeness::Prefix | Likeness::Within) => Opening::Nothing,
        (Word::End, _) => {
            let says = "unexpected <<<END>>>: no block is open here";
            let problem = Problem::new(problem::REPLACER_UNEXPECTED_MARKER, marked.span, says);
            let remove = Replacement::remove(0..line.len());
            Opening::Stray(problem.fix("Remove <<<END>>>", vec![remove]))
        }
        _ if is_believed(&marked, line, next) => Opening::Starts,
        (_, Likeness::Near) => Opening::Stray(not_alone(&marked, line, "\n")),
        _ => Opening::Nothing,
    }
}

/// The problem of a line that is nearly a marker; spans count from the start of the line.
///
/// The fix loses no word: what is around the marker goes to lines of its own.
pub fn not_alone(marked: &Marked, line: &str, eol: &str) -> Problem {
    let exact = marked.word.as_str();
    let near = marked.likeness == Likeness::Near;
    let (before, after) = (&line[..marked.span.start], &line[marked.span.end..]);
    // A bracket or the like that lost its line break is content, and stays.
    let code = |text: &&str| !text.chars().all(|c| marker::is_markup(c) || c.is_ascii_digit());
    let ends_section = matches!(marked.word, Word::Replace | Word::End);
    let stays = |text: &&str| !text.is_empty() && (!near || ends_section && code(text));
    let before = Some(before.trim_end()).filter(stays);
    let after = Some(after.trim_start()).filter(stays);
    let lines: Vec<&str> = before.into_iter().chain([exact]).chain(after).collect();
    let title = match lines.len() {
        1 => format!("Make the line exactly {exact}"),
        _ => format!("Put {exact} on a line of its own"),
    };
    let says = format!("the marker must be exactly {exact}, alone on its line");
    Problem::new(problem::REPLACER_MARKER_NOT_ALONE, marked.span.clone(), says)
        .fix(title, vec![Replacement::new(0..line.len(), lines.join(eol))])
}

/// Follows a block.
pub struct BlockReader(Option<Walk>);

impl BlockReader {
    /// A reader that has seen the block's first line.
    pub fn new(first: &str) -> BlockReader {
        BlockReader(Walk::new(first).map(|(walk, _)| walk))
    }
}

impl Reader for BlockReader {
    fn step(&mut self, line: &str, next: &str) -> LineKind {
        let Some(walk) = &mut self.0 else { return LineKind::Breaks(BlockEnd::Unterminated) };
        match walk.step(line, Some(next)) {
            Line::Marker(_) | Line::Path => LineKind::Fits,
            Line::End(_) => LineKind::Ends,
            Line::Content | Line::Text | Line::Nothing => LineKind::Other,
            Line::Another => LineKind::Breaks(BlockEnd::Nested),
            Line::Doubtful => LineKind::Breaks(BlockEnd::Unterminated),
        }
    }

    fn raw(&self) -> bool {
        self.0.as_ref().is_some_and(Walk::in_section)
    }

    fn skip(&mut self, from: usize, _: bool, ahead: &Ahead<'_>) -> usize {
        self.0.as_mut().map_or(from, |walk| walk.skip(from, ahead))
    }
}
