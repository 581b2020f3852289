//! What is known of texts that no block made, and of the changes that they were typed on.

use super::*;

#[test]
fn what_was_typed_before_another_program_changed_a_file_is_known_to_come_before_that() {
    let words = ["x", "y", "z", "s", "t", "u"];
    let mut book = Book::default();
    book.take(Event::Proposed {
        transcript: chat(),
        block: block("a"),
        at: [(path("f"), state("x"))].into(),
        ambiguous: false,
    });
    let mut editor = Book { ledger: book.ledger.clone(), ..Book::default() };
    editor.see("f", "s");
    editor.see("f", "t");
    book.apply(&[work("a", "f x y")]);
    let take = |editor: &mut Book, book: &Book| {
        let old = std::mem::replace(&mut editor.ledger, book.ledger.clone());
        editor.ledger.keep_changes(&old);
        editor.kept.clone_from(&book.kept);
    };
    take(&mut editor, &book);
    assert_eq!(steps(&editor.ledger, &words), "xy*");
    // So it stays, whatever else is typed or done.
    editor.see("f", "u");
    take(&mut editor, &book);
    assert_eq!(steps(&editor.ledger, &words), "xy* yu");
    book.apply(&[work("b", "f y z")]);
    take(&mut editor, &book);
    assert_eq!(steps(&editor.ledger, &words), "xy* yz*");
    take(&mut editor, &book);
    assert_eq!(steps(&editor.ledger, &words), "xy* yz*");
    editor.check("a b", "a b");
    // Each typed text is without the blocks that came after it, and they may come again.
    for (text, applied) in [("u", "a"), ("z", "a b"), ("t", ""), ("y", "a"), ("s", "")] {
        editor.see("f", text);
        editor.check("a b", applied);
    }
}

#[test]
fn what_is_typed_and_what_another_program_has_done_instead_come_in_turn() {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    for text in ["y", "x", "s", "y", "s", "y", "s"] {
        book.see("f", text);
        book.check("a", if text == "y" { "a" } else { "" });
    }
    assert_eq!(steps(&book.ledger, &["x", "y", "s"]), "xs");
}

#[test]
fn what_was_typed_on_a_change_that_is_undone_by_now_is_with_that_change() {
    let mut book = Book::default();
    let operation = book.apply(&[work("a", "f x y")]);
    book.take(Event::Undone { operation });
    let State::File(y) = state("y") else { panic!() };
    book.take(Event::Saved { path: path("f"), to: state("typed"), on: Some(y) });
    for text in ["typed", "x", "typed", "other", "typed"] {
        book.see("f", text);
        book.check("a", if text == "x" { "" } else { "a" });
    }
}

#[test]
fn what_is_saved_and_was_undone_is_not_taken_for_typed() {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    book.see("f", "y");
    book.see("f", "x");
    // The editor has not saved that, and what was typed instead is edited.
    book.take(Event::Saved { path: path("f"), to: state("y"), on: None });
    for number in 0..10 {
        book.see("f", &format!("typed{number}"));
        book.apply(&[work(&format!("b{number}"), &format!("f typed{number} z{number}"))]);
        book.see("f", "x");
    }
    assert_eq!(book.ledger.timelines[&path("f")].base_of(state("y")), None);
}

#[test]
fn what_began_in_what_is_undone_by_now_is_found_through_it() {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    book.see("f", "y");
    book.apply(&[work("b", "f y z")]);
    book.see("f", "z");
    for (text, applied) in [("y", "a"), ("typed", "a"), ("x", ""), ("z", "a b"), ("x", "")] {
        book.see("f", text);
        book.check("a b", applied);
    }
}

#[test]
fn what_was_typed_is_known_before_all_is_undone_also_where_it_was_undone_first() {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    for text in ["y", "one", "two", "one"] {
        book.see("f", text);
    }
    let typed = book.ledger.typed_since(&path("f"), state("x"));
    let typed: Vec<_> = typed.iter().map(|event| matches!(event, Event::Saved { on: Some(on), .. } if State::File(*on) == state("y"))).collect();
    assert_eq!(typed, [true, true]);
    for event in book.ledger.typed_since(&path("f"), state("x")) {
        book.take(event);
    }
    book.see("f", "x");
    // An editor has saved the last text, and another one is edited.
    book.take(Event::Saved { path: path("f"), to: state("two"), on: None });
    let mut later = Book { ledger: book.again(), kept: book.kept.clone() };
    for book in [&mut book, &mut later] {
        for text in ["two", "x", "one", "x", "two"] {
            book.see("f", text);
            book.check("a", if text == "x" { "" } else { "a" });
        }
    }
}

/// What is on record before what was typed.
fn base_of(book: &Book, word: &str) -> Option<State> {
    book.ledger.base_of(&path("f"), state(word))
}

#[test]
fn what_another_program_has_done_below_it_is_on_record_before_what_is_there() {
    let mut book = Book::default();
    book.apply(&[work("a", "f 0 1")]);
    ["1", "s", "1", "t", "u"].iter().for_each(|text| book.see("f", text));
    assert_eq!(["s", "t", "u"].map(|it| base_of(&book, it)), [Some(state("1")); 3]);
    book.apply(&[work("b", "f 1 y")]);
    let expected = [Some(state("1")), None, Some(state("y"))];
    assert_eq!(["s", "t", "u"].map(|it| base_of(&book, it)), expected);
}

#[test]
fn what_a_block_has_led_to_was_not_typed() {
    let mut book = Book::default();
    book.propose("a", "f x");
    book.see("f", "y");
    book.see("f", "x");
    assert_eq!(base_of(&book, "y"), Some(state("x")));
    book.apply(&[work("a", "f x y")]);
    assert_eq!(base_of(&book, "y"), None);
}

#[test]
fn half_of_an_edit_was_not_typed() {
    let mut book = Book::default();
    book.apply(&[work("a", "f 0 1")]);
    book.see("f", "1");
    book.see("f", "t");
    book.hand_out(&[work("b", "f t x")]);
    for (text, applied) in [("half", "a"), ("x", "a b")] {
        book.see("f", text);
        book.check("a b", applied);
        assert_eq!((base_of(&book, "half"), base_of(&book, "t")), (None, Some(state("1"))));
    }
}

#[test]
fn nothing_is_typed_on_a_file_that_is_not_there() {
    let mut book = Book::default();
    book.propose("a", "f -");
    book.see("f", "t");
    assert_eq!(base_of(&book, "t"), None);
}

#[test]
fn what_was_typed_on_what_is_there_again_is_not_undone() {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    book.see("f", "y");
    book.see("f", "t");
    let typed = |text: &str| book.ledger.typed_since(&path("f"), state(text)).len();
    assert_eq!((typed("x"), typed("y")), (1, 0));
}

#[test]
fn what_was_seen_of_a_file_that_began_otherwise_is_not_taken_over() {
    let (mut book, mut other) = (Book::default(), Book::default());
    book.propose("a", "f x");
    other.propose("a", "f s");
    other.see("f", "t");
    book.ledger.keep_changes(&other.ledger);
    assert_eq!(book.ledger.head(&path("f")), Some(state("x")));
    assert_eq!(base_of(&book, "s"), Some(state("x")));
}

#[test]
fn a_file_that_is_empty_while_it_is_written_is_not_back_at_that() {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    book.see("f", "∅");
    book.see("f", "s");
    book.apply(&[work("b", "f s t")]);
    for text in ["∅", "u", "∅", "t"] {
        book.see("f", text);
        book.check("a b", "a b");
    }
    // What a block was made on is another thing.
    let mut book = Book::default();
    book.apply(&[work("a", "f ∅ y")]);
    book.see("f", "∅");
    book.check("a", "");
}
