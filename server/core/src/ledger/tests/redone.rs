//! What was undone, and is made again.

use super::*;

#[test]
fn what_was_undone_can_be_made_again_until_it_is() {
    let mut book = Book::default();
    let can_redo = |book: &Book| book.ledger.can_redo(&path("f"));
    assert!(!can_redo(&book));
    book.apply(&[work("a", "f x y")]);
    for (text, expected) in
        [("y", false), ("x", true), ("y", false), ("x", true), ("typed", true), ("y", false)]
    {
        book.see("f", text);
        assert_eq!(can_redo(&book), expected, "{text}");
    }
}

#[test]
fn what_is_redone_is_not_made_anew() {
    let mut book = Book::default();
    let operations = [work("a", "f x y"), work("b", "f y z")].map(|it| book.apply(&[it]));
    book.see("f", "z");
    operations.iter().rev().for_each(|it| book.take(Event::Undone { operation: *it }));
    book.check("a b", "");
    operations.iter().for_each(|it| book.take(Event::Redone { operation: *it }));
    book.check("a b", "a b");
    assert!(!book.ledger.can_redo(&path("f")));
}

#[test]
fn of_two_blocks_that_led_to_a_text_the_one_undone_last_is_made_again() {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    ["y", "x", "typed", "x"].iter().for_each(|text| book.see("f", text));
    book.apply(&[work("b", "f x y")]);
    for (text, applied) in [("y", "b"), ("x", ""), ("y", "b")] {
        book.see("f", text);
        book.check("a b", applied);
    }
}

#[test]
fn what_was_there_between_two_blocks_of_an_operation_is_not_what_is_made_again() {
    let mut book = Book::default();
    book.apply(&[work("a", "f z x"), work("b", "f x w")]);
    book.apply(&[work("c", "f w x")]);
    for (text, applied) in [("x", "a b c"), ("z", ""), ("x", "a b c")] {
        book.see("f", text);
        book.check("a b c", applied);
    }
}

#[test]
fn what_began_in_what_is_undone_comes_again_without_what_was_typed() {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    book.see("f", "y");
    book.apply(&[work("b", "f y z")]);
    ["z", "y", "t", "x", "other", "z"].iter().for_each(|text| book.see("f", text));
    assert_eq!(steps(&book.ledger, &["x", "y", "z", "t"]), "xy* yz*");
}

/// Of a file in which something was typed between the changes of blocks.
fn typed_between() -> Book {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    ["y", "t", "u"].iter().for_each(|text| book.see("f", text));
    book.apply(&[work("b", "f u v")]);
    book.see("f", "v");
    book.apply(&[work("c", "f v w")]);
    book.see("f", "w");
    book
}

#[test]
fn what_was_typed_before_what_is_undone_is_told_with_what_is_on_record() {
    for (text, to, typed) in
        [("t", "u", Some("t")), ("u", "u", None), ("y", "y", None), ("x", "x", None)]
    {
        let mut book = typed_between();
        book.see("f", text);
        let typed = typed.map(|it| Fingerprint::of(it.as_bytes()));
        let back = Event::Back { path: path("f"), to: state(to), typed };
        assert_eq!(book.kept.last(), Some(&back), "{text}");
    }
}

#[test]
fn what_was_typed_after_what_is_made_again_is_told_with_what_is_on_record() {
    for (text, to, typed) in
        [("t", "y", Some("t")), ("u", "u", None), ("y", "y", None), ("w", "w", None)]
    {
        let mut book = typed_between();
        book.see("f", "x");
        book.see("f", text);
        let typed = typed.map(|it| Fingerprint::of(it.as_bytes()));
        let forth = Event::Forth { path: path("f"), to: state(to), typed };
        assert_eq!(book.kept.last(), Some(&forth), "{text}");
    }
}

#[test]
fn what_was_there_before_is_told_from_what_is_new() {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    let check = |book: &Book, text: &str, reversal: bool, redo: bool| {
        let found = Observation { path: path("f"), state: state(text), closed: false };
        let found = (book.ledger.is_reversal(&found), book.ledger.is_redo(&found));
        assert_eq!(found, (reversal, redo), "{text}");
    };
    book.see("f", "y");
    check(&book, "x", true, false);
    check(&book, "y", false, false);
    check(&book, "typed", false, false);
    book.see("f", "x");
    check(&book, "y", true, true);
}

#[test]
fn a_change_that_has_come_in_since_is_not_undone_by_what_was_there_before() {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    book.see("f", "y");
    let then = book.ledger.clone();
    let check = |book: &Book, word: &str, same: bool, holds: bool| {
        let back = Event::Back { path: path("f"), to: state(word), typed: None };
        let ledger = &book.ledger;
        let found = (ledger.knows_same(&then, &path("f")), ledger.still_holds(&back, &then));
        assert_eq!(found, (same, holds), "{word}");
        let changed = Event::Changed { path: path("f"), to: state(word) };
        assert!(ledger.still_holds(&changed, &then));
    };
    check(&book, "x", true, true);
    book.see("f", "typed");
    check(&book, "x", true, true);
    book.see("f", "x");
    check(&book, "x", false, false);
    // It leads to what was undone since.
    check(&book, "y", false, true);
    book.see("f", "y");
    book.apply(&[work("b", "f y z")]);
    check(&book, "x", false, false);
}
