use super::*;
use crate::command::FileEdit;
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
