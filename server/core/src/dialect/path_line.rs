//! Lines that are paths, in all the ways in which models write one.

mod sentence;

/// The longest path, in bytes.
const LONGEST: usize = 4096;

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
    /// Whether the line is about a place in the file.
    pub is_part: bool,
}

/// The file that a line names and nothing else, but for what models put around a path.
pub fn file_of_line(line: &str) -> Option<FileLine> {
    let mut text = line.trim();
    let (mut coded, mut is_new, mut is_edited, mut is_part) = (false, false, false, false);
    loop {
        let before = text;
        text = text.trim_start_matches('#').trim();
        text = numbered(text);
        text = ITEMS.iter().find_map(|item| text.strip_prefix(item)).unwrap_or(text).trim_start();
        text = text.trim_end_matches(ENDS).trim_end();
        if let Some(rest) = without_line(text) {
            (text, is_part) = (rest, true);
        }
        if let Some(sentence) = sentence::of(text) {
            (text, is_edited) = (sentence.path, sentence.is_edited);
            is_new |= sentence.is_new;
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
            is_part |= rest.len() < text.len() && PLACES.contains(word);
            text = rest;
        }
        for (open, close) in AROUND {
            let inner = text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
            if let Some(inner) = inner.filter(|inner| !inner.contains(open)) {
                coded |= *open == "`" || open.ends_with('>');
                text = inner.trim();
            }
        }
        if let Some(path) = path_of_tag(text) {
            (coded, text) = (true, path);
        }
        text = text_of_link(text).unwrap_or(text);
        if text == before {
            break;
        }
    }
    let path = is_path(text, coded).then(|| text.to_owned())?;
    Some(FileLine { path, is_new, is_edited, is_part })
}

/// Whether a line that is a path is one of several in a list or a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// It is the path alone.
    No,
    /// The line before it may be a path as well, or the directory of it.
    Maybe,
    /// It is an item below another one.
    Yes,
}

/// Whether a line that is a path is one of several, by the line before it that is not blank;
/// `is_next` where none is between the two.
pub fn listed(line: &str, before: &str, is_next: bool) -> Listed {
    let is_indented = line.starts_with("  ") || line.starts_with('\t');
    let (line, before) = (line.trim(), before.trim());
    let item = |text: &str| match ITEMS.iter().position(|item| text.starts_with(item)) {
        None if numbered(text).len() < text.len() => Some(ITEMS.len()),
        item => item,
    };
    match (item(line), item(before)) {
        (Some(one), Some(other)) => {
            let is_path = |word: &str| path_of_line(word).is_some();
            match one == other && before.split_whitespace().any(is_path) {
                true if is_next => Listed::Yes,
                true => Listed::Maybe,
                false => Listed::No,
            }
        }
        (None, None) if line.starts_with('#') == before.starts_with('#') => {
            let is_directory = before.ends_with('/');
            let other = path_of_line(before);
            let is_other = other.is_some() && other != path_of_line(line);
            match is_next {
                true if is_indented && (is_directory || is_other) => Listed::Yes,
                true if is_directory || is_other => Listed::Maybe,
                // What is a list has no empty lines between its paths.
                false if is_directory => Listed::Maybe,
                _ => Listed::No,
            }
        }
        _ => Listed::No,
    }
}

/// The path before the number of a line of the file, of which a part is shown: `src/a.py:12`,
/// `src/a.py#L3-L6`.
fn without_line(text: &str) -> Option<&str> {
    let (path, line) = text.rsplit_once(':').or_else(|| text.rsplit_once("#L"))?;
    let is_sign = |char: char| char.is_ascii_digit() || char == '-';
    let is_number = line.replace("-L", "-").chars().all(is_sign);
    (!line.is_empty() && is_number).then_some(path)
}

/// Whether a sentence says that a file is new: `Create a module for it:`.
pub fn announces(line: &str) -> bool {
    let line = line.trim_start_matches(|char: char| !char.is_alphabetic()).to_lowercase();
    line.starts_with("create ") || line.contains("new file") || line.contains("(new)")
}

/// Whether what comes after a fence says that not the whole new text of its file is in it:
/// `python src/a.py:1-10`, `python src/a.py (1-10)`, `python src/a.py (before)`; `path` is the path in
/// it.
pub fn shows_part(info: &str, path: &str) -> bool {
    let rest = info.replacen(path, "\n", 1).to_lowercase();
    let after = rest.split_once('\n').map_or("", |(_, after)| after);
    let is_line = |text: &str| text.starts_with(|char: char| char.is_ascii_digit());
    let after = after.trim_start_matches(['"', '\'', ' ']);
    let mut words = rest.split(|char: char| !char.is_alphanumeric() && char != '_');
    [":", "#l", "(", "[", "l"].iter().any(|it| after.strip_prefix(it).is_some_and(is_line))
        || words.any(|word| PARTS.contains(&word))
}

/// The words after a fence that say that the new text of its file is not in it, or not all of it.
const PARTS: &[&str] = &[
    "line",
    "lines",
    "startline",
    "endline",
    "excerpt",
    "partial",
    "part",
    "snippet",
    "fragment",
    "before",
    "original",
    "old",
    "current",
];

/// The path in what comes after a fence: `python src/a.py`, `python:src/a.py`, `path=src/a.py`,
/// `title="src/a.py"`.
pub fn path_of_info(info: &str) -> Option<String> {
    if let Some(value) = attribute(info) {
        let value = without_line(value).unwrap_or(value);
        return is_path(value, true).then(|| value.to_owned());
    }
    let words = || info.split([' ', '\t']).filter(|word| !word.is_empty());
    let after_colon = words().next().and_then(|word| {
        let (language, path) = word.split_once(':')?;
        let is_language =
            language.chars().all(|char| char.is_alphanumeric() || "+#-_".contains(char));
        let path = without_line(path).unwrap_or(path);
        // One letter may be a drive.
        let is_drive = language.len() < 2 && path.starts_with(['/', '\\']);
        (is_language && !language.is_empty() && !is_drive).then_some(path)
    });
    match after_colon {
        Some(path) => is_path(path, true).then(|| path.to_owned()),
        // Any other attribute names no file.
        None => words().filter(|word| !word.contains('=')).find_map(path_of_line),
    }
}

/// The value of the attribute that has a path: `path="src/a.py"`, `filename=src/a.py`.
fn attribute(text: &str) -> Option<&str> {
    let keys = ["path=", "file=", "filename=", "filepath=", "title="];
    let value = keys.iter().find_map(|key| Some(&text[text.find(key)? + key.len()..]))?;
    match value.chars().next() {
        Some(quote @ ('"' | '\'')) => value[1..].split(quote).next(),
        _ => value.split([' ', ',', '}']).next(),
    }
}

/// The path in the start tag of an element: `<edit path="src/a.py">`.
fn path_of_tag(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('<')?.strip_suffix('>')?;
    let is_start = !inside.ends_with('/') && !inside.contains(['<', '>']);
    attribute(inside).filter(|path| is_start && is_file(path))
}

/// The text of a link: `[src/a.py](src/a.py)`.
fn text_of_link(text: &str) -> Option<&str> {
    let (text, to) = text.strip_prefix('[')?.split_once("](")?;
    to.strip_suffix(')').filter(|to| !to.contains(')')).map(|_| text)
}

/// What models put before a path on its line; a text that begins like another one comes after it.
const BEFORE: &[&str] = &[
    "new file",
    "full file",
    "complete file",
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
    "step",
    "📄",
    "📝",
    "✅",
];
/// What they put after it.
const AFTER: &[&str] =
    &["(new file)", "(new)", "(modified)", "(updated)", "— updated", "– updated", "- updated"];
/// Those of them that say that the file is new.
const NEW: &[&str] =
    &["new file", "create", "created", "add", "added", "new", "(new file)", "(new)"];
/// Those that say that it is to be changed.
const EDITED: &[&str] = &["update", "modify"];
/// Those that say that a place in it is.
const PLACES: &[&str] = &["edit", "in"];
/// What an item of a list begins with.
const ITEMS: [&str; 4] = ["- ", "* ", "+ ", "• "];
/// What ends a label.
const COLONS: [char; 2] = [':', '：'];
/// What a path does not end with, and a line with a path may.
const ENDS: [char; 9] = [':', '：', '.', '。', ',', '，', '、', ';', '；'];
/// What they put around it: emphasis, quotes, comments, elements.
const AROUND: &[(&str, &str)] = &[
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
    ("(", ")"),
    ("[", "]"),
    ("// ", ""),
    ("-- ", ""),
    ("/*", "*/"),
    ("<!--", "-->"),
    ("<path>", "</path>"),
    ("<file>", "</file>"),
    ("<file_path>", "</file_path>"),
    ("<summary>", "</summary>"),
    ("<b>", "</b>"),
    ("<strong>", "</strong>"),
    ("<code>", "</code>"),
];
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
    let begins = |text: &str| text.bytes().next().map(|byte| byte.to_ascii_lowercase());
    if begins(label) != begins(word) {
        return text;
    }
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
pub fn is_path(text: &str, coded: bool) -> bool {
    let forbidden = |char: char| {
        char.is_control() || "<>|*?\"`{}“”„«»「」".contains(char) || char.is_whitespace() && !coded
    };
    if text.is_empty() || text.len() > LONGEST || text.contains(forbidden) || text.contains("://") {
        return false;
    }
    if text.ends_with(ENDS) || !text.split(['/', '\\']).all(has_pairs) {
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

/// Whether a path ends in the name of a file: one with an extension, or one that is known.
pub fn is_file(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.contains('.') || BARE.contains(&name)
}

/// Whether the brackets in a part of a path are pairs: `[slug]`, `(group)`. One right after a letter is
/// that of a call.
fn has_pairs(part: &str) -> bool {
    let (mut open, mut before) = (Vec::new(), '/');
    let is_paired = part.chars().all(|char| {
        let fits = match char {
            '(' | '[' => {
                open.push(if char == '(' { ')' } else { ']' });
                !before.is_alphanumeric()
            }
            ')' | ']' => open.pop() == Some(char),
            _ => true,
        };
        before = char;
        fits
    });
    is_paired && open.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "### Update `src/a.py`",
            "Replace `src/a.py` with:",
            "Replace the contents of `src/a.py` with:",
            "### Step 1: `src/a.py`",
            "**`src/a.py`** — updated:",
            "Here is the updated `src/a.py`:",
            "Here's the full `src/a.py`:",
            "Here’s the corrected version of **src/a.py**:",
            "Here is `src/a.py` again, in full:",
            "Here is the updated code for `src/a.py`:",
            "Here's the complete `src/a.py` file with all the changes applied:",
            "The updated `src/a.py`:",
            "The complete `src/a.py` now reads:",
            "Your `src/a.py` should now look like this:",
            "Below is the new `src/a.py`.",
            "Here's `src/a.py` with the fix:",
            "`src/a.py` becomes:",
            "`src/a.py` should now look like this:",
            "Final `src/a.py`:",
            "Fixed version of `src/a.py`:",
            "Complete code for `src/a.py`:",
            "Create a file named `src/a.py`:",
            "Create a file called `src/a.py` with the following content:",
            "Create the file `src/a.py` with this content:",
            "First, create a `src/a.py` file:",
            "Now create the test file `src/a.py`:",
            "Next, add `src/a.py`:",
            "Add a new file, `src/a.py`:",
            "Make a file called `src/a.py`:",
            "Save this as `src/a.py`:",
            "Save the following code as `src/a.py`:",
            "Save this code in a file named `src/a.py`:",
            "Write this to `src/a.py`:",
            "Put this in `src/a.py`:",
            "Place the following code in `src/a.py`:",
            "Paste this into `src/a.py`:",
            "Replace `src/a.py` with the following:",
            "Replace the entire contents of `src/a.py` with this:",
            "Overwrite `src/a.py` with:",
            "Update `src/a.py` as follows:",
            "Update `src/a.py` to:",
            "Then change `src/a.py` to this:",
            "Modify `src/a.py` like so:",
            "Full file: `src/a.py`",
            "📄 `src/a.py`",
            "✅ `src/a.py`",
            "<b>src/a.py</b>",
            "\"src/a.py\"",
            "New file: `src/a.py`",
            "**File:** `src/a.py`",
            "**File**: `src/a.py`",
            "**Path:** `src/a.py`",
            "**Create** `src/a.py`",
            "File name: `src/a.py`",
            "### File 1: `src/a.py`",
            "### Modified: `src/a.py`",
            "New file: `src/a.py`.",
            "Create a new file `src/a.py`:",
            "New: `src/a.py`",
            "New file: src/a.py.",
            "_src/a.py_",
            "src/a.py:1",
            "src/a.py,",
            "src/a.py;",
            "src/a.py：",
            "* src/a.py",
            "// src/a.py",
            "/* src/a.py */",
            "<!-- src/a.py -->",
            "-- src/a.py",
            "[src/a.py](./src/a.py#L3)",
            "[`src/a.py`](x)",
            "(src/a.py)",
            "“src/a.py”",
            "<path>src/a.py</path>",
            "<edit path=\"src/a.py\">",
            "<file name=x path='src/a.py'>",
        ] {
            assert_eq!(path_of_line(line).as_deref(), Some("src/a.py"), "{line}");
        }
        assert_eq!(path_of_line("`a b/c d.txt`").as_deref(), Some("a b/c d.txt"));
        for path in [
            "app/[slug]/page.tsx",
            "app/(group)/(.)photo/[[...id]].tsx",
            "routes/users.[id].tsx",
            "+page@(app).svelte",
            "_a/b_c.py",
        ] {
            assert_eq!(path_of_line(path).as_deref(), Some(path));
        }
        assert_eq!(path_of_line("<path>a b/c.txt</path>").as_deref(), Some("a b/c.txt"));
        assert_eq!(path_of_line("__init__.py").as_deref(), Some("__init__.py"));
        assert_eq!(path_of_line("Makefile").as_deref(), Some("Makefile"));
        assert_eq!(path_of_line("C:\\a\\b.txt").as_deref(), Some("C:\\a\\b.txt"));
        for line in [
            "",
            "Here is the change:",
            "Change the parser in `src/a.py`:",
            "Here is the original `src/a.py`:",
            "Here is the current code of `src/a.py`:",
            "Here is the output of `src/a.py`:",
            "Here is the error in `src/a.py`:",
            "Here is how to run `src/a.py`:",
            "Here is an example of `src/a.py`:",
            "Here is the diff for `src/a.py`:",
            "Here is the updated `f` in `src/a.py`:",
            "Here are the changes to `src/a.py`:",
            "The problem is in `src/a.py`:",
            "The old `src/a.py`:",
            "Here is `src/a.py`:",
            "Here is my updated `src/a.py`:",
            "Here is the file:",
            "This is `src/a.py`:",
            "The `src/a.py` file:",
            "This is the code of `src/a.py`:",
            "Here is the new version:",
            "Here are the changes for `src/a.py`:",
            "Here is the fix for `src/a.py`:",
            "Add this to `src/a.py`:",
            "Add the following to `src/a.py`:",
            "Add the following code at the top of `src/a.py`:",
            "Add a test for `src/a.py`:",
            "Create a test for `src/a.py`:",
            "Create a backup of `src/a.py`:",
            "Create a function in `src/a.py`:",
            "Make `src/a.py` executable:",
            "Make the following changes to `src/a.py`:",
            "Write a test for `src/a.py`:",
            "Write to `src/a.py`:",
            "Save `src/a.py`:",
            "Save `src/a.py` as `src/b.py`:",
            "Put this at the top of `src/a.py`:",
            "Put this function in `src/a.py`:",
            "Copy `src/a.py` to `src/b.py`:",
            "Update `src/a.py` to use it:",
            "Update the imports of `src/a.py` to:",
            "Change this in `src/a.py` to:",
            "Change the name of `src/a.py` to:",
            "Rename `src/a.py` to:",
            "Run `src/a.py` with:",
            "Contents of `src/a.py`:",
            "The contents of `src/a.py`:",
            "`src/a.py` with:",
            "e.g. this",
            "version 1.2",
            "https://example.org/a.html",
            "...",
            "Done.",
            "# Title",
            "and so on.",
            "3.14",
            "print(src/a.py)",
            "list[0].py",
            "src/..",
            "max(a/b)",
            "list[a/b].c",
            "(a/b",
            "--- src/a.py",
            "Replace `src/a.py`:",
            "Replace `f()` in `src/a.py` with:",
            "==> src/a.py <==",
            "=== src/a.py ===",
            "src/a.py (lines 1-3)",
            "<img src=\"a.png\">",
            "<lov-delete file_path=\"a.js\" />",
            "</a.js>",
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
            "(src/a.py)",
            "python [src/a.py]",
        ] {
            assert_eq!(path_of_info(info).as_deref(), Some("src/a.py"), "{info}");
        }
        for info in ["", "python", "text", "python startline=3", "c++", "python name=src/x.py"] {
            assert_eq!(path_of_info(info), None, "{info}");
        }
    }
}
