//! `file_replace_lines`, `file_comment_lines` and `file_uncomment_lines`: whole lines by number.

use super::Issue;
use super::context::shown;
use super::edit::Edited;
use super::numbered::Lines;
use crate::path::FilePath;
use crate::problem::{
    PLAN_NO_LINE_COMMENT, PLAN_RANGE_OUT_OF_BOUNDS, STRUCTURE_LANGUAGE_UNSUPPORTED,
};
use crate::spec::FieldRole;
use crate::text::lines::{self, Ending};
use crate::text::replacement;
use crate::text::{Content, Span, one_line};

/// Refuses what names no lines.
pub(super) fn check(wanted: &str) -> Result<(), Box<Issue>> {
    Lines::parse(wanted).map(drop)
}

/// The text with another in the place of lines; an empty one leaves one empty line.
pub(super) fn replace(path: &FilePath, before: &Content, wanted: &str, content: &str) -> Edited {
    let span = span(path, before, wanted)?;
    let old = &before.text[span.clone()];
    let dominant = Ending::dominant_in(&before.text);
    let mut new = replacement::with_endings_of(old, content, dominant);
    match Ending::of_line(old) {
        Some(ending) if !new.ends_with('\n') => new.push_str(ending.as_str()),
        Some(_) => {}
        None => new.truncate(lines::without_ending(&new).len()),
    }
    Ok((with(before, &span, &new), None))
}

/// The text with the language's line comment on lines at their common indentation, or off them.
pub(super) fn comment(path: &FilePath, before: &Content, wanted: &str, comment: bool) -> Edited {
    let first_line = before.text.lines().next().unwrap_or_default();
    let language = operator_grammars::of_file(&path.path, first_line).ok_or_else(|| {
        let message = format!("no language is known for `{}`", shown(path));
        Issue::new(STRUCTURE_LANGUAGE_UNSUPPORTED, FieldRole::Path, message)
    })?;
    let sign = language.line_comment.ok_or_else(|| {
        let message = format!(
            "{} has no comment that ends with its line; replace the lines instead",
            language.title
        );
        Issue::new(PLAN_NO_LINE_COMMENT, FieldRole::Path, message)
    })?;
    let span = span(path, before, wanted)?;
    let old = &before.text[span.clone()];
    let new = if comment { commented(old, sign) } else { uncommented(old, sign) };
    Ok((with(before, &span, &new), None))
}

fn with(before: &Content, span: &Span, new: &str) -> String {
    [&before.text[..span.start], new, &before.text[span.end..]].concat()
}

fn span(path: &FilePath, content: &Content, wanted: &str) -> Result<Span, Box<Issue>> {
    let asked = Lines::parse(wanted)?;
    lines::span_of(&content.text, asked.first, asked.last).ok_or_else(|| {
        let total = lines::count(&content.text);
        let message = format!(
            "lines {wanted} are out of range: `{}` has {}",
            shown(path),
            one_line::count(total, "line")
        );
        Issue::new(PLAN_RANGE_OUT_OF_BOUNDS, FieldRole::Lines, message).detail("lines", total)
    })
}

fn commented(text: &str, sign: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let filled = || lines::with_endings(text).filter(|line| !line.trim().is_empty());
    let first = filled().next().unwrap_or_default();
    // What all lines begin with: tabs and blanks may be mixed.
    let common = filled().fold(&first[..indent(first)], |common, line| {
        let same = common.bytes().zip(line.bytes()).take_while(|(a, b)| a == b).count();
        &common[..same]
    });
    let on = |line: &str| match line.trim().is_empty() {
        true => line.to_owned(),
        false => format!("{common}{sign} {}", &line[common.len()..]),
    };
    lines::with_endings(text).map(on).collect()
}

fn uncommented(text: &str, sign: &str) -> String {
    let off = |line: &str| {
        let rest = line.trim_start_matches([' ', '\t']);
        let indent = &line[..line.len() - rest.len()];
        match rest.strip_prefix(sign) {
            Some(bare) => format!("{indent}{}", bare.strip_prefix(' ').unwrap_or(bare)),
            None => line.to_owned(),
        }
    };
    lines::with_endings(text).map(off).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stand_at_the_common_indentation() {
        let text = "    if a:\n\n        b()\r\n\tc\n";
        assert_eq!(commented("  a\n\n    b\r\n", "#"), "  # a\n\n  #   b\r\n");
        assert_eq!(commented(text, "#"), "#     if a:\n\n#         b()\r\n# \tc\n");
        assert_eq!(commented("\n", "#"), "\n");
        assert_eq!(commented("a", "//"), "// a");
        assert_eq!(uncommented("  # a\n\n  #   b\r\n", "#"), "  a\n\n    b\r\n");
        assert_eq!(uncommented("//a\nb // c\n", "//"), "a\nb // c\n");
    }
}
