//! A file's whole text, with marks in the place of what stays or without them.

use super::*;
use crate::problem::*;
use crate::spec::FieldRole;

const PY: &str = "def one():\n    return 1\n\n\ndef two():\n    return 2\n";

/// The step with some of its parts changed.
fn with(path: &str, text: &str, change: impl FnOnce(&mut WholeFile)) -> Step {
    let Step::WholeFile { path, mut file } = whole_file(path, text) else { unreachable!() };
    change(&mut file);
    Step::WholeFile { path, file }
}

#[test]
fn a_file_is_made_where_the_block_says_that_it_may_be_new() {
    let there = |there: There, files: &[(&str, &str)], text: &str| {
        let snapshot = MemorySnapshot::of(files.to_vec());
        let step = with("a.txt", text, |file| file.there = there);
        let plan = plan_in(&snapshot, step).map_err(|issues| issues[0].code)?;
        Ok(plan.changes.iter().count())
    };
    assert_eq!(there(There::Yes, &[], "one\n"), Err(FILES_NOT_ANNOUNCED));
    assert_eq!(there(There::No, &[], "one\n"), Ok(1));
    assert_eq!(there(There::Either, &[], "one\n"), Ok(1));
    let file = [("a.txt", "one\n")];
    assert_eq!(there(There::No, &file, "two\n"), Err(PLAN_FILE_EXISTS));
    assert_eq!(there(There::No, &file, "one\n"), Ok(0));
    assert_eq!(there(There::Yes, &file, "two\n"), Ok(1));
}

#[test]
fn the_line_that_names_the_file_stays_where_the_file_begins_with_it() {
    let check = |before: &str, after: &str| {
        let step = with("a.py", "y = 1\n", |file| file.path_line = Some("# a.py".to_owned()));
        let (_, then) = done(&MemorySnapshot::of([("a.py", before)]), step);
        assert_eq!(text_of(&then, "a.py"), after);
    };
    check("# a.py\nx = 1\n", "# a.py\ny = 1\n");
    check("x = 1\n# a.py\n", "y = 1\n");
}

#[test]
fn no_text_takes_the_place_of_a_file_that_has_some() {
    let snapshot = MemorySnapshot::of([("a.txt", "one\ntwo\n"), ("blank", "\n \n")]);
    let issue = refused(&snapshot, whole_file("a.txt", "\n"));
    assert_eq!((issue.code, issue.field), (FILES_MISSING_MARK, FieldRole::Content));
    assert!(issue.message.contains("the new text is empty, and `a.txt` has 2 lines"));
    done(&snapshot, whole_file("blank", ""));
}

#[test]
fn a_comment_that_may_be_a_mark_is_refused_at_its_line() {
    let snapshot = MemorySnapshot::of([("a.py", "# Wait...\nx = 1\n")]);
    done(&snapshot, whole_file("a.py", "# Wait...\nx = 2\n"));
    let issue = refused(&snapshot, whole_file("a.py", "# Wait...\n# Loading...\nx = 3\n"));
    assert_eq!(issue.code, FILES_ELISION_UNRESOLVED);
    assert!(issue.message.starts_with("line 2 of the file's text: "), "{}", issue.message);
    assert_eq!(issue.details["line"], 2);
}

#[test]
fn a_mark_stands_for_what_the_file_has() {
    let text = "def one():\n    return 11\n\n\n# ... existing code ...\n";
    let elided = |path: &str, text: &str| with(path, text, |file| file.elides = true);
    let known = Known { memory: MemorySnapshot::of([("a.py", PY)]), ..Known::default() };
    let plan = plan_in(&known, elided("a.py", text)).unwrap();
    let mut then = known.memory.clone();
    then.apply(&plan.changes);
    assert_eq!(text_of(&then, "a.py"), PY.replace("return 1", "return 11"));
    assert!(known.patience.lock().unwrap().contains(&(PY.len() + text.len())));
    let beside = "# ... existing code ...\n\ndef three():\n    return 3\n";
    let issue = refused(&known, elided("a.py", beside));
    assert_eq!((issue.code, &issue.details["line"]), (FILES_ELISION_UNRESOLVED, &3.into()));
    // What names the language may be in the first line.
    let (sh, none) = (format!("#!/usr/bin/env python3\n{PY}"), "Only text.\n");
    let snapshot = MemorySnapshot::of([("tool", sh.as_str()), ("other", none)]);
    let (_, then) = done(&snapshot, elided("tool", &format!("#!/usr/bin/env python3\n{text}")));
    assert_eq!(text_of(&then, "tool"), sh.replace("return 1", "return 11"));
    let issue = refused(&snapshot, elided("other", text));
    assert!(issue.message.contains("is not code of a language that is known"), "{issue:?}");
    // So it is for a comment that may be a mark.
    let unsure = "#!/usr/bin/env python3\n# Loading...\nx = 3\n";
    assert_eq!(refused(&snapshot, whole_file("tool", unsure)).code, FILES_ELISION_UNRESOLVED);
}
