//! Several steps in one command.

use super::*;
use crate::command::Wanted;
use crate::problem::*;

fn planned(snapshot: &MemorySnapshot, steps: Vec<Step>) -> Result<Plan, Vec<Issue>> {
    let command = Command { steps, ..command(Step::InterfaceSpec) };
    plan(&command, snapshot, &Limits::default())
}

fn write(path: &str, content: &str) -> Step {
    Step::Write { path: path.into(), content: content.into(), mode: WriteMode::Replace }
}

fn replace(path: &str, old: &str, new: &str) -> Step {
    let edit = FileEdit::Replace { old: old.into(), new: new.into(), wanted: Wanted::Once };
    Step::Edit { path: path.into(), edit, missing: Missing::Refuse }
}

fn moved(path: &str, path_to: &str) -> Step {
    Step::Move { path: path.into(), path_to: path_to.into(), overwrite: false }
}

#[test]
fn each_step_goes_on_with_what_the_ones_before_leave() {
    let snapshot = MemorySnapshot::of([("a", "1\n")]);
    let steps = vec![replace("a", "1", "2"), replace("a", "2", "3"), moved("a", "b")];
    let plan = planned(&snapshot, steps).unwrap();
    let mut after = snapshot.clone();
    after.apply(&plan.changes);
    assert_eq!(text_of(&after, "b"), "3\n");
    assert_eq!(after.files.len(), 1);
    assert_eq!(plan.outcome.facts().len(), 3);
    let paths: Vec<String> = plan.targets.iter().map(|target| target.path.to_string()).collect();
    assert_eq!(paths, ["a", "b"]);
    for target in &plan.targets {
        assert_eq!(snapshot.state(&target.path), Ok(target.before), "{} before", target.path);
        assert_eq!(after.state(&target.path), Ok(target.after), "{} after", target.path);
    }
}

#[test]
fn what_keeps_one_step_from_being_done_keeps_all() {
    let snapshot = MemorySnapshot::of([("a", "1\n")]);
    let steps = vec![write("new", "x"), replace("a", "2", "3"), replace("gone", "1", "2")];
    let issues = planned(&snapshot, steps).unwrap_err();
    assert_eq!(codes(&issues), [PLAN_TEXT_NOT_FOUND, PLAN_FILE_NOT_FOUND]);
}

#[test]
fn a_file_that_a_list_names_twice_is_changed_once() {
    let snapshot = MemorySnapshot::of([("a", "1\n")]);
    let twice = vec![replace("a", "1", "11"), replace("./a", "1", "11")];
    let command = Command { steps: twice, is_list: true, ..command(Step::InterfaceSpec) };
    let plan = plan(&command, &snapshot, &Limits::default()).unwrap();
    let mut after = snapshot.clone();
    after.apply(&plan.changes);
    assert_eq!(text_of(&after, "a"), "11\n");
    assert_eq!(plan.outcome.facts()[1], Fact::LeftOut);
}

#[test]
fn what_is_said_of_one_of_several_steps_is_told_by_its_index() {
    let snapshot = MemorySnapshot::of([("a", "1\n")]);
    let issues = planned(&snapshot, vec![write("new", "x"), replace("a", "2", "3")]).unwrap_err();
    assert_eq!(issues.iter().map(|issue| issue.op).collect::<Vec<_>>(), [Some(1)]);
    let plan = planned(&snapshot, vec![write("new", "x"), replace("a", "1", "1")]).unwrap();
    assert_eq!(plan.remarks.iter().map(|remark| remark.op).collect::<Vec<_>>(), [Some(1)]);
}

#[test]
fn a_path_that_is_taken_for_its_rest_is_remarked_once() {
    let snapshot =
        MemorySnapshot { home: "/home/shop".to_owned(), ..MemorySnapshot::of([("a", "1\n")]) };
    let remarks = |paths: &[&str]| {
        let steps = paths.iter().map(|path| read((*path).to_owned())).collect();
        let paths = PathStyle::Either;
        let command = Command { steps, paths, ..command(Step::InterfaceSpec) };
        let plan = plan(&command, &snapshot, &Limits::default()).unwrap();
        plan.remarks.into_iter().map(|it| (it.code, it.op)).collect::<Vec<_>>()
    };
    assert_eq!(remarks(&["shop/a"]), [(PLAN_OWN_NAME, None)]);
    assert_eq!(remarks(&["a", "shop/a", "shop/a"]), [(PLAN_OWN_NAME, Some(1))]);
    assert_eq!(remarks(&["a", "a"]), []);
}
