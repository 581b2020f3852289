//! The forms that a structure's header may be written in, and when two are the same.

use super::prose;
use crate::outline::Structure;
use crate::syntax::Language;
use crate::text::Packed;

/// A line in the one form that is compared: white space only between words, a closing `:` or `{`
/// cut off, modifiers apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Form {
    /// The modifiers before the keyword, in order.
    pub modifiers: Vec<String>,
    /// The rest.
    pub rest: String,
}

impl Form {
    /// The form of a line of a target, or of a header.
    pub(super) fn of(language: &Language, line: &str) -> Form {
        let (modifiers, rest) = without_modifiers(language, line);
        Form { modifiers, rest: canonical(without_end(language, rest)) }
    }

    /// Whether it asks for no modifier that the other lacks, in that order.
    pub(super) fn asks_within(&self, other: &Form) -> bool {
        let mut others = other.modifiers.iter();
        self.modifiers.iter().all(|asked| others.any(|has| has == asked))
    }
}

/// What a structure is called by.
pub(super) struct Called {
    /// Its header on one line.
    pub header: String,
    /// The header's form.
    pub form: Form,
    /// The header up to the end of the name, where there is one: `class Point`.
    pub up_to_name: Option<String>,
}

impl Called {
    /// What a structure is called by.
    pub(super) fn of(language: &Language, text: &str, structure: &Structure) -> Called {
        let header = structure.header_text(text);
        let form = Form::of(language, &header);
        let up_to_name = structure.name.map(|name| up_to_name(language, text, structure, name));
        Called { header, form, up_to_name }
    }

    /// What it is called by exactly, without modifiers: its header, its name, the name with what
    /// is before it, and the name as a call.
    pub(super) fn exactly(&self, text: &str, structure: &Structure) -> Vec<String> {
        let mut forms = vec![self.form.rest.clone()];
        if structure.kind.is_prose() {
            forms.extend(prose::forms(text, structure, &self.header));
        }
        if let Some((name, up_to_name)) = structure.name.zip(self.up_to_name.as_deref()) {
            let name = name.of(text);
            forms.push(canonical(name));
            forms.push(canonical(&format!("{name}()")));
            forms.push(canonical(up_to_name));
            let keyword = &up_to_name[..word_end(up_to_name)];
            if !keyword.is_empty() {
                forms.push(canonical(&format!("{keyword} {name}")));
            }
        }
        forms.retain(|form| !form.is_empty());
        forms.sort();
        forms.dedup();
        forms
    }
}

/// The header up to the end of the name, on one line and without modifiers.
fn up_to_name(language: &Language, text: &str, structure: &Structure, name: Packed) -> String {
    let is_quote = |char: char| language.name_quotes.contains(&char);
    let quote = text[name.end()..].chars().next().filter(|char| is_quote(*char));
    let end = name.end() + quote.map_or(0, char::len_utf8);
    let before = structure.header.iter().filter(|piece| piece.start() < end);
    let words = before
        .flat_map(|piece| text[piece.start()..piece.end().min(end)].split_whitespace())
        .collect::<Vec<_>>();
    without_modifiers(language, &words.join(" ")).1.to_owned()
}

/// Where the word ends with which a line begins.
fn word_end(line: &str) -> usize {
    line.find(|char: char| !(char.is_alphanumeric() || char == '_')).unwrap_or(line.len())
}

/// Takes the language's modifiers off the start of a line: words, words with parentheses as
/// `pub(crate)`, and what is after a word in quotes or angle brackets: `extern "C"`,
/// `template <class T>`.
fn without_modifiers<'a>(language: &Language, line: &'a str) -> (Vec<String>, &'a str) {
    let mut modifiers = Vec::new();
    let mut rest = line.trim_start();
    loop {
        let word_end =
            rest.find(|char: char| !(char.is_alphanumeric() || char == '_' || char == '-'));
        let word = &rest[..word_end.unwrap_or(rest.len())];
        if word.is_empty() || !language.modifiers.contains(&word) {
            return (modifiers, rest);
        }
        let mut after = &rest[word.len()..];
        let mut modifier = word.to_owned();
        if let Some((inner, more)) = after.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            modifier = format!("{word}({})", canonical(inner));
            after = more;
        }
        // Alone, or before what is not a word, it is what is meant: a function may be called `async`,
        // a branch is `default ->`, a block `synchronized (lock)`.
        let next = after.trim_start().chars().next();
        let alone = next.is_none_or(|char| matches!(char, '(' | '{' | '=' | '-' | ':'));
        if alone || !after.starts_with(char::is_whitespace) {
            return (modifiers, rest);
        }
        modifiers.push(modifier);
        rest = after.trim_start();
        if let Some(length) = quoted(rest) {
            modifiers.push(canonical(&rest[..length]));
            rest = rest[length..].trim_start();
        }
    }
}

/// How long what is in quotes or angle brackets at the start of a line is, where more follows.
fn quoted(line: &str) -> Option<usize> {
    let end = match line.bytes().next()? {
        b'"' => line[1..].find('"')? + 1,
        b'<' => {
            let mut depth = 0_usize;
            line.bytes().position(|byte| {
                match byte {
                    b'<' => depth += 1,
                    b'>' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0
            })?
        }
        _ => return None,
    };
    let more = !line[end + 1..].trim_start().is_empty();
    more.then_some(end + 1)
}

/// Takes off the end of a line what may be after a header: one of the language's words, or
/// what parts it from a value or closes a declaration, as in `const a = {` or `void run();`.
pub(super) fn without_end<'a>(language: &Language, line: &'a str) -> &'a str {
    let line = without_last_word(language, line);
    let before_value = line.trim_end_matches(['{', ' ', '\t']);
    let cut = language.header_ends.iter().find_map(|ending| {
        let rest = before_value.strip_suffix(ending)?;
        // `operator=` is a name.
        let parts = matches!(*ending, ";" | ",") || rest.ends_with(char::is_whitespace);
        Some(rest.trim_end()).filter(|rest| parts && !rest.is_empty())
    });
    cut.unwrap_or(line)
}

/// Takes one of the language's words off the end of a header: `then` and the `;` before it.
fn without_last_word<'a>(language: &Language, line: &'a str) -> &'a str {
    let line = line.trim_end();
    let cut = language.header_words.iter().find_map(|word| {
        let rest = line.strip_suffix(word)?;
        rest.ends_with(|char: char| char.is_whitespace() || char == ';').then_some(rest)
    });
    cut.map_or(line, |rest| rest.trim_end().trim_end_matches(';'))
}

/// What a line begins a header with: all of it but its modifiers, its closing included.
pub(super) fn beginning(language: &Language, line: &str) -> String {
    collapsed(without_modifiers(language, line).1)
}

/// White space only where it parts two words.
pub(super) fn collapsed(line: &str) -> String {
    let mut collapsed = String::with_capacity(line.len());
    let parts = |char: char| char.is_alphanumeric() || char == '_';
    for word in line.split_whitespace() {
        let joins = collapsed.chars().next_back().is_some_and(parts) && word.starts_with(parts);
        if joins {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// White space only where it parts two words, and no closing `:` or `{`.
pub(super) fn canonical(line: &str) -> String {
    let mut canonical = collapsed(line);
    let trimmed = canonical.trim_end_matches(['{', ':']);
    // Where nothing else is there, it is all that there is.
    if !trimmed.is_empty() {
        canonical.truncate(trimmed.len());
    }
    canonical
}
