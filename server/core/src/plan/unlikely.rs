//! Paths that a new file is hardly meant to have: those that a shell expands, and those with characters
//! that nobody sees.

use super::context::{Context, shown};
use super::{Issue, Remedy};
use crate::path::FilePath;
use crate::problem::PLAN_UNLIKELY_PATH;
use crate::spec::FieldRole;
use crate::text::one_line;

/// Characters that nobody sees, and their names.
const UNSEEN: [(char, &str); 6] = [
    ('\u{ad}', "a soft hyphen"),
    ('\u{200b}', "a zero-width space"),
    ('\u{200e}', "a left-to-right mark"),
    ('\u{200f}', "a right-to-left mark"),
    ('\u{2060}', "a word joiner"),
    ('\u{feff}', "a byte order mark"),
];

/// The issue of a path at which nothing is, if what it adds to the workspace is hardly meant.
pub(super) fn issue(
    context: &Context<'_>,
    path: &FilePath,
    field: FieldRole,
) -> Option<Box<Issue>> {
    let is_unseen = |char: char| UNSEEN.iter().any(|(unseen, _)| *unseen == char);
    if !path.path.starts_with(['~', '$', '%']) && !path.path.contains(is_unseen) {
        return None;
    }
    let mut there = path.parent();
    while let Some(above) = there.as_ref().filter(|it| !exists(context, it)) {
        there = above.parent();
    }
    let there = there.map_or(0, |it| it.path.len());
    let new = path.path.get(there..)?;
    let name = shown(path);
    if let Some((char, is)) = UNSEEN.iter().find(|(char, _)| new.contains(*char)) {
        let clean = path.path.replace(is_unseen, "");
        let message = format!(
            "`{name}` has a character that nobody sees, U+{:04X}, {is}; write the path without it",
            u32::from(*char)
        );
        let issue = Issue::new(PLAN_UNLIKELY_PATH, field, message);
        let title = format!("Make it `{}`", one_line::excerpt(&clean, 120));
        return Some(issue.choice(title, Remedy::Values(vec![(field, clean)])));
    }
    let (first, _) = path.path.split_once('/').filter(|_| there == 0)?;
    let message = format!(
        "`{name}` is not a path from the workspace on, since only a shell expands `{}`; give a path \
         inside the workspace",
        one_line::excerpt(first, 40)
    );
    is_expanded(first).then(|| Issue::new(PLAN_UNLIKELY_PATH, field, message))
}

fn exists(context: &Context<'_>, path: &FilePath) -> bool {
    context.snapshot.kind(path).is_ok_and(|kind| kind.is_some())
}

/// Whether a shell has something else for a name: `~`, `$HOME`, `${HOME}`, `$env:TEMP`, `%TEMP%`.
fn is_expanded(name: &str) -> bool {
    let is_word = |text: &str| {
        let is_sign = |char: char| char.is_ascii_alphanumeric() || char == '_';
        !text.is_empty() && text.chars().all(is_sign)
    };
    let is_constant =
        |text: &str| is_word(text) && !text.contains(|char: char| char.is_ascii_lowercase());
    let inside = |open: &str, close: &str| name.strip_prefix(open)?.strip_suffix(close);
    name == "~"
        || inside("%", "%").is_some_and(is_word)
        || inside("${", "}").is_some_and(is_word)
        || name.strip_prefix("$env:").is_some_and(is_word)
        || name.strip_prefix('$').is_some_and(is_constant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_expands_a_name() {
        for name in ["~", "$HOME", "$MY_VAR2", "${home}", "%APPDATA%", "%Temp%", "$env:TEMP"] {
            assert!(is_expanded(name), "{name}");
        }
        for name in ["~a", "a~", "$slug", "$userId", "$", "%", "%%", "100%", "src", "$A.tsx"] {
            assert!(!is_expanded(name), "{name}");
        }
    }
}
