//! Where blocks begin and end in a text, and what they are told of the lines around them.

use super::*;

const BLOCK: &str = "BEGIN b\nFINISH\n";
const DIFF: &str = "```diff\n--- a/a.txt\n+++ b/a.txt\n@@\n-one\n+two\n```\n";
const PAIR: &str = "a.txt\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";

fn prose(lines: usize) -> String {
    "prose\n".repeat(lines)
}

/// The places of the blocks of a text.
fn places(text: &str) -> Vec<(usize, usize)> {
    fresh(text).blocks().map(|placed| (placed.span.start, placed.span.end)).collect()
}

/// Whether each block of a text is in the raw text of another.
fn inside(text: &str) -> Vec<Option<usize>> {
    fresh(text).blocks().map(|placed| placed.inside).collect()
}

/// The codes of the problems that belong to no block.
fn codes(text: &str) -> Vec<String> {
    fresh(text).problems().map(|problem| problem.code.to_string()).collect()
}

#[test]
fn a_block_may_be_as_large_as_the_limit() {
    let found = |block_bytes: usize| {
        let limits = Limits { block_bytes, ..Limits::default() };
        shown(&Scan::new(&Text::new(&format!("prose\n{BLOCK}")), &both(), &limits))
    };
    assert_eq!(found(14), "0 testing b 6..20 Closed inside None\n");
    assert_eq!(found(13), "0 testing b 6..20 TooLarge inside None scan/block-too-large@0..7\n");
}

#[test]
fn a_line_that_begins_within_the_limit_is_of_the_block() {
    let ends = |block_bytes: usize| -> Vec<_> {
        let limits = Limits { block_bytes, ..Limits::default() };
        let text = Text::new("OPERATOR_CMD\nid: a\npath: .\n");
        let scan = Scan::new(&text, &both(), &limits);
        scan.blocks().map(|placed| (placed.span.end, placed.block.end)).collect()
    };
    assert_eq!(ends(26), [(26, BlockEnd::Unterminated)]);
    assert_eq!(ends(19), [(26, BlockEnd::TooLarge)]);
    assert_eq!(ends(18), [(18, BlockEnd::Unterminated)]);
}

#[test]
fn a_document_may_be_an_object_below_blank_lines() {
    let object = "{\"enabled\": true, \"ops\": []}\n";
    for blank in ["", "\n", "\n \n\n", &"\n".repeat(100)] {
        let end = blank.len() + object.len() - 1;
        assert_eq!(places(&format!("{blank}{object}")), [(0, end)], "{blank:?}");
        assert_eq!(
            places(&format!("{blank}prose\n{object}")),
            <[(usize, usize); 0]>::default(),
            "{blank:?}"
        );
        let mut edited = Edited::new(&format!("{blank}prose\n{object}"), Limits::default());
        edited.replace(blank.len()..blank.len() + 6, "");
        assert_eq!(edited.differs(), None, "{blank:?}");
        edited.replace(blank.len()..blank.len(), "prose\n");
        assert_eq!(edited.differs(), None, "{blank:?}");
        assert_eq!(edited.scan.blocks().count(), 0);
    }
    assert_eq!(places(&"\n".repeat(100)), <[(usize, usize); 0]>::default());
}

#[test]
fn an_object_that_another_dialect_knows_is_no_document() {
    let call = "{\"old_string\": \"one\", \"new_string\": \"two\"}\n";
    assert_eq!(codes(call), ["chat/not-applied"]);
    assert_eq!(codes(&format!("\n\n{call}")), ["chat/not-applied"]);
}

#[test]
fn a_thought_begins_in_no_fence() {
    assert_eq!(places(&format!("<think>\n{BLOCK}</think>\n{BLOCK}")), [(32, 46)]);
    assert_eq!(places(&format!("```\n<think>\n```\n{BLOCK}</think>\n")), [(16, 30)]);
    // The line alone is passed over where none ends it.
    assert_eq!(places(&format!("<think>\n{BLOCK}{}", prose(60))), [(8, 22)]);
    let far = format!("{}<think>\n{BLOCK}{}</think>\n", prose(60), prose(60));
    assert_eq!(places(&format!("{far}{BLOCK}")), [(far.len(), far.len() + 14)]);
    assert_eq!(places(&format!("{far}\r\n{BLOCK}")), [(far.len() + 2, far.len() + 16)]);
}

#[test]
fn a_block_in_a_thought_makes_a_document_a_chat() {
    let text = Text::new(&format!("<think>\n{BLOCK}</think>\n{DIFF}"));
    let scan = Scan::new(&text, &both().in_any_document(), &Limits::default());
    let names: Vec<_> = scan.blocks().map(|placed| placed.block.dialect.name()).collect();
    assert_eq!(names, ["diff"]);
}

#[test]
fn a_document_that_is_no_chat_has_no_draft() {
    let text = Text::new("prose\n</think>\n");
    let has_drafts =
        |dialects: &Dialects| Scan::new(&text, dialects, &Limits::default()).has_drafts();
    assert!(has_drafts(&both()) && !has_drafts(&both().in_any_document()));
}

#[test]
fn the_end_of_a_thought_in_a_fence_ends_none() {
    let text = format!("{BLOCK}```\n</think>\n```\n");
    let scan = fresh(&text);
    assert!(!scan.has_drafts() && scan.blocks().all(|placed| !placed.is_draft));
}

#[test]
fn the_search_is_off_up_to_the_comment_of_the_same_name() {
    let [off, on] = ["<!-- operator-lsp: off -->\n", "<!-- operator-lsp: on -->\n"];
    for lines in [0, 9, 90] {
        let above = format!("prose\n{off}{BLOCK}{}{BLOCK}{on}", prose(lines));
        assert_eq!(places(&format!("{above}{BLOCK}")), [(above.len(), above.len() + 14)]);
        let above = above.replace("off", "off a").replace("on -->", "on b -->");
        assert_eq!(
            places(&format!("{above}{BLOCK}{}", prose(9))),
            <[(usize, usize); 0]>::default()
        );
        let above = format!("{above}{BLOCK}<!-- operator-lsp: on a -->\n");
        assert_eq!(places(&format!("{above}{BLOCK}")), [(above.len(), above.len() + 14)]);
    }
}

#[test]
fn a_block_is_in_the_message_of_the_one_above_as_far_as_lines_are_looked_at() {
    let is_shown = |lines: usize| -> Vec<bool> {
        let between = "x\n".repeat(lines);
        let scan = fresh(&format!("## User\n{PAIR}{between}{PAIR}## Bot\n"));
        scan.blocks().map(|placed| scan.is_shown(&placed.block)).collect()
    };
    // With the path there is one line more.
    assert_eq!(is_shown(22), [true, true]);
    assert_eq!(is_shown(23), [true, false]);
    assert_eq!(is_shown(24), [true, false]);
}

#[test]
fn what_breaks_off_a_block_of_raw_text_may_be_in_it() {
    // In a text to search for, such a line is text.
    assert_eq!(inside(&format!("a.txt\n<<<<<<< SEARCH\na\n{PAIR}")), [None, Some(0)]);
    let patch = "*** Begin Patch\n*** Update File: a.txt\n";
    assert_eq!(inside(&format!("{patch}{patch}*** End Patch\n")), [None, Some(0)]);
}

#[test]
fn open_raw_text_ends_with_the_line_that_would_end_its_block() {
    let above = "prose\nBEGIN a\nTEXT e\n";
    let scan = fresh(&format!("{above}{BLOCK}{BLOCK}"));
    let open = scan.blocks().next().unwrap();
    assert_eq!((open.span.start, open.span.end), (6, 20));
    assert_eq!(open.block.raw_until, Some(above.len() - 6 + "BEGIN b\n".len()));
    assert_eq!(open.block.whole, 15);
    assert_eq!(inside(&format!("{above}{BLOCK}{BLOCK}")), [None, Some(0), None]);
    // Nothing would end this one.
    let open = fresh("<<<<<<< SEARCH\na\n").blocks().next().unwrap().block;
    assert_eq!((open.end, open.raw_until), (BlockEnd::Unterminated, Some(17)));
}

#[test]
fn the_end_of_a_fence_with_which_a_block_begins_is_the_blocks_or_below_it() {
    let thought = format!("<think>\n{BLOCK}</think>\n");
    // Whether the thought is in a fence.
    let is_in_fence = |text: &str| {
        let scan = fresh(&format!("{text}{thought}"));
        scan.blocks().any(|placed| placed.block.dialect.name() == "testing")
    };
    assert!(!is_in_fence(DIFF));
    // The first line is all that is the block's for sure.
    assert!(is_in_fence("a.txt\n```\nx\n"));
    // A line of a diff in no fence looks like one.
    assert!(!is_in_fence("--- a/a.txt\n+++ b/a.txt\n@@\n-one\n ```\n\nprose\n"));
}

#[test]
fn a_reply_names_the_commands_of_an_answer_alone() {
    let reply = "operator-lsp applied 1 of 1 block.\n\n1. `a.txt` (00000000): applied.\n\n";
    let scan = fresh(&format!("{BLOCK}{PAIR}{reply}"));
    let calls: Vec<_> = scan.blocks().map(|it| it.block.parsed.call.is_some()).collect();
    assert_eq!(calls, [false, true]);
    let replies: Vec<_> = scan.reply_blocks().map(|(_, it)| it.parsed.call.is_some()).collect();
    assert_eq!(replies, [false]);
}

#[test]
fn the_start_of_a_block_breaks_off_the_one_before() {
    check(
        "BEGIN a\nBEGIN b\nFINISH\n",
        &["0 testing a 0..7 Nested inside None", "1 testing b 8..22 Closed inside None"],
    );
}

#[test]
fn lines_of_an_open_block_are_not_above_the_next_one() {
    let open = "OPERATOR_CMD\nversion: 1\nid: a\npath: a.txt\n";
    let fence = "```\nx\n```\n";
    let end = "action: fs.list\nEND_OPERATOR_CMD\n";
    let ends = |text: &str| -> Vec<_> {
        fresh(text).blocks().map(|it| (it.block.dialect.name(), it.block.end)).collect()
    };
    let (closed, open_end) = (BlockEnd::Closed, BlockEnd::Unterminated);
    for above in [String::new(), prose(40)] {
        assert_eq!(ends(&format!("{above}{open}{fence}{end}")), [("operator", closed)]);
        // The path is below all lines of the block.
        let named = format!("{above}{open}b.txt\n{fence}");
        assert_eq!(ends(&named), [("operator", open_end), ("files", closed)]);
    }
}

#[test]
fn what_is_in_the_fence_of_a_block_is_in_that_fence() {
    let hunk = "--- a/a.md\n+++ b/a.md\n@@\n-one\n";
    let ends = |text: &str| -> Vec<_> {
        fresh(text).blocks().map(|it| (it.block.dialect.name(), it.block.end)).collect()
    };
    let closed = BlockEnd::Closed;
    let in_fence = format!("```diff\n{hunk}~~~ a.py\nx\n~~~\n```\n");
    assert_eq!(ends(&in_fence), [("diff", closed)]);
    let in_none = format!("{hunk}~~~ a.py\nx\n~~~\n");
    assert_eq!(ends(&in_none), [("diff", BlockEnd::Unterminated), ("files", closed)]);
}

#[test]
fn a_block_in_the_raw_text_of_another_says_nothing_of_what_is_beyond_the_next_one() {
    let section = "<<<FILE>>>\na.txt\n<<<OVERWRITE>>>\nx\n<<<REPLACE>>>\ny\n";
    // Where the first block of a text that writes a file may have its end.
    let ends = |text: &str| -> Vec<String> {
        let scan = fresh(text);
        let block = scan.blocks().find(|it| it.block.dialect.name() == "replacer").unwrap().block;
        let fixes = block.parsed.problems.iter().flat_map(|problem| problem.fixes.clone());
        fixes.map(|fix| fix.title).collect()
    };
    let open = "BEGIN a\nTEXT e\n";
    assert_eq!(ends(section), ["Insert <<<END>>> at the end"]);
    assert_eq!(ends(&format!("{open}{section}")), ["Insert <<<END>>> here below"]);
    assert_eq!(ends(&format!("{open}{BLOCK}{section}")), ["Insert <<<END>>> at the end"]);
    // Right where the raw text ends.
    let short = "```diff\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n a\n-b\n";
    assert_eq!(ends(&format!("{short}{section}")), ["Insert <<<END>>> at the end"]);
}

#[test]
fn a_diff_whose_last_line_has_no_ending_may_go_on() {
    let codes = |text: &str| -> Vec<String> {
        let block = fresh(text).blocks().next().unwrap().block;
        block.parsed.problems.iter().map(|problem| problem.code.to_string()).collect()
    };
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two";
    assert_eq!(codes(diff), ["diff/malformed-hunk"]);
    assert_eq!(codes(&format!("{diff}\n")), <[String; 0]>::default());
}

#[test]
fn a_file_is_in_the_fence_below_its_path_or_in_the_next_one() {
    let ends = |text: &str| -> Vec<_> { fresh(text).blocks().map(|it| it.block.end).collect() };
    let fence = "```python\nx\n```\n";
    assert_eq!(ends(&format!("a.py\n{fence}")), [BlockEnd::Closed]);
    assert_eq!(ends(&format!("a.py\n{fence}{fence}")), [BlockEnd::Followed]);
}

#[test]
fn what_is_below_a_block_may_be_of_it() {
    let text = format!("```\n{PAIR}{}```\n", prose(50));
    let mut edited = Edited::new(&text, Limits::default());
    let end = edited.scan.blocks().next().unwrap().span.end;
    assert_eq!(end, 4 + PAIR.len() - 1);
    // Another line that ends it, far below the first.
    let at = 4 + PAIR.len() + 40 * 6;
    edited.replace(at..at, ">>>>>>> REPLACE\n");
    assert_eq!(edited.differs(), None);
    assert_eq!(edited.scan.blocks().next().unwrap().span.end, at + 15);
    edited.replace(at..at + 16, "");
    assert_eq!(edited.differs(), None);
}

#[test]
fn what_is_below_a_block_may_make_a_line_of_it_another_one() {
    let names = |edited: &Edited| -> Vec<_> {
        edited.scan.blocks().map(|it| (it.block.dialect.name(), it.block.end)).collect()
    };
    let text = format!("BEGIN a\n```diff\nFINISH\n{}```\n", prose(60));
    let mut edited = Edited::new(&text, Limits::default());
    assert_eq!(names(&edited), [("testing", BlockEnd::Closed)]);
    let at = text.len() - "```\n".len();
    edited.replace(at..at, "+two\n");
    assert_eq!(edited.differs(), None);
    let testing = ("testing", BlockEnd::Unterminated);
    assert_eq!(names(&edited), [testing, ("diff", BlockEnd::Closed)]);
}

#[test]
fn what_is_far_below_a_line_may_make_it_a_block_of_one_of_two_dialects() {
    // A fence around a block is not a file, and without a signed line it is not a diff.
    let text = format!("a.diff\n```diff\n*** begin patch\n{}```\n", prose(60));
    let mut edited = Edited::new(&text, Limits::default());
    assert_eq!(edited.scan.blocks().count(), 0);
    let at = text.len() - "```\n".len();
    edited.replace(at..at, "+two\n");
    assert_eq!(edited.differs(), None);
    assert_eq!(edited.scan.blocks().count(), 1);
}

/// What may be in the middle of a text.
fn kinds() -> Vec<String> {
    let operator = "OPERATOR_CMD\nversion: 1\nid: a\naction: fs.list\npath: .\nEND_OPERATOR_CMD\n";
    let sham = "#!SHAM [@three-char-SHA-256: abc]\naction = \"file_read\"\n";
    [
        operator,
        "OPERATOR_CMD\nid: a\nnot a field\n",
        "OPERATOR_RESULT\nid: a\nok: true\nsummary: done\nEND_OPERATOR_RESULT\n",
        "END_OPERATOR_CMD\n",
        BLOCK,
        "BEGIN a\nTEXT e\nBEGIN b\nFINISH\nBEGIN c\nFINISH\n",
        "BEGIN a\nTEXT e\nOPERATOR_CMD\nx\ne\nFINISH\n",
        &format!("{sham}content = <<'EOT_SHAM_abc'\nx\n{BLOCK}EOT_SHAM_abc\n#!END_SHAM_abc\n"),
        &format!("{sham}content = <<'EOT_SHAM_abc'\nx\n{BLOCK}#!END_SHAM_abc\n"),
        &format!("{sham}#!END_SHAM_abc\n{{\"success\": true, \"totalBlocks\": 0,\n\"executedActions\": 0, \"results\": [], \"parseErrors\": []}}\n"),
        "<<<FILE>>>\na.txt\n<<<SEARCH>>>\na\n<<<REPLACE>>>\nb\n<<<END>>>\n<<<SEARCH>>>\nb\n<<<REPLACE>>>\n<<<END>>>\n",
        "<<<FILE>>>\na.txt\n<<<OVERWRITE>>>\nx\n",
        PAIR,
        "```\na.txt\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\nx\n>>>>>>> REPLACE\n```\n",
        "<<<<<<< search\na\n=======\n>>>>>>> replace\n",
        "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch\n",
        DIFF,
        "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n\n",
        "```json\n{\"ops\": [], \"enabled\": false}\n```\n{\"applied\": true, \"results\": []}\n",
        "a.py\n```python\none\n```\n",
        "New file: a.md\n```markdown\nx\n```\ny\n```\nz\n```\n",
        "```sh\ncat > a.txt <<'EOF'\none\nEOF\n```\n",
        "operator-lsp applied 1 of 1 block.\n\n1. `a.txt` (00000000): applied.\n",
        &format!("<think>\n{BLOCK}</think>\n"),
        &format!("<think>\n{BLOCK}"),
        &format!("{BLOCK}</think>\n"),
        &format!("<!-- operator-lsp: off -->\n{BLOCK}<!-- operator-lsp: on -->\n"),
        &format!("<!-- operator-lsp: off -->\n{BLOCK}"),
        &format!("~~~~\n{PAIR}~~~\n~~~~\n"),
    ]
    .map(str::to_owned)
    .to_vec()
}

#[test]
fn what_is_far_below_the_start_is_found_again_line_by_line() {
    for block_bytes in [30, 1000] {
        for kind in kinds() {
            // In another chunk than the first blocks are.
            let above = BLOCK.repeat(20) + &prose(30);
            let text = format!("{above}{kind}{BLOCK}{}", prose(40));
            let limits = Limits { block_bytes, ..Limits::default() };
            let mut edited = Edited::new(&text, limits);
            let starts = (above.len() - 6..above.len() + kind.len())
                .filter(|at| text.as_bytes()[at - 1] == b'\n');
            for at in starts.collect::<Vec<_>>() {
                edited.replace(at..at, "x");
                assert_eq!(edited.differs(), None, "x at {at}");
                edited.replace(at..at + 1, "");
                assert_eq!(edited.differs(), None, "no x at {at}");
            }
        }
    }
}
