//! The path that the lines around a block name, for blocks that do not name their file themselves.

use super::{Above, PathAbove};
use crate::text::fence::Fence;

/// How many lines above a block's first line are looked at.
pub const LINES: usize = 12;
/// How many lines that are not blank may come between the path and the block, or its fence.
const NEAR: usize = 3;
/// The longest path, in bytes.
const LONGEST: usize = 4096;

/// What the lines around a block say of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// The path, and where it is.
    Path(String, PathAbove),
    /// Paths in sentences, which may be about something else; the nearest first.
    Mentioned(Vec<String>),
    /// Nothing.
    Nothing,
}

/// The path above a block: inside its fence, after the fence's marker, or in one of the three
/// lines above that.
pub fn named(above: Above<'_>) -> Named {
    let lines: Vec<Line> = above.lines().map(|(before, text)| Line::new(before, &text)).collect();
    let opening = lines.iter().position(|line| Fence::of(&line.text).is_some());
    let filled = |line: &&Line| !line.text.trim().is_empty();
    // Between a fence and its block there is at most the path.
    let fence = opening.filter(|at| lines[..*at].iter().filter(filled).count() <= 1);
    let mut mentioned = Vec::new();
    let mut rest = &lines[..opening.unwrap_or(lines.len())];
    if let Some(at) = fence {
        let inside = lines[..at].iter().find(filled).and_then(|line| line.names(path_of_line));
        let info = || lines[at].names(|line| path_of_info(Fence::of(line)?.info));
        if let Some(named) = inside.or_else(info) {
            return named;
        }
        rest = &lines[at + 1..];
    }
    for line in rest.iter().filter(filled).take(NEAR) {
        // Another block's fence: what is above it is about that.
        if Fence::of(&line.text).is_some() {
            break;
        }
        if let Some(named) = line.names(path_of_line) {
            return named;
        }
        mentioned.extend(paths_in(&line.text));
    }
    if mentioned.is_empty() { Named::Nothing } else { Named::Mentioned(mentioned) }
}

/// A line above a block, without what quotes it.
struct Line {
    text: String,
    /// How many bytes before the block it begins.
    before: usize,
}

impl Line {
    fn new(before: usize, line: &str) -> Line {
        let text = line.strip_prefix("> ").unwrap_or(line);
        Line { text: text.to_owned(), before: before - (line.len() - text.len()) }
    }

    /// The path that is found in the line, with its place.
    fn names(&self, found: impl Fn(&str) -> Option<String>) -> Option<Named> {
        let path = found(&self.text)?;
        let before = self.before - self.text.find(&path)?;
        let place = PathAbove { before, len: path.len() };
        Some(Named::Path(path, place))
    }
}

/// The path that a line is, once what models put around a path is taken off.
pub fn path_of_line(line: &str) -> Option<String> {
    file_of_line(line).map(|file| file.path)
}

/// A line that is a path, and what its words say of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLine {
    /// The path.
    pub path: String,
    /// Whether the file is new.
    pub is_new: bool,
    /// Whether the file is to be changed, perhaps by less than all of its text.
    pub is_edited: bool,
}

/// The file that a line names and nothing else, but for what models put around a path.
pub fn file_of_line(line: &str) -> Option<FileLine> {
    let mut text = line.trim();
    let (mut coded, mut is_new, mut is_edited) = (false, false, false);
    loop {
        let before = text;
        text = text.trim_start_matches('#').trim();
        text = numbered(text);
        text = ITEMS.iter().find_map(|item| text.strip_prefix(item)).unwrap_or(text).trim_start();
        text = text.trim_end_matches(ENDS).trim_end();
        if let Some(rest) = without_line(text) {
            (text, is_edited) = (rest, true);
        }
        for word in AFTER {
            let rest = strip_suffix_any_case(text, word).trim_end();
            is_new |= rest.len() < text.len() && NEW.contains(word);
            text = rest;
        }
        for word in BEFORE {
            let rest = strip_word(text, word);
            is_new |= rest.len() < text.len() && NEW.contains(word);
            is_edited |= rest.len() < text.len() && EDITED.contains(word);
            text = rest;
        }
        for (open, close) in AROUND {
            let inner = text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
            if let Some(inner) = inner.filter(|inner| !inner.contains(open)) {
                coded |= open == "`";
                text = inner.trim();
            }
        }
        if text == before {
            break;
        }
    }
    is_path(text, coded).then(|| FileLine { path: text.to_owned(), is_new, is_edited })
}

/// Whether a line that is a path is one of several in a list or a tree, by the line before it that
/// is not blank.
pub fn is_listed(line: &str, before: &str) -> bool {
    let (line, before) = (line.trim(), before.trim());
    let item = |text: &str| match ITEMS.iter().position(|item| text.starts_with(item)) {
        None if numbered(text).len() < text.len() => Some(ITEMS.len()),
        item => item,
    };
    match (item(line), item(before)) {
        (Some(one), Some(other)) => {
            one == other && before.split_whitespace().any(|word| path_of_line(word).is_some())
        }
        (None, None) if line.starts_with('#') == before.starts_with('#') => {
            let other = path_of_line(before);
            before.ends_with('/') || other.is_some() && other != path_of_line(line)
        }
        _ => false,
    }
}

/// The path before the number of a line of the file: `src/a.py:12`, of which a part is shown.
fn without_line(text: &str) -> Option<&str> {
    let (path, line) = text.rsplit_once(':')?;
    let is_line = !line.is_empty() && line.chars().all(|char| char.is_ascii_digit() || char == '-');
    is_line.then_some(path)
}

/// Whether a sentence says that a file is new: `Create a module for it:`.
pub fn announces(line: &str) -> bool {
    let line = line.trim_start_matches(|char: char| !char.is_alphabetic()).to_lowercase();
    line.starts_with("create ") || line.contains("new file") || line.contains("(new)")
}

/// The path in what comes after a fence: `python src/a.py`, `python:src/a.py`, `path=src/a.py`,
/// `title="src/a.py"`.
pub fn path_of_info(info: &str) -> Option<String> {
    for key in ["path=", "file=", "filename=", "filepath=", "title="] {
        if let Some(at) = info.find(key) {
            let value = &info[at + key.len()..];
            let value = match value.chars().next() {
                Some(quote @ ('"' | '\'')) => value[1..].split(quote).next().unwrap_or_default(),
                _ => value.split([' ', ',', '}']).next().unwrap_or_default(),
            };
            return is_path(value, true).then(|| value.to_owned());
        }
    }
    let words = || info.split([' ', '\t']).filter(|word| !word.is_empty());
    let after_colon = words().next().and_then(|word| {
        let (language, path) = word.split_once(':')?;
        let is_language =
            language.chars().all(|char| char.is_alphanumeric() || "+#-_".contains(char));
        (is_language && language.len() > 1).then_some(path)
    });
    let found = after_colon.or_else(|| words().find(|word| is_path(word, false)))?;
    is_path(found, after_colon.is_some()).then(|| found.to_owned())
}

/// What models put before a path on its line; a text that begins like another one comes after it.
const BEFORE: &[&str] = &[
    "create a new file",
    "create new file",
    "add a new file",
    "add new file",
    "new file",
    "file name",
    "filename",
    "file path",
    "filepath",
    "file",
    "path",
    "create",
    "created",
    "add",
    "added",
    "new",
    "modified",
    "updated",
    "changed",
    "edit",
    "update",
    "modify",
    "in",
];
/// What they put after it.
const AFTER: &[&str] = &["(new file)", "(new)", "(modified)", "(updated)"];
/// Those of them that say that the file is new.
const NEW: &[&str] = &[
    "create a new file",
    "create new file",
    "add a new file",
    "add new file",
    "new file",
    "create",
    "created",
    "add",
    "added",
    "new",
    "(new file)",
    "(new)",
];
/// Those that say that a part of it is to be changed.
const EDITED: &[&str] = &["edit", "update", "modify", "in"];
/// What they put around it.
const AROUND: [(&str, &str); 12] = [
    ("**", "**"),
    ("__", "__"),
    ("`", "`"),
    ("\"", "\""),
    ("'", "'"),
    ("*", "*"),
    ("_", "_"),
    ("“", "”"),
    ("„", "“"),
    ("‘", "’"),
    ("«", "»"),
    ("「", "」"),
];
/// What an item of a list begins with.
const ITEMS: [&str; 4] = ["- ", "* ", "+ ", "• "];
/// What ends a label.
const COLONS: [char; 2] = [':', '：'];
/// What a path does not end with, and a line with a path may.
const ENDS: [char; 9] = [':', '：', '.', '。', ',', '，', '、', ';', '；'];
/// Names of files that have neither an extension nor a directory.
const BARE: &[&str] = &[
    "Makefile",
    "Dockerfile",
    "Containerfile",
    "Justfile",
    "justfile",
    "Gemfile",
    "Rakefile",
    "Procfile",
    "Vagrantfile",
    "Jenkinsfile",
    "LICENSE",
    "README",
    "CHANGELOG",
    "CODEOWNERS",
    "BUILD",
    "WORKSPACE",
];

/// The text without the number of an item before it.
pub fn numbered(text: &str) -> &str {
    let rest = text.trim_start_matches(|char: char| char.is_ascii_digit());
    let is_number = rest.len() < text.len();
    rest.strip_prefix(['.', ')']).filter(|_| is_number).map_or(text, str::trim_start)
}

fn strip_suffix_any_case<'a>(text: &'a str, word: &str) -> &'a str {
    let at = text.len().checked_sub(word.len()).filter(|at| text.is_char_boundary(*at));
    at.filter(|at| text[*at..].eq_ignore_ascii_case(word)).map_or(text, |at| &text[..at])
}

/// The text without a word before it that a colon or a blank ends, and perhaps a number: `File 1: `.
/// The word alone may be emphasized: `**File:** `.
fn strip_word<'a>(text: &'a str, word: &str) -> &'a str {
    let label = text.trim_start_matches(['*', '_']);
    let Some(head) = label.get(..word.len()) else { return text };
    let number = label[head.len()..].trim_start_matches(' ');
    let after = number.trim_start_matches(|char: char| char.is_ascii_digit());
    let is_numbered = after.len() < number.len() && after.starts_with(COLONS);
    let rest = if is_numbered { after } else { &label[head.len()..] };
    let marks = &text[..text.len() - label.len()];
    let inner = if marks.is_empty() { rest } else { rest.trim_start_matches(COLONS) };
    let Some(rest) = inner.strip_prefix(marks) else { return text };
    let ends = rest.starts_with(COLONS) || rest.starts_with(' ');
    if head.eq_ignore_ascii_case(word) && ends && rest.chars().count() > 1 {
        rest.trim_start_matches(COLONS).trim_start_matches([' ', ':'])
    } else {
        text
    }
}

/// Whether a text is a path: one word with a directory or an extension, or a name that files are
/// known by. In code spans and quotes a path may hold blanks.
fn is_path(text: &str, coded: bool) -> bool {
    let forbidden = |char: char| {
        char.is_control() || "<>|*?\"`{}“”„«»「」".contains(char) || char.is_whitespace() && !coded
    };
    if text.is_empty() || text.len() > LONGEST || text.contains(forbidden) || text.contains("://") {
        return false;
    }
    if text.ends_with(ENDS) || !text.split('/').all(has_no_open_bracket) {
        return false;
    }
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let has_extension = extension.is_some_and(|it| {
        let is_word = it.chars().all(|char| char.is_ascii_alphanumeric() || "_-+".contains(char));
        (1..=16).contains(&it.len()) && is_word && it.chars().any(|char| char.is_ascii_alphabetic())
    });
    let has_directory = text.len() > name.len() && !name.is_empty();
    // A sentence in quotes may end in a word with a dot.
    let is_sentence = text.contains(' ') && !(has_extension || has_directory);
    !is_sentence && (has_extension || has_directory || BARE.contains(&name))
}

/// Whether the brackets of a part of a path are around its beginning, as routes have them:
/// `[slug]`, `(group)`, `[id].tsx`. Any others are those of a call or a link.
fn has_no_open_bracket(part: &str) -> bool {
    let inner = part.trim_start_matches(['[', '(']);
    let (open, counts) = (part.len() - inner.len(), |sign| part.matches(sign).count());
    !inner.contains(['[', '(']) && counts('[') == counts(']') && counts('(') == counts(')') && {
        let name = inner.trim_start_matches(|char| !"])".contains(char));
        open == 0 || inner.len() > name.len()
    }
}

/// Whether a path ends in the name of a file: one with an extension, or one that is known.
pub fn is_file(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.contains('.') || BARE.contains(&name)
}

/// The paths in code spans of a sentence.
fn paths_in(line: &str) -> impl Iterator<Item = String> + '_ {
    let spans = line.split('`').skip(1).step_by(2);
    spans.filter(|text| is_path(text, false)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    #[test]
    fn a_path_is_told_from_what_is_around_it() {
        for line in [
            "src/a.py",
            "`src/a.py`",
            "**src/a.py**",
            "### `src/a.py`",
            "**`src/a.py`**:",
            "File: src/a.py",
            "1. **src/a.py**",
            "# src/a.py",
            "- src/a.py",
            "File path: `src/a.py`",
            "`src/a.py` (new file)",
            "In src/a.py:",
            "Update `src/a.py`:",
            "\"src/a.py\"",
            "New file: `src/a.py`",
            "**File:** `src/a.py`",
            "**File**: `src/a.py`",
            "**Path:** `src/a.py`",
            "**Create** `src/a.py`",
            "File name: `src/a.py`",
            "### File 1: `src/a.py`",
            "### Modified: `src/a.py`",
            "* src/a.py",
            "New file: `src/a.py`.",
            "Create a new file `src/a.py`:",
            "New: `src/a.py`",
            "New file: src/a.py.",
            "“src/a.py”",
            "_src/a.py_",
            "src/a.py:1",
            "src/a.py,",
            "src/a.py;",
            "src/a.py：",
        ] {
            assert_eq!(path_of_line(line).as_deref(), Some("src/a.py"), "{line}");
        }
        assert_eq!(path_of_line("`a b/c d.txt`").as_deref(), Some("a b/c d.txt"));
        assert_eq!(path_of_line("__init__.py").as_deref(), Some("__init__.py"));
        for path in
            ["app/[slug]/page.tsx", "app/(auth)/page.tsx", "app/[[...all]]/[id].tsx", "_a/b_c.py"]
        {
            assert_eq!(path_of_line(path).as_deref(), Some(path));
        }
        assert_eq!(path_of_line("Makefile").as_deref(), Some("Makefile"));
        assert_eq!(path_of_line("C:\\a\\b.txt").as_deref(), Some("C:\\a\\b.txt"));
        for line in [
            "",
            "Here is the change:",
            "Change the parser in `src/a.py`:",
            "e.g. this",
            "version 1.2",
            "https://example.org/a.html",
            "...",
            "Done.",
            "# Title",
            "and so on.",
            "3.14",
            "[src/a.py](src/a.py)",
            "print(src/a.py)",
            "(src/a.py)",
            "list[0].py",
            "src/..",
        ] {
            assert_eq!(path_of_line(line), None, "{line}");
        }
    }

    #[test]
    fn a_fence_names_a_path() {
        for info in [
            "python src/a.py",
            "python:src/a.py",
            "python path=src/a.py",
            "py title=\"src/a.py\"",
            "src/a.py",
            "python {filename='src/a.py'}",
        ] {
            assert_eq!(path_of_info(info).as_deref(), Some("src/a.py"), "{info}");
        }
        for info in ["", "python", "text", "python startline=3", "c++"] {
            assert_eq!(path_of_info(info), None, "{info}");
        }
    }

    #[test]
    fn the_nearest_line_that_is_a_path_counts() {
        let named = |text: &str| {
            let text = Text::new(text);
            super::named(Above::new(&text, text.len(), 0, LINES))
        };
        let path = |path: &str, before: usize| {
            Named::Path(path.to_owned(), PathAbove { before, len: path.len() })
        };
        assert_eq!(named("a.py\n```\n"), path("a.py", 9));
        assert_eq!(named("b.py\n```python\na.py\n"), path("a.py", 5));
        assert_eq!(named("b.py\n```python a.py\n"), path("a.py", 5));
        assert_eq!(named("**a.py**\n\nThis is why.\n\n```python\n"), path("a.py", 32));
        assert_eq!(named("> `a.py`\n"), path("a.py", 6));
        assert_eq!(named("a.py\n1\n2\n3\n```\n"), Named::Nothing);
        assert_eq!(named("a.py\n"), path("a.py", 5));
        assert_eq!(named("a.py\n```\ncode\n```\n\n```\n"), Named::Nothing);
        assert_eq!(
            named("Now `b.py` and `c.py`.\n```\n"),
            Named::Mentioned(vec!["b.py".into(), "c.py".into()])
        );
        assert_eq!(named("a.py\nLike `b.py`.\n```\n"), path("a.py", 22));
    }
}
