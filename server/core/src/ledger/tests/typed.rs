//! What is known of texts that no block made, and of the changes that they were typed on.

use super::*;

/// The steps of a file, each as what was there before and after, with a star where a block made it.
fn steps(ledger: &Ledger, words: &[&str]) -> String {
    let word = |wanted| words.iter().find(|it| state(it) == wanted).copied().unwrap_or("?");
    let steps = ledger.timelines[&path("f")].steps().iter().map(|step| {
        let star = if step.owner.is_some() { "*" } else { "" };
        format!("{}{}{star}", word(step.before), word(step.after))
    });
    steps.collect::<Vec<_>>().join(" ")
}

#[test]
fn what_was_typed_before_another_program_changed_a_file_is_known_to_come_before_that() {
    let words = ["x", "y", "z", "s", "t", "u"];
    let mut book = Book::default();
    book.take(Event::Proposed {
        transcript: chat(),
        block: block("a"),
        at: vec![(path("f"), state("x"))],
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
