//! Blocks that replace the same text with different ones.

use super::*;

impl Desk {
    /// The reasons for a look of each block; `-` for none, and its status where it is not ready.
    fn looks(&mut self) -> String {
        let look = |it: Proposal| match (it.status, it.cautions()) {
            (Status::Ready, []) => "-".to_owned(),
            (Status::Ready, cautions) => {
                let reasons = cautions.iter().map(|it| it.reason.as_str());
                reasons.collect::<Vec<_>>().join("+")
            }
            (status, _) => status.as_str().to_owned(),
        };
        self.review().proposals().map(look).collect::<Vec<_>>().join(" ")
    }
}

const FILE: &[(&str, &str)] = &[("a.txt", "one\ntwo\nthree\n")];

/// A block that replaces some lines of the file.
fn pair(from: &str, to: &str) -> String {
    format!("a.txt\n```\n<<<<<<< SEARCH\n{from}\n=======\n{to}\n>>>>>>> REPLACE\n```\n")
}

/// The same as a diff.
fn diff(from: &str, to: &str) -> String {
    format!("```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-{from}\n+{to}\n```\n")
}

#[test]
fn of_two_blocks_for_the_same_text_none_is_applied_with_others() {
    let mut desk = Desk::new(&(pair("two", "2") + &pair("two", "II")), FILE);
    assert_eq!(desk.looks(), "conflicts conflicts");
    let review = desk.review();
    let why: Vec<String> = review.proposals().map(|it| it.reasons_to_look()).collect();
    assert_eq!(why[0], "a block below replaces the same text with another one");
    assert_eq!(why[1], "a block above replaces the same text with another one");
    let planned = desk.plan_all();
    assert_eq!((planned.done.len(), planned.left.len(), planned.failed.len()), (0, 2, 0));
    // Whoever looks chooses one.
    desk.apply(1);
    assert_eq!(desk.looks(), "blocked applied");
    assert_eq!(desk.files.files["a.txt"], b"one\nII\nthree\n");
}

#[test]
fn a_block_whose_text_another_one_has_replaced_says_so_until_that_is_undone() {
    let says = |desk: &mut Desk, number: usize| {
        let review = desk.review();
        let proposal = review.proposals().nth(number).unwrap();
        let problem = proposal.problems().next().map(|it| (it.code, it.message));
        problem.map(|(code, message)| format!("{}: {message}", code.as_str()))
    };
    let instead = |where_it_is: &str| {
        let says = "was applied instead; it has replaced this text with another one";
        Some(format!("plan/text-replaced: a block {where_it_is} {says}"))
    };
    for (first, other) in [
        (pair("two", "2"), pair("two", "II")),
        (diff("two", "2"), diff("two", "II")),
        (pair("two", "2"), pair("two", "II") + &pair("II", "zwei")),
    ] {
        for (number, rest, where_it_is) in [(1, 0, "below"), (0, 1, "above")] {
            let mut desk = Desk::new(&(first.clone() + &other), FILE);
            let before = says(&mut desk, rest);
            desk.apply(number);
            assert_eq!(says(&mut desk, rest), instead(where_it_is), "{first}{other}");
            desk.write("a.txt", FILE[0].1);
            assert_eq!(says(&mut desk, rest), before);
        }
    }
    // What somebody else has replaced is not there, and nobody knows why.
    let mut desk = Desk::new(&(pair("two", "2") + &pair("three", "3")), FILE);
    desk.apply(1);
    desk.write("a.txt", "one\n3\n");
    assert!(says(&mut desk, 0).unwrap().starts_with("plan/text-not-found: "));
}

#[test]
fn a_block_has_no_rival_any_more_once_the_other_is_applied_or_edited_or_gone() {
    let (first, other) = (pair("two", "2"), pair("two", "II"));
    let mut desk = Desk::new(&(first.clone() + &other), FILE);
    desk.apply(0);
    assert_eq!(desk.looks(), "applied blocked");
    desk.write("a.txt", "one\n2\ntwo\nthree\n");
    assert_eq!(desk.looks(), "applied -");
    let mut desk = Desk::new(&(first.clone() + &other), FILE);
    assert_eq!(desk.looks(), "conflicts conflicts");
    desk.edit(first.len()..first.len() + other.len(), &pair("three", "III"));
    assert_eq!(desk.looks(), "- -");
    desk.edit(0..first.len(), "");
    assert_eq!(desk.looks(), "-");
    desk.append(&pair("three", "3"));
    desk.append(&pair("three", "III"));
    assert_eq!(desk.looks(), "conflicts conflicts conflicts");
}

#[test]
fn blocks_that_can_both_be_applied_or_do_the_same_are_no_rivals() {
    for (first, other, looks) in [
        (pair("one", "1"), pair("two", "2"), "- -"),
        (pair("two", "two\nmore"), pair("two", "else\ntwo"), "- -"),
        (pair("two", "2"), pair("two", "2"), "- -"),
        (pair("two", "2"), pair("two\nthree", "2\n3"), "- -"),
        (diff("two", "2"), diff("two", "II"), "conflicts conflicts"),
        (diff("two", "2"), diff("two", "2"), "- -"),
        (write("1", "a.txt", "one\n2\nthree\n"), write("2", "a.txt", "one\nII\nthree\n"), "- -"),
    ] {
        assert_eq!(Desk::new(&(first.clone() + &other), FILE).looks(), looks, "{first}{other}");
    }
}

#[test]
fn a_block_that_was_not_applied_when_it_was_told_needs_a_look_after_a_later_one() {
    let failed = "OPERATOR_RESULT\nid: 1\nok: false\nsummary: not found\nEND_OPERATOR_RESULT\n";
    let (first, other) = (replace("1", "a.txt", "II", "two"), replace("2", "a.txt", "two", "II"));
    for (told, looks) in [(failed, "conflicts applied"), ("", "- applied")] {
        let mut desk = Desk::new(&format!("{first}{told}{other}"), FILE);
        assert_eq!(desk.looks(), "blocked -");
        desk.apply(1);
        assert_eq!(desk.looks(), looks);
    }
}

#[test]
fn a_block_on_a_directory_was_overtaken_as_long_as_what_changed_a_file_in_it_is_applied() {
    let files = &[("sub/c.txt", "one\n"), ("sub/d.txt", "two\n")];
    let delete =
        "OPERATOR_CMD\nversion: 1\nid: 1\naction: fs.delete\npath: sub\nEND_OPERATOR_CMD\n";
    let failed = "OPERATOR_RESULT\nid: 1\nok: false\nsummary: no\nEND_OPERATOR_RESULT\n";
    let patch = "*** Begin Patch\n*** Delete File: sub/c.txt\n*** End Patch\n";
    let text = format!("{delete}{failed}{patch}");
    let mut desk = Desk::new(&text, files);
    assert_eq!(desk.looks(), "deletes-directory -");
    desk.apply(1);
    assert_eq!(desk.looks(), "deletes-directory+conflicts applied");
    let at = text.find("*** Delete").expect("it is there");
    desk.edit(at..at + 10, "*** Delite");
    assert_eq!(desk.looks(), "deletes-directory invalid");
}
