//! The target that is printed for a structure: it fits that structure alone.

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt};

use super::{Index, Match, Target};

/// What lines fit inside a parent, or anywhere: asked again for each of many namesakes.
type Known<'a> = HashMap<(Option<usize>, Cow<'a, str>), Vec<usize>>;

impl Index<'_> {
    /// Targets for all structures of the file, each unique as it stands.
    pub fn targets(&self) -> Vec<String> {
        let mut targets: Vec<String> = Vec::new();
        let mut known = Known::new();
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
    fn target_below<'a>(
        &'a self,
        index: usize,
        above: Option<&str>,
        known: &mut Known<'a>,
    ) -> String {
        let lines = self.lines_for(index);
        if let Some(line) = lines.iter().find(|line| self.fits_only(line, index)) {
            return line.clone().into_owned();
        }
        let parent = self.parsed.outline.structures[index].parent;
        let mut places = |line: &Cow<'a, str>| {
            let found = known.entry((parent, line.clone())).or_insert_with(|| {
                self.line(line, parent.map(|parent| [parent]).as_ref().map(<[usize; 1]>::as_slice))
            });
            (found.len(), found.binary_search(&index).ok())
        };
        let below = |line: &str| match above {
            Some(above) => format!("{above}\n{line}"),
            None => line.to_owned(),
        };
        if let Some(line) = lines.iter().find(|line| places(line) == (1, Some(0))) {
            return below(line);
        }
        let first = lines.first().cloned().unwrap_or_default();
        let (_, place) = places(&first);
        below(&format!("{first} [{}]", place.unwrap_or_default() + 1))
    }

    /// Whether a line fits one structure and no other in the whole file.
    fn fits_only(&self, line: &str, index: usize) -> bool {
        !self.has_namesakes(line) && self.line(line, None) == [index]
    }

    /// What the structure may be called by on one line: its name, its header.
    fn lines_for(&self, index: usize) -> Vec<Cow<'_, str>> {
        let structure = &self.parsed.outline.structures[index];
        let name = structure.name.clone().map(|name| &self.parsed.text()[name]);
        let name = name.filter(|name| !name.is_empty() && !name.contains(['\n', '\r']));
        let name = name.map(|name| Cow::Borrowed(name.trim()));
        let header = structure.header_text(self.parsed.text());
        name.into_iter().chain([Cow::Owned(header)]).collect()
    }

    /// Whether a target fits one structure and no other.
    pub fn is_unique(&self, target: &str, index: usize) -> bool {
        self.find(&Target::parse(target)) == Match::Structures(vec![index])
    }
}
