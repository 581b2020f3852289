//! Ops with a cursor or a selection, which take the request that they answer.

use super::*;
use crate::command::edit_ops::Proposal;
use crate::edit::Change;
use crate::problem::{
    EDIT_OPS_NEEDS_CURSOR, EDIT_OPS_NEEDS_SELECTION, EDIT_OPS_OUT_OF_RANGE, EDIT_OPS_OVERLAP,
    PLAN_PLACEHOLDER,
};
use crate::snapshot::{Answers, CursorContext, FileId};
use crate::spec::FieldRole;

const INSERT: &str =
    r#"{"op":"insert","target_file":"tool.py","target":{"kind":"cursor"},"content":"x\ny\n"}"#;
const REPLACE: &str =
    r#"{"op":"replace","target_file":"tool.py","target":{"kind":"selection"},"content":"n\nm"}"#;
const DELETE: &str = r#"{"op":"delete","target_file":"tool.py","target":{"kind":"selection"}}"#;
const WHOLE: &str = r#"{"op":"delete","target_file":"tool.py","target":{"kind":"document"}}"#;
const OTHER: &str =
    r#"{"op":"insert","target_file":"entrypoint.txt","target":{"kind":"cursor"},"content":"x"}"#;

fn proposal(ops: &[&str]) -> Proposal {
    let text = format!(r#"{{"assistant_message":"","ops":[{}]}}"#, ops.join(","));
    serde_json::from_str(&text).unwrap()
}

/// The plan of a proposal, one step for each file.
fn plan_in(snapshot: &MemorySnapshot, proposal: Proposal) -> Result<Plan, Vec<Issue>> {
    let proposal = Arc::new(proposal);
    let step = |file: FileId| {
        let edit = FileEdit::AtOnce { proposal: proposal.clone(), file };
        Step::Edit { path: file.to_string(), edit, missing: Missing::Create }
    };
    let steps = proposal.files().into_iter().map(step).collect();
    let command = Command { steps, ..command(Step::InterfaceSpec) };
    plan(&command, snapshot, &Limits::default())
}

/// What a proposal plans where its request had this selection and this cursor in `tool.py`.
fn planned(
    text: &str,
    ops: &[&str],
    selection: Option<std::ops::Range<usize>>,
    cursor: Option<usize>,
) -> Result<Plan, Vec<Issue>> {
    let proposal = proposal(ops);
    let mut answers = Answers::default();
    answers.remember(proposal.digest(), CursorContext { file: FileId::Tool, selection, cursor });
    let surroundings = Surroundings { answers, ..Surroundings::default() };
    let surroundings = Arc::new(surroundings);
    let files = MemorySnapshot::of([("tool.py", text), ("entrypoint.txt", "run")]);
    let snapshot = MemorySnapshot { surroundings, ..files };
    plan_in(&snapshot, proposal)
}

fn check(
    text: &str,
    ops: &[&str],
    selection: Option<std::ops::Range<usize>>,
    cursor: Option<usize>,
    expected: &str,
) {
    let plan = planned(text, ops, selection, cursor).unwrap();
    let changed: Vec<_> = plan.changes.iter().collect();
    let [Change::Edit { after, .. }] = changed[..] else { panic!("{changed:?}") };
    assert_eq!(after.text, expected);
}

/// The codes of what keeps it from being done, with the fields at fault.
fn refused_at(
    text: &str,
    ops: &[&str],
    selection: Option<std::ops::Range<usize>>,
    cursor: Option<usize>,
) -> Vec<(Code, FieldRole, Option<usize>)> {
    let issues = planned(text, ops, selection, cursor).unwrap_err();
    issues.into_iter().map(|issue| (issue.code, issue.field, issue.op)).collect()
}

#[test]
fn text_goes_to_the_cursor_and_into_the_place_of_the_selection() {
    check("a\nb\n", &[INSERT], None, Some(2), "a\nx\ny\nb\n");
    check("a\r\nb\r\n", &[INSERT], None, Some(3), "a\r\nx\r\ny\r\nb\r\n");
    check("", &[INSERT], None, Some(0), "x\ny\n");
    check("é😀z", &[REPLACE], Some(2..6), None, "én\nmz");
    check("a\r\nb\r\nc", &[REPLACE], Some(0..4), None, "n\r\nm\r\nc");
    check("abc", &[DELETE], Some(1..2), None, "ac");
    // Both are about the text as it was, whichever comes first.
    check("abc", &[DELETE, INSERT], Some(0..1), Some(3), "bcx\ny\n");
    check("abc", &[INSERT, DELETE], Some(2..3), Some(0), "x\ny\nab");
}

#[test]
fn a_place_that_is_not_known_is_not_guessed() {
    let at = |code, op| [(code, FieldRole::Target, Some(op))];
    assert_eq!(refused_at("a", &[INSERT], Some(0..1), None), at(EDIT_OPS_NEEDS_CURSOR, 0));
    assert_eq!(refused_at("a", &[DELETE], None, Some(0)), at(EDIT_OPS_NEEDS_SELECTION, 0));
    assert_eq!(refused_at("a", &[INSERT, OTHER], None, Some(0)), at(EDIT_OPS_NEEDS_CURSOR, 1));
    let unknown = proposal(&[INSERT]);
    let snapshot = MemorySnapshot::of([("tool.py", "a")]);
    let issues = plan_in(&snapshot, unknown).unwrap_err();
    assert_eq!(codes(&issues), [EDIT_OPS_NEEDS_CURSOR]);
}

#[test]
fn a_place_that_is_not_in_the_text_is_refused() {
    let out = [(EDIT_OPS_OUT_OF_RANGE, FieldRole::Target, Some(0))];
    assert_eq!(refused_at("a", &[INSERT], None, Some(2)), out);
    assert_eq!(refused_at("é", &[INSERT], None, Some(1)), out);
    assert_eq!(refused_at("abc", &[DELETE], Some(1..4), None), out);
    #[allow(clippy::reversed_empty_ranges, reason = "what a bad request says")]
    let reversed = 2..1;
    assert_eq!(refused_at("abc", &[DELETE], Some(reversed), None), out);
}

#[test]
fn ops_at_one_place_are_refused() {
    let overlap = [(EDIT_OPS_OVERLAP, FieldRole::Target, Some(1))];
    assert_eq!(refused_at("abc", &[INSERT, INSERT], None, Some(1)), overlap);
    assert_eq!(refused_at("abc", &[DELETE, INSERT], Some(0..2), Some(1)), overlap);
    assert_eq!(refused_at("abc", &[WHOLE, DELETE], Some(0..1), None), overlap);
    assert_eq!(refused_at("abc", &[INSERT, WHOLE], None, Some(0)), overlap);
}

#[test]
fn a_byte_order_mark_is_before_the_places_of_a_request() {
    check("\u{feff}abc", &[DELETE], Some(4..5), None, "ac");
    check("\u{feff}abc", &[INSERT], None, Some(6), "abcx\ny\n");
    check("\u{feff}abc", &[INSERT], None, Some(0), "x\ny\nabc");
}

#[test]
fn a_file_is_emptied_where_all_of_it_is_deleted() {
    const NEW: &str =
        r#"{"op":"replace","target_file":"tool.py","target":{"kind":"document"},"content":"n\nm"}"#;
    let how = |ops: &[&str]| {
        let plan = planned("a\r\nb\r\n", ops, Some(0..1), None).unwrap();
        let [Fact::Wrote { how, .. }] = plan.outcome.facts() else { panic!("{plan:?}") };
        *how
    };
    assert_eq!(how(&[WHOLE]), Wrote::Emptied);
    assert_eq!(how(&[NEW]), Wrote::Edited);
    assert_eq!(how(&[DELETE]), Wrote::Edited);
    check("a\r\nb\r\n", &[NEW], None, None, "n\r\nm");
}

#[test]
fn a_comment_in_the_place_of_lines_that_go_is_remarked() {
    const LEAVES_OUT: &str = r##"{"op":"replace","target_file":"tool.py","target":{"kind":"selection"},"content":"# existing logic\n"}"##;
    let text = "one()\ntwo()\nthree()\nfour()\n";
    let remarks = |selection| {
        let plan = planned(text, &[LEAVES_OUT], Some(selection), None).unwrap();
        plan.remarks.into_iter().map(|it| (it.code, it.op)).collect::<Vec<_>>()
    };
    assert_eq!(remarks(6..20), [(PLAN_PLACEHOLDER, Some(0))]);
    assert_eq!(remarks(6..6), []);
}
