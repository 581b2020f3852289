//! The target that is printed for a structure: it fits that structure alone.

use foldhash::{HashMap, HashMapExt};

use super::prose::first_line;
use super::{Index, Match, Target};
use crate::text::Packed;

/// Which structures a line fits inside the one around it, for lines that were looked up.
type Numbers = HashMap<(Option<usize>, String), Vec<usize>>;

impl Index<'_> {
    /// Targets for all structures of the file, each unique as it is.
    pub fn targets(&self) -> Vec<String> {
        let mut targets: Vec<String> = Vec::new();
        let mut numbers = Numbers::new();
        for index in 0..self.parsed.outline.structures.len() {
            let parent = self.parsed.outline.structures[index].parent;
            let above = |_: usize| parent.map(|parent| targets[parent].clone());
            let target = self.target_below(index, above, &mut numbers);
            targets.push(target);
        }
        targets
    }

    /// The target of one structure.
    pub fn target(&self, index: usize) -> String {
        self.target_below(index, |parent| Some(self.target(parent)), &mut Numbers::new())
    }

    /// The first that fits it alone of: the name, the name with what is before it, the header,
    /// the same below the parent, whose target `above` tells, and with a number.
    fn target_below(
        &self,
        index: usize,
        above: impl Fn(usize) -> Option<String>,
        numbers: &mut Numbers,
    ) -> String {
        let lines = self.lines_for(index);
        if let Some(line) = lines.iter().find(|line| self.fits_alone(line, index, None)) {
            return (*line).to_owned();
        }
        let parent = self.parsed.outline.structures[index].parent;
        let below = |line: &str| match parent.and_then(&above) {
            Some(above) => format!("{above}\n{line}"),
            None => line.to_owned(),
        };
        if let Some(line) = lines.iter().find(|line| self.fits_alone(line, index, parent)) {
            return below(line);
        }
        let first = lines.first().copied().unwrap_or_default();
        let found = || self.line(first, parent.as_ref().map(std::slice::from_ref));
        let all = numbers.entry((parent, first.to_owned())).or_insert_with(found);
        let number = all.binary_search(&index).map_or(1, |place| place + 1);
        below(&self.numbered_apart(first, number, parent))
    }

    /// A line with a number, padded with zeros until no header is equal to it.
    fn numbered_apart(&self, line: &str, number: usize, parent: Option<usize>) -> String {
        let parents = parent.as_ref().map(std::slice::from_ref);
        let mut digits = number.to_string();
        loop {
            let numbered = format!("{line} [{digits}]");
            if self.unnumbered(&numbered, parents, true).is_empty() {
                return numbered;
            }
            digits.insert(0, '0');
        }
    }

    /// What the structure may be called by on one line: its name, the name with what is before
    /// it, its header, the first line of code.
    fn lines_for(&self, index: usize) -> Vec<&str> {
        let structure = &self.parsed.outline.structures[index];
        let (called, text) = (&self.called[index], self.parsed.text());
        let mut lines = Vec::with_capacity(4);
        let fits_on_line = |name: &Packed| {
            let shown = name.of(text);
            !shown.is_empty() && !shown.contains(['\n', '\r'])
        };
        if let Some(name) = structure.name.filter(fits_on_line) {
            lines.push(name.of(text).trim());
            lines.extend(called.up_to_name.as_deref());
        }
        lines.push(&called.header);
        lines.extend(first_line(text, structure));
        lines.retain(|line| !line.is_empty());
        lines
    }

    /// Whether a target fits one structure and no other.
    pub fn is_unique(&self, target: &str, index: usize) -> bool {
        self.find(&Target::parse(target)) == Match::Structures(vec![index])
    }
}
