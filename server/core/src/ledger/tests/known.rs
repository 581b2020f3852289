//! What is known of operations, blocks and bases.

use super::*;
use crate::edit::Hunk;
use crate::plan::Part;

#[test]
fn what_is_known_of_an_edit_on_its_way() {
    let mut book = Book::default();
    let (f, works) = (path("f"), [work("a", "f x y")]);
    let id = book.hand_out(&works);
    let ledger = &book.ledger;
    assert!(ledger.awaits(id) && ledger.expects(&f) && !ledger.expects(&path("g")));
    assert!(ledger.find(0, &chat(), &works).is_some_and(|it| it.id == id));
    assert!(ledger.find(1, &chat(), &works).is_none());
    assert!(ledger.find(0, &Transcript::new("other.md"), &works).is_none());
    assert!(ledger.find(0, &chat(), &[work("a", "f x z")]).is_none());
    book.take(Event::Claimed { operation: id });
    book.see("f", "y");
    let ledger = &book.ledger;
    assert!(!ledger.awaits(id) && !ledger.expects(&f));
}

#[test]
fn what_is_known_of_an_operation_while_an_editor_makes_it() {
    let mut book = Book::default();
    assert!(book.ledger.is_empty() && book.ledger.head(&path("f")).is_none());
    assert!(!book.ledger.knows_block(&chat(), block("a")));
    let id = book.hand_out(&[work("a", "f x y"), work("b", "g 1 2 h 1 1 i 1 2")]);
    assert!(!book.ledger.is_empty() && book.ledger.knows_block(&chat(), block("a")));
    let check = |book: &Book, made: [&str; 2], stands: bool, is_made: bool, awaited: bool| {
        let ledger = &book.ledger;
        let paths = made.map(|paths| paths.split_terminator(' ').map(path).collect());
        assert_eq!(ledger.made_at(id), paths);
        assert_eq!((ledger.stands(id), ledger.is_made(id)), (stands, is_made));
        let ids = ledger.awaited([block("a"), block("other")].into_iter());
        assert_eq!(ids, if awaited { vec![id] } else { Vec::new() });
    };
    check(&book, ["", ""], false, false, true);
    book.see("f", "y");
    assert_eq!(book.ledger.head(&path("f")), Some(state("y")));
    check(&book, ["f", ""], true, false, false);
    book.see("g", "2");
    check(&book, ["f", "g"], true, false, false);
    book.see("i", "2");
    // What changes nothing is made with the rest of its block.
    check(&book, ["f", "g i"], true, true, false);
    book.take(Event::Claimed { operation: id });
    check(&book, ["f", "g i"], true, true, false);
    book.see("g", "1");
    check(&book, ["f", "i"], true, true, false);
    book.see("f", "x");
    book.take(Event::Undone { operation: id });
    check(&book, ["", ""], false, false, false);

    let other = book.hand_out(&[work("c", "k x y")]);
    book.take(Event::Withdrawn { operation: other });
    assert!(book.ledger.awaited([block("c")].into_iter()).is_empty());
    assert!(book.ledger.made_at(OperationId(9)).is_empty());
}

#[test]
fn an_answer_alone_is_something_that_is_known() {
    let mut book = Book::default();
    let answer = Answer { ok: true, summary: "3 lines".to_owned(), ..Answer::default() };
    book.take(Event::Answered { transcript: chat(), block: block("r"), answer });
    assert!(!book.ledger.is_empty());
}

#[test]
fn who_changed_a_file_after_an_operation() {
    let mut book = Book::default();
    let a = book.apply(&[work("a", "f z x")]);
    let b = book.apply(&[work("b", "f x y")]);
    book.see("f", "y");
    let between = book.ledger.can_undo(a).unwrap_err();
    assert_eq!((between.path, between.operation), (path("f"), Some(b)));
    assert_eq!(book.ledger.last_undoable().unwrap().id, b);
    book.see("f", "typed");
    assert_eq!(book.ledger.can_undo(b).unwrap_err().operation, None);
    assert!(book.ledger.last_undoable().is_none());
}

#[test]
fn what_a_person_did_by_hand_is_not_the_last_to_be_undone() {
    let mut book = Book::default();
    let a = book.apply(&[work("a", "f z x")]);
    book.see("f", "x");
    let at = [(path("g"), state("1"))].into();
    book.take(Event::Proposed { transcript: chat(), block: block("b"), at, ambiguous: false });
    book.find("g", "1", false, &[]);
    book.find("g", "2", false, &[work("b", "g 1 2")]);
    book.check("a b", "a b");
    assert_eq!(book.ledger.last_undoable().unwrap().id, a);
    book.take(Event::Undone { operation: a });
    assert!(book.ledger.last_undoable().is_none());
}

#[test]
fn what_blocks_have_done_to_the_lines_of_a_file_is_known_until_somebody_else_changes_it() {
    let mut book = Book::default();
    let hunk = |first, removed, added| Some(Hunk { first, removed, added });
    let changed = |name: &str, transition: &str, lines| {
        let mut work = work(name, transition);
        work.transitions[0].lines = lines;
        work
    };
    let since = |book: &Book, base: &str, now: &str| {
        let line = |line| book.ledger.line_since(&path("f"), state(base), state(now), line);
        [1, 6, 20].map(line)
    };
    book.apply(&[changed("a", "f 1 2", hunk(1, 0, 3)), changed("b", "f 2 3", hunk(9, 2, 1))]);
    let (unknown, same) = ([None; 3], [Some(1), Some(6), Some(20)]);
    assert_eq!(since(&book, "1", "3"), [Some(4), None, Some(22)]);
    assert_eq!(since(&book, "2", "3"), [Some(1), Some(6), Some(19)]);
    assert_eq!(since(&book, "3", "3"), same);
    for (base, now) in [("other", "3"), ("1", "other"), ("3", "1")] {
        assert_eq!(since(&book, base, now), unknown, "{base} {now}");
    }
    let is_changed = |book: &Book, base: &str, now: &str| {
        book.ledger.is_changed_since(&path("f"), state(base), state(now))
    };
    assert!(is_changed(&book, "1", "3") && !is_changed(&book, "3", "3"));
    // One that says nothing of lines, and somebody who types.
    book.apply(&[work("c", "f 3 4")]);
    assert_eq!((since(&book, "1", "4"), since(&book, "4", "4")), (unknown, same));
    book.see("f", "typed");
    assert_eq!(since(&book, "4", "typed"), unknown);
    assert!(!is_changed(&book, "4", "typed") && is_changed(&book, "3", "typed"));
    // What is undone has not happened.
    book.see("f", "3");
    assert_eq!(since(&book, "2", "3"), [Some(1), Some(6), Some(19)]);
    book.see("f", "2");
    assert!(!is_changed(&book, "2", "2"));
}

#[test]
fn where_blocks_have_led_back_to_a_text_a_line_is_known_that_has_one_number_each_time() {
    let mut book = Book::default();
    let change = |name: &str, transition: &str, first, removed, added| {
        let mut work = work(name, transition);
        work.transitions[0].lines = Some(Hunk { first, removed, added });
        work
    };
    let since = |book: &Book, base: &str, now: &str| {
        let line = |line| book.ledger.line_since(&path("f"), state(base), state(now), line);
        [1, 3, 5, 20].map(line)
    };
    // One of several equal lines goes, and another one comes above it: the text is as it was.
    book.apply(&[change("a", "f 1 2", 5, 1, 0)]);
    book.apply(&[change("b", "f 2 1", 2, 0, 1)]);
    assert_eq!(since(&book, "1", "1"), [Some(1), None, None, Some(20)]);
    assert_eq!(since(&book, "2", "1"), [Some(1), Some(4), Some(6), Some(21)]);
    book.apply(&[change("c", "f 1 3", 10, 0, 2)]);
    assert_eq!(since(&book, "1", "3"), [Some(1), None, None, Some(22)]);
    // What somebody has typed between them says nothing of lines.
    book.see("f", "typed");
    book.apply(&[change("d", "f typed 1", 10, 2, 0)]);
    assert_eq!(since(&book, "1", "1"), [None; 4]);
    // Nobody has seen the file between the blocks of an operation.
    let mut book = Book::default();
    book.apply(&[change("a", "f 1 2", 5, 1, 0), change("b", "f 2 1", 2, 0, 1)]);
    book.apply(&[change("c", "f 1 2", 5, 1, 0), change("d", "f 2 3", 7, 0, 1)]);
    assert_eq!(since(&book, "2", "3"), [Some(1), Some(3), Some(5), Some(21)]);
}

#[test]
fn an_event_is_taken_in_alike_with_and_without_a_copy() {
    let operation = |id: u64, name: &str, transitions: &str, door| Operation {
        id: OperationId(id),
        time: 0,
        door,
        transcript: chat(),
        works: vec![work(name, transitions)],
    };
    let (mut copied, mut taken) = (Ledger::default(), Ledger::default());
    for event in [
        Event::Applied(operation(1, "a", "f x y", Door::Cli)),
        Event::HandedOut(operation(2, "b", "g 1 2", Door::Lsp)),
        Event::ByHand(operation(3, "c", "h 1 2", Door::Hand)),
        Event::Undone { operation: OperationId(1) },
    ] {
        copied.apply(&event);
        taken.take(event);
        assert!(copied.timelines == taken.timelines && copied.standing == taken.standing);
        assert!(copied.in_flight == taken.in_flight);
    }
    assert_eq!(taken.operation(OperationId(2)).map(|it| it.door), Some(Door::Lsp));
    assert!(taken.operation(OperationId(4)).is_none());
    assert_eq!([Door::Lsp, Door::Cli, Door::Hand].map(|it| it.word()), ["apply", "apply", "hand"]);
    assert_eq!(chat().as_str(), "chat.md");
}

#[test]
fn the_bases_of_blocks_lie_above_those_that_are_read_and_are_bounded() {
    let base = |ledger: &mut Ledger, name: &str, word: &str| {
        let at = [(path("f"), state(word))].into();
        ledger.apply(&Event::Proposed {
            transcript: chat(),
            block: block(name),
            at,
            ambiguous: false,
        });
    };
    let (mut one, mut other) = (Ledger::default(), Ledger::default());
    base(&mut one, "a", "1");
    base(&mut one, "b", "1");
    base(&mut other, "b", "2");
    base(&mut other, "c", "2");
    let known = |ledger: &Ledger| {
        let at = |name: &&str| ledger.base(&chat(), block(name)).cloned();
        let word = |name: &&str| match at(name)?.at[0].1 {
            it if it == state("1") => Some(format!("{name}1")),
            _ => Some(format!("{name}2")),
        };
        ["a", "b", "c"].iter().filter_map(word).collect::<Vec<_>>().join(" ")
    };
    let mut kept = one.clone();
    kept.keep_bases(&other, true);
    assert_eq!((known(&kept).as_str(), kept.own_bases_of(&chat())), ("a1 b2 c2", 2));
    // What was read earlier is not lost where a file is read that does not go on from it.
    for (goes_on, all, own) in [(true, "b2 c2", 2), (false, "a1 b2 c2", 3)] {
        let mut next = Ledger::default();
        next.keep_bases(&kept, goes_on);
        assert_eq!((known(&next).as_str(), next.own_bases_of(&chat())), (all, own), "{goes_on}");
    }
    let copy = Transcript::new("copy.md");
    kept.copy_bases(&chat(), &copy);
    for name in ["a", "b", "c"] {
        assert_eq!(kept.base(&copy, block(name)), kept.base(&chat(), block(name)), "{name}");
    }
    base(&mut kept, "a", "2");
    assert_eq!(known(&kept), "a2 b2 c2");
    kept.bound_bases(&chat(), |it| it != block("a") && it != block("b"));
    assert_eq!((known(&kept).as_str(), kept.own_bases_of(&chat())), ("a1 b1 c2", 1));
    assert_eq!(kept.own_bases_of(&Transcript::new("other.md")), 0);
}

#[test]
fn only_what_nobody_owns_makes_a_base_old() {
    let mut book = Book::default();
    let at = [(path("f"), state("z"))].into();
    book.take(Event::Proposed { transcript: chat(), block: block("b"), at, ambiguous: false });
    let fresh = |book: &Book, base: &str, now: &str| {
        book.ledger.is_fresh(&chat(), &path("f"), state(base), state(now))
    };
    book.apply(&[work("a", "f z x")]);
    assert!(fresh(&book, "z", "x"));
    book.see("f", "typed");
    assert!(!fresh(&book, "z", "typed"));
    book.see("f", "x");
    assert!(fresh(&book, "z", "x"));
    book.see("f", "z");
    assert!(fresh(&book, "x", "z"), "the block that led there was undone");
    let other = Transcript::new("other.md");
    book.see("f", "x");
    assert!(!book.ledger.is_fresh(&other, &path("f"), state("z"), state("x")));
}

#[test]
fn an_equal_block_of_another_transcript_counts_where_it_changes_files() {
    let mut book = Book::default();
    book.apply(&[work("a", "f z x")]);
    let other = Transcript::new("other.md");
    let found = |everywhere| book.ledger.standing(&other, block("a"), everywhere);
    assert_eq!(found(true).applied.unwrap().transcript, chat());
    assert_eq!(found(false).applied, None);
    assert!(!found(true).undone);
}

#[test]
fn what_a_look_has_found_is_taken_in_where_nothing_has_happened_since() {
    let mut book = Book::default();
    let operation = book.apply(&[work("a", "f x y")]);
    assert_eq!(operation.to_string(), "1");
    book.see("f", "y");
    let then = book.ledger.clone();
    let found = [Event::Changed { path: path("f"), to: state("z") }];
    // It was seen once more, as it was.
    book.take(Event::Seen { path: path("f"), to: state("y") });
    assert!(!Arc::ptr_eq(&then.timelines[&path("f")], &book.ledger.timelines[&path("f")]));
    let mut other = book.ledger.clone();
    let merged = other.merge(&found, &then);
    assert_eq!((merged.events.as_slice(), merged.again.len()), (found.as_slice(), 0));
    book.see("f", "other");
    let merged = book.ledger.merge(&found, &then);
    assert_eq!((merged.events.len(), merged.again), (0, [path("f")].into()));
}

#[test]
fn of_two_looks_that_find_the_same_change_each_may_know_whose_it_is() {
    let mut book = Book::default();
    let hand = [work("a", "f x y")];
    book.take(Event::Proposed {
        transcript: chat(),
        block: block("a"),
        at: [(path("f"), state("x"))].into(),
        ambiguous: false,
    });
    let then = book.ledger.clone();
    // A look that knows of no block, and one for the block's transcript.
    book.see("f", "y");
    let mut other = Book { ledger: then.clone(), ..Book::default() };
    other.find("f", "y", false, &hand);
    book.check("a", "");
    let merged = book.ledger.merge(&other.kept, &then);
    assert!(matches!(merged.events.as_slice(), [Event::ByHand(_)]) && merged.again.is_empty());
    book.kept.extend(merged.events);
    book.check("a", "a");
}

#[test]
fn what_an_editor_made_of_a_block_before_it_gave_up() {
    let whole = work("a", "d - / d/f - 1 g 1 2 h 1 1");
    let made = |files: &[&str]| whole.made_in(&files.iter().copied().map(path).collect());
    assert_eq!(made(&[]), None);
    assert_eq!(made(&["h", "other"]), None, "what stays the same is not made");
    assert_eq!(made(&["d", "d/f", "g"]).as_ref(), Some(&whole));
    let part = |files: &[&str]| {
        let work = made(files)?;
        let paths = work.transitions.iter().map(|it| it.path.to_string()).collect::<Vec<_>>();
        Some((paths.join(" "), work.part?))
    };
    let (applied, rejected) = (vec![0, 1], vec![2]);
    let first = Part { applied, rejected, files: true, ..Part::default() };
    assert_eq!(part(&["d/f"]), Some(("d d/f".to_owned(), first)));
    let (applied, rejected) = (vec![2], vec![0, 1]);
    let last = Part { applied, rejected, files: true, ..Part::default() };
    assert_eq!(part(&["g"]), Some(("g".to_owned(), last)));
    // What was made of a block that changes nothing, nobody can tell.
    assert_eq!(work("b", "f 1 1").made_in(&[path("f")].into()), None);
}

#[test]
fn what_is_undone_in_part_is_known_file_by_file() {
    let check = |works: &[Work], seen: &str, is_back: &[&str], expected: &str, left: &str| {
        let mut book = Book::default();
        let id = book.apply(works);
        for words in seen.split_terminator(", ") {
            let (name, word) = words.split_once(' ').unwrap();
            book.see(name, word);
        }
        let is_back = |path: &FilePath, state: State| {
            assert_eq!(state, State::Missing, "{path}");
            is_back.contains(&&*path.path)
        };
        let events = book.ledger.undo_in_part(id, &is_back);
        let shown: Vec<String> = events
            .iter()
            .map(|event| match event {
                Event::Back { path, to: State::Missing, typed: None } => path.path.to_string(),
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
        book.kept.extend(events);
        let names: Vec<&str> = works.iter().map(|work| work.name.as_str()).collect();
        book.check(&names.join(" "), left);
    };
    let two = [work("a", "f - x"), work("b", "g - y")];
    check(&two, "", &["f"], "f", "b");
    check(&two, "", &["f", "g"], "f g", "");
    check(&two, "", &[], "", "a b");
    // What is seen to be back is not told of again.
    check(&two, "f -", &["f", "g"], "g", "");
    // A directory on the way to a file goes with it; what a block makes for itself stays.
    let below = [work("a", "d - / d/f - x"), work("b", "e - /")];
    check(&below, "", &["d/f"], "d/f d", "b");
    check(&below, "", &["e"], "e", "a");
    let both = [work("a", "d - / d/f - x d/g - y")];
    check(&both, "", &["d/f"], "d/f", "a");
    let mut none = Book::default();
    assert_eq!(none.ledger.undo_in_part(OperationId(3), &|_, _| true), []);
}

#[test]
fn what_was_applied_is_seen_at_each_of_its_files() {
    let mut book = Book::default();
    let (id, works) = (book.ledger.next_id(), vec![work("a", "f x y"), work("b", "g 1 2 f y z")]);
    book.take(Event::Applied(Operation {
        id,
        time: 0,
        door: Door::Cli,
        transcript: chat(),
        works,
    }));
    let head = |name| book.ledger.head(&path(name));
    assert_eq!((head("f"), head("g")), (Some(state("z")), Some(state("2"))));
    let knows = |name, word| book.ledger.knows(&path(name), state(word));
    assert!(knows("f", "z") && knows("f", "y") && knows("f", "x") && !knows("f", "typed"));
    assert!(knows("other", "text"), "nothing is known of that file");
}

#[test]
fn what_is_made_in_a_directory_makes_it() {
    let check = |transitions: &str, expected: bool| {
        let mut book = Book::default();
        let at = [(path("d"), state("-"))].into();
        book.take(Event::Proposed { transcript: chat(), block: block("a"), at, ambiguous: false });
        book.apply(&[work("a", transitions)]);
        let timeline = &book.ledger.timelines[&path("d")];
        assert_eq!(timeline.is_inherited(), expected, "{transitions}");
    };
    check("d/f - x", true);
    // The file was there before.
    check("d/f y x", false);
}

#[test]
fn a_forgotten_operation_leaves_the_others_of_its_block() {
    let mut book = Book::default();
    let first = book.apply(&[work("a", "f x y")]);
    book.see("f", "x");
    let second = book.apply(&[work("a", "f x y")]);
    book.take(Event::Forgotten { operation: first });
    book.check("a", "a");
    book.take(Event::Forgotten { operation: second });
    book.check("a", "");
    assert!(!book.ledger.knows_block(&chat(), block("a")));
}

#[test]
fn an_operation_of_a_record_may_be_known() {
    let mut book = Book::default();
    let id = book.hand_out(&[work("a", "f x y")]);
    let operation = (**book.ledger.operation(id).unwrap()).clone();
    assert!(book.ledger.expect(operation.clone()).is_some());
    book.hand_out(&[work("a", "f x y")]);
    assert!(book.ledger.expect(operation).is_none(), "a newer one has the block");
}
