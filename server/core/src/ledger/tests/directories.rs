//! Directories that come, go and move, and what is in them.

use super::*;

#[test]
fn a_file_goes_with_its_directory() {
    let mut book = Book::default();
    book.apply(&[work("w", "d/f - x")]);
    book.see("d/f", "x");
    let moved = book.apply(&[work("m", "d / - e - /")]);
    book.see("d/f", "-");
    book.check("w m", "w m");
    book.take(Event::Undone { operation: moved });
    book.see("d/f", "x");
    book.check("w m", "w");
    book.see("d/f", "-");
    book.check("w m", "");
}

#[test]
fn what_a_directory_brings_is_not_taken_for_another_edit() {
    let mut book = Book::default();
    book.see("f", "x");
    book.see("e/f", "-");
    // An edit that is asked for, and never made, would leave the same there.
    book.hand_out(&[work("peeked", "f x - e/f - x")]);
    let works = vec![work("moved", "d / - e - /"), work("written", "e/f x y")];
    let (transcript, id) = (chat(), book.ledger.next_id());
    let operation = Operation { id, time: 0, door: Door::Cli, transcript, works };
    let events = book.ledger.hand_over(operation, 0, &|_| true);
    book.kept.extend(events);
    book.take(Event::Claimed { operation: id });
    book.check("peeked moved written", "moved written");
}

#[test]
fn what_another_block_is_to_write_is_not_expected_of_this_one() {
    let mut book = Book::default();
    book.see("d", "-");
    let operation = book.hand_out(&[work("a", "f x y d - /")]);
    book.see("f", "y");
    book.hand_out(&[work("b", "f y z")]);
    book.see("d", "/");
    let made = book.ledger.timelines[&path("d")].steps();
    let owners: Vec<_> = made.iter().map(|step| step.owner.map(|it| it.operation)).collect();
    assert_eq!(owners, [Some(operation)]);
}

#[test]
fn what_is_below_a_directory_is_in_it_and_not_beside_it() {
    let mut book = Book::default();
    for name in ["d", "d-1", "d.txt", "d/f", "d/e/g", "e/f"] {
        let at = [(path(name), state(if name == "d" { "/" } else { "x" }))].into();
        book.take(Event::Proposed { transcript: chat(), block: block(name), at, ambiguous: false });
    }
    let below = book.ledger.below(&path("d"));
    assert_eq!(below, [path("d/e/g"), path("d/f")]);
    // With the directory go those in it.
    let moved = book.apply(&[work("m", "d / - k - /")]);
    let heads = |book: &Book| {
        let head = |name: &str| book.ledger.head(&path(name)) == Some(State::Missing);
        ["d-1", "d.txt", "d/f", "d/e/g", "e/f"].map(head)
    };
    assert_eq!(heads(&book), [false, false, true, true, false]);
    book.take(Event::Undone { operation: moved });
    assert_eq!(heads(&book), [false; 5]);
}

#[test]
fn what_appears_in_a_new_directory_is_somebody_elses() {
    let known = |book: &mut Book, names: &[(&str, &str)]| {
        for (name, word) in names {
            let at = [(path(name), state(word))].into();
            book.take(Event::Proposed {
                transcript: chat(),
                block: block(name),
                at,
                ambiguous: false,
            });
        }
    };
    let mut book = Book::default();
    known(&mut book, &[("d", "-"), ("d/f", "-")]);
    book.apply(&[work("made", "d - /")]);
    book.see("d", "/");
    book.see("d/f", "x");
    let owner = |book: &Book, name: &str| {
        let steps = book.ledger.timelines[&path(name)].steps().to_vec();
        steps.last().and_then(|step| step.owner.map(|it| it.operation.0))
    };
    assert_eq!(owner(&book, "d/f"), None);
    // What a directory brings from elsewhere is its block's.
    let mut book = Book::default();
    known(&mut book, &[("d", "/"), ("d/f", "x"), ("e", "-"), ("e/f", "-")]);
    book.apply(&[work("moved", "d / - e - /")]);
    book.see("e/f", "x");
    assert_eq!((owner(&book, "d/f"), owner(&book, "e/f")), (Some(1), Some(1)));
}

#[test]
fn a_directory_that_goes_is_its_blocks_where_all_that_the_block_does_is_there() {
    // The directory is missing, and so is what the block has put elsewhere: it was undone by hand.
    let works = [work("moved", "d / - e - /")];
    let mut book = Book::default();
    book.see("d", "/");
    book.see("e", "-");
    book.apply(&works);
    book.see("e", "/");
    book.see("d", "-");
    book.check("moved", "moved");
    // Somebody makes the old directory again, and the new one is there still: this says nothing.
    book.see("d", "/");
    book.check("moved", "moved");
    book.see("d", "-");
    let found = ["d", "e"].map(|name| Observation {
        path: path(name),
        state: state(if name == "d" { "/" } else { "-" }),
        closed: false,
    });
    let events = book.ledger.observe(&found, 0, &|_| Vec::new());
    book.kept.extend(events);
    book.check("moved", "");
}

#[test]
fn a_directory_that_is_there_again_is_not_the_one_that_was_deleted() {
    let mut book = Book::default();
    book.see("d", "/");
    let operation = book.apply(&[work("deleted", "d / -")]);
    book.see("d", "-");
    // Somebody makes one of the same name: what was in it is not there.
    book.see("d", "/");
    book.check("deleted", "deleted");
    book.take(Event::Undone { operation });
    book.check("deleted", "");
    // Nor does it go by that block where what has made it is undone, too.
    book.see("d", "-");
    book.check("deleted", "");
}

#[test]
fn a_directory_that_is_back_with_the_one_around_it_is_not_made_again() {
    let mut book = Book::default();
    book.see("d", "/");
    let operation = book.apply(&[work("deleted", "d / -"), work("made", "d/e - /")]);
    book.check("deleted made", "deleted made");
    book.take(Event::Undone { operation });
    book.see("d", "/");
    book.see("d/e", "/");
    book.check("deleted made", "");
}

#[test]
fn a_directory_moves_where_both_of_its_paths_show_it() {
    let check = |found: &[&str], applied: &str| {
        let mut book = Book::default();
        book.propose("moved", "d / e -");
        book.hand_out(&[work("moved", "d / - e - /")]);
        book.see_all(found);
        book.check("moved", applied);
    };
    check(&["d -", "e /"], "moved");
    check(&["e /"], "");
    check(&["d -"], "");
    check(&["d /", "e /"], "");
}

#[test]
fn a_directory_that_an_operation_has_made_is_made_again() {
    for second in ["d/e - /", "e / -"] {
        let mut book = Book::default();
        book.propose("one", "d - d/e - e /");
        let operation = book.apply(&[work("one", "d - /"), work("two", second)]);
        book.check("one two", "one two");
        book.take(Event::Undone { operation });
        book.check("one two", "");
        book.see("d", "/");
        book.check("one two", "one");
        if second == "d/e - /" {
            book.see("d/e", "/");
            book.check("one two", "one two");
        }
    }
}

#[test]
fn what_a_directory_brings_is_that_of_its_block_below_what_is_written() {
    let mut book = Book::default();
    book.propose("moved", "d / e - e/f -");
    book.apply(&[work("moved", "d / - e - /"), work("written", "e/f x y")]);
    assert_eq!(owners(&book.ledger, "e/f"), "moved written");
    let steps = book.ledger.timelines[&path("e/f")].steps();
    assert_eq!([steps[0].derived, steps[1].derived], [true, false]);
}

#[test]
fn a_directory_that_becomes_a_file_is_made_at_once() {
    let mut book = Book::default();
    book.propose("a", "d /");
    book.hand_out(&[work("a", "d / -"), work("b", "d - x")]);
    book.see("d", "x");
    book.check("a b", "a b");
}

#[test]
fn a_block_that_moves_a_directory_and_writes_in_it_is_undone_in_both() {
    let mut book = Book::default();
    book.propose("a", "d / d/f x e - e/f -");
    let operation = book.apply(&[work("a", "d / - e - / e/f x y")]);
    assert_eq!(owners(&book.ledger, "e/f"), "a a");
    book.take(Event::Undone { operation });
    book.check("a", "");
    // What came with the directory goes with it, and comes with it again.
    book.see("e/f", "-");
    book.take(Event::Redone { operation });
    assert_eq!(book.ledger.head(&path("e/f")), Some(state("y")));
    assert_eq!(book.ledger.standing(&chat(), block("a"), true).applied.unwrap().part, None);
}

#[test]
fn what_is_typed_after_a_redo_is_not_the_blocks_that_moves_the_directory() {
    let mut book = Book::default();
    book.propose("a", "d / e - e/f -");
    let operation = book.apply(&[work("a", "d / - e - /"), work("b", "e/f - x")]);
    book.take(Event::Undone { operation });
    book.take(Event::Redone { operation });
    book.see("e/f", "typed");
    assert_eq!(owners(&book.ledger, "e/f"), "b .");
    assert_eq!(book.ledger.can_undo(operation).unwrap_err().path, path("e/f"));
}

#[test]
fn a_directory_that_moves_again_brings_what_its_operation_has_written_in_it() {
    for (inside, written) in [("-", "e/f - y"), ("x", "e/f x y")] {
        for said in [true, false] {
            let mut book = Book::default();
            book.propose("moved", &format!("d / d/f {inside} e - e/f -"));
            let operation = book.apply(&[work("moved", "d / - e - /"), work("written", written)]);
            let (before, after) = (["d /", "e -", "e/f -"], ["d -", "e /", "e/f y"]);
            book.see_all(&after);
            book.check("moved written", "moved written");
            book.see_all(&before);
            book.check("moved written", "");
            match said {
                true => book.take(Event::Redone { operation }),
                false => book.see_all(&after),
            }
            book.check("moved written", "moved written");
            assert_eq!(book.ledger.head(&path("e/f")), Some(state("y")));
            let owners = owners(&book.ledger, "e/f");
            assert_eq!(owners, if inside == "x" { "moved written" } else { "written" });
            assert!(!book.ledger.can_redo(&path("e/f")));
        }
    }
}

#[test]
fn a_file_that_comes_with_its_directory_is_known_to_where_nobody_has_looked_at_it() {
    let mut book = Book::default();
    book.propose("taken", "e/f -");
    let moved = book.apply(&[work("moved", "d / - e - /")]);
    book.shorten();
    book.see("e/f", "x");
    let taken = book.hand_out(&[work("taken", "e/f x -")]);
    book.take(Event::Undone { operation: moved });
    book.see("e/f", "-");
    book.check("moved taken", "");
    book.take(Event::Withdrawn { operation: taken });
    book.check("moved taken", "");
}
