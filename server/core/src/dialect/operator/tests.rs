//! The dialect as a reader of transcripts meets it: problems where they are, and what fixes them.

use proptest::prelude::*;

use super::{encode, render};
use crate::command::edits::TextEdit;
use crate::command::patch::{Hunk, LineKind, Patch, PatchLine};
use crate::command::{Command, FileEdit, Missing, Only, ReadLines, SearchFor, Step, WriteMode};
use crate::dialect::Dialects;
use crate::edit::{Edit, EditSet};
use crate::limits::Limits;
use crate::problem::{self, Fix, Problem};
use crate::scan::Scan;
use crate::snapshot::PathStyle;
use crate::text::Text;

fn problems(text: &str) -> Vec<Problem> {
    let scan = Scan::new(&Text::new(text), Dialects::all(), &Limits::default());
    let in_blocks = scan.blocks().flat_map(|placed| {
        let problems = placed.block.parsed.problems.clone();
        problems.into_iter().map(move |problem| problem.shifted(placed.span.start))
    });
    let mut all: Vec<_> = in_blocks.chain(scan.problems()).collect();
    all.sort_by_key(|problem| problem.span.start);
    all
}

fn with_fix(text: &str, fix: &Fix) -> String {
    let edit = |edit: &crate::problem::Replacement| Edit {
        span: edit.span.clone(),
        text: edit.text.clone(),
    };
    EditSet::new(fix.edits.iter().map(edit).collect()).unwrap().apply(text)
}

/// Holds the problems of a transcript against marker lines: `^^^ code` under the characters.
fn check(marked: &str) {
    let mut text = String::new();
    let mut expected = Vec::new();
    for line in marked.lines() {
        let start = text.trim_end_matches('\n').rfind('\n').map_or(0, |at| at + 1);
        match line.trim_start().strip_prefix('^') {
            Some(rest) => {
                let from = start + line.len() - rest.len() - 1;
                let width = 1 + rest.len() - rest.trim_start_matches('^').len();
                let code = rest.trim_start_matches('^').trim();
                expected.push((from..from + width, code.to_owned()));
            }
            None => text = text + line + "\n",
        }
    }
    let found: Vec<_> =
        problems(&text).into_iter().map(|p| (p.span, p.code.as_str().to_owned())).collect();
    assert_eq!(found, expected, "\n{text}");
}

#[test]
fn a_sound_block_has_no_problem() {
    check(
        "prose\n\
         ```\n\
         OPERATOR_CMD\n\
         version: 1\n\
         id: a\n\
         action: fs.readSlice\n\
         path: a b.txt\n\
         start: 3\n\
         lines: 400\n\
         END_OPERATOR_CMD\n\
         ```",
    );
}

#[test]
fn an_indented_block_has_one_problem_whatever_else_is_wrong() {
    check(
        "> OPERATOR_CMD\n\
         ^^^^^^^^^^^^^^ scan/indented\n\
         > version: 1\n\
         > id: a\n\
         > action: fs.list\n\
         path: .\n\
         > END_OPERATOR_CMD.",
    );
    check(
        "\x20 OPERATOR_CMD\n\
         \x20 ^^^^^^^^^^^^ operator/marker-not-alone\n\
         version: 1\n\
         \x20 id: a\n\
         \x20 ^^^^^ operator/not-key-value\n\
         action: fs.list\n\
         path: .\n\
         END_OPERATOR_CMD.\n\
         ^^^^^^^^^^^^^^^^ operator/marker-not-alone",
    );
}

#[test]
fn prose_that_mentions_a_marker_is_prose() {
    check("An OPERATOR_CMD block ends with END_OPERATOR_CMD, as you know.\nOPERATOR_CMD is a word");
    check("OPERATOR_CMD and then\nNote: this is prose");
}

#[test]
fn a_value_may_speak_of_the_start_marker() {
    check(
        "OPERATOR_CMD\n\
         version: 1\n\
         id: a\n\
         action: fs.write\n\
         path: a.md\n\
         content: OPERATOR_CMD starts a block\n\
         END_OPERATOR_CMD",
    );
}

#[test]
fn a_near_marker_with_no_block_after_it_stands_alone() {
    check("**OPERATOR_CMD**\n  ^^^^^^^^^^^^ operator/marker-not-alone\nas the start");
}

#[test]
fn a_truncated_block_ends_with_its_last_line_and_prose_is_left_alone() {
    check(
        "OPERATOR_CMD\n\
         ^^^^^^^^^^^^ operator/missing-end\n\
         version: 1\n\
         id: a\n\
         action: fs.list\n\
         path: .\n\
         \n\
         That was it. Note: nothing follows\n\
         Warning: prose",
    );
}

#[test]
fn a_lost_line_break_before_the_end_hides_nothing() {
    check(
        "OPERATOR_CMD\n\
         version: 1\n\
         id: a\n\
         action: fs.list\n\
         path: . END_OPERATOR_CMD\n\
         \x20       ^^^^^^^^^^^^^^^^ operator/marker-not-alone",
    );
    let text = "OPERATOR_CMD\nversion: 1\nid: a\naction: fs.list\npath: . END_OPERATOR_CMD\n";
    let fixed = with_fix(text, &problems(text)[0].fixes[0]);
    assert_eq!(fixed, text.replace(". END", ".\nEND"));
    assert_eq!(problems(&fixed), []);
}

#[test]
fn every_line_of_a_broken_payload_is_joined_by_its_fix() {
    let payload = encode("a text that is long enough to be broken over three lines of base64");
    let (head, tail) = payload.split_at(40);
    let text = format!(
        "OPERATOR_CMD\nversion: 1\nid: a\naction: fs.write\npath: a\ncontent_b64: {head}\n{}\n{}\n\
         END_OPERATOR_CMD\n",
        &tail[..20],
        &tail[20..]
    );
    let found = problems(&text);
    assert_eq!(found.len(), 2, "{found:?}");
    let fixes: Vec<_> = found.iter().flat_map(|problem| problem.fixes[0].edits.clone()).collect();
    let fix = Fix { title: String::new(), edits: fixes, preferred: true };
    assert_eq!(problems(&with_fix(&text, &fix)), []);
}

#[test]
fn crlf_and_cr_transcripts_are_fixed_in_their_own_ending() {
    for ending in ["\r\n", "\r"] {
        let text =
            ["OPERATOR_CMD", "version: 1", "id: a", "action: fs.list", "path: .", ""].join(ending);
        let found = problems(&text);
        assert_eq!(found.len(), 1, "{found:?}");
        let fixed = with_fix(&text, &found[0].fixes[0]);
        assert_eq!(fixed, text.trim_end().to_owned() + ending + "END_OPERATOR_CMD" + ending);
        assert_eq!(problems(&fixed), []);
    }
}

/// Lines of blocks with anything at all as a value.
fn line() -> impl Strategy<Value = String> {
    let keys = [
        "version",
        "id",
        "action",
        "path",
        "start",
        "lines",
        "query",
        "content",
        "content_b64",
        "patch_b64",
        "edits_b64",
        "base_fingerprint",
        "path_to",
        "workspace",
        "contnt_b64",
        "é",
    ];
    let actions = [
        "fs.read",
        "fs.readSlice",
        "fs.write",
        "fs.patch",
        "fs.applyEdits",
        "fs.mvoe",
        "operator.getInterfaceSpec",
    ];
    let value = prop_oneof![
        any::<String>(),
        "[A-Za-z0-9+/= ]{0,20}",
        Just("1".to_owned()),
        prop::sample::select(actions.to_vec()).prop_map(str::to_owned),
        Just(encode(r#"{"version":1,"edits":[{"op":"replaceAll","find":"a","text":"b"}]}"#)),
        Just(encode("@@ -1 +1 @@\n-a\n+b\n")),
        Just(encode("@@ -1,3 +1 @@\n-a\n+b\n")),
    ];
    let separator = prop::sample::select(vec![": ", ":", " : ", "\t"]);
    prop_oneof![
        6 => (prop::sample::select(keys.to_vec()), separator, value)
            .prop_map(|(key, separator, value)| format!("{key}{separator}{value}")),
        1 => any::<String>(),
        1 => prop::sample::select(vec![
            "", " ", "OPERATOR_CMD", "END_OPERATOR_CMD", "**END_OPERATOR_CMD**", "> OPERATOR_CMD",
            "OPERATOR\\_CMD", "OPERATOR_CMD version: 1", "path: x END_OPERATOR_CMD 😀", "```",
        ]).prop_map(str::to_owned),
    ]
}

#[test]
fn blanks_around_a_value_do_not_count_and_other_characters_do() {
    let block = |action: &str| {
        format!("OPERATOR_CMD\nversion: 1\nid: 1\naction: {action}\npath: a\nEND_OPERATOR_CMD\n")
    };
    assert!(problems(&block(" fs.read \t")).is_empty());
    for strange in ["\u{a0}", "\u{2028}", "\u{feff}"] {
        let found = problems(&block(&format!("fs.read{strange}")));
        assert_eq!(found[0].fixes[0].title, "Use `fs.read`", "{strange:?}");
    }
}

/// As many keys as fit into a block: looked at pair by pair they would take minutes, and each with
/// a problem of its own they would take a hundred times the memory of the text.
#[test]
fn of_many_keys_the_first_are_checked() {
    let block = |keys: &str| {
        format!(
            "OPERATOR_CMD\nversion: 1\nid: 1\naction: fs.read\npath: a\n{keys}END_OPERATOR_CMD\n"
        )
    };
    let different =
        |count: usize| (0..count).map(|key| format!("key{key}: 1\n")).collect::<String>();
    for keys in [different, |count| "key: 1\n".repeat(count)] {
        assert_eq!(problems(&block(&keys(996))).len(), 996);
        for count in [997, 100_000] {
            let found = problems(&block(&keys(count)));
            assert_eq!(found.len(), 997);
            let last = found.last().expect("problems");
            assert_eq!(last.code, problem::SCAN_TOO_MANY_PROBLEMS);
            assert!(last.is_error());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn anything_between_markers_is_checked_inside_the_text(
        lines in prop::collection::vec(line(), 0..14),
        ending in prop::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let text = format!("OPERATOR_CMD{ending}{}{ending}END_OPERATOR_CMD", lines.join(ending));
        for problem in problems(&text) {
            prop_assert!(text.get(problem.span.clone()).is_some(), "{:?} in {:?}", problem, text);
            prop_assert!(!problem.message.is_empty());
            for fix in &problem.fixes {
                for edit in &fix.edits {
                    prop_assert!(text.get(edit.span.clone()).is_some(), "{:?} in {:?}", fix, text);
                }
                problems(&with_fix(&text, fix));
            }
        }
    }
}

fn path() -> impl Strategy<Value = String> {
    "[a-zé.][a-z /.é😀-]{0,12}[a-z😀]"
}

fn one_line() -> impl Strategy<Value = String> {
    "[^\r\n]{1,20}"
}

fn edit() -> impl Strategy<Value = TextEdit> {
    let which = || prop::option::of((1usize..9).prop_map(|n| n.try_into().unwrap()));
    let found = || prop_oneof![".{1,10}", "[a\r\n]{1,6}"];
    prop_oneof![
        (found(), any::<String>(), which()).prop_map(|(anchor, text, occurrence)| {
            TextEdit::InsertAfter { anchor, text, occurrence }
        }),
        (found(), any::<String>(), which()).prop_map(|(anchor, text, occurrence)| {
            TextEdit::InsertBefore { anchor, text, occurrence }
        }),
        (found(), any::<String>(), which())
            .prop_map(|(find, text, occurrence)| TextEdit::ReplaceFirst { find, text, occurrence }),
        (found(), any::<String>()).prop_map(|(find, text)| TextEdit::ReplaceAll { find, text }),
        (1usize..99, 0usize..9, any::<String>()).prop_map(|(start_line, more, text)| {
            TextEdit::ReplaceRange { start_line, end_line: start_line + more, text }
        }),
    ]
}

/// A patch of one hunk with every kind of line.
fn patch() -> impl Strategy<Value = Patch> {
    let line = |kind, text| PatchLine { kind, text, no_newline: false };
    (1usize..99, one_line(), one_line(), one_line()).prop_map(move |(start, kept, gone, new)| {
        let lines = vec![
            line(LineKind::Context, kept),
            line(LineKind::Removed, gone),
            line(LineKind::Added, new),
        ];
        let (old_start, new_start) = (start, start);
        let hunk = Hunk { old_start, old_lines: 2, new_start, new_lines: 2, lines, header_line: 1 };
        Patch { old: None, new: None, hunks: vec![hunk] }
    })
}

fn asked() -> impl Strategy<Value = (&'static str, Step)> {
    let search = |path, query, in_tree| {
        let what = SearchFor::Text { query, include: None };
        Step::Search { path, what, in_tree }
    };
    prop_oneof![
        Just(("operator.getInterfaceSpec", Step::InterfaceSpec)),
        path().prop_map(|path| ("fs.list", Step::List { path, with_details: false })),
        path().prop_map(|path| {
            ("fs.read", Step::Read { path, lines: ReadLines::All, delimiter: None })
        }),
        path().prop_map(|path| ("fs.stat", Step::Stat { path })),
        path().prop_map(|path| ("fs.delete", Step::Delete { path, only: Only::Anything })),
        (path(), 1usize..999, 1usize..=400).prop_map(|(path, start, count)| {
            let (lines, delimiter) = (ReadLines::From { start, count }, Some(": ".to_owned()));
            ("fs.readSlice", Step::Read { path, lines, delimiter })
        }),
        (path(), one_line())
            .prop_map(move |(path, query)| ("fs.search", search(path, query, false))),
        (path(), one_line())
            .prop_map(move |(path, query)| ("fs.searchTree", search(path, query, true))),
        (path(), any::<String>()).prop_map(|(path, content)| {
            ("fs.write", Step::Write { path, content, mode: WriteMode::Replace })
        }),
        (path(), patch()).prop_map(|(path, patch)| ("fs.patch", Step::Patch { path, patch })),
        (path(), prop::collection::vec(edit(), 1..4)).prop_map(|(path, edits)| {
            let edit = FileEdit::InOrder(edits);
            ("fs.applyEdits", Step::Edit { path, edit, missing: Missing::Refuse })
        }),
        (path(), path()).prop_map(|(path, path_to)| ("fs.copy", Step::Copy { path, path_to })),
        (path(), path()).prop_map(|(path, path_to)| {
            ("fs.move", Step::Move { path, path_to, overwrite: false })
        }),
    ]
}

proptest! {
    #[test]
    fn a_rendered_command_is_parsed_to_itself(
        (action, step) in asked(),
        id in "[!-~]{1,12}",
        base in prop::option::of(any::<u64>()),
    ) {
        let action = crate::spec::action("operator", action).unwrap();
        let base = base.filter(|_| action.field("base_fingerprint").is_some());
        let base = base.map(|seed| crate::fingerprint::Fingerprint::of(&seed.to_le_bytes()));
        let command = Command::one(action, step, base, PathStyle::Relative);
        let text = render(&id, &command);
        let scan = Scan::new(&Text::new(&text), Dialects::all(), &Limits::default());
        let placed = scan.blocks().next().unwrap();
        let parsed = &placed.block.parsed;
        let again = parsed.command.as_ref();
        prop_assert!(again.is_some(), "{:?} in {}", parsed.problems, text);
        let again = again.unwrap();
        prop_assert_eq!(&again.steps, &command.steps);
        prop_assert_eq!(&again.bases, &command.bases);
        prop_assert_eq!(parsed.id.as_deref(), Some(id.as_str()));
    }
}
