//! Problems as people read them in a terminal: the place, the line, a caret, what to do.

use std::borrow::Cow;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use anstream::adapter::strip_str;
use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use operator_core::problem::{Place, Problem, Severity};
use operator_core::text::{Span, Text};

use super::input::Transcript;
use crate::visible;

/// How many choices of a problem are shown.
const CHOICES: usize = 8;
/// The width of text that goes to no terminal.
const WIDTH: usize = 140;

/// The problem as text with colours, which the stream takes away where they are not wanted.
///
/// Lines of the transcript are cut around the fault to about `width` columns. What is merely worth
/// knowing takes one line.
pub fn problem(name: &str, text: &Text, problem: &Problem, width: usize) -> String {
    let title = level(problem.severity).primary_title(&problem.message).id(problem.code.as_str());
    let mut main = title.element(place(name, text, &problem.span, width));
    for help in helps(problem) {
        main = main.element(Level::HELP.message(help));
    }
    let related = problem.related.iter().map(|related| {
        let group = Group::with_title(Level::NOTE.secondary_title(&related.message));
        match &related.place {
            Place::Transcript(span) => group.element(place(name, text, span, width)),
            Place::Target(path, line) => group.element(Origin::path(path.to_string()).line(*line)),
        }
    });
    let groups: Vec<_> = std::iter::once(main).chain(related).collect();
    let short = problem.severity > Severity::Warning;
    let ending = if short { "\n" } else { "\n\n" };
    let renderer = Renderer::styled().term_width(width).short_message(short);
    visible::rendered(renderer.render(&groups)) + ending
}

/// What can be done about a problem, the preferred fix first; the rest of many is counted.
fn helps(problem: &Problem) -> Vec<String> {
    let (first, others): (Vec<_>, Vec<_>) = problem.fixes.iter().partition(|fix| fix.preferred);
    let titles: Vec<&str> = first.iter().chain(&others).map(|fix| fix.title.as_str()).collect();
    let is_all = titles.len() <= CHOICES;
    let named = titles.iter().take(if is_all { CHOICES } else { CHOICES - 1 }).enumerate();
    let mut helps: Vec<String> = named
        .map(|(at, title)| if at == 0 { (*title).to_owned() } else { format!("or: {title}") })
        .collect();
    if !is_all {
        helps.push(format!("or one of {} more", titles.len() + 1 - CHOICES));
    }
    helps
}

/// A message about the line at `offset` that is not a problem of the text itself.
pub fn remark(transcript: &Transcript, offset: usize, code: &str, message: &str) -> String {
    let line = transcript.text.line_of(offset) + 1;
    let origin = Origin::path(transcript.name.clone()).line(line).char_column(1);
    let group = Level::ERROR.primary_title(message).id(code).element(origin);
    visible::rendered(Renderer::styled().render(&[group])) + "\n\n"
}

/// The text as the stream wants it: colours are for terminals, unless the environment says else.
///
/// One piece, since the stream itself would write each stretch between two colours by itself.
pub fn for_stream(styled: String, stream: &impl RawStream) -> String {
    match AutoStream::choice(stream) {
        ColorChoice::Never => strip_str(&styled).to_string(),
        _ => styled,
    }
}

/// The columns of a terminal, or of text that goes to none.
pub fn width(terminal: &console::Term) -> usize {
    terminal.size_checked().map_or(WIDTH, |(_, columns)| columns.into())
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::INFO,
        Severity::Hint => Level::INFO.with_name("hint"),
    }
}

/// Where it is, and the first line of it.
///
/// The renderer is given one line alone, since it does not know a lone `\r` as a line's end.
fn place<'a>(name: &str, text: &Text, span: &Span, width: usize) -> Snippet<'a, Annotation<'a>> {
    let line = text.line_of(span.start);
    let line_start = text.line_start(line);
    let shown = text.line(line);
    let within = |offset: usize| text.floor(offset).saturating_sub(line_start).min(shown.len());
    let (start, end) = (within(span.start), within(span.end.max(span.start)));
    let (shown, end) = cut(shown, start..end, width);
    let marked = AnnotationKind::Primary.span(start..end);
    Snippet::source(shown).path(name.to_owned()).line_start(line + 1).annotation(marked)
}

/// The line without what is beyond the first characters of a long fault, and where the fault ends
/// in it. The renderer would rather widen the page than cut a fault.
fn cut(line: Cow<'_, str>, fault: Span, width: usize) -> (String, usize) {
    let room = width / 2;
    let beyond = line[fault.clone()].char_indices().nth(room);
    match beyond.filter(|_| line.chars().nth(width).is_some()) {
        Some((offset, _)) => {
            let end = fault.start + offset;
            (format!("{}…", &line[..end]), end)
        }
        None => (line.into_owned(), fault.end),
    }
}

#[cfg(test)]
mod tests {
    use operator_core::path::FilePath;
    use operator_core::problem;

    use super::*;

    const BAD_DIGIT: &str = "`!` is no base64 digit";

    fn problem(span: Span) -> Problem {
        Problem::new(problem::OPERATOR_INVALID_BASE64, span, BAD_DIGIT)
    }

    /// Renders a problem at the characters between `«` and `»`, without colours.
    fn check_with(marked: &str, adapt: impl Fn(Problem) -> Problem, expected: &str) {
        let start = marked.find('«').unwrap();
        let end = marked.find('»').unwrap() - '«'.len_utf8();
        let text = Text::new(&marked.replace(['«', '»'], ""));
        let rendered = super::problem("chat.md", &text, &adapt(problem(start..end)), 100);
        let plain = anstream::adapter::strip_str(&rendered).to_string();
        assert_eq!(plain.trim_end(), expected.trim_matches('\n').trim_end(), "\n{plain}\n");
    }

    fn check(marked: &str, expected: &str) {
        check_with(marked, |problem| problem, expected);
    }

    #[test]
    fn the_caret_is_under_the_character() {
        let transcript = "OPERATOR_CMD\ncontent_b64: aGV«!»bG8=\nEND_OPERATOR_CMD\n";
        let expected = "
error[operator/invalid-base64]: `!` is no base64 digit
 --> chat.md:2:17
  |
2 | content_b64: aGV!bG8=
  |                 ^
";
        check(transcript, expected);
        check(&transcript.replace('\n', "\r\n"), expected);
        check(&transcript.replace('\n', "\r"), expected);
    }

    #[test]
    fn the_preferred_fix_is_the_first_help_and_other_places_are_notes() {
        let adapt = |problem: Problem| {
            problem
                .choice("Take all of it away", Vec::new())
                .fix("Take it away", Vec::new())
                .related("first here", Place::Transcript(0..1))
                .related("and in the file", Place::Target(FilePath::new(0, "src/main.rs"), 12))
        };
        check_with(
            "id: a\n«id»: b\n",
            |problem| {
                let mut problem = adapt(problem);
                problem.fixes[1].preferred = true;
                problem.severity = Severity::Warning;
                problem
            },
            "
warning[operator/invalid-base64]: `!` is no base64 digit
 --> chat.md:2:1
  |
2 | id: b
  | ^^
  |
  = help: Take it away
  = help: or: Take all of it away
note: first here
 --> chat.md:1:1
  |
1 | id: a
  | ^
note: and in the file
 --> src/main.rs:12
",
        );
    }

    #[test]
    fn of_many_choices_the_first_are_named() {
        let with = |count: usize| {
            let mut problem = problem(0..1);
            for number in 1..=count {
                problem = problem.choice(format!("Take {number}"), Vec::new());
            }
            super::helps(&problem)
        };
        assert_eq!(with(0), Vec::<String>::new());
        assert_eq!(with(2), ["Take 1", "or: Take 2"]);
        assert_eq!(with(CHOICES).last().unwrap(), "or: Take 8");
        assert_eq!(with(CHOICES + 1)[CHOICES - 2..], ["or: Take 7", "or one of 2 more"]);
    }

    #[test]
    fn columns_are_right_after_wide_characters_and_tabs() {
        check(
            "\ta😀é: «!»\n",
            "
error[operator/invalid-base64]: `!` is no base64 digit
 --> chat.md:1:7
  |
1 |     a😀é: !
  |           ^
",
        );
    }

    #[test]
    fn a_line_of_many_kilobytes_is_shown_around_the_caret() {
        let half = "QUFB".repeat(25_000);
        check(
            &format!("content_b64: {half}«!»{half}\n"),
            "
error[operator/invalid-base64]: `!` is no base64 digit
 --> chat.md:1:100014
  |
1 | ...QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB!QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQ...
  |                                                ^
",
        );
    }

    #[test]
    fn a_long_fault_is_shown_by_its_beginning() {
        check(
            &format!("content_b64: «{}»\n", "QUFB".repeat(25_000)),
            "
error[operator/invalid-base64]: `!` is no base64 digit
 --> chat.md:1:14
  |
1 | content_b64: QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU…
  |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
",
        );
    }

    #[test]
    fn the_end_of_a_line_and_of_the_text_can_be_marked() {
        check(
            "ab«»\r\ncd",
            "
error[operator/invalid-base64]: `!` is no base64 digit
 --> chat.md:1:3
  |
1 | ab
  |   ^
",
        );
        check(
            "ab\n«»",
            "
error[operator/invalid-base64]: `!` is no base64 digit
 --> chat.md:2:1
  |
2 |
  | ^
",
        );
    }

    #[test]
    fn a_fault_of_many_lines_is_shown_by_its_first() {
        check(
            "OPERATOR_«CMD\nid: a\n»END",
            "
error[operator/invalid-base64]: `!` is no base64 digit
 --> chat.md:1:10
  |
1 | OPERATOR_CMD
  |          ^^^
",
        );
    }

    #[test]
    fn what_is_merely_worth_knowing_takes_one_line() {
        check_with(
            "id: a\n«id»: b\n",
            |mut problem| {
                problem.severity = Severity::Information;
                problem.fix("Take it away", Vec::new())
            },
            "chat.md:2:1: info[operator/invalid-base64]: `!` is no base64 digit",
        );
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let text = Text::new("a\u{1b}[31m\u{7}b\u{202e}c\n");
        let rendered = super::problem("chat.md", &text, &problem(0..1), 100);
        let plain = anstream::adapter::strip_str(&rendered).to_string();
        assert!(plain.contains("1 | a␛[31m␇b�c"), "{plain}");
    }
}
