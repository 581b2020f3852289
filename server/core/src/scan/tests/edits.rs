//! Edits that change what is found far below them, or that leave it as it is.

use super::*;

const BLOCK: &str = "BEGIN b\nFINISH\n";
const DIFF: &str = "```diff\n--- a/a.txt\n+++ b/a.txt\n@@\n-one\n+two\n```\n";

fn prose(lines: usize) -> String {
    "prose\n".repeat(lines)
}

/// Replaces the first place of a text, holds the scan against a fresh one, and says how many
/// blocks there are.
fn replaced(edited: &mut Edited, old: &str, new: &str) -> usize {
    let text = edited.text.to_string();
    let at = text.find(old).unwrap();
    edited.replace(at..at + old.len(), new);
    assert_eq!(edited.differs(), None, "{old} is now {new}, before that:\n{text}");
    edited.scan.blocks().count()
}

#[test]
fn a_block_stays_however_far_below_an_edit_it_is() {
    for lines in 1..60 {
        let mut edited = Edited::new(&(prose(lines) + BLOCK), Limits::default());
        assert_eq!(replaced(&mut edited, "prose", "some words"), 1, "{lines}");
    }
}

#[test]
fn raw_text_reaches_as_far_as_its_end_is() {
    let text = format!("BEGIN a\nTEXT e\n{BLOCK}{}{BLOCK}e\nFINISH\n", prose(60));
    let mut edited = Edited::new(&text, Limits::default());
    assert_eq!(edited.scan.blocks().count(), 1);
    assert_eq!(replaced(&mut edited, "TEXT e", "TEXT f"), 3);
    assert_eq!(replaced(&mut edited, "TEXT f", "TEXT e"), 1);
}

#[test]
fn a_line_far_below_is_the_end_of_a_block_with_open_raw_text() {
    let text = format!("BEGAN a\nTEXT e\n{}FINISH\n", prose(60));
    let mut edited = Edited::new(&text, Limits::default());
    assert_eq!(edited.scan.problem_count(), 1);
    assert_eq!(replaced(&mut edited, "BEGAN", "BEGIN"), 1);
    assert_eq!(edited.scan.problem_count(), 0);
    assert_eq!(replaced(&mut edited, "BEGIN", "BEGAN"), 0);
    assert_eq!(edited.scan.problem_count(), 1);
}

#[test]
fn a_path_that_was_in_a_block_is_above_the_next_one_when_that_block_is_gone() {
    let pair = "<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n";
    for lines in 0..20 {
        let text = format!("BEGIN a\n{}b.txt\nFINISH\n{}{pair}", prose(22), "\n".repeat(lines));
        let mut edited = Edited::new(&text, Limits::default());
        assert_eq!(paths(&edited.scan), ["-", "-"], "{lines}");
        replaced(&mut edited, "BEGIN a", "BEGAN a");
        assert_eq!(paths(&edited.scan), ["b.txt"], "{lines}");
    }
}

#[test]
fn the_edited_line_is_scanned_where_no_dialect_looks_at_the_lines_above() {
    let testing = Dialects::new(&[&TESTING as &dyn Dialect]);
    let text = format!("BEGAN b\nFINISH\n{}", prose(9));
    let mut edited = Edited::with(&text, testing, Limits::default());
    assert_eq!(replaced(&mut edited, "BEGAN", "BEGIN"), 1);
}

#[test]
fn another_limit_of_blocks_holds_with_the_next_edit() {
    let text = format!("{BLOCK}{BLOCK}{}{DIFF}", prose(40));
    let mut edited = Edited::with(&text, both().in_any_document(), Limits::default());
    assert_eq!(edited.scan.blocks().count(), 3);
    edited.limits.blocks = 1;
    assert_eq!(replaced(&mut edited, "prose", "words"), 1);
    // Without the others, the diff makes no chat.
    edited.limits.blocks = 9;
    assert_eq!(replaced(&mut edited, &BLOCK.repeat(2), ""), 0);
}

#[test]
fn a_text_is_scanned_again_once_it_is_not_too_large() {
    let limits = Limits { transcript_bytes: 20, ..Limits::default() };
    let mut edited = Edited::new(BLOCK, limits);
    assert_eq!(replaced(&mut edited, "BEGIN", "prose\nBEGIN"), 0);
    assert_eq!(edited.scan.problem_count(), 1);
    assert_eq!(replaced(&mut edited, "prose\n", ""), 1);
    assert_eq!(edited.scan.problem_count(), 0);
}

#[test]
fn a_block_far_below_as_many_as_the_limit_says_is_one_too_many() {
    let limits = Limits { blocks: 2, ..Limits::default() };
    let mut edited = Edited::new(&format!("{BLOCK}{BLOCK}{}end\n", prose(9)), limits);
    assert_eq!(replaced(&mut edited, "end\n", BLOCK), 2);
    assert_eq!(edited.scan.problem_count(), 1);
}

#[test]
fn the_first_block_beyond_the_limit_is_found_far_below_one_that_is_gone() {
    let limits = Limits { blocks: 2, ..Limits::default() };
    let mut edited = Edited::new(&format!("{BLOCK}{}", prose(40)).repeat(5), limits);
    assert_eq!(replaced(&mut edited, BLOCK, ""), 2);
    assert_eq!(edited.scan.problem_count(), 1);
}
