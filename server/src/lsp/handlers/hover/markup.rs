//! Texts as Markdown that nothing in them can break out of, or as plain text.

/// How many bytes of a text are shown.
const MAX_BYTES: usize = 20_000;

/// What the client shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// Markdown.
    Markdown,
    /// Plain text.
    Plain,
}

impl Markup {
    /// A message; what it has between backticks is code.
    pub fn prose(self, text: &str) -> String {
        let text = on_one_line(text);
        if self == Markup::Plain {
            return text;
        }
        let mut prose = String::new();
        let mut rest = &*text;
        while let Some((before, code, after)) = quoted(rest) {
            prose += &escaped(before);
            prose += &self.code(code);
            rest = after;
        }
        prose + &escaped(rest)
    }

    /// A message that stands out.
    pub fn strong(self, text: &str) -> String {
        self.around("**", self.prose(text))
    }

    /// A text of our own that is slanted, Markdown included.
    pub fn slanted(self, text: &str) -> String {
        self.around("*", text.to_owned())
    }

    fn around(self, mark: &str, text: String) -> String {
        match self {
            Markup::Markdown => format!("{mark}{text}{mark}"),
            Markup::Plain => text,
        }
    }

    /// A fenced block that the text cannot end; what is too long is cut, and the cut is stated.
    pub fn fence(self, language: &str, text: &str) -> String {
        let mut end = text.len().min(MAX_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let shown = text[..end].trim_end_matches(['\n', '\r']);
        let cut = match text.len() - end {
            0 => String::new(),
            left => format!("\n\n{}", self.slanted(&format!("{left} bytes more are not shown"))),
        };
        let ticks = "`".repeat(longest_run(shown).max(2) + 1);
        match self {
            Markup::Markdown => format!("{ticks}{language}\n{shown}\n{ticks}{cut}"),
            Markup::Plain => format!("{shown}{cut}"),
        }
    }

    /// A span of code on one line that its text cannot end.
    pub fn code(self, text: &str) -> String {
        let text = on_one_line(text);
        if self == Markup::Plain {
            return text;
        }
        let ticks = "`".repeat(longest_run(&text) + 1);
        let pad =
            if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
        format!("{ticks}{pad}{text}{pad}{ticks}")
    }

    /// A text in a cell of a table: on one line, short, as code.
    pub fn cell(self, text: &str) -> String {
        const SHORT: usize = 60;
        let line: String = text.escape_debug().take(SHORT + 1).collect();
        let line = match line.char_indices().nth(SHORT) {
            Some((at, _)) => format!("{}…", &line[..at]),
            None => line,
        };
        match self {
            Markup::Markdown => self.code(&line.replace('|', "\\|")),
            Markup::Plain => line,
        }
    }

    /// A table; in plain text without its head.
    pub fn table<const N: usize>(self, head: [&str; N], rows: Vec<[String; N]>) -> String {
        let line = |cells: &[String]| match self {
            Markup::Markdown => format!("| {} |", cells.join(" | ")),
            Markup::Plain => cells.join("  "),
        };
        let head = [line(&head.map(str::to_owned)), line(&[const { "---" }; N].map(str::to_owned))];
        let head = head.into_iter().filter(|_| self == Markup::Markdown);
        let lines: Vec<String> = head.chain(rows.iter().map(|row| line(row))).collect();
        lines.join("\n")
    }
}

/// What is before the first text between backticks, that text, and what is after it.
fn quoted(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('`')?;
    let (code, after) = rest.split_once('`')?;
    Some((before, code, after))
}

/// A text without a meaning in Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let (mut before, mut rest) = (None, text.chars().peekable());
    while let Some(char) = rest.next() {
        let is_special = match char {
            // An address becomes a link by itself.
            ':' => rest.peek() == Some(&'/'),
            // It is a letter of a word.
            '_' => ![before.as_ref(), rest.peek()]
                .iter()
                .all(|it| it.is_some_and(|c| c.is_alphanumeric())),
            _ => r"\`*[]<>&~|".contains(char),
        };
        if is_special {
            escaped.push('\\');
        }
        escaped.push(char);
        before = Some(char);
    }
    escaped
}

/// Code and paragraphs end at a line that is blank.
fn on_one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    use super::Markup::{Markdown, Plain};
    use super::*;

    /// What a reader of Markdown finds in it beside text and code.
    fn found(markdown: &str) -> Vec<String> {
        let events = Parser::new_ext(markdown, Options::ENABLE_TABLES);
        let is_other = |event: &Event<'_>| match event {
            Event::Start(tag) => matches!(
                tag,
                Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock | Tag::Emphasis | Tag::Strong
            ),
            Event::Html(_) | Event::InlineHtml(_) => true,
            _ => false,
        };
        events.filter(is_other).map(|event| format!("{event:?}")).collect()
    }

    /// The code in Markdown.
    fn codes(markdown: &str) -> Vec<String> {
        let events = Parser::new_ext(markdown, Options::ENABLE_TABLES);
        let code = events.filter_map(|event| match event {
            Event::Code(code) => Some(code.trim().to_owned()),
            _ => None,
        });
        code.collect()
    }

    #[test]
    fn no_text_ends_its_fence() {
        assert_eq!(Markdown.fence("rust", "a\n```\nb\n"), "````rust\na\n```\nb\n````");
        assert_eq!(Markdown.code("a`b"), "``a`b``");
        assert_eq!(Markdown.code("a\n\nb"), "`a  b`");
        assert_eq!(Markdown.cell("a|\nb"), "`a\\|\\nb`");
        let long = Markdown.fence("", &"é".repeat(20_000));
        assert!(long.ends_with("*20000 bytes more are not shown*"));
    }

    #[test]
    fn a_message_is_text_and_code() {
        let says = "`a`: no `b*` in [x](command:y), see https://z";
        let shown = r"`a`: no `b*` in \[x\](command:y), see https\://z";
        assert_eq!(Markdown.prose(says), shown);
        assert_eq!(Markdown.prose("one ` is not code"), r"one \` is not code");
        assert_eq!(Markdown.prose("_a_ b_c_d"), r"\_a\_ b_c_d");
        assert_eq!(Markdown.strong("fs.read ![x](y)"), r"**fs.read !\[x\](y)**");
    }

    #[test]
    fn plain_text_has_no_marks() {
        assert_eq!(Plain.strong("fs.read *a*"), "fs.read *a*");
        assert_eq!(Plain.code("a`b"), "a`b");
        assert_eq!(Plain.fence("rust", "a\n```\nb\n"), "a\n```\nb");
        let rows = || vec![["a".to_owned(), "b".to_owned()], ["c".to_owned(), "d".to_owned()]];
        assert_eq!(Plain.table(["x", ""], rows()), "a  b\nc  d");
        let table = "| x |  |\n| --- | --- |\n| a | b |\n| c | d |";
        assert_eq!(Markdown.table(["x", ""], rows()), table);
    }

    proptest! {
        #[test]
        fn no_text_becomes_more_than_text(text in r"[\[\]()!<>`*_&:/\\a| \n\r.x-]{0,24}") {
            let none: Vec<String> = Vec::new();
            prop_assert_eq!(found(&Markdown.prose(&text)), none.clone());
            let code = Markdown.code(&text);
            prop_assert_eq!(found(&code), none.clone());
            if !text.trim().is_empty() {
                prop_assert_eq!(codes(&code), vec![on_one_line(&text).trim().to_owned()]);
            }
            let table = Markdown.table(["a", "b"], vec![["x".to_owned(), Markdown.cell(&text)]]);
            prop_assert_eq!(found(&table), none.clone());
            prop_assert_eq!(codes(&table).len(), 1, "{}", table);
            prop_assert_eq!(found(&Markdown.fence("diff", &text)), none);
        }
    }
}
