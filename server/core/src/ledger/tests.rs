//! What the ledger says of blocks, in small scripts and in random ones.

mod book;
mod chains;
mod directories;
mod known;
mod properties;
mod questions;
mod redone;
mod shortened;
mod typed;

use super::*;
use crate::fingerprint::Fingerprint;
use book::{Book, block, chat, ended_work, owners, path, state, steps, work};

#[test]
fn three_blocks_on_one_file() {
    let (a, b, c) = (work("a", "f z x"), work("b", "f x y"), work("c", "f y x"));
    let mut book = Book::default();
    book.see("f", "z");
    book.apply(&[a]);
    book.see("f", "x");
    book.check("a b c", "a");
    book.apply(&[b]);
    book.see("f", "y");
    book.check("a b c", "a b");
    book.apply(&[c]);
    book.see("f", "x");
    book.check("a b c", "a b c");
    // Undone one after the other by the editor.
    book.see("f", "y");
    book.check("a b c", "a b");
    book.see("f", "x");
    book.check("a b c", "a");
    book.see("f", "z");
    book.check("a b c", "");
    // And all at once forth again.
    book.see("f", "y");
    book.check("a b c", "a b");
}

#[test]
fn what_puts_back_the_first_text_is_no_undo() {
    let (a, b) = (work("a", "f z x"), work("b", "f x z"));
    let mut book = Book::default();
    book.apply(&[a]);
    book.see("f", "x");
    book.hand_out(&[b]);
    book.see("f", "z");
    book.check("a b", "a b");
    book.see("f", "z");
    book.check("a b", "a b");
}

#[test]
fn the_longest_chain_explains_a_state() {
    let (a, b) = (work("a", "f z x"), work("b", "f x z"));
    let c = work("c", "f z y");
    let mut book = Book::default();
    book.hand_out(&[a]);
    book.hand_out(&[b]);
    book.hand_out(&[c]);
    book.see("f", "y");
    book.check("a b c", "a b c");
}

#[test]
fn an_edit_that_was_refused_is_not_expected() {
    let mut book = Book::default();
    let operation = book.hand_out(&[work("a", "f z x")]);
    book.take(Event::Withdrawn { operation });
    book.see("f", "x");
    book.check("a", "");
}

#[test]
fn a_claim_counts_for_a_closed_file_until_the_file_says_otherwise() {
    let mut book = Book::default();
    book.apply(&[work("a", "f z x")]);
    book.find("f", "z", true, &[]);
    book.check("a", "a");
    // An editor shows it now, without the change.
    book.see("f", "z");
    book.check("a", "");

    let mut book = Book::default();
    book.apply(&[work("a", "f z x")]);
    book.find("f", "x", true, &[]);
    book.find("f", "z", true, &[]);
    book.check("a", "");
}

#[test]
fn a_claim_that_comes_late_goes_before_what_was_typed() {
    let mut book = Book::default();
    let operation = book.hand_out(&[work("a", "f z x")]);
    book.see("f", "typed");
    book.take(Event::Claimed { operation });
    book.check("a", "a");
    book.see("f", "x");
    book.check("a", "a");
    book.see("f", "z");
    book.check("a", "");
}

#[test]
fn what_changes_nothing_is_applied_with_what_comes_after_it() {
    for seen in [true, false] {
        let mut book = Book::default();
        let operation = book.hand_out(&[work("a", "f x x"), work("b", "f x y")]);
        if seen {
            // The file shows the change before the client says that it has made it.
            book.find("f", "y", true, &[]);
        }
        book.take(Event::Claimed { operation });
        book.check("a b", "a b");
        book.find("f", "y", true, &[]);
        book.check("a b", "a b");
    }
}

#[test]
fn an_edit_that_is_made_in_several_changes_is_not_made_by_hand() {
    // The file is seen with the second change alone, as the block by itself would leave it.
    let (a, b, alone) = (work("a", "f z x"), work("b", "f x y"), work("b", "f z w"));
    let mut book = Book::default();
    book.see("f", "z");
    let operation = book.hand_out(&[a, b]);
    book.find("f", "w", false, &[alone]);
    book.check("a b", "");
    book.see("f", "y");
    book.take(Event::Claimed { operation });
    book.check("a b", "a b");
    book.take(Event::Undone { operation });
    book.see("f", "z");
    book.check("a b", "");
}

#[test]
fn a_change_made_by_hand_is_the_blocks() {
    let hand = [work("a", "f z x g 1 2"), work("b", "f z x")];
    let mut book = Book::default();
    book.take(Event::Proposed {
        transcript: chat(),
        block: block("a"),
        at: [(path("f"), state("z")), (path("g"), state("1"))].into(),
        ambiguous: false,
    });
    book.find("f", "typed", false, &hand);
    book.check("a b", "");
    book.find("g", "2", false, &hand);
    book.find("f", "x", false, &hand);
    book.check("a b", "a");
}

#[test]
fn a_final_line_ending_that_an_editor_adds_is_part_of_the_change() {
    let mut edit = work("a", "f z x");
    edit.transitions[0].ended = vec![Fingerprint::of(b"x\n")];
    let mut book = Book::default();
    book.apply(&[edit.clone()]);
    book.see("f", "x\n");
    book.check("a", "a");
    book.see("f", "z");
    book.check("a", "");

    let mut book = Book::default();
    book.hand_out(&[edit]);
    book.see("f", "x\n");
    book.check("a", "a");
}

#[test]
fn what_changes_nothing_is_applied_until_it_is_undone() {
    let mut book = Book::default();
    book.see("f", "x");
    let a = book.apply(&[work("a", "f x x")]);
    book.see("f", "x");
    book.check("a", "a");
    book.take(Event::Undone { operation: a });
    book.check("a", "");
    book.take(Event::Redone { operation: a });
    book.check("a", "a");
}

#[test]
fn an_operation_that_is_forgotten_leaves_its_changes() {
    let mut book = Book::default();
    let a = book.apply(&[work("a", "f z x")]);
    book.apply(&[work("b", "f x y")]);
    book.take(Event::Forgotten { operation: a });
    book.check("a b", "b");
    book.see("f", "x");
    book.see("f", "z");
    book.check("a b", "");
}

#[test]
fn a_timeline_stays_short_and_knows_where_it_began() {
    let mut book = Book::default();
    book.apply(&[work("a", "f z x")]);
    book.see("f", "x");
    (0..500).for_each(|number| book.see("f", &number.to_string()));
    assert!(book.ledger.lengths()[&path("f")] < 100);
    book.check("a", "a");
    book.see("f", "z");
    book.check("a", "");
}

/// An empty file comes first, an empty one is shown as one line ending, a last line is taken away
/// after the rest.
#[test]
fn an_editor_makes_an_edit_in_two_changes() {
    for (before, half, after) in [("-", "", "x"), ("\u{2205}", "\n", "x"), ("one", "x\n", "x")] {
        let mut book = Book::default();
        book.find("f", before, false, &[]);
        book.hand_out(&[work("a", &format!("f {before} {after}"))]);
        book.see("f", half);
        book.check("a", "");
        book.see("f", after);
        book.check("a", "a");
        assert!(!book.ledger.awaits(OperationId(1)));
        let applied = book.ledger.standing(&chat(), block("a"), true).applied;
        assert_eq!(applied.unwrap().door, Door::Lsp);
        book.see("f", before);
        book.check("a", "");
    }
}

#[test]
fn an_edit_is_not_expected_after_two_changes_that_are_not_its_own() {
    let mut book = Book::default();
    book.see("f", "one");
    book.hand_out(&[work("a", "f one x")]);
    book.see("f", "two");
    book.see("f", "three");
    book.see("f", "x");
    book.check("a", "");
}

#[test]
fn an_edit_that_is_not_expected_any_more_stays_so_where_its_file_is_as_before() {
    let mut book = Book::default();
    book.see("f", "one");
    book.hand_out(&[work("a", "f one x")]);
    ["two", "three", "one", "x"].iter().for_each(|text| book.see("f", text));
    book.check("a", "");
}

#[test]
fn what_was_undone_is_there_again_where_an_editor_drops_what_was_typed_after_it() {
    let mut book = Book::default();
    book.apply(&[work("a", "f z x"), work("b", "f x y")]);
    ["y", "z"].iter().for_each(|text| book.see("f", text));
    book.check("a b", "");
    // What is typed, and undone, is on the way back too.
    ["one", "two", "one", "three", "z", "four"].iter().for_each(|text| book.see("f", text));
    book.check("a b", "");
    book.see("f", "y");
    book.check("a b", "a b");
    book.see("f", "x");
    book.check("a b", "a");
    // A block that was applied meanwhile is not in the text that is there again.
    book.see("f", "z");
    book.apply(&[work("c", "f z w")]);
    book.see("f", "w");
    book.check("a b c", "c");
    book.see("f", "y");
    book.check("a b c", "a b");
    book.see("f", "w");
    book.check("a b c", "c");
}

#[test]
fn what_is_there_again_takes_nothing_from_what_leads_there_now() {
    let mut book = Book::default();
    let operation = book.apply(&[work("a", "f 0 1")]);
    book.apply(&[work("b", "f 1 2")]);
    book.see("f", "2");
    // Of an edit that was made in part, that part alone is put on record once more.
    book.take(Event::Forgotten { operation });
    book.see("f", "0");
    book.apply(&[work("a", "f 0 1")]);
    book.check("a b", "a");
    book.see("f", "2");
    book.check("a b", "a b");
}

#[test]
fn what_was_undone_is_not_made_again_by_a_change_to_another_text() {
    let mut book = Book::default();
    book.apply(&[work("a", "f z -")]);
    ["-", "z"].iter().for_each(|text| book.see("f", text));
    book.check("a", "");
    // That a file is not there says nothing of who removed it.
    ["typed", "-"].iter().for_each(|text| book.see("f", text));
    book.check("a", "");
}

#[test]
fn what_was_undone_is_found_from_where_it_began_though_that_was_undone_too() {
    let mut book = Book::default();
    book.apply(&[work("first", "f 0 start")]);
    ["start", "typed"].iter().for_each(|text| book.see("f", text));
    book.apply(&[work("a", "f typed x")]);
    ["x", "typed", "other", "start", "again", "x"].iter().for_each(|text| book.see("f", text));
    book.check("first a", "first a");
    book.see("f", "start");
    book.check("first a", "first");
}

#[test]
fn what_is_saved_and_undone_in_an_editor_is_known_where_it_is_to_be_applied_again() {
    let mut book = Book::default();
    let undo = |book: &mut Book| {
        book.see("f", "new");
        book.see("f", "old");
        book.check("a", "");
        book.take(Event::Saved { path: path("f"), to: state("new"), on: None });
    };
    book.apply(&[work("a", "f old new")]);
    undo(&mut book);
    book.see("f", "new");
    book.check("a", "a");
    book.see("f", "old");
    book.apply(&[work("a", "f old new")]);
    undo(&mut book);
    book.see("f", "new");
    book.check("a", "a");
}

#[test]
fn what_is_on_disk_while_an_edit_of_another_text_is_made_may_be_there_again() {
    let mut book = Book::default();
    book.apply(&[work("first", "f 0 typed")]);
    book.see("f", "typed");
    book.take(Event::Saved { path: path("f"), to: state("saved"), on: None });
    book.apply(&[work("a", "f typed x")]);
    book.see("f", "x");
    book.check("first a", "first a");
    book.see("f", "typed");
    book.check("first a", "first");
    book.see("f", "x");
    book.see("f", "saved");
    book.check("first a", "first");
}

#[test]
fn an_undo_that_leaves_a_file_to_others_undoes_nothing_of_theirs() {
    let mut book = Book::default();
    let first = book.apply(&[work("a", "f 0 1"), work("b", "g 0 1")]);
    book.apply(&[work("c", "f 1 2")]);
    ["f", "g"].iter().zip(["2", "1"]).for_each(|(file, text)| book.see(file, text));
    book.check("a b c", "a b c");
    book.take(Event::Undone { operation: first });
    book.see("g", "0");
    book.check("a b c", "c");
    book.see("f", "typed");
    book.check("a b c", "c");
    book.see("f", "1");
    book.check("a b c", "");
}

#[test]
fn a_redo_that_was_seen_before_it_was_said_is_one_redo() {
    let mut book = Book::default();
    let operation = book.apply(&[work("a", "f z x")]);
    book.see("f", "x");
    book.take(Event::Undone { operation });
    book.see("f", "z");
    book.check("a", "");
    book.see("f", "x");
    book.see("f", "typed");
    book.take(Event::Redone { operation });
    book.see("f", "x");
    book.check("a", "a");
    book.see("f", "z");
    book.check("a", "");
}

#[test]
fn an_editor_moves_a_file_before_it_changes_the_text() {
    let mut book = Book::default();
    book.see("f", "x");
    book.see("g", "-");
    book.hand_out(&[work("a", "f x - g - y")]);
    book.see("f", "-");
    book.see("g", "x");
    book.see("g", "y");
    book.check("a", "a");
    assert!(!book.ledger.awaits(OperationId(1)));
}

#[test]
fn between_the_blocks_of_an_operation_nobody_has_seen_the_file() {
    // The second block puts back what the first has changed, and the third changes it again.
    let works = [work("a", "f z x"), work("b", "f x z"), work("c", "f z y")];
    let mut book = Book::default();
    book.apply(&works);
    book.see("f", "y");
    book.check("a b c", "a b c");
    book.see("f", "z");
    book.check("a b c", "");
    book.see("f", "y");
    book.check("a b c", "a b c");
    // Of two operations the file was seen between them.
    let mut book = Book::default();
    book.apply(&works[..2]);
    book.apply(&works[2..]);
    book.see("f", "y");
    book.see("f", "z");
    book.check("a b c", "a b");
}

#[test]
fn a_timeline_has_so_many_steps_and_begins_with_what_was_there_then() {
    let mut book = Book::default();
    for number in 0..1_100 {
        let name = number.to_string();
        book.apply(&[work(&name, &format!("f {number} {}", number + 1))]);
    }
    book.see("f", "1100");
    assert_eq!(book.ledger.lengths()[&path("f")], 1_000);
    book.check("99 100 1099", "99 100 1099");
    book.see("f", "100");
    book.check("99 100 1099", "99");
    book.see("f", "99");
    book.check("99 100 1099", "99");
}

#[test]
fn changes_that_nobody_owns_are_kept_at_both_ends() {
    let mut book = Book::default();
    book.see("f", "z");
    book.apply(&[work("a", "f z x")]);
    book.see("f", "x");
    let states: Vec<String> = (0..100).map(|number| number.to_string()).collect();
    states.iter().for_each(|text| book.see("f", text));
    let steps = book.ledger.timelines[&path("f")].steps();
    // The steps are one after the other all the same.
    assert!(steps.windows(2).all(|pair| pair[0].after == pair[1].before));
    let kept: Vec<usize> = (0..100)
        .filter(|number| steps.iter().any(|step| step.after == state(&states[*number])))
        .collect();
    let expected: Vec<usize> = (0..32).chain(68..100).collect();
    assert_eq!(kept, expected);
}

#[test]
fn a_file_that_is_made_in_two_changes_a_second_time_is_the_second_blocks() {
    let mut book = Book::default();
    book.see("g", "-");
    for name in ["a", "b"] {
        book.hand_out(&[work(name, "g - x")]);
        book.see("g", "\u{2205}");
        book.see("g", "x");
        book.check("a b", name);
        assert_eq!(book.ledger.head(&path("g")), Some(state("x")));
        book.see("g", "-");
        book.check("a b", "");
    }
}

#[test]
fn an_edit_is_told_of_in_two_parts_whose_changes_of_a_file_alternate() {
    let mut book = Book::default();
    book.see("f", "0");
    book.see("g", "0");
    // The client tells of `g` later than of `f`.
    let late = book.hand_out(&[work("b", "g 0 1 f 1 2")]);
    book.apply(&[work("a", "f 0 1"), work("c", "f 2 3")]);
    book.see("f", "3");
    book.take(Event::Claimed { operation: late });
    book.see("f", "3");
    book.see("g", "1");
    book.see("g", "0");
    book.check("a b c", "a b c");
    book.see("f", "1");
    book.check("a b c", "a");
}

#[test]
fn a_block_that_is_handed_out_again_is_not_expected_from_the_time_before() {
    let mut book = Book::default();
    book.hand_out(&[work("a", "f x y")]);
    let operation = book.hand_out(&[work("a", "f x y")]);
    book.take(Event::Withdrawn { operation });
    book.see("f", "y");
    book.check("a", "");

    let mut book = Book::default();
    let first = book.hand_out(&[work("a", "f x y"), work("b", "g 1 2")]);
    let second = book.hand_out(&[work("a", "f x y")]);
    assert!(book.ledger.awaits(first), "the other block is");
    book.see("f", "y");
    let by = book.ledger.standing(&chat(), block("a"), false).applied;
    assert_eq!(by.map(|it| it.operation), Some(second));
    assert!(!book.ledger.stands(first));
    book.see("g", "2");
    assert!(book.ledger.stands(first));
}

#[test]
fn what_an_edit_finds_before_it_is_taken_in() {
    let mut book = Book::default();
    book.apply(&[work("a", "f z x")]);
    book.see("f", "x");
    // It is undone by hand, and nobody has looked since; the next edit is planned for that.
    let works = vec![work("b", "f z y")];
    let (transcript, id) = (chat(), book.ledger.next_id());
    let operation = Operation { id, time: 0, door: Door::Lsp, transcript, works };
    let events = book.ledger.hand_over(operation, 0, &|_| false);
    book.kept.extend(events);
    book.check("a b", "");
    book.see("f", "y");
    book.check("a b", "b");
}
