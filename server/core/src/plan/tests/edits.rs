use super::*;
use crate::command::Wanted;
use crate::command::edits::{TextEdit, parse};
use crate::problem::*;
use crate::spec::FieldRole;

/// Edits as JSON without its envelope.
fn edits(json: &str) -> Vec<TextEdit> {
    parse(&format!(r#"{{"version":1,"edits":[{json}]}}"#)).unwrap()
}

fn operation(json: &str) -> Step {
    let edit = FileEdit::InOrder(edits(json));
    Step::Edit { path: "x".into(), edit, missing: Missing::Refuse }
}

fn check(before: &str, json: &str, after: &str) {
    let snapshot = MemorySnapshot::of([("x", before)]);
    let (_, then) = done(&snapshot, operation(json));
    assert_eq!(text_of(&then, "x"), after, "{json} on {before:?}");
}

fn check_refused(before: &str, json: &str, code: Code, message: &str) -> Issue {
    let issue = refused(&MemorySnapshot::of([("x", before)]), operation(json));
    assert_eq!((issue.code, issue.message.as_str()), (code, message));
    assert_eq!(issue.field, FieldRole::Edits);
    issue
}

#[test]
fn insertions_are_exact() {
    check("ab", r#"{"op":"insertAfter","anchor":"a","text":"1"}"#, "a1b");
    check("ab", r#"{"op":"insertBefore","anchor":"b","text":"1"}"#, "a1b");
    check("a\nb\n", r#"{"op":"insertAfter","anchor":"a\n","text":"x\n"}"#, "a\nx\nb\n");
    check("😀b", r#"{"op":"insertAfter","anchor":"😀","text":"é"}"#, "😀éb");
    check("aba", r#"{"op":"insertBefore","anchor":"a","text":"1","occurrence":2}"#, "ab1a");
}

#[test]
fn one_match_or_the_one_that_is_named() {
    check("a b", r#"{"op":"replaceFirst","find":"b","text":"c"}"#, "a c");
    check("b b", r#"{"op":"replaceFirst","find":"b","text":"c","occurrence":2}"#, "b c");
    check("aaaa", r#"{"op":"replaceFirst","find":"aa","text":"x","occurrence":2}"#, "aax");
    let issue = check_refused(
        "b\na\nb\n",
        r#"{"op":"replaceFirst","find":"b","text":"c"}"#,
        PLAN_TEXT_AMBIGUOUS,
        "edits[0]: the text is in `x` 2 times, in lines 1, 3; include more surrounding lines, or say which with `occurrence`",
    );
    assert_eq!(issue.details["lines"], serde_json::json!([1, 3]));
    assert_eq!(issue.related.iter().map(|related| related.2).collect::<Vec<_>>(), [1, 3]);
    check_refused(
        "}\n}\n}\n",
        r#"{"op":"insertAfter","anchor":"}\n}\n","text":"x"}"#,
        PLAN_TEXT_AMBIGUOUS,
        "edits[0]: the text is in `x` 2 times, in lines 1, 2; the places overlap; include more surrounding lines, or say which with `occurrence`",
    );
    check_refused(
        "b b",
        r#"{"op":"replaceFirst","find":"b","text":"c","occurrence":3}"#,
        PLAN_TEXT_NOT_FOUND,
        "edits[0]: occurrence 3 is asked for, and the text is in `x` 2 times",
    );
}

#[test]
fn every_match_and_at_least_one() {
    check("a b a", r#"{"op":"replaceAll","find":"a","text":"aa"}"#, "aa b aa");
    check("aaa", r#"{"op":"replaceAll","find":"aa","text":"x"}"#, "xa");
    check_refused(
        "b",
        r#"{"op":"replaceAll","find":"a","text":"c"}"#,
        PLAN_TEXT_NOT_FOUND,
        "edits[0]: the text is not in `x`, and no line is like it",
    );
}

#[test]
fn endings_stay_as_they_were() {
    check(
        "a\r\nb\r\nc\r\n",
        r#"{"op":"replaceFirst","find":"a\nb","text":"x\ny\nz"}"#,
        "x\r\ny\r\nz\r\nc\r\n",
    );
    check("a\r\nb\nc\n", r#"{"op":"replaceFirst","find":"a\nb\n","text":"x\ny\n"}"#, "x\r\ny\nc\n");
    check("a\r\nb\r\n", r#"{"op":"insertAfter","anchor":"a\n","text":"x\n"}"#, "a\r\nx\r\nb\r\n");
    check("a\r\nb\nc\n", r#"{"op":"insertAfter","anchor":"a\n","text":"x\n"}"#, "a\r\nx\nb\nc\n");
    check("a\r\nb\r\n", r#"{"op":"replaceFirst","find":"a\r\n","text":"x\n"}"#, "x\nb\r\n");
    check("a\nb\n", r#"{"op":"replaceFirst","find":"a","text":"x\r\ny"}"#, "x\ny\nb\n");
    check("a\r\nb\r\n", r#"{"op":"insertAfter","anchor":"a\r\n","text":"x\n"}"#, "a\r\nx\nb\r\n");
    check("a\rb\n", r#"{"op":"replaceFirst","find":"b","text":"c"}"#, "a\rc\n");
    check("a\r\nb\nc\n", r#"{"op":"replaceAll","find":"\n","text":"\n\n"}"#, "a\r\n\r\nb\n\nc\n\n");
    check("a", r#"{"op":"replaceFirst","find":"a","text":"x\r\ny"}"#, "x\r\ny");
    check("\u{feff}a\n", r#"{"op":"replaceFirst","find":"a","text":"b"}"#, "\u{feff}b\n");
}

#[test]
fn ranges_are_whole_lines() {
    let range = |first: usize, last: usize, text: &str| {
        format!(r#"{{"op":"replaceRange","startLine":{first},"endLine":{last},"text":"{text}"}}"#)
    };
    check("a\nb\nc\n", &range(2, 2, "x"), "a\nx\nc\n");
    check("a\nb\nc\n", &range(2, 3, r"x\n"), "a\nx\n");
    check("a\nb\nc\n", &range(1, 2, ""), "c\n");
    check("a\nb", &range(2, 2, r"x\ny\n"), "a\nx\ny");
    check("a\r\nb\r\n", &range(1, 1, r"x\ny"), "x\r\ny\r\nb\r\n");
    check("a\r\nb", &range(2, 2, r"x\ny"), "a\r\nx\r\ny");
    check("a\nb\n", &range(1, 1, r"\n"), "\nb\n");
    check_refused(
        "a\nb\n",
        &range(2, 3, "x"),
        PLAN_RANGE_OUT_OF_BOUNDS,
        "edits[0]: lines 2 to 3 are out of range: `x` has 2",
    );
    check_refused(
        "",
        &range(1, 1, "x"),
        PLAN_RANGE_OUT_OF_BOUNDS,
        "edits[0]: lines 1 to 1 are out of range: `x` has 0",
    );
}

#[test]
fn edits_run_in_order_and_all_or_none() {
    let two = r#"{"op":"replaceFirst","find":"a","text":"b"},{"op":"replaceFirst","find":"b","text":"c"}"#;
    check("a", two, "c");
    let issue = check_refused(
        "a\n",
        r#"{"op":"replaceFirst","find":"a","text":"print(b)"},{"op":"replaceFirst","find":"Print(b)","text":"d"}"#,
        PLAN_TEXT_NOT_FOUND,
        "edits[1]: the text is not in `x`; the nearest is line 1, which differs in case: there `print(b)`, searched `Print(b)`",
    );
    assert_eq!(issue.details["edit"], 1);
    assert_eq!(issue.details["differs"], serde_json::json!(["case"]));
}

#[test]
fn what_looks_wrong_is_remarked() {
    let snapshot = MemorySnapshot::of([("x", "a\n// ... existing code ...\n")]);
    let remarks = |json| codes(&done(&snapshot, operation(json)).0.remarks);
    assert_eq!(remarks(r#"{"op":"replaceFirst","find":"a","text":"a"}"#), [PLAN_NO_CHANGE]);
    assert_eq!(
        remarks(r##"{"op":"replaceFirst","find":"a","text":"# rest of the code unchanged"}"##),
        [PLAN_PLACEHOLDER]
    );
    assert_eq!(
        remarks(r#"{"op":"replaceFirst","find":"a","text":"b // ... existing code ..."}"#),
        []
    );
    assert_eq!(
        remarks(r#"{"op":"insertAfter","anchor":"a\n","text":"// ... existing code ...\n"}"#),
        []
    );
}

#[test]
fn an_end_that_is_there_twice_is_told_by_its_lines_in_the_file() {
    let edit = FileEdit::ReplaceRange {
        beginning: "b".to_owned(),
        end: "z".to_owned(),
        new: String::new(),
    };
    let step = Step::Edit { path: "x".into(), edit, missing: Missing::Refuse };
    let issue = refused(&MemorySnapshot::of([("x", "a\nb\nz\nz\n")]), step);
    assert_eq!(issue.code, PLAN_TEXT_AMBIGUOUS);
    assert!(issue.message.contains("in lines 3, 4"), "{}", issue.message);
}

#[test]
fn growth_has_a_limit() {
    let snapshot = MemorySnapshot::of([("x", "a".repeat(1000))]);
    let long = "b".repeat(500);
    let operation = operation(&format!(r#"{{"op":"replaceAll","find":"a","text":"{long}"}}"#));
    let limits = Limits { file_bytes: 10_000, ..Limits::default() };
    let issues = plan(&command(operation.clone()), &snapshot, &limits).unwrap_err();
    assert_eq!(issues[0].code, PLAN_FILE_TOO_LARGE);
    let limits = Limits { content_bytes: 100, ..Limits::default() };
    let issues = plan(&command(operation), &snapshot, &limits).unwrap_err();
    assert_eq!(issues[0].code, PLAN_CONTENT_TOO_LARGE);
}

/// What a plan of some edits comes to within limits.
fn within(limits: &Limits, text: &str, json: &str) -> Result<Plan, Code> {
    let snapshot = MemorySnapshot::of([("x", text)]);
    plan(&command(operation(json)), &snapshot, limits).map_err(|issues| issues[0].code)
}

#[test]
fn edits_end_where_they_take_too_much_work() {
    let text = "ab\n".repeat(10_000);
    let limits = Limits { work_bytes: 40 * text.len(), ..Limits::default() };
    for edit in [
        r#"{"op":"replaceAll","find":"a","text":"a"}"#,
        r#"{"op":"replaceFirst","find":"a","text":"a","occurrence":9000}"#,
        r#"{"op":"insertAfter","anchor":"a","text":"b","occurrence":9000}"#,
        r#"{"op":"insertBefore","anchor":"ab\n","text":"c","occurrence":1}"#,
        r#"{"op":"replaceRange","startLine":1,"endLine":1,"text":"ab"}"#,
    ] {
        assert!(within(&limits, &text, edit).is_ok(), "{edit}");
        let many = vec![edit; 100].join(",");
        assert_eq!(within(&limits, &text, &many).unwrap_err(), PLAN_TOO_MUCH_WORK, "{edit}");
    }
}

#[test]
fn a_plan_that_nobody_waits_for_ends() {
    let limits = Limits { cancel: crate::limits::Cancel::new(), ..Limits::default() };
    let edit = r#"{"op":"replaceAll","find":"a","text":"b"}"#;
    assert!(within(&limits, "a", edit).is_ok());
    limits.cancel.clone().cancel();
    assert_eq!(within(&limits, "a", edit).unwrap_err(), PLAN_TOO_MUCH_WORK);
}

#[test]
fn a_text_that_is_there_many_times_is_told_by_its_first_lines() {
    let issue = |count: usize| {
        let snapshot = MemorySnapshot::of([("x", "b\n".repeat(count))]);
        refused(&snapshot, operation(r#"{"op":"replaceFirst","find":"b","text":"c"}"#))
    };
    let lines =
        |count: usize| (1..=count).map(|line| line.to_string()).collect::<Vec<_>>().join(", ");
    let says = |count: usize, times: &str, rest: &str| {
        let issue = issue(count);
        let expected =
            format!("the text is in `x` {times}, in lines {}{rest}; incl", lines(20.min(count)));
        assert!(issue.message.contains(&expected), "{}", issue.message);
        assert_eq!(issue.details["matches"], count);
    };
    says(20, "20 times", "");
    says(21, "21 times", ", …");
    says(1_000, "1000 times", ", …");
    says(1_001, "more than 1000 times", ", …");
    says(1_500, "more than 1000 times", ", …");
}

#[test]
fn an_end_that_is_not_there_is_told_with_what_is_like_it_in_the_file() {
    let (beginning, end, new) = ("begin".to_owned(), "The End of it".to_owned(), String::new());
    let step = edit("x", FileEdit::ReplaceRange { beginning, end, new });
    let snapshot = MemorySnapshot::of([("x", "a\nbegin\nmiddle\nthe end of it\n")]);
    let issue = refused(&snapshot, step);
    assert_eq!((issue.code, issue.field), (PLAN_TEXT_NOT_FOUND, FieldRole::OldTextEnd));
    assert_eq!(issue.message, "the end is not in `x` from line 2 on");
    assert_eq!(issue.details["line"], 4);
    assert_eq!(issue.details["nearest"], serde_json::json!([{"line": 4, "text": "the end of it"}]));
    assert_eq!(issue.related, []);
}

#[test]
fn a_stretch_goes_from_its_beginning_to_its_end() {
    let stretch = |beginning: &str, end: &str| {
        let (beginning, end) = (beginning.to_owned(), end.to_owned());
        edit("x", FileEdit::ReplaceRange { beginning, end, new: "-".to_owned() })
    };
    let snapshot = MemorySnapshot::of([("x", "one two three four five")]);
    let (_, then) = done(&snapshot, stretch("two", "four"));
    assert_eq!(text_of(&then, "x"), "one - five");
    let empty = |step: Step| {
        let issue = refused(&snapshot, step);
        assert_eq!(issue.code, PLAN_TEXT_EMPTY);
        issue.field
    };
    assert_eq!(empty(stretch("", "four")), FieldRole::OldTextBeginning);
    assert_eq!(empty(stretch("two", "")), FieldRole::OldTextEnd);
    let (old, new) = (String::new(), "x".to_owned());
    let nothing = FileEdit::Replace { old, new, wanted: Wanted::Any };
    assert_eq!(empty(edit("x", nothing)), FieldRole::OldText);
}

#[test]
fn a_text_is_replaced_as_often_as_it_is_said_to_be_there() {
    let replace = |wanted: Wanted, old: &str| {
        edit("x", FileEdit::Replace { old: old.into(), new: "y".into(), wanted })
    };
    let snapshot = MemorySnapshot::of([("x", "a b a")]);
    let replaced = |wanted: Wanted, old: &str| {
        let (plan, then) = done(&snapshot, replace(wanted, old));
        let [Fact::Wrote { replacements, .. }] = plan.outcome.facts() else { panic!("{plan:?}") };
        (text_of(&then, "x"), *replacements)
    };
    assert_eq!(replaced(Wanted::Any, "a"), ("y b y".to_owned(), Some(2)));
    assert_eq!(replaced(Wanted::Any, "c"), ("a b a".to_owned(), Some(0)));
    assert_eq!(replaced(Wanted::Exactly(2), "a"), ("y b y".to_owned(), Some(2)));
    assert_eq!(replaced(Wanted::Exactly(0), "c"), ("a b a".to_owned(), Some(0)));
    let issue = refused(&snapshot, replace(Wanted::Exactly(1), "a"));
    assert_eq!((issue.code, issue.field), (PLAN_COUNT_MISMATCH, FieldRole::ExpectedCount));
    assert_eq!(issue.message, "the text is in `x` 2 times, and 1 is asked for");
}

#[test]
fn both_texts_of_an_edit_count_for_the_limit() {
    let snapshot = MemorySnapshot::of([("x", "aaaa\nbbbbbb\n")]);
    let limits = Limits { content_bytes: 10, ..Limits::default() };
    let check = |of: fn(String, String) -> FileEdit, field: FieldRole| {
        let step = |old: &str, new: &str| edit("x", of(old.to_owned(), new.to_owned()));
        assert!(plan(&command(step("aaaa", "cccc")), &snapshot, &limits).is_ok());
        let issue = refused_within(&limits, &snapshot, step("bbbbbb", "ccccc"));
        assert_eq!((issue.code, issue.field), (PLAN_CONTENT_TOO_LARGE, field));
    };
    check(|old, new| FileEdit::Replace { old, new, wanted: Wanted::Once }, FieldRole::NewText);
    check(|search, replace| FileEdit::SearchReplace { search, replace }, FieldRole::Replace);
}

#[test]
fn lines_that_are_replaced_are_at_fault_where_the_file_grows_too_large() {
    let snapshot = MemorySnapshot::of([("x", "a\nb\n")]);
    let limits = Limits { file_bytes: 5, ..Limits::default() };
    let lines = FileEdit::ReplaceLines { lines: "2".into(), content: "12345".into() };
    let issue = refused_within(&limits, &snapshot, edit("x", lines));
    assert_eq!((issue.code, issue.field), (PLAN_FILE_TOO_LARGE, FieldRole::Lines));
}

#[test]
fn lines_are_replaced_by_their_numbers() {
    let check = |before: &str, lines: &str, content: &str, after: &str| {
        let edited = FileEdit::ReplaceLines { lines: lines.into(), content: content.into() };
        let (_, then) = done(&MemorySnapshot::of([("x", before)]), edit("x", edited));
        assert_eq!(text_of(&then, "x"), after, "{content:?} in {lines} of {before:?}");
    };
    check("a\nb\nc\n", "2", "x", "a\nx\nc\n");
    check("a\nb\nc\n", "2", "x\n", "a\nx\nc\n");
    check("a\nb\nc\n", "2-3", "x\ny\n", "a\nx\ny\n");
    check("a\nb\nc\n", "2", "", "a\n\nc\n");
    check("a\r\nb\r\n", "1", "x", "x\r\nb\r\n");
    check("a\nb", "2", "x\n", "a\nx");
    for lines in ["two", "3"] {
        let edited = FileEdit::ReplaceLines { lines: lines.into(), content: "x".into() };
        let issue = refused(&MemorySnapshot::of([("x", "a\nb\n")]), edit("x", edited));
        assert_eq!(issue.field, FieldRole::Lines, "{lines}");
    }
    // What names no lines is said before the file is searched for.
    for edited in [
        FileEdit::ReplaceLines { lines: "two".into(), content: "x".into() },
        FileEdit::CommentLines { lines: "two".into(), comment: true },
    ] {
        let issue = refused(&MemorySnapshot::default(), edit("x", edited));
        assert_eq!(issue.code, PLAN_INVALID_LINES);
    }
}

#[test]
fn lines_are_commented_by_their_numbers() {
    let commented = |comment: bool, text: &str| {
        let lines = FileEdit::CommentLines { lines: "2".into(), comment };
        let (_, then) = done(&MemorySnapshot::of([("x.py", text)]), edit("x.py", lines));
        text_of(&then, "x.py")
    };
    assert_eq!(commented(true, "a\nb\nc\n"), "a\n# b\nc\n");
    assert_eq!(commented(false, "a\n# b\nc\n"), "a\nb\nc\n");
}

#[test]
fn a_file_may_grow_to_the_very_limit() {
    let limits = Limits { file_bytes: 4, ..Limits::default() };
    let all = |text: &str| format!(r#"{{"op":"replaceAll","find":"a","text":"{text}"}}"#);
    assert!(within(&limits, "a", &all("bbbb")).is_ok());
    assert_eq!(within(&limits, "a", &all("bbbbb")).unwrap_err(), PLAN_FILE_TOO_LARGE);
}

#[test]
fn an_edit_at_the_end_of_a_text_moves_little_of_it() {
    let text = format!("{}b", "a".repeat(10_000));
    let limits = Limits { work_bytes: 10_100, ..Limits::default() };
    assert!(within(&limits, &text, r#"{"op":"insertAfter","anchor":"b","text":"c"}"#).is_ok());
    let text = format!("b{}", "a".repeat(10_000));
    let edit = r#"{"op":"insertAfter","anchor":"b","text":"c"}"#;
    assert_eq!(within(&limits, &text, edit).unwrap_err(), PLAN_TOO_MUCH_WORK);
}

#[test]
fn matches_are_work_beside_the_bytes() {
    let text = "a".repeat(4096);
    let limits = |more: usize| Limits { work_bytes: 2 * text.len() + more, ..Limits::default() };
    let all = r#"{"op":"replaceAll","find":"a","text":"b"}"#;
    // Those of a stretch are counted with its last one.
    assert_eq!(within(&limits(4096 * 32 - 1), &text, all).unwrap_err(), PLAN_TOO_MUCH_WORK);
    assert!(within(&limits(4096 * 32), &text, all).is_ok());
    let fewer = "a".repeat(4095);
    assert!(within(&limits(0), &fewer, all).is_ok());
}
