//! A fence that may hold a whole file: its path, where it is, and what its language says.

use crate::command::patch::header;
use crate::dialect::between;
use crate::dialect::path_line::{self, Listed};
use crate::dialect::{Above, PathAbove, margin};
use crate::syntax::{Blocks, Language};
use crate::text::fence::Fence;

/// Where the path of a fence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// After the fence's mark.
    Info,
    /// In the line above the fence.
    Above(PathAbove),
    /// In its first line, which is a comment.
    Comment,
}

/// A fence with the path of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    pub path: String,
    pub place: Place,
    /// Whether the file is said to be new.
    pub is_new: bool,
    /// Whether the file is said to be changed, perhaps by less than all of its text.
    pub is_edited: bool,
    /// Why it may not be the path of the fence.
    pub doubt: Option<Doubt>,
}

impl Named {
    fn at(path: String, place: Place) -> Named {
        Named { path, place, is_new: false, is_edited: false, doubt: None }
    }
}

/// Why a path may not be that of a fence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// This line above it may be a path as well, or the directory of it.
    Listed(String),
    /// It is right below another fence.
    Below,
}

/// The languages of fences that show what to type or what was printed.
const SHOWN: [&str; 18] = [
    "text",
    "txt",
    "plaintext",
    "plain",
    "console",
    "terminal",
    "output",
    "log",
    "sh",
    "bash",
    "shell",
    "shell-session",
    "zsh",
    "fish",
    "powershell",
    "cmd",
    "diff",
    "patch",
];

/// The file that a fence holds, by its first two lines and the lines above it.
pub fn named(line: &str, next: &str, above: Above<'_>) -> Option<Named> {
    let fence = Fence::of(&line[margin::of(line).len()..])?;
    let named = if is_citation(fence.info) { None } else { of_fence(fence.info, next, above) };
    // The heading of a method or a package looks like a path, too.
    let named = named.filter(|it| path_line::is_file(&it.path) && !is_shown(fence.info, &it.path));
    named.filter(|named| !is_old(named.place, above))
}

/// Whether a label right above the path, or above the fence where that has the path, says that the text is
/// the old one.
fn is_old(place: Place, above: Above<'_>) -> bool {
    let mut lines = above.lines().enumerate().filter(|(_, (_, line))| !line.trim().is_empty());
    let below = match place {
        Place::Above(_) => lines.next().map_or(0, |(at, _)| at + 1),
        Place::Info | Place::Comment => 0,
    };
    // At most an empty line is between the two.
    let label = lines.next().filter(|(at, _)| *at <= below + 1);
    label.is_some_and(|(_, (_, line))| between::labels_old(&line[margin::of(&line).len()..]))
}

fn of_fence(info: &str, next: &str, above: Above<'_>) -> Option<Named> {
    let mut lines = above.lines().enumerate().filter(|(_, (_, line))| !line.trim().is_empty());
    let (nearest, other) = (lines.next(), lines.next());
    let announced = || nearest.as_ref().is_some_and(|(_, (_, it))| path_line::announces(it));
    if let Some(path) = path_line::path_of_info(info) {
        return Some(Named { is_new: announced(), ..Named::at(path, Place::Info) });
    }
    if let Some((at, (before, line))) = &nearest {
        let text = &line[margin::of(line).len()..];
        let is_fence = Fence::of(text).is_some();
        let file = path_line::file_of_line(text).filter(|file| !is_fence && !file.is_part);
        let next = other.as_ref().map(|(at, _)| *at);
        let other = other.as_ref().map_or("", |(_, (_, line))| &line[margin::of(line).len()..]);
        // Of what is before the path only blanks are those of a tree.
        let is_blank = line[..line.len() - text.len()].trim().is_empty();
        let item = if is_blank { line } else { text };
        let listed = path_line::listed(item, other, next == Some(at + 1));
        if let Some(file) = file.filter(|_| listed != Listed::Yes) {
            let before = before - (line.len() - text.len()) - text.find(&file.path)?;
            let place = Place::Above(PathAbove { before, len: file.path.len() });
            let ends_block = || match next {
                Some(next) => {
                    next == at + 1 && Fence::of(other).is_some_and(|it| it.info.is_empty())
                }
                None => above.is_below_block() && above.lines().nth(at + 1).is_none(),
            };
            let doubt = match listed {
                Listed::Maybe => Some(Doubt::Listed(other.trim().to_owned())),
                _ => (*at > 0 && ends_block()).then_some(Doubt::Below),
            };
            let (is_new, is_edited) = (file.is_new, file.is_edited);
            return Some(Named { is_new, is_edited, doubt, ..Named::at(file.path, place) });
        }
    }
    let path = path_of_comment(&next[margin::of(next).len()..])?;
    Some(Named { is_new: announced(), ..Named::at(path, Place::Comment) })
}

/// The path that a comment is: `// filepath: src/a.rs`.
pub fn path_of_comment(line: &str) -> Option<String> {
    let line = line.trim();
    let around = [("<!--", "-->"), ("/*", "*/")];
    let inside =
        around.iter().find_map(|(open, close)| line.strip_prefix(open)?.strip_suffix(close));
    let begins = ["//", "#", "--", ";"];
    let inside = inside.or_else(|| begins.iter().find_map(|begins| line.strip_prefix(begins)));
    let file = path_line::file_of_line(inside?).filter(|file| !file.is_edited && !file.is_part)?;
    Some(file.path)
}

/// Whether the first line of a file of code is a comment with the path of another file.
pub fn names_other(line: &str, path: &str) -> bool {
    let is_same = |other: &str| path.ends_with(other) || other.ends_with(path);
    language(path).is_some()
        && !is_prose(path)
        && path_of_comment(line).is_some_and(|it| path_line::is_file(&it) && !is_same(&it))
}

/// Whether a line in the text of a file of code is a comment with the path of another file, as where
/// several files are in one fence. It has a directory, as a name alone may be part of a comment.
pub fn begins_other(line: &str, path: &str) -> bool {
    line.contains('/')
        && line.starts_with(['/', '#', '-', ';', '<'])
        && names_other(line, path)
        && path_of_comment(line).is_some_and(|other| other.contains('/'))
}

/// Whether a fence quotes lines of a file: `12:40:src/a.py`.
fn is_citation(info: &str) -> bool {
    let mut parts = info.splitn(3, ':');
    let is_number = |part: Option<&str>| {
        part.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    is_number(parts.next()) && is_number(parts.next()) && parts.next().is_some()
}

/// Whether a fence shows what is typed or printed, and not the text of a file at this path.
fn is_shown(info: &str, path: &str) -> bool {
    let word = info.split([' ', '\t', ':', ',']).next().unwrap_or_default().to_lowercase();
    if !SHOWN.contains(&word.as_str()) {
        return false;
    }
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    let extension = extension.unwrap_or_default();
    match word.as_str() {
        "text" | "txt" | "plaintext" | "plain" => language(path).is_some(),
        "log" => extension != "log",
        "diff" | "patch" => !header::is_in(path),
        "powershell" => extension != "ps1",
        "cmd" => !["cmd", "bat"].contains(&extension.as_str()),
        "sh" | "bash" | "shell" | "zsh" | "fish" => {
            let is_script = ["sh", "bash", "zsh", "fish"].contains(&extension.as_str());
            !is_script && language(path).is_none_or(|language| language.name != "bash")
        }
        _ => true,
    }
}

/// The language of the file at a path.
pub fn language(path: &str) -> Option<&'static Language> {
    operator_grammars::of_file(path, "")
}

/// Whether the text at a path may hold fences of its own.
pub fn is_prose(path: &str) -> bool {
    language(path).is_some_and(|language| language.blocks == Blocks::CommonMark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    fn of(text: &str) -> Option<String> {
        let text = Text::new(text);
        let fence = (0..text.line_count()).rev().find(|at| Fence::of(&text.line(*at)).is_some())?;
        let above = Above::new(&text, text.line_start(fence), 0, crate::dialect::around::LINES);
        let named = named(&text.line(fence), &text.line(fence + 1), above)?;
        let new = if named.is_new { " new" } else { "" };
        let edited = if named.is_edited { " edited" } else { "" };
        let unsure = if named.doubt.is_some() { "?" } else { "" };
        Some(format!("{}{new}{edited}{unsure}", named.path))
    }

    #[test]
    fn a_fence_names_its_file() {
        for (text, expected) in [
            ("```python src/a.py\n", "src/a.py"),
            ("```python:src/a.py\n", "src/a.py"),
            ("```py title=\"src/a.py\"\n", "src/a.py"),
            ("### src/a.py\n\n```python\n", "src/a.py"),
            ("**`src/a.py`**\n```\n", "src/a.py"),
            ("File: src/a.py\n```\n", "src/a.py"),
            ("New file: `src/a.py`\n```\n", "src/a.py new"),
            ("Update `src/a.py`:\n\n```python\n", "src/a.py edited"),
            ("### Modify `src/a.py`\n```python\n", "src/a.py edited"),
            ("Replace the contents of `src/a.py` with:\n```python\n", "src/a.py edited"),
            ("Create `src/a.py`:\n```\n", "src/a.py new"),
            ("Create a file called `src/a.py` with this content:\n\n```\n", "src/a.py new"),
            ("Add a new file `src/a.py`:\n```\n", "src/a.py new"),
            ("Make a file `src/a.py`:\n```\n", "src/a.py new"),
            ("**Create a new file: `src/a.py`**\n```\n", "src/a.py new"),
            ("Save this as `src/a.py`:\n```\n", "src/a.py new edited"),
            ("Overwrite `src/a.py` with:\n```\n", "src/a.py edited"),
            ("The new file `src/a.py`:\n```\n", "src/a.py edited"),
            ("Full `src/a.py`:\n```\n", "src/a.py"),
            ("Here is the updated `src/a.py`:\n\n```python\n", "src/a.py edited"),
            ("Here's the complete `src/a.py`:\n\n```python\n", "src/a.py"),
            ("### `src/a.py` (new file)\n```\n", "src/a.py new"),
            ("Create a file for it.\n```python src/a.py\n", "src/a.py new"),
            ("This creates the user.\n```python src/a.py\n", "src/a.py"),
            ("```python\n# src/a.py\n", "src/a.py"),
            ("### After\n\n`src/a.py`\n\n```python\n", "src/a.py"),
            ("### Before\n\nIt is so.\n\nsrc/a.py\n```python\n", "src/a.py"),
            ("### Before\n\n\nsrc/a.py\n```python\n", "src/a.py"),
            ("```js\n// filepath: src/a.js\n", "src/a.js"),
            ("src/run.sh\n```bash\n", "src/run.sh"),
            ("1. Install it.\n\n2. src/a.py\n```python\n", "src/a.py"),
            ("- src/b.py\n- src/a.py\n\n### src/a.py\n```python\n", "src/a.py"),
            ("app/[slug]/page.tsx\n```tsx\n", "app/[slug]/page.tsx"),
            ("```tsx app/(auth)/page.tsx\n", "app/(auth)/page.tsx"),
            ("notes.txt\n```text\n", "notes.txt"),
        ] {
            assert_eq!(of(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn another_file_begins_with_its_path() {
        for line in ["// src/b.js", "/* src/b.css */", "// filepath: src/b.js", "# src/b.py"] {
            assert!(begins_other(line, "src/a.js"), "{line}");
        }
        for line in [
            "// b.js",
            "  // src/b.js",
            "// src/a.js",
            "// see src/b.js",
            "import './src/b.js'",
            "#include <a/b.h>",
            "// https://example.org/b.js",
            "// and/or",
        ] {
            assert!(!begins_other(line, "src/a.js"), "{line}");
        }
        assert!(!begins_other("# src/b.py", "notes.md"));
    }

    #[test]
    fn a_line_above_a_path_may_be_a_path_too() {
        for above in ["2/2", "Node.js", "20/11/2025", "README", "N/A", "e.g.", "(2/2)", "app.py:"] {
            let alone = format!("{above}\n\nb.py\n```python\n");
            assert_eq!(of(&alone).as_deref(), Some("b.py"), "{alone}");
            let new = format!("{above}\n\nNew file: `n.py`\n```python\n");
            assert_eq!(of(&new).as_deref(), Some("n.py new"), "{new}");
            let next = format!("{above}\nb.py\n```python\n");
            assert_eq!(of(&next).as_deref(), Some("b.py?"), "{next}");
        }
        for (text, expected) in [
            ("* `src/b.py`: the helper\n\n* `src/a.py`\n\n```python\n", "src/a.py?"),
            ("1. `src/b.py`\n\n2. `src/a.py`\n\n```python\n", "src/a.py?"),
            ("src/\n\na.py\n```python\n", "a.py?"),
            ("## src/b.py\n### src/a.py\n```python\n", "src/a.py?"),
            ("```\nb.py\n\n```js\n", "b.py?"),
            ("```\nb.py\n```js\n", "b.py"),
            ("```\n\nb.py\n\n```js\n", "b.py"),
        ] {
            assert_eq!(of(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_fence_that_shows_something_names_none() {
        for text in [
            "```python\nprint(1)\n",
            "Change the parser in `src/a.py`:\n```python\n",
            "In src/a.py:\n```python\n",
            "Edit `src/a.py`:\n```python\n",
            "```12:40:src/a.py\n",
            "### Before\n\n`src/a.py`\n\n```python\n",
            "**Old version (do not use)**\nsrc/a.py\n```python\n",
            "❌ Bad\n\n```python src/a.py\n",
            "Your original code:\n```python\n# src/a.py\n",
            "src/a.py\n```bash\n",
            "src/a.py\n```console\n",
            "src/a.py\n```text\n",
            "src/a.py\n```diff\n",
            "### textDocument/hover\n\n```json\n",
            "src/a.py\n\nThis is why.\n\n```python\n",
            "```python\n# Title\n",
            "- src/b.py\n- src/a.py\n\n```python\n",
            "src/\n  b.py\n  a.py\n```python\n",
            "src/a.py:12\n```python\n",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
