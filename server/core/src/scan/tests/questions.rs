//! What a scan says of one place or of one block.

use super::*;

const COMMAND: &str =
    "OPERATOR_CMD\nversion: 1\nid: a\naction: fs.list\npath: .\nEND_OPERATOR_CMD\n";
const RESULT: &str = "OPERATOR_RESULT\nid: a\nok: true\nsummary: done\nEND_OPERATOR_RESULT\n";

#[test]
fn the_same_blocks_of_another_scan_are_taken_over() {
    let text = Text::new("BEGIN a\nFINISH\nBEGIN long\nprose\nFINISH\n");
    let scan = |block_bytes: usize| {
        Scan::new(&text, &both(), &Limits { block_bytes, ..Limits::default() })
    };
    // The second block is too large in one of the scans alone.
    let (known, mut other) = (scan(20), scan(100));
    let are_known = |scan: &Scan| -> Vec<bool> {
        scan.blocks().zip(known.blocks()).map(|(it, known)| it.block.is(&known.block)).collect()
    };
    assert_eq!(are_known(&other), [false, false]);
    other.keep_known(&known);
    assert_eq!(are_known(&other), [true, false]);
}

#[test]
fn a_block_has_the_stray_markers_of_its_family_since_the_last_reply() {
    let end = "END_OPERATOR_CMD\n";
    let above = format!("{end}{RESULT}FINISH\n");
    let scan = fresh(&format!("{above}{end}{COMMAND}"));
    let command = scan.blocks().next().unwrap();
    let strays = scan.strays_with(&command);
    let places: Vec<_> = strays.iter().map(|problem| problem.span.start).collect();
    assert_eq!(places, [above.len()]);
    assert_eq!(scan.problems().count(), 3);
}

#[test]
fn a_reply_is_at_its_first_byte_alone() {
    let scan = fresh(&format!("{COMMAND}{RESULT}"));
    assert!(scan.reply_at(COMMAND.len()).is_some());
    for no_reply in [0, 1, COMMAND.len() - 1, COMMAND.len() + 1, COMMAND.len() + RESULT.len()] {
        assert!(scan.reply_at(no_reply).is_none(), "{no_reply}");
    }
}

#[test]
fn a_scan_says_whether_there_is_open_raw_text_or_a_draft() {
    let says = |text: &str| (fresh(text).has_open(), fresh(text).has_drafts());
    assert_eq!(says("BEGIN a\nFINISH\n"), (false, false));
    assert_eq!(says("BEGIN a\nTEXT e\nFINISH\n"), (true, false));
    assert_eq!(says("BEGIN a\nFINISH\n</think>\n"), (false, true));
}

#[test]
fn a_block_is_in_the_nearest_open_raw_text() {
    check(
        "BEGIN a\nTEXT e\nBEGIN b\nFINISH\nBEGIN c\nTEXT e\nBEGIN d\nFINISH\n",
        &[
            "0 testing a 0..14 Unterminated inside None",
            "1 testing b 15..29 Closed inside Some(0)",
            "2 testing c 30..44 Unterminated inside None",
            "3 testing d 45..59 Closed inside Some(2)",
        ],
    );
}

#[test]
fn the_first_block_beyond_a_large_limit_is_named() {
    let block = "BEGIN a\nFINISH\n";
    let limits = Limits { blocks: 12, ..Limits::default() };
    let scan = Scan::new(&Text::new(&block.repeat(20)), &both(), &limits);
    let start = 12 * block.len();
    assert_eq!(
        shown(&scan).lines().last(),
        Some(format!("scan/too-many-blocks {start}..{}", start + block.len() - 1).as_str())
    );
}

#[test]
fn a_document_is_a_chat_by_its_first_block_whatever_is_above_it() {
    let text = Text::new("FINISH\nBEGIN a\nFINISH\n");
    let scan = Scan::new(&text, &both().in_any_document(), &Limits::default());
    assert_eq!(
        shown(&scan),
        "0 testing a 7..21 Closed inside None\noperator/unexpected-end 0..6\n"
    );
}

#[test]
fn a_result_in_no_fence_is_right_below_its_block() {
    let block = "#!SHAM [@three-char-SHA-256: abc]\naction = \"file_read\"\n#!END_SHAM_abc\n";
    let result = "{\"executedActions\": 0, \"success\": true, \"totalBlocks\": 0, \
                  \"results\": [], \"parseErrors\": []}\n";
    let replies =
        |between: &str| fresh(&format!("{block}{between}{result}")).reply_blocks().count();
    assert_eq!(replies(""), 1);
    assert_eq!(replies("prose\n"), 0);
}

#[test]
fn a_path_in_the_block_before_is_not_above_a_block() {
    let pair = |new: &str| format!("<<<<<<< SEARCH\none\n=======\n{new}\n>>>>>>> REPLACE\n");
    let text = format!("a.txt\n{}{}", pair("b.txt"), pair("two"));
    assert_eq!(paths(&fresh(&text)), ["a.txt", "a.txt"]);
}

#[test]
fn a_draft_begins_with_its_message() {
    let block = "BEGIN a\nFINISH\n";
    let drafts = |text: &str| -> Vec<bool> { fresh(text).blocks().map(|it| it.is_draft).collect() };
    // What looks like the head of a message is in a block, or begins a fence.
    assert_eq!(drafts(&format!("{block}BEGIN b\nBot: x\nFINISH\n</think>\n")), [true, true]);
    assert_eq!(drafts(&format!("{block}```user\nx\n```\n</think>\n")), [true]);
    // A stray marker is not text.
    assert_eq!(drafts(&format!("{block}[10:00] \"old_str\": \"one\",\n</think>\n")), [false]);
}
