//! What the ledger answers of one block, of one file, and of one transcript.

use super::*;
use crate::dialect::Failure;
use crate::plan::Part;
use crate::snapshot::{Layer, MemorySnapshot, Snapshot};

#[test]
fn a_file_of_a_block_has_had_what_was_there_before_and_after_it() {
    let mut book = Book::default();
    book.hand_out(&[ended_work("a", "f x y g 1 2"), work("b", "f y z")]);
    let has_had =
        |name: &str, text: &str| book.ledger.has_had(block(name), Fingerprint::of(text.as_bytes()));
    for text in ["x", "y", "y\n", "1", "2"] {
        assert!(has_had("a", text), "{text:?}");
    }
    for (name, text) in [("a", "z"), ("a", "2\n"), ("b", "x"), ("other", "x")] {
        assert!(!has_had(name, text), "{name} {text:?}");
    }
}

#[test]
fn the_blocks_that_were_answered_are_those_of_one_transcript() {
    let mut book = Book::default();
    let other = Transcript::new("other.md");
    for (transcript, name, summary) in
        [(chat(), "a", "3 lines"), (chat(), "nothing", ""), (other, "b", "1 line")]
    {
        let answer = Answer { summary: summary.to_owned(), ..Answer::default() };
        book.take(Event::Answered { transcript, block: block(name), answer });
    }
    let answered: Vec<BlockId> = book.ledger.answered(&chat()).collect();
    assert_eq!(answered, [block("a")]);
}

#[test]
fn a_text_without_a_name_is_the_standard_input() {
    let text = Transcript::without_name(Fingerprint::of(b"x"));
    assert!(text.as_str().ends_with(&Fingerprint::of(b"x").to_string()));
    assert_eq!((text.has_name(), text.shown()), (false, "standard input"));
    assert_eq!((chat().has_name(), chat().shown()), (true, "chat.md"));
}

#[test]
fn a_file_is_closed_where_no_editor_shows_it() {
    struct Shown(MemorySnapshot);
    impl Layer for Shown {
        fn inner(&self) -> &dyn Snapshot {
            &self.0
        }
        fn is_open(&self, _: &FilePath) -> bool {
            true
        }
    }
    let on_disk = MemorySnapshot::of([("f", "x")]);
    let found = |snapshot: &dyn Snapshot| {
        let found = Observation::of(&path("f"), snapshot).unwrap();
        (found.state, found.closed)
    };
    assert_eq!(found(&on_disk), (state("x"), true));
    assert_eq!(found(&Shown(on_disk)), (state("x"), false));
}

#[test]
fn what_was_typed_is_no_change_of_a_block() {
    let mut book = Book::default();
    let has_changed = |book: &Book| book.ledger.has_changed(&path("f"));
    book.propose("a", "f x");
    book.see("f", "typed");
    assert!(!has_changed(&book));
    let operation = book.apply(&[work("a", "f typed y")]);
    assert!(has_changed(&book));
    // What is forgotten is a change that somebody made.
    book.take(Event::Forgotten { operation });
    assert!(!has_changed(&book));
}

#[test]
fn a_block_stands_in_the_files_in_which_it_was_not_undone() {
    let mut book = Book::default();
    book.apply(&[work("a", "f 1 2 g 1 2")]);
    let part = |book: &Book| book.ledger.standing(&chat(), block("a"), true).applied.unwrap().part;
    book.see_all(&["f 2", "g 2"]);
    assert_eq!(part(&book), None);
    book.see("f", "1");
    let (applied, rejected) = (vec![1], vec![0]);
    assert_eq!(part(&book), Some(Part { applied, rejected, files: true, ..Part::default() }));
}

#[test]
fn an_edit_on_its_way_was_not_undone() {
    let mut book = Book::default();
    let undone = |book: &Book| book.ledger.standing(&chat(), block("a"), true).undone;
    let operation = book.hand_out(&[work("a", "f x y")]);
    assert!(!undone(&book));
    book.take(Event::Claimed { operation });
    assert!(!undone(&book));
    book.take(Event::Undone { operation });
    assert!(undone(&book));
}

#[test]
fn an_edit_was_not_made_where_somebody_else_has_left_the_same() {
    let mut book = Book::default();
    let operation = book.hand_out(&[work("a", "f x y")]);
    book.take(Event::Withdrawn { operation });
    book.see("f", "y");
    assert_eq!(book.ledger.made_at(operation), [[].into()]);
}

#[test]
fn the_lines_that_a_block_changes_are_those_of_the_file_that_is_asked_for() {
    let mut edit = ended_work("a", "f 1 2 g 1 2");
    edit.transitions.swap(0, 1);
    for (transition, first) in edit.transitions.iter_mut().zip([7, 3]) {
        transition.lines = Some(crate::edit::Hunk { first, removed: 1, added: 2 });
    }
    let mut book = Book::default();
    book.apply(&[edit]);
    let fifth = |now: &str| book.ledger.line_since(&path("f"), state("1"), state(now), 5);
    assert_eq!(fifth("2"), Some(6));
    // An editor has ended the last line.
    assert_eq!(fifth("2\n"), Some(6));
    assert_eq!(fifth("3"), None);
}

#[test]
fn what_was_found_is_left_out_for_a_file_that_has_become_known_since() {
    let mut book = Book::default();
    book.propose("a", "f x");
    let found = [Event::Changed { path: path("f"), to: state("z") }];
    let merged = book.ledger.merge(&found, &Ledger::default());
    assert_eq!((merged.events.len(), merged.again), (0, [path("f")].into()));
    assert_eq!(book.ledger.head(&path("f")), Some(state("x")));
}

#[test]
fn what_the_last_block_has_led_to_is_known_after_other_changes() {
    let mut book = Book::default();
    assert_eq!(book.ledger.led_to(&path("f")), None);
    book.apply(&[work("a", "f x y")]);
    book.see("f", "typed");
    assert_eq!(book.ledger.led_to(&path("f")), Some(state("y")));
}

#[test]
fn a_block_is_rejected_that_the_model_was_told_was_refused() {
    let mut book = Book::default();
    let told = Kept::new(&Err(Failure::Refused)).unwrap();
    let blocks = vec![(block("a"), told.clone())];
    book.take(Event::Told { transcript: chat(), blocks });
    assert_eq!(book.ledger.told(&chat(), block("a")), Some(&told));
    assert_eq!(book.ledger.told(&chat(), block("b")), None);
    let rejected = |name: &str| book.ledger.standing(&chat(), block(name), true).rejected;
    assert!(rejected("a") && !rejected("b"));
}
