//! What is typed at a shell: the delimiter of a heredoc, and above a diff a command that takes it from a heredoc, or one that has
//! printed it.

use super::{Above, margin};
use crate::text::fence::Fence;

/// The heredoc of a command that takes a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heredoc {
    /// The line that ends it.
    pub delimiter: String,
    /// Whether the diff is to be undone.
    pub is_reverse: bool,
}

/// Lines that end heredocs, as a rule.
pub const DELIMITERS: [&str; 6] = ["EOF", "EOT", "END", "PATCH", "DIFF", "EOL"];

/// The languages of fences that show what is typed at a shell and what it prints.
const SESSIONS: [&str; 5] = ["console", "terminal", "shell-session", "shellsession", "sh-session"];

/// The heredoc right below whose first line a diff begins.
pub fn heredoc_above(above: Above<'_>) -> Option<Heredoc> {
    let (_, line) = above.lines().find(|(_, line)| !line.trim().is_empty())?;
    heredoc(&line)
}

/// The heredoc with a diff that a line begins: `git apply <<'EOF'`, `cat > fix.patch <<EOF`.
fn heredoc(line: &str) -> Option<Heredoc> {
    let delimiter = delimiter(line)?;
    let words = || line.split([' ', '\t', '\'', '"', '>', '|', ';', '<']);
    let names_patch = |word: &str| word.ends_with(".patch") || word.ends_with(".diff");
    let is_git = ["git apply", "git am"].iter().any(|git| line.contains(git));
    let applies = is_git || words().any(|word| word == "patch" || word == "gpatch");
    let is_reverse = applies && words().any(|word| word == "--reverse" || word.starts_with("-R"));
    let takes_diff = applies || words().any(names_patch);
    takes_diff.then(|| Heredoc { delimiter: delimiter.to_owned(), is_reverse })
}

/// What comes after the sign of a heredoc in a line, from its delimiter on without a quote before it.
pub fn after_sign(line: &str) -> Option<&str> {
    let (_, after) = line.split_once("<<")?;
    Some(after.trim_start_matches(['-', '~', ' ']).trim_start_matches(['\'', '"', '\\']))
}

/// Whether a character may be in the word that a delimiter is, as a rule.
pub fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// The word that is the delimiter of a heredoc which a line begins.
pub fn delimiter(line: &str) -> Option<&str> {
    let after = after_sign(line)?;
    let word = &after[..after.find(|char| !is_word(char)).unwrap_or(after.len())];
    word.starts_with(char::is_alphabetic).then_some(word)
}

/// Whether the lines above a diff that is in a fence show that a program has printed it: it is below a
/// prompt in a fence that shows what is typed and printed.
pub fn is_printed(above: Above<'_>) -> bool {
    let mut is_below_prompt = false;
    for (_, line) in above.lines() {
        let line = &line[margin::of(&line).len()..];
        if let Some(fence) = Fence::of(line) {
            let word = fence.info.split([' ', '\t', ':', ',']).next().unwrap_or_default();
            return is_below_prompt && SESSIONS.contains(&word.to_lowercase().as_str());
        }
        if !is_below_prompt && is_prompt(line) {
            // What is below it is typed, too.
            if heredoc(line).is_some() {
                return false;
            }
            is_below_prompt = true;
        }
    }
    false
}

/// Whether a line is typed at a prompt: `$ git show`, `jo@host:~/x$ git diff`.
fn is_prompt(line: &str) -> bool {
    let line = line.trim_start();
    let begins = ["$ ", "% ", "❯ ", "➜ "].iter().any(|prompt| line.starts_with(prompt));
    let host = || {
        line.split_once(['$', '%']).is_some_and(|(before, _)| {
            before.contains('@') && before.contains(':') && !before.contains(' ')
        })
    };
    begins || line.starts_with("PS ") && line.contains("> ") || host()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heredoc_takes_a_diff() {
        let of = |line: &str| heredoc(line).map(|it| (it.delimiter, it.is_reverse));
        for (line, delimiter, is_reverse) in [
            ("git apply <<'EOF'", "EOF", false),
            ("$ patch -p0 <<EOF", "EOF", false),
            ("cat > fix.patch <<\"END_OF_IT\"", "END_OF_IT", false),
            ("cat <<-EOF | git apply --index", "EOF", false),
            ("cat <<EOF >/tmp/x.diff", "EOF", false),
            ("git apply -R <<X", "X", true),
            ("cat << 'EOF' | patch --reverse -p1", "EOF", true),
        ] {
            assert_eq!(of(line), Some((delimiter.to_owned(), is_reverse)), "{line}");
        }
        for line in ["cat <<EOF", "git apply fix.patch", "python <<EOF", "a << b", "git apply << "]
        {
            assert_eq!(of(line), None, "{line}");
        }
    }

    #[test]
    fn a_prompt_is_before_what_is_typed() {
        for line in ["$ git show", "jo@host:~/x$ git diff", "PS C:\\x> git diff", "❯ git diff"] {
            assert!(is_prompt(line), "{line}");
        }
        for line in ["git show", "commit abc", "a@b.c: $5", "#!/bin/sh", "It costs $ 5"] {
            assert!(!is_prompt(line), "{line}");
        }
    }
}
