//! The target that is printed for a structure: it fits that structure alone.

use std::rc::Rc;

use foldhash::{HashMap, HashMapExt};

use super::prose::first_line;
use super::{Index, Match, Target};

/// What lines fit inside a structure or anywhere, each looked up once: many structures are called
/// the same.
type Known = HashMap<(Option<usize>, String), Rc<[usize]>>;

impl Index<'_> {
    /// Targets for all structures of the file, each unique as it stands.
    pub fn targets(&self) -> Vec<String> {
        let mut known = Known::new();
        let mut targets: Vec<String> = Vec::new();
        for index in 0..self.parsed.outline.structures.len() {
            let parent = self.parsed.outline.structures[index].parent;
            let above = parent.map(|parent| targets[parent].as_str());
            let target = self.target_below(index, above, &mut known);
            targets.push(target);
        }
        targets
    }

    /// The target of one structure.
    pub fn target(&self, index: usize) -> String {
        let above = self.parsed.outline.structures[index].parent.map(|parent| self.target(parent));
        self.target_below(index, above.as_deref(), &mut Known::new())
    }

    /// The shortest of: the name, the header, the same below the parent, and with a number.
    fn target_below(&self, index: usize, above: Option<&str>, known: &mut Known) -> String {
        let mut lines = self.lines_for(index);
        let mut fits = |parent: Option<usize>, line: &str| {
            let look = || self.line(line, parent.as_ref().map(std::slice::from_ref)).into();
            known.entry((parent, line.to_owned())).or_insert_with(look).clone()
        };
        if let Some(place) = lines.iter().position(|line| *fits(None, line) == [index]) {
            return lines.swap_remove(place);
        }
        let parent = self.parsed.outline.structures[index].parent;
        let below = |line: &str| match above {
            Some(above) => format!("{above}\n{line}"),
            None => line.to_owned(),
        };
        if let Some(line) = lines.iter().find(|line| *fits(parent, line) == [index]) {
            return below(line);
        }
        let first = lines.first().map(String::as_str).unwrap_or_default();
        let number = fits(parent, first).binary_search(&index).map_or(1, |place| place + 1);
        below(&format!("{first} [{number}]"))
    }

    /// What the structure may be called by on one line: its name, its header, the first line of
    /// code.
    fn lines_for(&self, index: usize) -> Vec<String> {
        let structure = &self.parsed.outline.structures[index];
        let name = structure.name.clone().map(|name| &self.parsed.text()[name]);
        let name = name.filter(|name| !name.is_empty() && !name.contains(['\n', '\r']));
        let name = name.map(|name| name.trim().to_owned());
        let header = structure.header_text(self.parsed.text());
        let code = first_line(self.parsed.text(), structure).map(str::to_owned);
        name.into_iter().chain([header]).chain(code).collect()
    }

    /// Whether a target fits one structure and no other.
    pub fn is_unique(&self, target: &str, index: usize) -> bool {
        self.find(&Target::parse(target)) == Match::Structures(vec![index])
    }
}
