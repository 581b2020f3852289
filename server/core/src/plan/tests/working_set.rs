//! The working set of a transcript.

use super::*;
use crate::command::ContextChange;
use crate::problem::*;

fn set(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

/// A workspace at `/work`, and a working set of which one file is gone.
fn workspace() -> Known {
    let memory = MemorySnapshot {
        home: "/work".to_owned(),
        ..MemorySnapshot::of([("a", "123"), ("d/b", "1")])
    };
    let working_set = Some(set(&["/work/a", "/work/d", "/work/gone"]));
    Known { memory, working_set, ..Known::default() }
}

fn context(change: ContextChange) -> Command {
    Command { paths: PathStyle::Absolute, ..command(Step::Context(change)) }
}

fn fact(known: &Known, change: ContextChange) -> Result<ContextFact, Code> {
    let plan = plan(&context(change), known, &Limits::default());
    let plan = plan.map_err(|issues| issues[0].code)?;
    match plan.outcome.facts() {
        [Fact::Context(fact)] => Ok(fact.clone()),
        facts => panic!("{facts:?}"),
    }
}

#[test]
fn a_file_that_goes_in_is_there_and_one_that_goes_out_is_in() {
    let (known, path) = (workspace(), |path: &str| path.to_owned());
    let added = fact(&known, ContextChange::Add(path("/work/a")));
    assert_eq!(added, Ok(ContextFact::Added { path: path("/work/a"), size: 3 }));
    let refused = |change| fact(&known, change).unwrap_err();
    assert_eq!(refused(ContextChange::Add(path("/work/d"))), PLAN_NOT_A_FILE);
    assert_eq!(refused(ContextChange::Add(path("/work/c"))), PLAN_FILE_NOT_FOUND);
    assert_eq!(refused(ContextChange::Remove(path("/work/c"))), PLAN_NOT_IN_CONTEXT);
    let removed = || Ok(ContextFact::Removed { path: path("/work/gone") });
    assert_eq!(fact(&known, ContextChange::Remove(path("/work/gone"))), removed());
    let unknown = Known { working_set: None, ..workspace() };
    assert_eq!(fact(&unknown, ContextChange::Remove(path("/work/gone"))), removed());
}

#[test]
fn what_is_in_it_and_what_is_gone_is_told() {
    let known = workspace();
    let listed = [("/work/a", Some(3)), ("/work/d", None), ("/work/gone", None)];
    let listed = listed.map(|(path, size)| (path.to_owned(), size)).to_vec();
    assert_eq!(fact(&known, ContextChange::List), Ok(ContextFact::Listed(listed)));
    let gone = ["/work/d", "/work/gone"].map(str::to_owned).to_vec();
    assert_eq!(fact(&known, ContextChange::Prune), Ok(ContextFact::Pruned(gone)));
}

#[test]
fn it_follows_the_changes_of_a_command() {
    let memory = workspace().memory;
    let after = |change: ContextChange| {
        let mut set = set(&["/work/a", "/work/gone"]);
        follow(&mut set, &context(change), &memory);
        set.into_iter().collect::<Vec<_>>()
    };
    let path = |path: &str| path.to_owned();
    assert_eq!(
        after(ContextChange::Add(path("/work/d/b"))),
        ["/work/a", "/work/d/b", "/work/gone"]
    );
    assert_eq!(after(ContextChange::Remove(path("/work/a"))), ["/work/gone"]);
    assert_eq!(after(ContextChange::List), ["/work/a", "/work/gone"]);
    assert_eq!(after(ContextChange::Prune), ["/work/a"]);
    assert_eq!(after(ContextChange::Clear), Vec::<String>::new());
}
