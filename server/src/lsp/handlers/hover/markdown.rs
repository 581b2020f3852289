//! Texts as Markdown, whatever is in them.

/// How many bytes of a text are shown.
const MAX_BYTES: usize = 20_000;

/// A fenced block that the text cannot end; what is too long is cut, and the cut is stated.
pub fn fence(language: &str, text: &str) -> String {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let shown = text[..end].trim_end_matches(['\n', '\r']);
    let ticks = "`".repeat(longest_run(shown).max(2) + 1);
    let cut = match text.len() - end {
        0 => String::new(),
        left => format!("\n\n*{left} bytes more are not shown*"),
    };
    format!("{ticks}{language}\n{shown}\n{ticks}{cut}")
}

/// A span of code that its text cannot end.
pub fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let pad =
        if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// A text in a cell of a table: on one line, short, as code.
pub fn cell(text: &str) -> String {
    const SHORT: usize = 60;
    let line: String = text.escape_debug().take(SHORT + 1).collect();
    let line = match line.char_indices().nth(SHORT) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    };
    code(&line.replace('|', "\\|"))
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_fence() {
        assert_eq!(fence("rust", "a\n```\nb\n"), "````rust\na\n```\nb\n````");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(cell("a|\nb"), "`a\\|\\nb`");
        let long = fence("", &"é".repeat(20_000));
        assert!(long.ends_with("*20000 bytes more are not shown*"));
    }
}
