//! Plans of which a part is made.

use super::*;
use crate::edit::{Change, Hunk};

fn write(path: &str, content: &str) -> Step {
    Step::Write { path: path.into(), content: content.into(), mode: WriteMode::Replace }
}

fn workspace() -> MemorySnapshot {
    MemorySnapshot::of([("a", "1\n2\n3\n4\n5\n"), ("b", "1\n")])
}

/// A plan with two hunks in `a` and one in `b`.
fn three_hunks() -> Plan {
    let steps = vec![write("a", "x\n2\n3\n4\ny\nz\n"), write("b", "w\n")];
    let command = Command { steps, ..command(Step::InterfaceSpec) };
    plan(&command, &workspace(), &Limits::default()).unwrap()
}

/// What is left of the plan where some hunks are taken, and the workspace after that.
fn taken(numbers: &[usize]) -> Option<(Plan, MemorySnapshot)> {
    let plan = three_hunks().with_hunks(&numbers.iter().copied().collect())?;
    let before = workspace();
    let mut after = before.clone();
    after.apply(&plan.changes);
    assert_eq!(plan.targets.len(), 2);
    for target in &plan.targets {
        assert_eq!(before.state(&target.path), Ok(target.before), "{} before", target.path);
        assert_eq!(after.state(&target.path), Ok(target.after), "{} after", target.path);
    }
    Some((plan, after))
}

const FIRST: Hunk = Hunk { first: 1, removed: 1, added: 1 };
const LAST: Hunk = Hunk { first: 5, removed: 1, added: 2 };

#[test]
fn the_hunks_of_all_files_are_counted_together() {
    let plan = three_hunks();
    let hunks: Vec<_> = plan.hunks().into_iter().map(|(path, it)| (path.to_string(), it)).collect();
    let [a, b] = ["a", "b"].map(str::to_owned);
    assert_eq!(hunks, [(a.clone(), FIRST), (a, LAST), (b, FIRST)]);
    let made = plan_in(&MemorySnapshot::default(), write("c", "1\n")).unwrap();
    assert_eq!(made.hunks(), []);
}

#[test]
fn the_hunks_that_are_taken_are_made() {
    let (plan, then) = taken(&[1, 2]).unwrap();
    assert_eq!(text_of(&then, "a"), "1\n2\n3\n4\ny\nz\n");
    assert_eq!(text_of(&then, "b"), "w\n");
    let (applied, rejected) = (vec![1, 2], vec![0]);
    assert_eq!(plan.part, Some(Part { applied, rejected, ..Part::default() }));
    let [Fact::WroteInPart(a), Fact::WroteInPart(b)] = plan.outcome.facts() else {
        panic!("{plan:?}")
    };
    assert_eq!((a.lines, &a.applied[..], &a.rejected[..]), (6, &[LAST][..], &[FIRST][..]));
    assert_eq!((b.lines, &b.applied[..], &b.rejected[..]), (1, &[FIRST][..], &[][..]));
}

#[test]
fn a_file_of_which_no_hunk_is_taken_is_not_changed() {
    let (plan, then) = taken(&[0]).unwrap();
    let changed: Vec<_> = plan.changes.iter().collect();
    assert!(
        matches!(changed[..], [Change::Edit { path, .. }] if &*path.path == "a"),
        "{changed:?}"
    );
    assert_eq!(text_of(&then, "a"), "x\n2\n3\n4\n5\n");
    let (_, then) = taken(&[2]).unwrap();
    assert_eq!(
        (text_of(&then, "a"), text_of(&then, "b")),
        (text_of(&workspace(), "a"), "w\n".into())
    );
}

#[test]
fn all_hunks_are_the_whole_plan_and_no_hunks_are_none() {
    let (plan, _) = taken(&[0, 1, 2]).unwrap();
    assert_eq!(plan.part, None);
    assert_eq!(plan.outcome, three_hunks().outcome);
    assert!(taken(&[]).is_none());
    assert!(taken(&[3]).is_none());
    assert!(taken(&[0, 3]).is_none());
}

#[test]
fn a_part_is_of_hunks_or_of_files_or_of_what_was_edited() {
    let part = Part { applied: vec![0, 2], rejected: vec![1], ..Part::default() };
    let files = Part { files: true, ..part.clone() };
    let edited = Part { edited: true, ..part.clone() };
    assert_eq!(part.fact(), Fact::MadeInPart { made: 2, of: 3 });
    assert_eq!(files.fact(), Fact::MadeInSomeFiles { made: 2, of: 3 });
    assert_eq!(edited.fact(), Fact::MadeAsEdited);
    assert_eq!(
        [part.of_hunks(), files.of_hunks(), edited.of_hunks()],
        [Some(part.clone()), None, None]
    );
    assert_eq!([part.of_files(), files.of_files()], [None, Some(part)]);
}

#[test]
fn a_plan_of_an_edited_block_keeps_its_changes() {
    let plan = three_hunks().as_edited();
    assert_eq!(plan.outcome, Outcome::Done(vec![Fact::MadeAsEdited]));
    assert_eq!(plan.part, Some(Part { edited: true, ..Part::default() }));
    assert_eq!(plan.changes, three_hunks().changes);
}

#[test]
fn the_texts_of_an_outcome_are_its_size() {
    let snapshot = MemorySnapshot::of([("d/a.rs", "fn a() {}\n"), ("d/b", "one\ntwo\n")]);
    let size = |step: Step| plan_in(&snapshot, step).unwrap().outcome.size();
    let search = |path: &str, in_tree: bool| Step::Search {
        path: path.into(),
        what: SearchFor::Text { query: "o".into(), include: None },
        in_tree,
    };
    assert_eq!(size(read("d/b".into())), 8);
    assert_eq!(size(Step::List { path: "d".into(), with_details: false }), "a.rsb".len());
    assert_eq!(size(search("d/b", false)), "onetwo".len());
    assert_eq!(size(search("d", true)), "onetwo".len());
    let glob = crate::text::glob::Glob::parse("*").unwrap();
    let files = Step::Search { path: "d".into(), what: SearchFor::Files(glob), in_tree: true };
    assert_eq!(size(files), "d/a.rsd/b".len());
    let structure = |name: &str| {
        let (path, target) = ("d/a.rs".to_owned(), "fn a()".to_owned());
        let arguments = crate::structure::Arguments { path, target, ..Default::default() };
        crate::structure::Request::new(name, arguments).unwrap().into()
    };
    assert_eq!(size(structure("read_structure")), "fn a() {}".len());
    assert_eq!(size(structure("outline")), "a".len() + "fn a()".len());
    assert_eq!(size(Step::Stat { path: "d/b".into() }), 0);
}

#[test]
fn a_fact_is_about_the_path_that_it_begins_with() {
    let snapshot = MemorySnapshot::of([("a", "1\n")]);
    let path = |step: Step| {
        let plan = plan_in(&snapshot, step).unwrap();
        plan.outcome.facts()[0].path().map(FilePath::to_string)
    };
    let (from, to) = (|| "a".to_owned(), || "b".to_owned());
    let moved = Step::Move { path: from(), path_to: to(), overwrite: false };
    assert_eq!(path(moved), Some(from()));
    assert_eq!(path(Step::Copy { path: from(), path_to: to() }), Some(from()));
    assert_eq!(path(read("a".into())), Some(from()));
    assert_eq!(path(Step::InterfaceSpec), None);
}

#[test]
fn a_fact_says_whether_a_block_was_made_as_it_is() {
    let plan = three_hunks();
    assert!(plan.outcome.facts().iter().all(|fact| !fact.is_in_part()));
    let (part, _) = taken(&[0]).unwrap();
    assert!(part.outcome.facts().iter().all(Fact::is_in_part));
    let (made, of) = (1, 2);
    for fact in
        [Fact::MadeInPart { made, of }, Fact::MadeInSomeFiles { made, of }, Fact::MadeAsEdited]
    {
        assert!(fact.is_in_part(), "{fact:?}");
    }
}
