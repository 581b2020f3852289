//! The edits that write new lines in the place of old ones and keep all other bytes.

use std::ops::Range;

use super::Lines;
use crate::edit::{Edit, EditSet, changed_ranges};

/// A line of the file as it is afterwards.
struct Line<'a> {
    text: &'a str,
    ending: &'a str,
    /// Its number before, if it is kept.
    kept: Option<usize>,
}

impl<'t> Lines<'t> {
    /// The edits that make the lines `new` of those at `place`, counted from 0.
    ///
    /// A line that is among old and new ones keeps its bytes. A new line ends as the one that it
    /// replaces, else as the one before it, at the start of the file as the one after it. Whether
    /// the file ends with an ending stays as it is, where `final_ending` does not say; an empty
    /// file counts as one that does, and a last line that is empty always has one.
    pub fn replace(
        &self,
        place: Range<usize>,
        new: &[&str],
        final_ending: Option<bool>,
    ) -> EditSet {
        let place = self.clamped(Some(place));
        // With a line before and after it: their endings may change.
        let region = place.start.saturating_sub(1)..(place.end + 1).min(self.len());
        let mut after = self.after(&region, &place, new);
        if region.end == self.len() && place.end == self.len() {
            let ended = final_ending.unwrap_or_else(|| {
                self.len().checked_sub(1).is_none_or(|last| !self.ending(last).is_empty())
            });
            self.end(&mut after, ended);
        }
        keep_apart(&mut after);
        let edits = self.edits(&after, self.span(region));
        EditSet::new(edits).expect("they ascend, and those that touch are joined")
    }

    /// The text with new lines in all these places, which ascend, each as [`Lines::replace`] has it.
    pub fn replace_all(
        &self,
        pieces: &[(Range<usize>, Vec<&str>)],
        final_ending: Option<bool>,
    ) -> String {
        let edits = |(place, new): &(Range<usize>, Vec<&str>)| {
            self.replace(place.clone(), new, final_ending).iter().cloned().collect::<Vec<_>>()
        };
        if let Ok(edits) = EditSet::new(pieces.iter().flat_map(edits).collect()) {
            return edits.apply(self.text);
        }
        // Two of them change the ending of one line, between them: then one after the other.
        let mut text = self.text.to_owned();
        for (place, new) in pieces.iter().rev() {
            text = Lines::new(&text).replace(place.clone(), new, final_ending).apply(&text);
        }
        text
    }

    /// The lines of a region after the new ones are in their place.
    fn after<'a>(
        &'a self,
        region: &Range<usize>,
        place: &Range<usize>,
        new: &[&'a str],
    ) -> Vec<Line<'a>> {
        let old: Vec<&str> = place.clone().filter_map(|line| self.get(line)).collect();
        let kept = |line: usize| Line {
            text: self.get(line).unwrap_or_default(),
            ending: self.ending(line),
            kept: Some(line),
        };
        let mut after: Vec<Line<'a>> = (region.start..place.start).map(kept).collect();
        let mut next = place.start;
        for (replaced, added) in changed_ranges(&old, new) {
            let replaced = place.start + replaced.start..place.start + replaced.end;
            after.extend((next..replaced.start).map(kept));
            for (index, text) in added.clone().map(|line| new[line]).enumerate() {
                let own = replaced.clone().nth(index).map(|line| self.ending(line));
                let before = after.last().map(|line| line.ending);
                let said = own.into_iter().chain(before).find(|ending| !ending.is_empty());
                let ending = said.unwrap_or_else(|| self.other_ending(replaced.start));
                after.push(Line { text, ending, kept: None });
            }
            next = replaced.end;
        }
        after.extend((next..region.end).map(kept));
        after
    }

    /// The ending of a new line where no line says it: that of the line before or after, else the
    /// one that most lines have.
    fn other_ending(&self, line: usize) -> &str {
        let before = line.checked_sub(1).map(|before| self.ending(before));
        let near = before.into_iter().chain([self.ending(line)]);
        near.into_iter().find(|ending| !ending.is_empty()).unwrap_or_else(|| self.dominant())
    }

    /// Gives every line an ending, and the last one of the file as is wished.
    fn end<'a>(&'a self, after: &mut [Line<'a>], ended: bool) {
        let count = after.len();
        for at in 0..count {
            let before = at.checked_sub(1).map(|before| after[before].ending);
            let line = &mut after[at];
            if at + 1 == count && !ended && !line.text.is_empty() {
                line.ending = "";
            } else if line.ending.is_empty() {
                let before = before.filter(|ending| !ending.is_empty());
                line.ending = before.unwrap_or_else(|| self.other_ending(self.len() - 1));
            }
        }
    }

    /// The edits between kept lines.
    fn edits(&self, after: &[Line<'_>], region: Range<usize>) -> Vec<Edit> {
        let mut edits = Vec::new();
        // The bytes before are settled; `text` comes in the place of those up to the next kept line.
        let mut done = region.start;
        let mut text = String::new();
        let mut replace = |span: Range<usize>, text: &mut String| {
            if span.is_empty() && text.is_empty() {
                return;
            }
            match edits.last_mut().filter(|last: &&mut Edit| last.span.end == span.start) {
                Some(last) => {
                    last.span.end = span.end;
                    last.text.push_str(&std::mem::take(text));
                }
                None => edits.push(Edit { span, text: std::mem::take(text) }),
            }
        };
        for line in after {
            let Some(kept) = line.kept else {
                text.extend([line.text, line.ending]);
                continue;
            };
            replace(done..self.start(kept), &mut text);
            if line.ending == self.ending(kept) {
                done = self.start(kept + 1);
            } else {
                done = self.text_end(kept);
                text.push_str(line.ending);
            }
        }
        replace(done..region.end, &mut text);
        edits
    }
}

/// Keeps a lone `\r` from becoming one ending with the `\n` of an empty line after it.
fn keep_apart(after: &mut [Line<'_>]) {
    for at in 1..after.len() {
        if after[at].text.is_empty() && after[at].ending == "\n" && after[at - 1].ending == "\r" {
            after[at - 1].ending = "\r\n";
        }
    }
}
