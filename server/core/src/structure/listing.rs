//! What an outline says of each structure of a file.

use serde::{Serialize, Serializer};

use super::{Index, Kind};
use crate::outline::Parsed;

/// One structure as an outline shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// A target that fits it and nothing else in the file.
    pub target: String,
    /// What it is.
    pub kind: Kind,
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Its header on one line.
    pub header: String,
    /// Its first and its last line, from 1.
    pub line_range_inclusive: [usize; 2],
    /// How many structures are around it.
    pub depth: usize,
}

/// A file with its structures, as programs read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileOutline {
    /// The path as the caller writes it.
    pub path: String,
    /// The language's name.
    pub language: &'static str,
    /// Every structure, in the order of the text.
    pub structures: Vec<Listed>,
    /// How many syntax errors the file has.
    pub parse_errors: usize,
}

impl FileOutline {
    /// The outline of a file that was parsed.
    pub fn of(path: &str, parsed: &Parsed) -> FileOutline {
        FileOutline {
            path: path.to_owned(),
            language: parsed.language().name,
            structures: parsed.listing(),
            parse_errors: parsed.outline.errors.len(),
        }
    }
}

impl Listed {
    /// The line that stands for it below the lines of the structures around it: its header, or the
    /// last line of its target where only a number tells it from others.
    pub fn line(&self) -> &str {
        let last = self.target.rsplit('\n').next().unwrap_or_default();
        let is_numbered = last
            .strip_suffix(']')
            .and_then(|line| line.rsplit_once(" ["))
            .is_some_and(|(_, number)| {
                !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
            });
        if is_numbered { last } else { &self.header }
    }
}

impl Parsed {
    /// Every structure, in the order of the text.
    pub fn listing(&self) -> Vec<Listed> {
        let index = Index::new(self);
        let targets = index.targets();
        let named = targets.into_iter().zip(index.into_headers());
        let listed = self.outline.structures.iter().zip(named);
        let listed = listed.map(|(structure, (target, header))| Listed {
            target,
            kind: structure.kind,
            name: structure.name.map(|name| name.of(self.text()).to_owned()),
            header,
            line_range_inclusive: self.lines_of(&structure.extent),
            depth: structure.depth,
        });
        listed.collect()
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
