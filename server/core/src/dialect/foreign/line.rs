//! What one line says of an edit that is not applied.

use memchr::memmem;

use super::spellings::{
    ARGUMENTS, BY, CANVAS, COMMANDS, DELETE, ELEMENTS, Element, KEYS, PAIRS, PATCHES, PREFIX,
    PYTHON, RENAME, REPLACES, TO, TOOLS,
};
use crate::dialect::path_line;
use crate::text::Span;
use crate::text::fence::Fence;

/// An edit that is not applied.
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    /// Where its name is in the line.
    pub span: Span,
    /// What is said of it.
    pub message: String,
    /// Whether the edit in it is a block of a dialect, as a rule, which is then applied.
    pub holds_blocks: bool,
}

impl Named {
    fn not_applied(span: Span, message: String) -> Named {
        Named { span, message, holds_blocks: false }
    }
}

/// What a line names, which has no blanks around it: an element or a call of a tool wherever it is, a
/// heading and what is between two fences outside of fences. `next` is the line after it.
pub fn named(line: &str, next: &str, in_fence: bool) -> Option<Named> {
    let outside = || heading(line).or_else(|| between(line, next)).filter(|_| !in_fence);
    match line.as_bytes().first()? {
        b'<' => element(line),
        b'{' | b'[' | b'"' => key(line).or_else(|| tool(line)).or_else(|| canvas(line)),
        b'c' => canvas(line).or_else(outside),
        b'd' | b'p' => python(line).or_else(|| command(line)).or_else(outside),
        b's' | b'$' => command(line),
        _ => outside(),
    }
}

/// The start tag of an element, alone on the line or with the whole element; another one may be right
/// before it.
fn element(line: &str) -> Option<Named> {
    let mut at = 0;
    loop {
        let rest = &line[at..];
        if let Some(named) = element_at(rest) {
            return Some(Named { span: named.span.start + at..named.span.end + at, ..named });
        }
        let end = rest.find('>')? + 1;
        at += rest[end..].starts_with('<').then_some(end)?;
    }
}

/// The start tag that a line begins with.
fn element_at(line: &str) -> Option<Named> {
    let inside = &line[1..];
    let is_end = |char: char| char == '>' || char == ' ' || char == '\t';
    let tag = inside.split(is_end).next().unwrap_or_default();
    let name = tag.trim_end_matches('/');
    let name = name.strip_prefix(PREFIX).unwrap_or(name);
    let of = |it: &&Element| it.tag == name;
    let mut rows = ELEMENTS.iter().filter(of).peekable();
    rows.peek()?;
    let end = line.find('>').map_or(line.len(), |at| at + 1);
    let is_alone = end == line.len() || line.ends_with(&format!("</{tag}>"));
    let row = rows.find(|row| line[..end].contains(row.holds)).filter(|_| is_alone)?;
    let what_to_do = match row.around {
        true => "operator-lsp reads only the blocks inside of it",
        false => NOT_YET,
    };
    let message = format!("{}; {what_to_do}", this_is(row.is));
    Some(Named { span: 0..end, message, holds_blocks: row.around })
}

/// The key of a tool call in JSON, or in a string with JSON, whose value is a string.
fn key(line: &str) -> Option<Named> {
    KEYS.iter().find_map(|(key, is)| {
        let (at, _) = string_of(line, key)?;
        Some(Named::not_applied(at..at + key.len(), not_yet(is)))
    })
}

/// Where a key is whose value is a string, and what comes after the opening quote of that.
fn string_of<'a>(line: &'a str, key: &str) -> Option<(usize, &'a str)> {
    keys_of(line, key)
        .find_map(|(at, value)| Some((at, value.trim_start_matches('\\').strip_prefix('"')?)))
}

/// Where a key is, each time, and what comes after its colon.
fn keys_of<'a>(line: &'a str, key: &str) -> impl Iterator<Item = (usize, &'a str)> {
    memmem::find_iter(line.as_bytes(), key).filter_map(move |at| {
        let after = line[at + key.len()..].trim_start_matches('\\').strip_prefix('"')?;
        let value = after.trim_start().strip_prefix(':')?.trim_start();
        line[..at].ends_with('"').then_some((at, value))
    })
}

/// A tool call in JSON that is known by more than a key: two keys, the name of a tool, or a patch.
fn tool(line: &str) -> Option<Named> {
    let pair = || {
        PAIRS.iter().find_map(|((key, other), is)| {
            let (at, _) = string_of(line, key)?;
            string_of(line, other).map(|_| (at..at + key.len(), (*is).to_owned()))
        })
    };
    let named = |key: &str| {
        let (_, value) = string_of(line, key)?;
        let name = value.split(['"', '\\']).next()?;
        let at = line.len() - value.len();
        TOOLS.contains(&name).then(|| (at..at + name.len(), format!("`{name}` call")))
    };
    // Without arguments it is the description of a tool.
    let called = || {
        let has_arguments = ARGUMENTS.iter().any(|key| keys_of(line, key).next().is_some());
        if has_arguments { named("name") } else { None }
    };
    let patch = || {
        let found = PATCHES.iter().find_map(|(text, name)| {
            memmem::find(line.as_bytes(), text.as_bytes())?;
            let at = memmem::find(line.as_bytes(), name.as_bytes())?;
            Some(at..at + name.len())
        });
        found.map(|span| (span, "call of `apply_patch`".to_owned()))
    };
    let (span, is) = pair().or_else(|| named("tool")).or_else(called).or_else(patch)?;
    Some(Named::not_applied(span, not_yet(&is)))
}

/// A call that writes to a canvas: alone on the line, or a string in JSON.
fn canvas(line: &str) -> Option<Named> {
    CANVAS.iter().find_map(|call| {
        let at = line.find(call)?;
        let around = (&line[..at], &line[at + call.len()..]);
        let is_string = around.0.ends_with('"') && around.1.starts_with('"');
        let is_json = line.starts_with(['{', '[', '"']) && is_string;
        let span = at..at + call.len();
        (is_json || line == *call)
            .then(|| Named::not_applied(span, not_yet(&format!("`{call}` call"))))
    })
}

/// A call in Python that edits a file, perhaps in a `print`.
fn python(line: &str) -> Option<Named> {
    let call = line.strip_prefix("print(").unwrap_or(line);
    let name = PYTHON
        .iter()
        .find(|name| call.strip_prefix(**name).is_some_and(|rest| rest.starts_with('(')))?;
    let at = line.len() - call.len();
    let message = not_yet(&format!("`{name}` call"));
    Some(Named::not_applied(at..at + name.len(), message))
}

/// A command that edits a file in place, perhaps after the prompt of a shell.
fn command(line: &str) -> Option<Named> {
    let typed = line.strip_prefix("$ ").unwrap_or(line);
    let name = COMMANDS.iter().find(|name| typed.starts_with(**name))?;
    let at = line.len() - typed.len();
    let message = not_yet(&format!("`{name}` command"));
    typed[name.len()..].contains(' ').then(|| Named::not_applied(at..at + name.len(), message))
}

/// A line between two fences that says to replace what is in the first one by what is in the second.
fn between(line: &str, next: &str) -> Option<Named> {
    let text = line.trim_matches('*').trim_end_matches(':').trim_end_matches('*').to_lowercase();
    let says = |begin: &str| text.strip_prefix(begin).is_some_and(|rest| BY.contains(&rest));
    let is_before_fence = next.trim().is_empty() || Fence::of(next).is_some();
    let is_one = line.contains(':') && is_before_fence && REPLACES.iter().any(|it| says(it));
    let message = "this asks for one text to be replaced by another, each in a fence of its own";
    is_one.then(|| Named::not_applied(0..line.len(), format!("{message}; {NOT_YET}")))
}

/// A line that asks for a file to be deleted or renamed, and says nothing else.
fn heading(line: &str) -> Option<Named> {
    let text = line.trim_start_matches('#').trim_start();
    let text = text.strip_prefix("- ").or_else(|| text.strip_prefix("* ")).unwrap_or(text);
    let text = path_line::numbered(text);
    let text = text.strip_suffix([':', '.']).unwrap_or(text);
    let bold = text.strip_prefix("**").and_then(|text| text.strip_suffix("**"));
    let text = bold.map_or(text, |text| text.strip_suffix(':').unwrap_or(text));
    let after = |verbs: &[&str]| {
        verbs.iter().find_map(|verb| {
            // At the start of a sentence, or in one.
            let begins = text.get(..1)?.eq_ignore_ascii_case(&verb[..1]);
            text.get(1..)?.strip_prefix(&verb[1..]).filter(|_| begins)
        })
    };
    let asks = match (after(DELETE), after(RENAME)) {
        (Some(path), _) if is_path(path) => "deleted",
        (_, Some(paths)) if TO.iter().any(|to| paths.split_once(to).is_some_and(are_paths)) => {
            "renamed"
        }
        _ => return None,
    };
    let message = format!("this asks for a file to be {asks}; {NOT_YET}");
    Some(Named::not_applied(0..line.len(), message))
}

/// Whether a text is one code span with a path.
fn is_path(text: &str) -> bool {
    let inside = text.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
    inside.is_some_and(|path| !path.contains('`')) && path_line::path_of_line(text).is_some()
}

fn are_paths((from, to): (&str, &str)) -> bool {
    is_path(from) && is_path(to)
}

const NOT_YET: &str = "operator-lsp does not apply these yet";

fn not_yet(is: &str) -> String {
    format!("{}; {NOT_YET}", this_is(is))
}

fn this_is(what: &str) -> String {
    let is_vowel = what.trim_start_matches('`').starts_with(['a', 'e', 'i', 'o', 'u', 'E']);
    format!("this is {} {what}", if is_vowel { "an" } else { "a" })
}

#[cfg(test)]
mod tests {
    use super::super::spellings::NEEDLES;
    use super::*;

    #[test]
    fn every_spelling_has_a_needle() {
        let tags = ELEMENTS.iter().flat_map(|it| [format!("<{}", it.tag), format!("<{PREFIX}")]);
        let keys = KEYS.iter().map(|(key, _)| format!("\"{key}"));
        let verbs = DELETE.iter().chain(RENAME).map(|verb| format!("{verb}`"));
        let calls = CANVAS.iter().map(|call| (*call).to_owned());
        for spelling in tags.chain(keys).chain(verbs).chain(calls) {
            let holds = |needle: &&str| spelling.contains(*needle);
            assert!(NEEDLES.iter().any(holds), "{spelling}");
        }
    }
    use crate::dialect::Dialects;

    /// What a line is said to be, where it is outside of fences.
    fn said(line: &str) -> Option<(String, String)> {
        let named = named(line, "", false)?;
        let needles = Dialects::all().needles();
        let found = needles.iter().any(|needle| needle.find(line, 0, line.len()).is_some());
        assert!(found, "no needle in {line}");
        let said = named.message.split("; ").next().unwrap_or_default().to_owned();
        Some((line[named.span].to_owned(), said))
    }

    #[test]
    fn every_element_is_found_alone_on_its_line() {
        for Element { tag, holds, is, .. } in ELEMENTS {
            let start = match *holds {
                "" => format!("<{tag}>"),
                holds if holds.ends_with("=\"") => format!("<{tag}{holds}x\">"),
                holds => format!("<{tag} {}\">", holds.trim_end_matches('"')),
            };
            let expected = Some((start.clone(), this_is(is)));
            assert_eq!(said(&start), expected);
            assert_eq!(said(&format!("{start}x</{tag}>")), expected);
            assert_eq!(
                said(&format!("<{tag}")),
                expected.filter(|_| holds.is_empty()).map(|it| (format!("<{tag}"), it.1))
            );
            assert_eq!(said(&format!("{start} is what Cline writes")), None);
            assert_eq!(said(&format!("Use `{start}`")), None);
            assert_eq!(said(&format!("</{tag}>")), None);
        }
        let bolt = "<boltAction type=\"file\" filePath=\"a.js\">";
        assert_eq!(said(bolt).map(|it| it.0).as_deref(), Some(bolt));
        let prefixed = format!("<{PREFIX}invoke name=\"str_replace_based_edit_tool\">");
        assert_eq!(said(&prefixed).map(|it| it.0), Some(prefixed));
        let lovable = "<lov-delete file_path=\"a.js\" />";
        assert_eq!(said(lovable).map(|it| it.0).as_deref(), Some(lovable));
        let call = "<edit_file path=\"a.js\">";
        assert_eq!(said(call).map(|it| it.0).as_deref(), Some(call));
        for line in [
            "<file path=\"a.py\">",
            "<invoke name=\"bash\">",
            "<write_to_files>",
            "<div>",
            "<",
            "<boltAction> or <boltAction>",
        ] {
            assert_eq!(said(line), None, "{line}");
        }
    }

    #[test]
    fn every_key_is_found_with_a_string() {
        for (key, is) in KEYS {
            let expected = Some(((*key).to_owned(), this_is(is)));
            assert_eq!(said(&format!("\"{key}\": \"x\",")), expected);
            assert_eq!(said(&format!("{{\"path\":\"a\",\"{key}\":\"x\"}}")), expected);
            let escaped = format!("\"arguments\": \"{{\\\"{key}\\\": \\\"x\\\"}}\"");
            assert_eq!(said(&escaped), expected);
            for line in [
                format!("\"{key}\": {{\"type\": \"string\"}}"),
                format!("\"required\": [\"{key}\"]"),
                format!("args[\"{key}\"]: \"x\""),
                format!("The call has \"{key}\": \"x\"."),
                format!("\"my_{key}\": \"x\""),
            ] {
                assert_eq!(said(&line), None, "{line}");
            }
        }
        let schema = "{\"old_str\": 1, \"old_str\" : \"x\"}";
        assert!(said(schema).is_some());
    }

    #[test]
    fn a_call_is_known_by_more_than_a_key() {
        for (line, span, is) in [
            (
                "{\"input\":\"*** Begin Patch\\n*** End Patch\"}",
                "*** Begin Patch",
                "call of `apply_patch`",
            ),
            (
                "{\"command\":[\"apply_patch\",\"*** Begin Patch\\n\"]}",
                "*** Begin Patch",
                "call of `apply_patch`",
            ),
            ("{\"file_path\":\"a.py\",\"content\":\"x\"}", "file_path", "`Write` call"),
            ("{\"tool\":\"write_file\",\"content\":\"x\"}", "write_file", "`write_file` call"),
            ("\"tool\": \"edit_file\",", "edit_file", "`edit_file` call"),
            ("{\"name\":\"edit_file\",\"input\":{}}", "edit_file", "`edit_file` call"),
            ("[{\"name\": \"apply_patch\", \"args\": 1}]", "apply_patch", "`apply_patch` call"),
        ] {
            let expected = (span.to_owned(), this_is(is));
            assert_eq!(said(line), Some(expected), "{line}");
        }
        for line in [
            "{\"file_path\":\"a.py\"}",
            "{\"tool\":\"read_file\"}",
            "{\"name\":\"write_file\"}",
            "{\"name\":\"write_file\",\"parameters\":{\"type\":\"object\"}}",
            "{\"name\":\"read_file\",\"arguments\":{}}",
            "{\"content\":\"x\"}",
            "The call is {\"tool\":\"write_file\"}",
        ] {
            assert_eq!(named(line, "", false), None, "{line}");
        }
    }

    #[test]
    fn every_call_in_python_is_found() {
        for name in PYTHON {
            let expected = Some(((*name).to_owned(), this_is(&format!("`{name}` call"))));
            assert_eq!(said(&format!("{name}(path=\"a\")")), expected);
            assert_eq!(said(&format!("print({name}(path=\"a\"))")), expected);
            for line in [format!("do {name}("), (*name).to_owned(), format!("{name}s(")] {
                assert_eq!(said(&line), None, "{line}");
            }
        }
    }

    #[test]
    fn every_command_that_edits_in_place_is_found() {
        for name in COMMANDS {
            let expected = Some(((*name).to_owned(), this_is(&format!("`{name}` command"))));
            assert_eq!(said(&format!("{name} 's/a/b/' a.txt")), expected);
            assert_eq!(said(&format!("$ {name}.bak 's/a/b/' a.txt")), expected);
            assert_eq!(said(name), None);
            assert_eq!(said(&format!("Run {name} 's/a/b/' a.txt")), None);
        }
    }

    #[test]
    fn what_is_between_two_fences_stands_alone_above_the_second() {
        let needles = Dialects::all().needles();
        for by in BY {
            for begin in REPLACES {
                for line in [
                    format!("{begin}{by}:"),
                    format!("**{begin}{by}:**"),
                    format!("**{begin}{by}**:"),
                ] {
                    let all = named(&line, "```python", false).map(|named| named.span);
                    assert_eq!(all, Some(0..line.len()), "{line}");
                    assert!(named(&line, " ", false).is_some(), "{line}");
                    assert_eq!(named(&line, "x", false), None, "{line}");
                    assert_eq!(named(&line, "", true), None, "{line}");
                    let found = needles.iter().any(|it| it.find(&line, 0, line.len()).is_some());
                    assert!(found, "no needle in {line}");
                }
            }
        }
        for line in ["With", "Work with:", "with: this:", "to:", "with this:x"] {
            assert_eq!(named(line, "```", false), None, "{line}");
        }
        assert!(named("And Replace It With The Following:", "~~~", false).is_some());
    }

    #[test]
    fn every_call_of_a_canvas_is_found() {
        for call in CANVAS {
            let expected = Some(((*call).to_owned(), format!("this is a `{call}` call")));
            assert_eq!(said(call), expected);
            assert_eq!(said(&format!("\"recipient\": \"{call}\",")), expected);
            assert_eq!(said(&format!("Then {call} is called.")), None);
        }
    }

    #[test]
    fn a_heading_is_alone_on_its_line() {
        for line in [
            "Delete `src/a.py`",
            "### Delete `src/a.py`:",
            "**Remove `src/a.py`**",
            "2. delete `a b/c.py`.",
            "- **Remove `a.py`:**",
        ] {
            let said = said(line).map(|it| it.1);
            assert_eq!(said.as_deref(), Some("this asks for a file to be deleted"), "{line}");
            assert_eq!(named(line, "", true), None, "{line}");
        }
        for line in [
            "Rename `a.py` to `b/c.py`",
            "## Move `a.py` to `b/a.py`",
            "### Rename `a.py` → `b.py`",
            "Rename `a.py` -> `b.py`",
        ] {
            let said = said(line).map(|it| it.1);
            assert_eq!(said.as_deref(), Some("this asks for a file to be renamed"), "{line}");
        }
        for line in [
            "Delete `src/a.py` and the test.",
            "Delete `a.py`, `b.py`",
            "Delete src/a.py",
            "Delete `name`",
            "Delete `",
            "Please delete `src/a.py`",
            "Rename `a.py`",
            "Rename `a` to `b`",
            "é",
        ] {
            assert_eq!(said(line), None, "{line}");
        }
    }
}
