//! Which of the edits on their way a text shows, and where a change goes that is told of late.

use super::*;

#[test]
fn an_edit_of_another_text_than_the_one_that_is_there_was_not_made() {
    let mut book = Book::default();
    book.propose("a", "f 0");
    book.hand_out(&[work("a", "f 1 2")]);
    book.see("f", "2");
    book.check("a", "");
}

#[test]
fn half_of_an_edit_is_no_redo_once_all_of_it_is_there() {
    let (a, b) = (work("a", "f z x"), work("b", "f z y"));
    let mut book = Book::default();
    book.apply(&[a]);
    book.see("f", "x");
    book.see("f", "z");
    book.hand_out(&[b, work("c", "f y w")]);
    book.see("f", "x");
    book.check("a b c", "a");
    book.see("f", "w");
    book.check("a b c", "b c");
    book.see("f", "z");
    book.check("a b c", "");
}

#[test]
fn half_of_an_edit_is_no_undo_once_all_of_it_is_there() {
    let mut book = Book::default();
    book.apply(&[work("a", "f z x")]);
    book.see("f", "x");
    book.hand_out(&[work("b", "f x y"), work("c", "f y w")]);
    book.see("f", "z");
    book.check("a b c", "");
    book.see("f", "w");
    book.check("a b c", "a b c");
    book.see("f", "x");
    book.check("a b c", "a");
}

#[test]
fn a_search_ends_where_there_are_too_many_ways() {
    let mut book = Book::default();
    for number in 0..20 {
        book.hand_out(&[work(&format!("a{number}"), "f 0 1")]);
        book.hand_out(&[work(&format!("b{number}"), "f 1 0")]);
    }
    book.see("f", "typed");
    book.check("a0 b0", "");
}

#[test]
fn the_change_of_another_block_is_made_by_hand_while_an_edit_is_on_its_way() {
    let mut book = Book::default();
    book.hand_out(&[work("a", "f z x")]);
    book.find("f", "w", false, &[work("a", "f z w"), work("b", "f z w")]);
    book.check("a b", "b");
}

#[test]
fn a_final_line_ending_that_is_there_still_was_not_taken_away_by_hand() {
    let mut hand = ended_work("a", "f _ x");
    hand.transitions[0].before = state("x\n");
    let mut book = Book::default();
    book.propose("a", "f z");
    book.find("f", "x\n", false, &[hand.clone()]);
    book.check("a", "");
    book.find("f", "x", false, &[hand]);
    book.check("a", "a");
}

#[test]
fn a_final_line_ending_that_an_editor_adds_is_no_change_of_its_own() {
    let mut book = Book::default();
    book.apply(&[ended_work("a", "f z x")]);
    book.see("f", "x\n");
    assert_eq!(steps(&book.ledger, &["z", "x", "x\n"]), "zx\n*");
}

#[test]
fn what_is_seen_once_more_says_nothing_new() {
    let mut book = Book::default();
    book.apply(&[work("a", "f z x")]);
    book.see("f", "x");
    let known = book.kept.len();
    book.see("f", "x");
    assert_eq!(book.kept.len(), known);
}

#[test]
fn a_closed_file_hides_a_change_only_where_it_shows_a_text_from_before_it() {
    let check = |transition: &str, on_disk: &str, head: &str| {
        let mut book = Book::default();
        book.apply(&[work("a", transition)]);
        book.find("f", on_disk, true, &[]);
        assert_eq!(book.ledger.head(&path("f")), Some(state(head)), "{transition} {on_disk}");
    };
    check("f z x", "z", "x");
    check("f z x", "typed", "typed");
    // No editor holds that a file has come or gone.
    check("f - x", "-", "-");
    check("f z -", "z", "z");
}

#[test]
fn what_a_program_has_changed_on_disk_was_there() {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    let (operation, works) = (book.ledger.next_id(), vec![work("b", "f y z")]);
    let (id, transcript) = (operation, chat());
    book.take(Event::Applied(Operation { id, time: 0, door: Door::Cli, transcript, works }));
    book.check("a b", "a b");
    book.take(Event::Undone { operation });
    // No editor holds the first change in a buffer that is not saved.
    book.find("f", "x", true, &[]);
    book.check("a b", "");
}

#[test]
fn a_change_that_is_told_of_late_goes_below_what_was_typed_after_it() {
    let mut book = Book::default();
    book.propose("a", "f x");
    book.see("f", "t");
    book.apply(&[work("a", "f x y")]);
    assert_eq!(steps(&book.ledger, &["x", "y", "t"]), "xy* yt");
}

#[test]
fn a_change_that_is_told_of_late_is_the_one_that_nobody_has_made() {
    let mut book = Book::default();
    book.propose("a", "f 0");
    let late = book.hand_out(&[work("b", "f 1 2")]);
    let others = [("a", "f 0 1"), ("c", "f 2 3"), ("d", "f 3 1"), ("e", "f 1 2")];
    book.apply(&others.map(|(name, transition)| work(name, transition)));
    assert_eq!(owners(&book.ledger, "f"), "a . c d e");
    book.take(Event::Claimed { operation: late });
    assert_eq!(owners(&book.ledger, "f"), "a b c d e");
}

#[test]
fn an_edit_that_was_made_leaves_another_one_of_its_file_on_its_way() {
    let mut book = Book::default();
    let first = book.hand_out(&[work("a", "f x y")]);
    let second = book.hand_out(&[work("b", "f y z")]);
    book.take(Event::Claimed { operation: second });
    assert!(book.ledger.awaits(first) && !book.ledger.awaits(second));

    let mut book = Book::default();
    let first = book.hand_out(&[work("a", "f x y")]);
    let second = book.hand_out(&[work("b", "f y z")]);
    book.see("f", "y");
    assert!(book.ledger.is_made(first) && !book.ledger.is_made(second));
}

#[test]
fn of_two_edits_that_do_the_same_the_one_that_was_asked_for_last_is_made() {
    let mut book = Book::default();
    book.hand_out(&[work("a", "f 0 1")]);
    book.hand_out(&[work("b", "f 0 1")]);
    book.see("f", "1");
    book.check("a b", "b");
}

#[test]
fn what_an_edit_finds_is_what_its_first_block_finds_in_each_file() {
    let works = vec![work("a", "f x y"), work("b", "f y z g 1 2")];
    let (id, transcript) = (OperationId(1), chat());
    let operation = Operation { id, time: 0, door: Door::Lsp, transcript, works };
    let mut book = Book::default();
    book.propose("a", "f x g other");
    let events = book.ledger.observe_before(&operation, 0, &|_| false);
    assert_eq!(events, [Event::Changed { path: path("g"), to: state("1") }]);
}

#[test]
fn what_an_edit_of_a_record_has_found_counts_where_no_newer_one_was_to_change_it() {
    let operation = |id, works| {
        let (id, transcript) = (OperationId(id), chat());
        Operation { id, time: 0, door: Door::Lsp, transcript, works }
    };
    let mut book = Book::default();
    book.propose("a", "f other g other");
    book.take(Event::HandedOut(operation(2, vec![work("b", "f other z")])));
    let recorded = operation(1, vec![work("a", "f x y g 1 2")]);
    let events = book.ledger.expect(recorded).unwrap();
    assert_eq!(events, [Event::Changed { path: path("g"), to: state("1") }]);
}
