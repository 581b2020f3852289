//! Texts that are plainly not those of whole files: edits in another notation, and listings.

use super::Issue;
use super::context::{Context, shown};
use crate::command::WholeFile;
use crate::command::patch::header;
use crate::path::{self, FilePath};
use crate::problem::FILES_NOT_A_FILE;
use crate::spec::FieldRole;
use crate::syntax::{Blocks, Language};
use crate::text::fence::OpenFence;
use crate::text::lines;
use crate::text::one_line::excerpt;

/// A line with its number, from 0.
type Line<'a> = (usize, &'a str);

/// The lines of a text.
struct Lines<'a> {
    /// Those that are not blank; of prose only those outside of its fences.
    all: Vec<Line<'a>>,
    /// Those of them that may be of an edit: they begin with a sign or with one of its words.
    signs: Vec<Line<'a>>,
}

/// What a text may be that is not a file.
struct Kind {
    /// What is said of the line that shows it.
    says: &'static str,
    /// The line that shows it, given the language of the file; fences of prose apart.
    find: for<'a> fn(&Lines<'a>, Option<&Language>) -> Option<Line<'a>>,
    /// Whether all lines together show it.
    is_whole: bool,
}

const fn line(
    says: &'static str,
    find: for<'a> fn(&Lines<'a>, Option<&Language>) -> Option<Line<'a>>,
) -> Kind {
    Kind { says, find, is_whole: false }
}

static KINDS: [Kind; 12] = [
    line("begins a hunk of a diff", |lines, _| first(&lines.signs, is_hunk)),
    line("begins a part of a patch", |lines, _| first(&lines.signs, is_patch)),
    line("begins an edit between markers", |lines, _| {
        in_order(&lines.signs, &[opens, parts, closes])
    }),
    line("ends an edit", |lines, _| {
        let between =
            || in_order(&lines.signs, &[parts, |line| closes(line) && is_marker(line, '>')]);
        let words =
            || in_order(&lines.signs, &[|line| line == "SEARCH", parts, |line| line == "REPLACE"]);
        first(&lines.signs, is_end).or_else(between).or_else(words)
    }),
    line("is an element of an edit", |lines, _| {
        let tags = || lines.signs.iter().filter(|(_, line)| line.trim_start().starts_with('<'));
        ELEMENTS.iter().find_map(|pair| {
            let begins = |line: &str, tag| starts_with_any_case(line.trim_start(), tag);
            let old = tags().find(|(_, line)| begins(line, pair.0))?;
            tags().any(|(_, line)| begins(line, pair.1)).then_some(*old)
        })
    }),
    line("is a call of a tool for edits", |lines, _| {
        let is_json = lines.all.first()?.1.trim_start().starts_with(['{', '[']);
        if is_json { first(&lines.all, is_call) } else { None }
    }),
    line("is what a program prints when it fails", |lines, _| {
        first(&lines.all[..lines.all.len().min(1)], |line| {
            line.starts_with("Traceback (most recent call")
        })
    }),
    line("is of a page that shows code", |lines, language| {
        let (first, last) = (lines.all.first()?, lines.all.last()?);
        let is_name = |line: &str| {
            language.is_some_and(|it| {
                it.name == line || it.extensions.contains(&line) || it.language_ids.contains(&line)
            })
        };
        let is_label = |line: &str| BUTTONS.contains(&line) || is_name(line);
        let is_page = is_code(language) && is_label(first.1.trim());
        let is_note = || NOTES.contains(&last.1.trim()).then_some(*last);
        if is_page { Some(*first) } else { is_note() }
    }),
    line("is typed at a prompt", |lines, language| {
        first(&lines.all[..lines.all.len().min(1)], |line| {
            is_code(language) && line.starts_with(">>> ")
        })
    }),
    line("is in the place of lines that are left out", |lines, language| {
        // In Python they are a statement, in pages they are text.
        let comment = language.and_then(|language| language.line_comment);
        let may_be = comment.is_some_and(|comment| comment != "#");
        if may_be {
            first(&lines.signs, |line| matches!(line.trim_end(), "..." | "…"))
        } else {
            None
        }
    }),
    Kind { says: "is after its number", find: numbered, is_whole: true },
    Kind { says: "has the sign of a removed or added line", find: signed, is_whole: true },
];

/// What is on the buttons of pages above code, and comes with a copy.
const BUTTONS: [&str; 4] = ["Copy code", "Copy", "CopyEdit", "Copy Code"];
/// What is below it.
const NOTES: [&str; 2] = ["Use code with caution.", "Run code"];

/// The names of the elements with the old and the new text.
const ELEMENTS: [(&str, &str); 4] = [
    ("<search>", "<replace>"),
    ("<original>", "<updated>"),
    ("<old_text>", "<new_text>"),
    ("<old_string>", "<new_string>"),
];

/// The issue of a text that is plainly not that of the file at a path, which has the text `before`.
pub(super) fn issue(
    context: &Context<'_>,
    path: &FilePath,
    file: &WholeFile,
    before: &str,
) -> Option<Box<Issue>> {
    if header::is_in(&path.path) {
        return None;
    }
    let language = operator_grammars::of_file(&path.path, "");
    let lines = lines(&file.text, language);
    let is_there = |line: &str| before.lines().any(|known| known == line);
    let is_as_before = |kind: &Kind, line| match kind.is_whole {
        true => (kind.find)(&self::lines(before, language), language).is_some(),
        false => is_there(line),
    };
    let shows = |kind: &Kind| {
        let found = (kind.find)(&lines, language)?;
        (!is_as_before(kind, found.1)).then_some((kind.says, found))
    };
    let named = file.names_other.or_else(|| named(context, path, file));
    let is_other = |(at, line): &&Line<'_>| named == Some(*at) && !is_there(line);
    let other = lines.all.iter().find(is_other).map(|line| ("names another file", *line));
    let changed = || {
        let line = changed(&lines.all, before).filter(|(_, line)| !is_there(line))?;
        Some(("has the sign of a line that the file has", line))
    };
    let made = || {
        let line = makes(&lines.all, &path.path).filter(|(_, line)| !is_there(line))?;
        Some(("makes or runs this very file", line))
    };
    let found = other.or_else(|| KINDS.iter().find_map(shows)).or_else(changed).or_else(made);
    let Some((says, (number, line))) = found else { return other_language(path, file) };
    let message = format!(
        "line {} of the file's text: `{}` {says}, so this is not the text of `{}`; send the whole \
         file, or the edit as a diff in a fence marked `diff`",
        number + 1,
        excerpt(line, 80),
        shown(path)
    );
    let issue = Issue::new(FILES_NOT_A_FILE, FieldRole::Content, message);
    Some(issue.detail("line", number + 1))
}

/// The first line that names another file that is there, without a directory.
fn named(context: &Context<'_>, path: &FilePath, file: &WholeFile) -> Option<usize> {
    let is_there = |name: &str| {
        let other = context.resolve(name, FieldRole::Path).ok().filter(|other| other != path);
        other.is_some_and(|other| {
            matches!(context.snapshot.kind(&other), Ok(Some(path::Kind::File)))
        })
    };
    let mut all = file.may_name_other.iter();
    all.find(|(_, name)| is_there(name)).map(|(at, _)| *at)
}

/// The issue of a text that is said to be of another language than the file.
fn other_language(path: &FilePath, file: &WholeFile) -> Option<Box<Issue>> {
    let message = format!(
        "the fence is marked `{}`, and `{}` is of another language, so whether this is the text of \
         that file is not certain; mark the fence with the language of its file",
        excerpt(file.marked.as_ref()?, 40),
        shown(path)
    );
    Some(Issue::new(FILES_NOT_A_FILE, FieldRole::Content, message))
}

fn lines<'a>(text: &'a str, language: Option<&Language>) -> Lines<'a> {
    let is_prose = language.is_some_and(|language| language.blocks == Blocks::CommonMark);
    let mut fence = None;
    let mut is_outside = |line: &str| {
        let before = fence;
        fence = if is_prose { OpenFence::after(fence, line) } else { None };
        before.is_none() && fence.is_none()
    };
    let lines = text.lines().enumerate().filter(|(_, line)| is_outside(line));
    let all: Vec<Line<'_>> = lines.filter(|(_, line)| !line.trim().is_empty()).collect();
    let words = ["diff ", "SEARCH", "REPLACE", "END_"];
    let may_be = |line: &str| {
        let text = line.trim_start();
        !lines::begins_with_word(text) || words.iter().any(|word| text.starts_with(word))
    };
    let signs = all.iter().filter(|(_, line)| may_be(line)).copied().collect();
    Lines { all, signs }
}

fn first<'a>(lines: &[Line<'a>], is: impl Fn(&str) -> bool) -> Option<Line<'a>> {
    lines.iter().find(|(_, line)| is(line)).copied()
}

/// The first of lines that follow one another, perhaps with others between.
fn in_order<'a>(lines: &[Line<'a>], are: &[fn(&str) -> bool]) -> Option<Line<'a>> {
    let mut at = 0;
    let mut found = None;
    for is in are {
        let more = lines[at..].iter().position(|(_, line)| is(line))?;
        found = found.or(Some(lines[at + more]));
        at += more + 1;
    }
    found
}

fn is_hunk(line: &str) -> bool {
    line.strip_prefix("@@").is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        || line.starts_with("diff --git ")
}

fn is_patch(line: &str) -> bool {
    const HEADERS: [&str; 4] = ["begin patch", "update file:", "add file:", "delete file:"];
    let rest = line.strip_prefix("*** ");
    rest.is_some_and(|rest| HEADERS.iter().any(|header| starts_with_any_case(rest, header)))
}

/// Whether a line begins with four signs or more, which may be escaped for HTML.
fn begins_with(line: &str, four: [&str; 2]) -> bool {
    let line = line.trim_start();
    line.starts_with(['<', '>', '&']) && four.iter().any(|signs| line.starts_with(signs))
}

fn opens(line: &str) -> bool {
    begins_with(line, ["<<<<", "&lt;&lt;&lt;&lt;"])
        || line.starts_with("---") && ends_in(line, '-', "search")
}

fn parts(line: &str) -> bool {
    let signs = line.trim().trim_end_matches(':');
    signs.len() >= 4 && signs.bytes().all(|byte| byte == b'=')
}

fn closes(line: &str) -> bool {
    begins_with(line, [">>>>", "&gt;&gt;&gt;&gt;"])
        || line.starts_with("+++") && ends_in(line, '+', "replace")
}

/// Whether a line is such signs and then a word.
fn ends_in(line: &str, sign: char, word: &str) -> bool {
    starts_with_any_case(line.trim_start_matches(sign).trim_start(), word)
}

/// Whether a line can only be the end of an edit, whose beginning may be lost.
fn is_end(line: &str) -> bool {
    let line = line.trim();
    const ENDS: [&str; 2] = ["END_OPERATOR_CMD", "*** End Patch"];
    ENDS.contains(&line)
        || line.starts_with("#!END_SHAM_")
        || ['>', '+'].iter().any(|sign| is_marker(line, *sign) && line.ends_with(" REPLACE"))
}

/// Whether a line is five signs or more, and nothing else or a blank and words.
fn is_marker(line: &str, sign: char) -> bool {
    let rest = line.trim_start_matches(sign);
    line.len() - rest.len() >= 5 && (rest.is_empty() || rest.starts_with(' '))
}

fn is_call(line: &str) -> bool {
    const KEYS: [&str; 3] = ["\"old_string\"", "\"old_str\"", "\"new_str\""];
    let value =
        |key: &&str| Some(line.split_once(*key)?.1.trim_start().strip_prefix(':')?.trim_start());
    KEYS.iter().filter_map(value).any(|value| value.starts_with('"'))
}

fn starts_with_any_case(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// The first line of a listing, in which each has its number before it.
fn numbered<'a>(
    Lines { all: lines, .. }: &Lines<'a>,
    language: Option<&Language>,
) -> Option<Line<'a>> {
    // A table or a list counts, too; code does not.
    let is_loose = is_code(language) && lines.len() > 2;
    let number = |line: &str| {
        let text = line.trim_start();
        let rest = text.trim_start_matches(|char: char| char.is_ascii_digit());
        let number = text[..text.len() - rest.len()].parse::<usize>().ok()?;
        let is_listed = match rest.trim_start_matches(' ').chars().next() {
            Some('|' | '│' | '→') => true,
            // As `cat -n` has it, and not as a table.
            Some('\t') => text.len() < line.len(),
            Some(':') => is_code(language),
            _ => false,
        };
        (is_listed || is_loose).then_some(number)
    };
    let (start, line) = lines.first()?;
    let from = number(line)?;
    // Lines that are blank may have a number, or count without one.
    let counts = |(at, (row, line)): (usize, &Line<'_>)| {
        number(line).is_some_and(|it| it == from + at || it == from + row - start)
    };
    lines.iter().enumerate().all(counts).then(|| lines[0])
}

/// The first line with a sign of a text in which each line has one, or a blank.
fn signed<'a>(
    Lines { all: lines, .. }: &Lines<'a>,
    language: Option<&Language>,
) -> Option<Line<'a>> {
    let first = first(lines, |line| line.starts_with(['+', '-']))?;
    let all = |is: &dyn Fn(&str) -> bool| lines.iter().all(|(_, line)| is(line));
    let is_list = |item: &str| {
        all(&|line| line.starts_with("  ") || line.starts_with(item) || line == item.trim_end())
    };
    let is_other = match is_code(language) {
        // Some languages have comments that begin so.
        true => all(&|line| line.starts_with(' ') || line.starts_with("--")),
        // Items, or options.
        false => is_list("- ") || is_list("+ ") || all(&|line| line.starts_with('-')),
    };
    (!is_other && all(&|line| line.starts_with([' ', '+', '-']))).then_some(first)
}

/// The first line that is one of the file's after the sign of a removed line, above one with that of
/// an added line.
fn changed<'a>(lines: &[Line<'a>], before: &str) -> Option<Line<'a>> {
    let is_known = |line: &str| {
        let old = line.strip_prefix('-').map(str::trim).unwrap_or_default();
        old.contains(char::is_alphanumeric) && before.lines().any(|line| line.trim() == old)
    };
    let is_added = |at: usize| {
        let next = lines[at..].iter().find(|(_, line)| !line.starts_with('-'));
        next.is_some_and(|(_, line)| line.starts_with('+'))
    };
    let is_pair = |at: &usize| is_known(lines[*at].1) && is_added(*at);
    (0..lines.len()).find(is_pair).map(|at| lines[at])
}

/// The first command of a text, where it is one of a shell or a notebook that makes the file at a path,
/// or one that lets it run, above one that runs it.
fn makes<'a>(lines: &[Line<'a>], path: &str) -> Option<Line<'a>> {
    let is_before = |line: &str| ["#", "cd ", "mkdir "].iter().any(|it| line.starts_with(it));
    let at = lines.iter().position(|(_, line)| !is_before(line))?;
    let mut commands = lines[at..].iter().flat_map(|(_, line)| line.split("&&")).map(words);
    let first = commands.next()?;
    let names = |words: &[&str]| words.iter().any(|word| is_it(word, path));
    let runs = |words: Vec<&str>| match words[..] {
        ["sh" | "bash" | "zsh", name, ..] => is_it(name, path),
        [name, ..] => name.starts_with("./") && is_it(name, path),
        [] => false,
    };
    let is_made = match first.first()? {
        &"%%writefile" | &"%%file" => names(&first),
        &"cat" | &"echo" | &"printf" | &"tee" => is_written(lines[at].1, path),
        &"chmod" => names(&first) && commands.any(runs),
        _ => false,
    };
    is_made.then_some(lines[at])
}

/// The words of a command, without the one for more rights.
fn words(command: &str) -> Vec<&str> {
    command.split_whitespace().skip_while(|word| *word == "sudo").collect()
}

/// Whether a word of a command is a path, or the end of it.
fn is_it(word: &str, path: &str) -> bool {
    let unquoted = |quote: char| word.strip_prefix(quote)?.strip_suffix(quote);
    let word = unquoted('"').or_else(|| unquoted('\'')).unwrap_or(word);
    let word = word.strip_prefix("./").unwrap_or(word);
    let before = path.strip_suffix(word);
    !word.is_empty() && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Whether a command writes what it prints to the file at a path.
fn is_written(line: &str, path: &str) -> bool {
    let targets = line.match_indices('>').filter_map(|(at, _)| {
        let is_quoted = ['"', '\''].iter().any(|quote| line[..at].matches(*quote).count() % 2 == 1);
        let target = line[at + 1..].split_whitespace().next();
        target.filter(|_| !is_quoted)
    });
    let tee = line.split_whitespace().skip_while(|word| *word != "tee");
    targets.chain(tee).any(|word| is_it(word, path))
}

/// Whether files of a language are code, and not lists of things.
fn is_code(language: Option<&Language>) -> bool {
    language.is_some_and(|it| it.blocks != Blocks::CommonMark && it.name != "yaml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_order_are_each_below_the_one_before() {
        let is_a: fn(&str) -> bool = |line| line == "a";
        let is_b: fn(&str) -> bool = |line| line == "b";
        let lines = [(3, "x"), (4, "a"), (5, "x"), (6, "b")];
        assert_eq!(in_order(&lines, &[is_a, is_b]), Some((4, "a")));
        assert_eq!(in_order(&lines, &[is_b]), Some((6, "b")));
        assert_eq!(in_order(&lines, &[is_b, is_a]), None);
        assert_eq!(in_order(&lines, &[is_a, is_a]), None);
    }
}
