//! Operations on structures: what their plans ask the workspace.

use super::*;
use crate::problem::*;
use crate::spec::FieldRole;
use crate::structure::{Arguments, Request};

/// A snapshot that notes what is resolved and read.
struct Noting(MemorySnapshot, Mutex<Vec<String>>);

impl Layer for Noting {
    fn inner(&self) -> &dyn Snapshot {
        &self.0
    }

    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        self.1.lock().unwrap().push(format!("resolve {path}"));
        Snapshot::resolve(&self.0, path)
    }

    fn read(&self, path: &FilePath) -> Result<Content, Denied> {
        self.1.lock().unwrap().push(format!("read {path}"));
        Snapshot::read(&self.0, path)
    }
}

#[test]
fn a_file_is_resolved_and_read_once_for_each_field_that_names_it() {
    let files = [("a.rs", "fn a() {}\n\nfn b() {}\n"), ("c.rs", "fn c() {}\n")];
    let asked = |name: &str, dest_path: &str, dest_target: &str| {
        let arguments = Arguments {
            path: "a.rs".into(),
            target: "fn a()".into(),
            dest_path: dest_path.into(),
            dest_target: dest_target.into(),
            content: "fn d() {}\n".into(),
            ..Arguments::default()
        };
        let noting = Noting(MemorySnapshot::of(files), Mutex::default());
        let request = Request::new(name, arguments).unwrap();
        plan(&command(request.into()), &noting, &Limits::default()).unwrap();
        noting.1.into_inner().unwrap()
    };
    let once = ["resolve a.rs", "read a.rs"];
    for name in ["outline", "read_structure", "replace_structure", "delete_structure"] {
        assert_eq!(asked(name, "", ""), once, "{name}");
    }
    let both = [once[0], once[1], "resolve c.rs", "read c.rs"];
    for name in ["move_structure_to_before", "move_structure_to_after"] {
        assert_eq!(asked(name, "a.rs", "fn b()"), [once[0], once[1], "resolve a.rs"], "{name}");
        assert_eq!(asked(name, "c.rs", "fn c()"), both, "{name}");
    }
    assert_eq!(asked("move_structure_to_file_end", "c.rs", ""), both);
}

const TWO: &str = "fn a() {\n    one();\n}\n\nfn b() {}\n";

/// The step that does something with `fn a()` of `a.rs`.
fn about(name: &str, arguments: Arguments) -> Step {
    let (path, target) = ("a.rs".to_owned(), "fn a()".to_owned());
    Request::new(name, Arguments { path, target, ..arguments }).unwrap().into()
}

fn replaced(old: &str, may_be_absent: bool, expected_count: Option<usize>) -> Step {
    let (old_text, new_text) = (old.to_owned(), "two();".to_owned());
    let arguments =
        Arguments { old_text, new_text, may_be_absent, expected_count, ..Arguments::default() };
    about("replace_all_text_in_structure", arguments)
}

#[test]
fn a_text_that_may_be_nowhere_changes_nothing() {
    let snapshot = MemorySnapshot::of([("a.rs", TWO)]);
    let (plan, _) = done(&snapshot, replaced("none();", true, None));
    assert_eq!((codes(&plan.remarks), plan.changes.is_empty()), (vec![PLAN_NO_CHANGE], true));
    let [Fact::Wrote { lines: 5, replacements: Some(0), .. }] = plan.outcome.facts() else {
        panic!("{plan:?}")
    };
    assert_eq!(plan.targets.len(), 1);
    let issue = refused(&snapshot, replaced("none();", true, Some(2)));
    assert_eq!((issue.code, issue.field), (PLAN_COUNT_MISMATCH, FieldRole::ExpectedCount));
    assert_eq!(issue.message, "`old_text` is there 0 times, not 2");
    let code = |step: Step| refused(&snapshot, step).code;
    assert_eq!(code(replaced("none();", false, None)), PLAN_TEXT_NOT_FOUND);
    // It may be the structure that is nowhere.
    let Step::Structure(request) = replaced("one();", true, None) else { unreachable!() };
    let arguments = Arguments { target: "fn c()".into(), ..request.arguments };
    let step = Step::from(Request { arguments, ..*request });
    assert_eq!(code(step), STRUCTURE_TARGET_NOT_FOUND);
}

#[test]
fn what_a_structure_becomes_is_told_of_its_file() {
    let fact = |plan: &Plan| match plan.outcome.facts() {
        [Fact::Structure(fact)] => (fact.path.to_string(), fact.lines, fact.fingerprint),
        facts => panic!("{facts:?}"),
    };
    let snapshot = MemorySnapshot::of([("a.rs", TWO), ("c.rs", "fn c() {}\n")]);
    let told = |then: &MemorySnapshot, lines| {
        let text = &then.files["a.rs"];
        ("a.rs".to_owned(), lines, crate::fingerprint::Fingerprint::of(text))
    };
    let content = "fn a() {\n    // ... existing code ...\n}\n".to_owned();
    let replace = about("replace_structure", Arguments { content, ..Arguments::default() });
    let (plan, then) = done(&snapshot, replace);
    assert_eq!(fact(&plan), told(&then, 5));
    assert_eq!(
        (codes(&plan.remarks), plan.targets.len()),
        (vec![PLAN_PLACEHOLDER, STRUCTURE_EMPTY], 1)
    );
    let dest_path = "c.rs".to_owned();
    let moved =
        about("move_structure_to_file_end", Arguments { dest_path, ..Arguments::default() });
    let (plan, then) = done(&snapshot, moved);
    assert_eq!(fact(&plan), told(&then, 1));
    assert_eq!(text_of(&then, "a.rs"), "fn b() {}\n");
    assert_eq!(plan.targets.len(), 2);
    let (plan, then) = done(&snapshot, about("read_structure", Arguments::default()));
    assert_eq!((fact(&plan), plan.remarks), (told(&then, 5), vec![]));
    let same = Arguments { content: "fn a() {\n    one();\n}\n".into(), ..Arguments::default() };
    let (plan, _) = done(&snapshot, about("replace_structure", same));
    assert_eq!((codes(&plan.remarks), plan.changes.is_empty()), (vec![PLAN_NO_CHANGE], true));
}
