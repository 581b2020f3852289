//! From the text of a unified diff to a patch, strictly.

use super::header::{self, Ranges};
use super::{Hunk, LineKind, Patch, PatchError, PatchFile, PatchLine};

/// The patch that a text is.
///
/// # Errors
/// The first line that is not as a unified diff of one file has it. Where nothing is wrong but
/// the counts of hunk headers, the error brings the patch with the right ones.
pub fn parse(text: &str) -> Result<Patch, PatchError> {
    let mut lines: Vec<&str> =
        text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let mut parser = Parser { lines, at: 0 };
    let (old, new) = parser.files()?;
    let mut hunks = Vec::new();
    while parser.at < parser.lines.len() {
        hunks.push(parser.hunk()?);
    }
    if hunks.is_empty() {
        return Err(error(
            parser.at,
            "the patch has no hunk; a hunk begins with `@@ -a,b +c,d @@`",
        ));
    }
    let patch = Patch { old, new, hunks };
    counts(&patch, &parser.lines)?;
    order(&patch)?;
    Ok(patch)
}

fn error(index: usize, message: impl Into<String>) -> PatchError {
    PatchError { message: message.into(), line: index + 1, recounted: None }
}

struct Parser<'a> {
    lines: Vec<&'a str>,
    at: usize,
}

type Files = (Option<PatchFile>, Option<PatchFile>);

impl Parser<'_> {
    /// Everything before the first hunk.
    fn files(&mut self) -> Result<Files, PatchError> {
        while let Some(line) = self.lines.get(self.at).copied() {
            if line.starts_with("@@") {
                return Ok((None, None));
            }
            if let Some(old) = line.strip_prefix("--- ") {
                let old = self.file(old)?;
                let new = self.lines.get(self.at).and_then(|line| line.strip_prefix("+++ "));
                let new = new.ok_or_else(|| {
                    error(self.at, "`+++ ` and the new file's path must follow the `---` line")
                })?;
                return Ok((Some(old), Some(self.file(new)?)));
            }
            self.preamble(line)?;
            self.at += 1;
        }
        Ok((None, None))
    }

    fn file(&mut self, rest: &str) -> Result<PatchFile, PatchError> {
        let file = header::file(rest)
            .ok_or_else(|| error(self.at, "the header names no file, or quotes it wrongly"))?;
        self.at += 1;
        Ok(file)
    }

    fn preamble(&self, line: &str) -> Result<(), PatchError> {
        const KNOWN: [&str; 6] =
            ["diff ", "index ", "new file mode ", "deleted file mode ", "Index: ", "====="];
        const CANNOT: [(&str, &str); 6] = [
            ("rename ", "a patch cannot rename; move the file, then patch it"),
            ("copy ", "a patch cannot copy; copy the file, then patch it"),
            ("old mode ", "a patch cannot change a file's mode; leave these lines out"),
            ("new mode ", "a patch cannot change a file's mode; leave these lines out"),
            ("GIT binary patch", "a binary patch cannot be applied"),
            ("Binary files ", "a binary patch cannot be applied"),
        ];
        if let Some((_, message)) = CANNOT.iter().find(|(start, _)| line.starts_with(start)) {
            return Err(error(self.at, *message));
        }
        if KNOWN.iter().any(|start| line.starts_with(start)) {
            return Ok(());
        }
        Err(error(
            self.at,
            "not a line of a unified diff; it begins with `--- ` and `+++ ` or with `@@ `",
        ))
    }

    fn hunk(&mut self) -> Result<Hunk, PatchError> {
        let header = self.at;
        let Some((ranges, _)) = Ranges::parse(self.lines[header]) else {
            return Err(self.no_hunk(header));
        };
        self.at += 1;
        let Ranges { old_start, old_lines, new_start, new_lines } = ranges;
        let header_line = header + 1;
        let lines = Vec::new();
        let mut hunk = Hunk { old_start, old_lines, new_start, new_lines, lines, header_line };
        self.body(&mut hunk)?;
        if hunk.lines.is_empty() {
            return Err(error(header, "the hunk has no lines"));
        }
        Ok(hunk)
    }

    fn no_hunk(&self, at: usize) -> PatchError {
        let line = self.lines[at];
        if line.starts_with("diff ") || line.starts_with("Index: ") || self.is_file_header(at) {
            return error(at, "the patch goes on with another file; give each file its own patch");
        }
        error(at, format!("not a hunk header: `{}`; it must be `@@ -a,b +c,d @@`", start_of(line)))
    }

    fn body(&mut self, hunk: &mut Hunk) -> Result<(), PatchError> {
        let (mut old, mut new) = (0, 0);
        while let Some(line) = self.lines.get(self.at).copied() {
            let full = old == hunk.old_lines && new == hunk.new_lines;
            let kind = match line.chars().next() {
                Some(' ') => LineKind::Context,
                Some('-') if full && self.is_file_header(self.at) => return Ok(()),
                Some('-') => LineKind::Removed,
                Some('+') => LineKind::Added,
                Some('\\') => {
                    self.no_newline(hunk, line)?;
                    continue;
                }
                Some('@' | 'd' | 'I') if Self::is_end(line) => return Ok(()),
                None => return Err(error(self.at, BLANK)),
                Some(_) => return Err(error(self.at, not_in_hunk(line))),
            };
            old += usize::from(kind.is_old());
            new += usize::from(kind.is_new());
            hunk.lines.push(PatchLine { kind, text: line[1..].to_owned(), no_newline: false });
            self.at += 1;
        }
        Ok(())
    }

    fn is_end(line: &str) -> bool {
        line.starts_with("@@") || line.starts_with("diff ") || line.starts_with("Index: ")
    }

    /// Whether the two lines from `at` on are the header of another file, as its hunk after them
    /// tells: alone they could be a removed `-- …` and an added `++ …`.
    fn is_file_header(&self, at: usize) -> bool {
        let starts = |n: usize, with: &str| {
            self.lines.get(at + n).is_some_and(|line| line.starts_with(with))
        };
        starts(0, "--- ") && starts(1, "+++ ") && starts(2, "@@ -")
    }

    fn no_newline(&mut self, hunk: &mut Hunk, line: &str) -> Result<(), PatchError> {
        if !line.starts_with("\\ ") {
            return Err(error(self.at, not_in_hunk(line)));
        }
        match hunk.lines.last_mut() {
            Some(last) if !last.no_newline => last.no_newline = true,
            _ => return Err(error(self.at, "`\\ No newline at end of file` follows no line")),
        }
        self.at += 1;
        Ok(())
    }
}

const BLANK: &str = "the line is empty; an empty line of context is written as one blank, \
                     an added one as `+`, a removed one as `-`";

fn not_in_hunk(line: &str) -> String {
    let start = start_of(line);
    format!("a hunk's line begins with a blank, `-`, `+` or `\\`, and this one with `{start}`")
}

fn start_of(line: &str) -> String {
    line.chars().take(20).collect()
}

fn counts(patch: &Patch, lines: &[&str]) -> Result<(), PatchError> {
    let stated = |hunk: &Hunk| (hunk.old_lines, hunk.new_lines);
    let Some(wrong) = patch.hunks.iter().find(|hunk| hunk.counts() != stated(hunk)) else {
        return Ok(());
    };
    let (old, new) = wrong.counts();
    let message = format!(
        "the hunk's header says {} old and {} new lines; there are {old} and {new}",
        wrong.old_lines, wrong.new_lines,
    );
    let two_files = wrong.lines.last_chunk().is_some_and(|[old, new]: &[PatchLine; 2]| {
        (old.kind, new.kind) == (LineKind::Removed, LineKind::Added)
            && old.text.starts_with("-- ")
            && new.text.starts_with("++ ")
    });
    let recounted = if two_files { None } else { recounted(patch, lines) };
    Err(PatchError { message, line: wrong.header_line, recounted })
}

/// The text with the header of each hunk as its body asks, where that makes it sound.
fn recounted(patch: &Patch, lines: &[&str]) -> Option<String> {
    let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let (mut removed, mut added) = (0, 0);
    for hunk in &patch.hunks {
        let at = hunk.header_line - 1;
        let (_, section) = Ranges::parse(&lines[at])?;
        let (old_lines, new_lines) = hunk.counts();
        // A hunk without old lines names the line before it, and so does one without new lines.
        let old_start = match (hunk.old_lines, old_lines) {
            (0, 1..) => hunk.old_start + 1,
            (1.., 0) => hunk.old_start.checked_sub(1)?,
            _ => hunk.old_start,
        };
        let from = old_start + usize::from(old_lines == 0);
        let new_start = (from + added).checked_sub(removed + usize::from(new_lines == 0))?;
        removed += old_lines;
        added += new_lines;
        lines[at] = format!("{}{section}", Ranges { old_start, old_lines, new_start, new_lines });
    }
    let text = lines.join("\n") + "\n";
    parse(&text).is_ok().then_some(text)
}

/// Hunks are in ascending order and share no line; a file's end without newline comes last.
fn order(patch: &Patch) -> Result<(), PatchError> {
    let mut done = 0;
    for (index, hunk) in patch.hunks.iter().enumerate() {
        let at = hunk.header_line - 1;
        if hunk.old_start == 0 && hunk.old_lines > 0 {
            return Err(error(at, "lines count from 1, and the hunk begins at 0"));
        }
        let before = hunk.old_start - usize::from(hunk.old_lines > 0);
        if before < done {
            return Err(error(
                at,
                "the hunk begins before the one above it ends; put hunks in order",
            ));
        }
        done = before + hunk.old_lines;
        let last_hunk = index + 1 == patch.hunks.len();
        if hunk.lines.iter().any(|line| line.no_newline) && !(last_hunk && ends_well(hunk)) {
            return Err(error(at, "lines follow one that is marked as the file's end"));
        }
    }
    Ok(())
}

/// Whether no line of a side comes after the one marked as that side's end.
fn ends_well(hunk: &Hunk) -> bool {
    let sides = [LineKind::is_old, LineKind::is_new];
    sides.iter().all(|is_on| {
        let mut side = hunk.lines.iter().filter(|line| is_on(line.kind)).rev();
        side.next();
        side.all(|line| !line.no_newline)
    })
}
