//! The first message to a model: a dialect's specification, the workspace, files and a request.

mod file;
mod secrets;
mod tree;

#[cfg(test)]
mod tests;

pub use secrets::{dependency, secret};

use std::fmt::{self, Write as _};

use crate::dialect::Rules;
use crate::dialect::off;
use crate::path::FilePath;
use crate::snapshot::{Denied, PathStyle, Snapshot};
use crate::text::Content;

/// How many bytes are counted as one token.
const TOKEN_BYTES: usize = 3;

/// What a prompt is made of.
pub struct Draft {
    /// The dialect that the model is to write.
    pub rules: &'static Rules,
    /// The absolute path of the workspace, where there is one.
    pub home: Option<String>,
    /// The paths of the tree, where it is wanted.
    pub tree: Option<Vec<String>>,
    /// The files in their order.
    pub files: Vec<File>,
    /// Whether outlines take the place of texts.
    pub outline: bool,
    /// The most tokens; what goes beyond it comes as an outline, or is left out.
    pub budget: Option<usize>,
    /// What the model is asked for.
    pub ask: Option<String>,
}

/// A file of a prompt.
pub struct File {
    /// Where it is.
    pub path: FilePath,
    /// Its path as the dialect writes it.
    pub name: String,
    /// What it holds.
    pub content: Content,
}

/// A prompt, and what is in it.
#[derive(Debug)]
pub struct Prompt {
    /// The text for the model.
    pub text: String,
    /// The tokens of all of it.
    pub tokens: usize,
    /// The files that are in it.
    pub files: Vec<Taken>,
    /// The files that are not.
    pub left_out: Vec<LeftOut>,
}

/// A file that is in a prompt.
#[derive(Debug, PartialEq, Eq)]
pub struct Taken {
    /// Its path as the dialect writes it.
    pub path: String,
    /// The tokens of its part.
    pub tokens: usize,
    /// Whether it is there as an outline.
    pub outline: bool,
}

/// A file that is not in a prompt.
#[derive(Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its path.
    pub path: String,
    /// Why it is not.
    pub reason: Reason,
}

/// Why a file is not in a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Its name is that of files with secrets.
    SecretName,
    /// A line of it looks like a secret: its number from 1, and what it looks like.
    Secret(usize, &'static str),
    /// It is in a directory of dependencies.
    Dependency,
    /// A `.gitignore` file excludes it.
    Ignored,
    /// It is not text.
    Binary,
    /// It goes beyond the budget.
    Budget,
    /// The workspace does not give it.
    Denied(Denied),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::SecretName => f.write_str("files of this name hold secrets"),
            Reason::Secret(line, what) => write!(f, "line {line} looks like {what}"),
            Reason::Dependency => f.write_str("it is in a directory of dependencies"),
            Reason::Ignored => f.write_str("`.gitignore` excludes it"),
            Reason::Binary => f.write_str("it is not UTF-8 text"),
            Reason::Budget => f.write_str("it is over the budget"),
            Reason::Denied(denied) => denied.fmt(f),
        }
    }
}

impl Draft {
    /// The prompt. Texts come from the draft, outlines from the snapshot that has the files.
    pub fn compose(&self, snapshot: &dyn Snapshot) -> Prompt {
        let (mut text, tail) = (self.head(), self.request());
        let fixed = tokens(text.len() + tail.len());
        let mut room = self.budget.map(|budget| budget.saturating_sub(fixed));
        let (mut files, mut left_out) = (Vec::new(), Vec::new());
        for file in &self.files {
            let path = file.name.clone();
            let Some((part, outline)) = self.part(file, room, snapshot) else {
                left_out.push(LeftOut { path, reason: Reason::Budget });
                continue;
            };
            let tokens = tokens(part.len());
            room = room.map(|room| room.saturating_sub(tokens));
            text.push_str(&part);
            files.push(Taken { path, tokens, outline });
        }
        text.push_str(&tail);
        let text = off::unsearched(&text);
        Prompt { tokens: tokens(text.len()), text, files, left_out }
    }

    /// The text or the outline of a file, as far as there is room for one; and whether it is the
    /// outline.
    fn part(
        &self,
        file: &File,
        room: Option<usize>,
        snapshot: &dyn Snapshot,
    ) -> Option<(String, bool)> {
        let fits = |part: &String| room.is_none_or(|room| tokens(part.len()) <= room);
        let outline = || Some((file.outline(snapshot)?, true));
        let text = || (file.text(), false);
        let (first, second) = match self.outline {
            true => (outline(), Some(text())),
            false => (Some(text()), None),
        };
        let found = first.filter(|(part, _)| fits(part)).or(second);
        found.or_else(outline).filter(|(part, _)| fits(part))
    }

    /// What is before the files.
    fn head(&self) -> String {
        let mut head = bare(self.rules.specification);
        if let Some(home) = &self.home {
            let name = home.rsplit(['/', '\\']).next().unwrap_or_default();
            let _ = match self.rules.paths {
                PathStyle::Absolute => write!(head, "\n# The workspace\n\nIt is `{home}`.\n"),
                _ => write!(
                    head,
                    "\n# The workspace\n\nIts name is `{name}`. Paths begin inside it.\n"
                ),
            };
        }
        if let Some(paths) = &self.tree {
            let tree = tree::of(paths);
            let _ = write!(head, "\nIts files:\n\n{}", file::fenced("", &tree));
        }
        if !self.files.is_empty() {
            head.push_str("\n# Files\n");
        }
        head
    }

    /// What is after the files.
    fn request(&self) -> String {
        let ask = self.ask.as_deref().map(str::trim).filter(|ask| !ask.is_empty());
        ask.map_or_else(String::new, |ask| format!("\n# The request\n\n{ask}\n"))
    }
}

/// The number of tokens that so many bytes are.
pub fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(TOKEN_BYTES)
}

/// A specification without the comments around it: a prompt has its own.
fn bare(specification: &str) -> String {
    let is_comment = |line: &&str| off::off(line).is_none() && !off::is_on(line, "");
    let mut text: Vec<&str> = specification.lines().filter(is_comment).collect();
    text.dedup_by(|one, two| one.is_empty() && two.is_empty());
    format!("{}\n", text.join("\n").trim_end())
}
