//! What is kept of a ledger whose events are left out, and of operations that are forgotten.

use super::*;

#[test]
fn edits_on_their_way_are_kept_each_with_its_operation() {
    let mut book = Book::default();
    book.hand_out(&[work("a", "f 1 2 g 1 2"), work("b", "f 2 3")]);
    book.hand_out(&[work("c", "f 3 4 g 2 3")]);
    let in_flight = |ledger: &Ledger| -> Vec<Vec<(usize, usize, bool)>> {
        let known = ledger.state().into_iter().filter_map(|event| match event {
            Event::Known { in_flight, .. } => Some(in_flight),
            _ => None,
        });
        known.collect()
    };
    let first = vec![(0, 0, false), (1, 0, false), (0, 1, false)];
    assert_eq!(in_flight(&book.ledger), [first, vec![(0, 0, false), (0, 1, false)]]);
    // Nothing leads from here to what they were planned for.
    book.see("f", "one");
    book.see("f", "two");
    let first = vec![(0, 0, true), (1, 0, true), (0, 1, false)];
    let expected = [first, vec![(0, 0, true), (0, 1, false)]];
    assert_eq!(in_flight(&book.ledger), expected);
    book.kept = book.ledger.state();
    assert_eq!(in_flight(&book.again()), expected);
    book.see("g", "2");
    book.check("a b c", "a");
}

#[test]
fn the_files_are_kept_that_blocks_have_changed_or_are_to_change() {
    let mut book = Book::default();
    book.propose("a", "seen 1");
    book.hand_out(&[work("a", "planned 1 2")]);
    let operation = book.apply(&[work("b", "undone 1 2")]);
    book.see("undone", "2");
    book.see("undone", "1");
    book.take(Event::Forgotten { operation });
    let files = book.ledger.state().into_iter().filter_map(|event| match event {
        Event::Timeline { path, .. } => Some(path.to_string()),
        _ => None,
    });
    assert_eq!(files.collect::<Vec<_>>(), ["planned", "undone"]);
}

/// A file that so many blocks have changed, of which those are forgotten that `is_gone` says.
fn forgotten(count: u64, is_gone: impl Fn(u64) -> bool) -> Book {
    let mut book = Book::default();
    for number in 0..count {
        let transition = format!("f {number} {}", number + 1);
        book.apply(&[work(&number.to_string(), &transition)]);
    }
    book.see("f", &count.to_string());
    let gone = (0..count).filter(|number| is_gone(*number));
    book.ledger.forget_all(&gone.map(|number| OperationId(number + 1)).collect());
    book
}

#[test]
fn the_changes_of_forgotten_operations_are_kept_at_both_ends() {
    let book = forgotten(100, |number| number < 90);
    let steps = book.ledger.timelines[&path("f")].steps();
    let numbers = (0..32).chain([57]).chain(58..100);
    let expected: Vec<State> = numbers.map(|it: u64| state(&(it + 1).to_string())).collect();
    assert_eq!(steps.iter().map(|step| step.after).collect::<Vec<_>>(), expected);
    assert!(steps.windows(2).all(|pair| pair[0].after == pair[1].before));
    assert_eq!(owners(&book.ledger, "f").matches('.').count(), 65);
}

#[test]
fn the_changes_of_forgotten_operations_stay_apart_around_one_that_is_not() {
    let book = forgotten(81, |number| number != 40);
    assert_eq!(book.ledger.lengths()[&path("f")], 81);
    book.ledger.standing(&chat(), block("40"), true).applied.unwrap();
}

#[test]
fn how_much_of_each_block_stands_is_kept() {
    let mut book = Book::default();
    book.apply(&[work("a", "f 1 2 g 1 2"), work("b", "h 1 2"), work("c", "i 1 2")]);
    book.see("h", "2");
    book.see("h", "1");
    book.hand_out(&[work("d", "f 2 3")]);
    let standing = book.ledger.state().into_iter().filter_map(|event| match event {
        Event::Known { standing, .. } => Some(standing),
        _ => None,
    });
    let expected = [vec![Some(2), Some(0), Some(1)], vec![None]];
    assert_eq!(standing.collect::<Vec<_>>(), expected);
}

#[test]
fn what_was_typed_is_kept() {
    let mut book = Book::default();
    book.apply(&[work("a", "f x y")]);
    book.see("f", "typed");
    book.kept = book.ledger.state();
    assert_eq!(book.again().base_of(&path("f"), state("typed")), Some(state("y")));
}
