//! The parts of a source file: structures with names, each of whole lines, and lines between them.

use std::ops::Range;

use operator_core::outline::Parsed;
use operator_core::syntax::Kind;

/// A parsed file with its lines.
pub struct Source<'a> {
    pub parsed: &'a Parsed,
    lines: Vec<&'a str>,
    /// Where each line begins.
    starts: Vec<usize>,
}

/// A structure, or a line.
#[derive(Clone)]
pub struct Element {
    /// Its place in the outline, for a structure.
    pub unit: Option<usize>,
    pub lines: Range<usize>,
    /// The first line after comments and decorators.
    pub own: usize,
}

impl<'a> Source<'a> {
    /// The file of this parse.
    pub fn new(parsed: &'a Parsed) -> Source<'a> {
        let lines: Vec<&str> = parsed.text().lines().collect();
        let mut next = 0;
        let start = |line: &&str| {
            let start = next;
            next += line.len() + 1;
            start
        };
        let starts = lines.iter().map(start).collect();
        Source { parsed, lines, starts }
    }

    /// All lines.
    pub fn all(&self) -> Range<usize> {
        0..self.lines.len()
    }

    /// The texts of lines.
    pub fn lines(&self, range: Range<usize>) -> Vec<String> {
        self.lines[range].iter().map(|line| (*line).to_owned()).collect()
    }

    /// The blanks that a line begins with.
    pub fn indent(&self, line: usize) -> String {
        let text = self.lines[line];
        text[..text.len() - text.trim_start().len()].to_owned()
    }

    /// The name of a structure.
    pub fn name(&self, unit: usize) -> &'a str {
        let name = self.parsed.outline.structures[unit].name;
        name.map_or("", |name| name.of(self.parsed.text()))
    }

    /// The paths of the structures in a structure, or in the file, but of those in code.
    pub fn paths(&self, parent: Option<usize>) -> Vec<String> {
        let outline = &self.parsed.outline;
        if parent.is_some_and(|unit| outline.structures[unit].kind.runs()) {
            return Vec::new();
        }
        let mut paths = Vec::new();
        for unit in outline.children(parent) {
            let name = self.name(unit);
            let inner = self.paths(Some(unit));
            paths.extend(inner.iter().map(|path| format!("{name}.{path}")));
            paths.push(name.to_owned());
        }
        paths
    }

    /// The names of the structures directly in the file.
    pub fn names(&self) -> Vec<&'a str> {
        let elements = self.elements(None, self.all());
        elements.iter().filter_map(|it| it.unit).map(|unit| self.name(unit)).collect()
    }

    /// What is directly in the lines of a structure, or of the file.
    pub fn elements(&self, parent: Option<usize>, lines: Range<usize>) -> Vec<Element> {
        let mut elements = Vec::new();
        let mut at = lines.start;
        let plain = |lines: Range<usize>, elements: &mut Vec<Element>| {
            let filled = lines.filter(|line| !self.lines[*line].trim().is_empty());
            let line = |line| Element { unit: None, lines: line..line + 1, own: line };
            elements.extend(filled.map(line));
        };
        for unit in self.parsed.outline.children(parent) {
            let Some(element) = self.unit(unit) else { continue };
            if element.lines.start >= at && element.lines.end <= lines.end {
                plain(at..element.lines.start, &mut elements);
                at = element.lines.end;
                elements.push(element);
            }
        }
        plain(at..lines.end, &mut elements);
        elements
    }

    fn unit(&self, unit: usize) -> Option<Element> {
        let structure = &self.parsed.outline.structures[unit];
        let extent = &structure.extent;
        structure.name.as_ref()?;
        if extent.is_empty() || matches!(structure.kind, Kind::Block | Kind::Lambda) {
            return None;
        }
        let line = |offset| self.starts.partition_point(|start| *start <= offset) - 1;
        let (first, last) = (line(extent.start), line(extent.end - 1));
        let text = self.parsed.text();
        let before = &text[self.starts[first]..extent.start];
        let end = self.starts[last] + self.lines[last].len();
        let after = text[extent.end.min(end)..end].trim();
        let is_alone = before.trim().is_empty() && matches!(after, "" | "," | ";");
        let own = line(structure.own_start).min(last);
        is_alone.then_some(Element { unit: Some(unit), lines: first..last + 1, own })
    }
}
