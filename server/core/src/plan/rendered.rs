//! Signs that a block was copied from a rendered page, which takes `__` for bold and drops indentation.

use super::Issue;
use crate::path::{FilePath, Kind};
use crate::problem::SCAN_RENDERED;
use crate::snapshot::Snapshot;
use crate::spec::FieldRole;
use crate::text::one_line;

/// What to do about it.
pub(super) const ADVICE: &str = "copy the answer with the chat's copy button";

/// What a page makes of this name is another one: `init.py` of `__init__.py`.
pub(super) fn as_written(name: &str) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    (extension == "py" && !stem.starts_with('_')).then(|| format!("__{stem}__.py"))
}

/// A remark where a new `init.py` is beside an `__init__.py`.
pub(super) fn remark_on_path(snapshot: &dyn Snapshot, path: &FilePath) -> Option<Issue> {
    let other = path.parent()?.join(&as_written(path.name()).filter(|_| path.name() == "init.py")?);
    let is_there = snapshot.kind(&other).ok()? == Some(Kind::File);
    let (new, there) = (path.to_string(), other.to_string());
    let (new, there) = (one_line::excerpt(&new, 120), one_line::excerpt(&there, 120));
    let message = format!(
        "`{new}` would be a new file beside `{there}`: a rendered page shows that name without its \
         underscores; {ADVICE}"
    );
    is_there
        .then(|| *Issue::warning(SCAN_RENDERED, FieldRole::Path, message).detail("nearest", there))
}

/// A remark on the first statement of Python in `texts` whose body has lost its indentation.
pub(super) fn remark_on_python(path: &FilePath, texts: &[&str], field: FieldRole) -> Option<Issue> {
    if !path.path.ends_with(".py") && !path.path.ends_with(".pyi") {
        return None;
    }
    let line = texts.iter().find_map(|text| unindented(text))?;
    let line = one_line::excerpt(line, 80);
    let message = format!(
        "the body of `{line}` is not indented, as in a text that was copied from a rendered page; {ADVICE}"
    );
    Some(*Issue::warning(SCAN_RENDERED, field, message).detail("line", line))
}

/// The first line that opens a body, in a text without any indentation where another line follows.
fn unindented(text: &str) -> Option<&str> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    if lines.clone().any(|line| line.starts_with([' ', '\t'])) {
        return None;
    }
    let lines: Vec<&str> = lines.collect();
    // What is in a long string may be prose.
    let has_prose = text.contains("\"\"\"") || text.contains("'''");
    let opener = |pair: &&[&str]| opens_body(pair[0], has_prose) && !pair[1].starts_with('#');
    lines.windows(2).find(opener).map(|pair| pair[0])
}

/// Whether a line of Python needs an indented one below it.
fn opens_body(line: &str, is_definition: bool) -> bool {
    let line = line.trim_end();
    let Some(head) = line.strip_suffix(':') else { return false };
    let head = head.strip_prefix("async ").unwrap_or(head);
    let (word, rest) = head.split_once(' ').unwrap_or((head, ""));
    match word {
        "def" => rest.contains('(') && rest.contains(')'),
        "class" => !rest.trim_end_matches(')').trim().contains(' ') || rest.contains('('),
        "for" => !is_definition && rest.contains(" in "),
        "if" | "elif" | "while" | "with" | "except" => !is_definition && !rest.is_empty(),
        "try" | "else" | "finally" => !is_definition && rest.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::MemorySnapshot;

    #[test]
    fn python_without_its_indentation_is_seen() {
        for text in [
            "def greet(name):\nreturn name\n",
            "x = 1\n\nclass Greeter:\n\npass\n",
            "class Greeter(Base, Other):\nx = 1\n",
            "async def greet() -> str:\nreturn 1\n",
            "for name in names:\nprint(name)\n",
            "try:\nrun()\nexcept ValueError:\npass\n",
            "def greet():\n\"\"\"Greets.\"\"\"\nreturn 1\n",
            "if a:\nb()\n",
            "elif a:\nb()\n",
            "while a:\nb()\n",
            "with a as b:\nb()\n",
            "except ValueError:\npass\n",
            "try:\nrun()\n",
            "else:\nrun()\n",
            "finally:\nrun()\n",
        ] {
            assert!(unindented(text).is_some(), "{text}");
        }
    }

    #[test]
    fn a_page_shows_a_name_without_its_underscores() {
        assert_eq!(as_written("init.py").as_deref(), Some("__init__.py"));
        for name in ["_init.py", "__init__.py", "init.js", "init"] {
            assert_eq!(as_written(name), None, "{name}");
        }
        let snapshot = MemorySnapshot::of([("a/__init__.py", ""), ("a/__main__.py", "")]);
        let says = |path: &str| {
            remark_on_path(&snapshot, &FilePath::new(0, path)).map(|remark| remark.message)
        };
        let expected = "`a/init.py` would be a new file beside `a/__init__.py`: a rendered page \
                        shows that name without its underscores; copy the answer with the chat's \
                        copy button";
        assert_eq!(says("a/init.py").as_deref(), Some(expected));
        for path in ["init.py", "a/main.py", "a/__init__.py"] {
            assert_eq!(says(path), None, "{path}");
        }
    }

    #[test]
    fn only_python_is_looked_at() {
        let is_seen = |path: &str| {
            let path = FilePath::new(0, path);
            remark_on_python(&path, &["x = 1\n", "try:\nrun()\n"], FieldRole::Content).is_some()
        };
        assert_eq!(["a.py", "a.pyi", "a.txt"].map(is_seen), [true, true, false]);
    }

    #[test]
    fn other_text_is_not_taken_for_it() {
        for text in [
            "def greet(name):\n    return name\n",
            "def greet(name):\n\treturn name\n",
            "def greet(name):\n",
            "if a or b:\n",
            "def greet(name): return name\nx = 1\n",
            "\"\"\"\nif you like:\nuse it\n\"\"\"\n",
            "def greet(\nname,\n):\n",
            "# for example:\nx = 1\n",
            "class of its own:\nprose\n",
            "else:\n# nothing\n",
            "def greet(:\nx = 1\n",
            "def greet):\nx = 1\n",
            "for it:\nx = 1\n",
            "if:\nx = 1\n",
            "try it:\nx = 1\n",
            "\"\"\"\nfor one in all:\nuse it\n\"\"\"\n",
            "\"\"\"\nelse:\nuse it\n\"\"\"\n",
            "x = {\n'if': 1,\n}\n",
        ] {
            assert_eq!(unindented(text), None, "{text}");
        }
    }
}
