//! The page and the tables, and blocks in numbers.

use proptest::prelude::*;

use super::{Sham, line, marker};
use crate::dialect::{Answers, Dialect, Dialects, Reply};
use crate::limits::Limits;
use crate::problem::{self, Problem};
use crate::review::Reviewer;
use crate::scan::Scan;
use crate::snapshot::MemorySnapshot;
use crate::spec;
use crate::text::Text;

#[test]
fn the_page_names_every_action_parameter_and_code() {
    let page = Sham.rules().specification;
    let named = |name: &str| page.contains(&format!("`{name}`"));
    for action in spec::actions("sham") {
        for name in action.names() {
            assert!(named(name), "no `{name}`");
        }
        for field in &action.fields {
            assert!(named(&field.name), "no `{}`", field.name);
        }
    }
    for entry in spec::problems().iter().filter(|entry| entry.code.starts_with("sham/")) {
        let warning = entry.severity != crate::problem::Severity::Error;
        // These two are no parse errors.
        let result = matches!(entry.code.as_str(), "sham/exec-disabled" | "sham/exec-failed");
        let name = entry.code["sham/".len()..].to_uppercase().replace('-', "_");
        assert!(warning || result || named(&name), "no `{name}`");
    }
}

/// The values of the first block's fields.
fn values(text: &str) -> Vec<String> {
    let scan = Scan::new(&Text::new(text), Dialects::all(), &Limits::default());
    let block = scan.blocks().next().expect("a block");
    let fields = &block.block.parsed.fields;
    fields.iter().map(|field| text[field.value.clone()].to_owned()).collect()
}

/// Text of lines as models write it, markers among it.
fn content() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[a-z \"'\\\\=<]{0,12}",
        Just("#!SHAM [@three-char-SHA-256: abc]".to_owned()),
        Just("#!END_SHAM_abc".to_owned()),
        Just(" EOT_SHAM_abc".to_owned()),
        Just("OPERATOR_CMD".to_owned()),
        Just("é😀".to_owned()),
    ];
    prop::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n"))
}

/// Blocks with everything that can be wrong with them.
fn damaged() -> impl Strategy<Value = String> {
    let lines = [
        "#!SHAM [@three-char-SHA-256: abc]",
        "#!sham [@three-char-SHA-256: abc] ",
        "#!SHAM [@é: abc",
        "#!SHAM [@three-char-SHA-256: k-m]",
        "#!nesl [@x: abc]",
        "action = \"file_write\"",
        "action := \"file_wirte\"",
        "path = \"é/a.txt\"",
        "paths = \"a\\nb\"",
        "  content = \"a\\xb\"",
        "content = \"a\" b\"",
        "content = \"é",
        "content = é",
        "content == \"é\"",
        "content\u{a0}=\u{a0}\"é\"",
        "# SHAM [@x: abc] é",
        "content =",
        "= \"x\"",
        "- old_text = \"\"",
        "content = <<'EOT_SHAM_abc'",
        "content = <<'EOT_SHAM_abc' é",
        "content = <<EOT",
        "content = <<''",
        "content = <<'EOT_abc'",
        "EOT_SHAM_abc",
        "é}EOT_SHAM_abc'",
        "xEOT_abc'",
        "EOT",
        "count = \"zwölf\"",
        "lang = \"bsh\"",
        "return_output = \"TRUE\"",
        "base_fingerprint = \"sha256:é\"",
        "# é",
        "```",
        "",
        "é #!END_SHAM_abc é",
        "#!END_SHAM_abc",
        "#!END_SHAM_xyz'",
        "#!end_abc'",
    ];
    let ending = prop_oneof![6 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r"), 1 => Just("")];
    let line = (prop::sample::select(lines.to_vec()), ending);
    let line = line.prop_map(|(line, ending)| format!("{line}{ending}"));
    prop::collection::vec(line, 0..24).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn what_is_said_of_damage_stands_in_the_text(text in damaged()) {
        let dialects = Dialects::all().at_home(Some("/work"));
        let scan = Scan::new(&Text::new(&text), &dialects, &Limits::default());
        let of_blocks = scan.blocks().flat_map(|placed| {
            let start = placed.span.start;
            let problems = placed.block.parsed.problems.clone();
            problems.into_iter().map(move |problem| problem.shifted(start)).collect::<Vec<_>>()
        });
        for problem in of_blocks.chain(scan.problems()) {
            prop_assert!(text.get(problem.span.clone()).is_some(), "{problem:?} in {text:?}");
            for fix in &problem.fixes {
                let mut done = 0;
                for edit in &fix.edits {
                    prop_assert!(edit.span.start >= done, "{fix:?} in {text:?}");
                    prop_assert!(text.get(edit.span.clone()).is_some(), "{fix:?} in {text:?}");
                    done = edit.span.end;
                }
            }
        }
    }
}

/// Every problem of a text.
fn problems(text: &str) -> Vec<Problem> {
    let dialects = Dialects::all().at_home(Some("/work"));
    let scan = Scan::new(&Text::new(text), &dialects, &Limits::default());
    let of_blocks = scan.blocks().flat_map(|placed| {
        let problems = placed.block.parsed.problems.clone().into_iter();
        problems.map(move |problem| problem.shifted(placed.span.start)).collect::<Vec<_>>()
    });
    of_blocks.chain(scan.problems()).collect()
}

#[test]
fn an_end_marker_goes_below_a_terminator_that_looks_like_a_header() {
    let text = "#!nesl [@x: abc]\ncontent = <<'EOT_abc'\n#!SHAM [@é: abcxEOT_abc'\n";
    let is_unclosed = |it: &Problem| it.code == problem::SHAM_UNCLOSED_BLOCK;
    let unclosed = problems(text).into_iter().find(is_unclosed).expect("a block without an end");
    let edit = &unclosed.fixes[0].edits[0];
    assert_eq!(&text[..edit.span.start], text.trim_end());
    let fixed = format!("{}{}\n", text.trim_end(), edit.text);
    assert!(!problems(&fixed).iter().any(is_unclosed), "{fixed:?}");
}

#[test]
fn a_malformed_header_in_a_block_opens_no_heredoc() {
    let text = "#!SHAM [@three-char-SHA-256: abc]\n#!SHAM [@é: abccontent = <<EOT\n\
                content = é\ncontent = <<'EOT_SHAM_abc'\n#!END_SHAM_abc\n";
    let is_unclosed = |it: &Problem| it.code == problem::SHAM_UNCLOSED_HEREDOC;
    let unclosed = problems(text).into_iter().find(is_unclosed).expect("a heredoc without an end");
    let edit = &unclosed.fixes[0].edits[0];
    let fixed = [&text[..edit.span.start], &edit.text, &text[edit.span.end..]].concat();
    assert!(!problems(&fixed).iter().any(is_unclosed), "{fixed:?}");
}

#[test]
fn an_exact_header_is_not_offered_to_be_made_exact() {
    for text in [
        "#!nesl [@x: abc]\n#!SHAM [@é: abccontent = <<'EOT_SHAM_abc'\n\
         #!SHAM [@three-char-SHA-256: abc]\nEOT_SHAM_abc\n",
        "#!SHAM [@three-char-SHA-256: abc]\ncontent = \"é\n\
         é}EOT_SHAM_abc'content = <<'EOT_SHAM_abc'\n= \"x\"\n\
         #!SHAM [@three-char-SHA-256: abc]\nEOT_SHAM_abc\n",
    ] {
        let all = problems(text);
        let of_exact = |it: &&Problem| text[it.span.clone()] == marker::Style::Sham.header("abc");
        assert!(
            all.iter().filter(of_exact).all(|it| {
                it.fixes
                    .iter()
                    .flat_map(|fix| &fix.edits)
                    .all(|edit| text[edit.span.clone()] != edit.text)
            }),
            "{text:?}: {all:?}"
        );
    }
}

#[test]
fn two_headers_in_a_line_have_no_fix() {
    let header = |word: &str| format!("{word} [@three-char-SHA-256: abc]");
    for (first, fixes) in [(header("#!sham"), 0), ("hello".to_owned(), 1)] {
        let text = format!("{} {first}\naction = \"file_write\"\n", header("#!sham"));
        let not_exact = |it: &Problem| it.code == problem::SHAM_MARKER_NOT_EXACT;
        let found = problems(&text).into_iter().find(not_exact).expect("a header with words");
        assert_eq!(found.fixes.len(), fixes, "{text}");
    }
}

/// How many lines of a text would be written by sound blocks and are nearly a terminator.
fn written_markers(text: &str) -> usize {
    let scan = Scan::new(&Text::new(text), Dialects::all(), &Limits::default());
    let sound = scan.blocks().filter(|placed| placed.block.parsed.command.is_some());
    let values = sound.flat_map(|placed| {
        let start = placed.span.start;
        let fields = placed.block.parsed.fields.clone().into_iter().filter(|it| it.heredoc);
        fields.map(|it| start + it.value.start..start + it.value.end).collect::<Vec<_>>()
    });
    let is_near = |line: &&str| marker::near_terminator(line, "EOT_SHAM_abc").is_some();
    values.map(|span| text[span].lines().filter(is_near).count()).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_fix_takes_its_problem_away_and_writes_no_marker(text in damaged()) {
        let found = problems(&text);
        let shown = |text: &str, it: &Problem| (it.code, text[it.span.clone()].to_owned());
        let markers = written_markers(&text);
        // To remove a line can make the one after it part of another block.
        let inserts = |it: &&Problem| it.fixes.iter().any(|it| it.edits.iter().any(|it| !it.text.is_empty()));
        for problem in found.iter().filter(inserts) {
            for fix in &problem.fixes {
                let mut fixed = String::new();
                let mut done = 0;
                let mut place = problem.span.start;
                let own = shown(&text, problem);
                for edit in &fix.edits {
                    fixed.push_str(&text[done..edit.span.start]);
                    if edit.span.end <= problem.span.start {
                        place = fixed.len() + edit.text.len() + problem.span.start - edit.span.end;
                    } else if edit.span.start <= problem.span.start {
                        // What was above it in the line may have a line of its own now.
                        place = fixed.len() + edit.text.find(&own.1).unwrap_or(0);
                    }
                    fixed.push_str(&edit.text);
                    done = edit.span.end;
                }
                fixed.push_str(&text[done..]);
                let left = problems(&fixed);
                let count = |text: &str, all: &[Problem]| {
                    all.iter().filter(|it| shown(text, it) == own).count()
                };
                // Others like it may come to light, or take its place.
                let is_there = left.iter().any(|it| it.code == problem.code && it.span.start == place);
                prop_assert!(
                    !is_there || count(&fixed, &left) < count(&text, &found),
                    "{} {:?}:\n{text:?}\n{fixed:?}", problem.code, fix.title
                );
                prop_assert!(
                    written_markers(&fixed) <= markers,
                    "{} {:?}:\n{text:?}\n{fixed:?}", problem.code, fix.title
                );
            }
        }
    }
}

proptest! {
    #[test]
    fn a_quoted_value_is_what_was_quoted(text in any::<String>()) {
        let quoted = line::encode(&text);
        prop_assert_eq!(line::decode(&quoted[1..quoted.len() - 1]), Ok(text));
    }

    #[test]
    fn a_heredoc_is_what_stands_in_it(text in content()) {
        let block = format!(
            "#!SHAM [@three-char-SHA-256: abc]\naction = \"file_write\"\npath = \"/a\"\n\
             content = <<'EOT_SHAM_abc'\n{text}\nEOT_SHAM_abc\n#!END_SHAM_abc\n"
        );
        let values = values(&block);
        prop_assert_eq!(values.last(), Some(&text));
    }
}

#[test]
fn of_a_block_with_many_errors_the_first_are_told() {
    let lines = "wrong\n".repeat(50);
    let text = format!("#!SHAM [@three-char-SHA-256: abc]\n{lines}#!END_SHAM_abc\n");
    let (transcript, limits) = (Text::new(&text), Limits::default());
    let scan = Scan::new(&transcript, &Dialects::all().at_home(Some("/work")), &limits);
    let review = Reviewer::default().review(&scan, &MemorySnapshot::default(), &limits);
    let answer = [review.proposals().next().unwrap().answer()];
    let replies = Sham.replies(&Answers { transcript: &transcript, answers: &answer, strays: &[] });
    assert_eq!(replies.concat().matches("\"shamContent\"").count(), 20);
}
