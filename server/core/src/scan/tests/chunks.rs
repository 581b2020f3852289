//! The chunks that everything found is kept in, what copies share of them, and the ranks of the blocks.

use std::sync::Arc;

use super::*;

const BLOCK: &str = "BEGIN b\nFINISH\n";
/// More lines than a scan goes back from an edit.
const PROSE: &str = "prose\nprose\nprose\nprose\n";

/// A dialect that looks at no lines above its blocks.
fn testing() -> Dialects {
    Dialects::new(&[&TESTING as &dyn Dialect])
}

/// Blocks far from one another.
fn blocks(count: usize) -> Edited {
    let limits = Limits { blocks: usize::MAX, ..Limits::default() };
    Edited::with(&(BLOCK.to_owned() + PROSE + PROSE).repeat(count), testing(), limits)
}

/// A place below the block of that index and above the next one.
fn below(index: usize) -> usize {
    (BLOCK.len() + 2 * PROSE.len()) * index + BLOCK.len() + PROSE.len()
}

fn ranks(scan: &Scan) -> Vec<Rank> {
    scan.pieces().iter().flat_map(Piece::commands).map(|(rank, _, _)| rank).collect()
}

fn sizes(scan: &Scan) -> Vec<usize> {
    scan.pieces().iter().map(|piece| piece.iter().count()).collect()
}

/// Which chunks a scan shares with another one, `=` for one that it shares and `*` for one of its own.
fn shared(scan: &Scan, other: &Scan) -> String {
    let is_shared =
        |piece: &Piece| other.pieces().iter().any(|it| Arc::ptr_eq(&it.chunk, &piece.chunk));
    scan.pieces().iter().map(|piece| if is_shared(piece) { '=' } else { '*' }).collect()
}

#[test]
fn chunks_are_about_as_large_as_one_another() {
    assert_eq!(sizes(&blocks(8).scan), [8]);
    assert_eq!(sizes(&blocks(9).scan), [5, 4]);
    assert_eq!(sizes(&blocks(42).scan), [8, 8, 8, 8, 5, 5]);
}

#[test]
fn a_copy_shares_all_chunks_but_those_of_the_edit() {
    let edited_at = |at: usize, new: &str| {
        let mut edited = blocks(40);
        let known = edited.scan.clone();
        edited.replace(at..at, new);
        assert_eq!(edited.differs(), None, "{new} at {at}");
        shared(&edited.scan, &known)
    };
    assert_eq!(edited_at(0, "more\n"), "*====");
    assert_eq!(edited_at(below(3), "more\n"), "*====");
    assert_eq!(edited_at(below(20), "more\n"), "==*==");
    assert_eq!(edited_at(below(39), "more\n"), "====*");
    // The line below a block is looked at for it, and two lines above an edit are looked at again.
    assert_eq!(edited_at(below(7) - 2 * "prose\n".len(), "more\n"), "*====");
    assert_eq!(edited_at(below(7) - "prose\n".len(), "more\n"), "=*===");
    // A chunk that has too many blocks is two then.
    assert_eq!(edited_at(below(3), BLOCK), "**====");
    assert_eq!(edited_at(below(20), BLOCK), "==**==");
    assert_eq!(edited_at(below(39), BLOCK), "====**");
    assert_eq!(edited_at(below(7), &format!("{BLOCK}{PROSE}").repeat(2)), "=**===");
}

#[test]
fn any_line_of_blocks_right_below_one_another_may_change() {
    let text = BLOCK.repeat(20);
    for (at, _) in text.match_indices(['B', 'F']) {
        let mut edited = Edited::new(&text, Limits::default());
        edited.replace(at..at, "x");
        assert_eq!(edited.differs(), None, "x at {at}");
    }
}

#[test]
fn a_block_that_begins_in_open_raw_text_is_inside_wherever_it_changes() {
    // The raw text ends with the next block, and the section in it goes on to the end.
    let open = "<<<<<<< SEARCH\na\n";
    let section = "<<<FILE>>>\na.txt\n<<<OVERWRITE>>>\nx\n<<<REPLACE>>>\ny\n";
    let mut edited = Edited::new(&format!("{open}{section}{open}{PROSE}"), Limits::default());
    let inside: Vec<_> = edited.scan.blocks().map(|placed| placed.inside).collect();
    assert_eq!(inside[..2], [None, Some(0)]);
    let end = edited.text.len();
    edited.replace(end..end, "more\n");
    assert_eq!(edited.differs(), None);
}

#[test]
fn another_block_in_the_place_of_one_is_in_the_same_chunk() {
    let mut edited = blocks(40);
    let known = edited.scan.clone();
    let at = below(6) + PROSE.len() + "BEGIN ".len();
    edited.replace(at..at + 1, "another");
    assert_eq!(edited.differs(), None);
    assert_eq!(shared(&edited.scan, &known), "*====");
}

#[test]
fn what_is_left_of_a_chunk_goes_to_another() {
    let with = |new: &str, from: usize, to: usize| {
        let mut edited = blocks(40);
        let known = edited.scan.clone();
        edited.replace(below(from)..below(to), new);
        assert_eq!(edited.differs(), None, "{from} to {to}");
        (shared(&edited.scan, &known), sizes(&edited.scan))
    };
    let without = |from: usize, to: usize| with("", from, to);
    // Two blocks are enough for a chunk, one is not.
    assert_eq!(without(16, 22), ("==*==".to_owned(), vec![8, 8, 2, 8, 8]));
    assert_eq!(without(16, 23), ("==**=".to_owned(), vec![8, 8, 5, 4, 8]));
    assert_eq!(without(32, 38), ("====*".to_owned(), vec![8, 8, 8, 8, 2]));
    assert_eq!(without(32, 39), ("===**".to_owned(), vec![8, 8, 8, 5, 4]));
    assert_eq!(without(0, 39), ("*".to_owned(), vec![1]));
    let new = format!("{PROSE}{BLOCK}{PROSE}");
    assert_eq!(with(&new, 16, 23), ("==*==".to_owned(), vec![8, 8, 2, 8, 8]));
}

#[test]
fn a_block_keeps_its_rank_as_long_as_there_is_room() {
    let mut edited = blocks(3);
    assert_eq!(ranks(&edited.scan), [4, 8, 12]);
    let mut ranks_with = |new: &str| {
        edited.replace(below(0)..below(0), new);
        assert_eq!(edited.differs(), None, "{new}");
        ranks(&edited.scan)
    };
    assert_eq!(ranks_with("more\n"), [4, 8, 12]);
    assert_eq!(ranks_with(&format!("{PROSE}{BLOCK}{PROSE}")), [4, 6, 8, 12]);
    assert_eq!(ranks_with(&format!("{PROSE}{BLOCK}{PROSE}")), [4, 5, 6, 8, 12]);
    // Now all of them get new ones.
    assert_eq!(ranks_with(&format!("{PROSE}{BLOCK}{PROSE}")), [4, 8, 12, 16, 20, 24]);
    assert_eq!(
        ranks_with(&format!("{PROSE}{BLOCK}{PROSE}").repeat(2)),
        [4, 5, 6, 8, 12, 16, 20, 24]
    );
}

#[test]
fn a_block_above_or_below_all_others_has_a_rank_beside_them() {
    let mut edited = blocks(2);
    let end = edited.text.len();
    edited.replace(end..end, &BLOCK.repeat(2));
    assert_eq!(ranks(&edited.scan), [4, 8, 12, 16]);
    edited.replace(0..0, &format!("{BLOCK}{PROSE}"));
    assert_eq!(edited.differs(), None);
    // There is room for two above the second one, of which the first is found again.
    assert_eq!(ranks(&edited.scan), [2, 4, 8, 12, 16]);
}

#[test]
fn only_a_block_that_is_found_again_has_another_rank() {
    let ranks_with = |text: &str, at: usize| {
        let mut edited = Edited::with(text, testing(), Limits::default());
        edited.replace(at..at, BLOCK);
        assert_eq!(edited.differs(), None, "{text}");
        ranks(&edited.scan)
    };
    // The second block is looked at for a line below it, the first one is not.
    let above = format!("{BLOCK}{BLOCK}prose\n");
    assert_eq!(ranks_with(&format!("{above}{PROSE}{BLOCK}"), above.len()), [4, 6, 8, 12]);
    // The scan ends above the line that the second block begins with.
    let above = format!("{BLOCK}{PROSE}");
    assert_eq!(ranks_with(&format!("{above}prose\nprose\n{BLOCK}"), above.len()), [4, 6, 8]);
}

#[test]
fn a_block_right_above_open_raw_text_keeps_its_rank() {
    let open = "<<<<<<< SEARCH\na\n";
    let section = "<<<FILE>>>\na.txt\n<<<OVERWRITE>>>\nx\n";
    let above = format!("{BLOCK}{PROSE}");
    let far = PROSE.repeat(8);
    let text = format!("{above}{far}{BLOCK}{open}{section}{open}{PROSE}");
    let mut edited = Edited::new(&text, Limits::default());
    edited.replace(above.len()..above.len(), BLOCK);
    assert_eq!(ranks(&edited.scan)[..4], [4, 6, 8, 12]);
    // All from the raw text on is found again.
    let end = edited.text.len();
    edited.replace(end..end, BLOCK);
    assert_eq!(edited.differs(), None);
    assert_eq!(ranks(&edited.scan)[..4], [4, 6, 8, 12]);
}

#[test]
fn a_block_that_says_something_else_keeps_its_rank() {
    let mut edited = blocks(3);
    let at = below(0) + PROSE.len() + "BEGIN ".len();
    edited.replace(at..at + 1, "another");
    assert_eq!(edited.scan.blocks().nth(1).unwrap().block.parsed.id.as_deref(), Some("another"));
    assert_eq!(ranks(&edited.scan), [4, 8, 12]);
}

#[test]
fn a_chunk_has_the_rank_of_its_first_item() {
    let ranks: Vec<_> = blocks(17).scan.pieces().iter().map(Piece::rank).collect();
    assert_eq!(ranks, [4, 36, 56]);
}

#[test]
fn a_scan_of_many_chunks_ends_with_the_first_block_beyond_the_limit() {
    let limits = Limits { blocks: 20, ..Limits::default() };
    let text = format!("{BLOCK}{PROSE}FINISH\n{PROSE}").repeat(30);
    let mut edited = Edited::with(&text, testing(), limits);
    assert_eq!(edited.scan.items.len(), 41);
    let known = edited.scan.clone();
    edited.replace(below(2)..below(2), "more\n");
    assert_eq!(edited.differs(), None);
    assert_eq!(shared(&edited.scan, &known), "*=====");
    // A block goes, and the next one is found; all of those beyond the limit go.
    for at in [0, text.len() / 4, text.len() / 2] {
        let at = text[at..].find(BLOCK).unwrap() + at;
        edited.replace(at..at + BLOCK.len(), &"x".repeat(BLOCK.len()));
        assert_eq!(edited.differs(), None, "{at}");
        assert_eq!((edited.scan.blocks().count(), edited.scan.problem_count() > 20), (20, true));
    }
    edited.replace(0..0, &BLOCK.repeat(4));
    assert_eq!(edited.differs(), None);
    edited.replace(0..0, &BLOCK.repeat(30));
    assert_eq!(edited.differs(), None);
    assert_eq!(edited.scan.items.len(), 21);
}

#[test]
fn many_blocks_are_inside_of_one_whose_raw_text_is_open() {
    let command = "OPERATOR_CMD\nversion: 1\nid: a\naction: fs.list\npath: .\nEND_OPERATOR_CMD\n";
    let text = format!("{BLOCK}{PROSE}BEGIN a\nTEXT e\n{}end\n", command.repeat(30));
    let mut edited = Edited::new(&text, Limits::default());
    assert!(edited.scan.blocks().skip(2).all(|placed| placed.inside == Some(1)));
    assert_eq!(edited.scan.blocks().count(), 32);
    let at = text.len() - "end\n".len();
    // The end of the raw text, and then of the block.
    edited.replace(at..text.len(), "e\n");
    assert_eq!(edited.differs(), None);
    assert_eq!(edited.scan.blocks().count(), 2);
    edited.replace(at..at + 1, "FINISH");
    assert_eq!(edited.differs(), None);
    assert_eq!(edited.scan.blocks().count(), 32);
}

#[test]
fn equal_stray_markers_are_kept_once() {
    let strays = |text: &str| -> Vec<Arc<Stray>> {
        let stray = |item: Item| match item.found {
            Found::Stray(stray) => Some(stray),
            _ => None,
        };
        fresh(text).items.iter().filter_map(stray).collect()
    };
    let found = strays("FINISH\nFINISH\nFINISH\nprose\nEND_OPERATOR_CMD\n");
    let are_same: Vec<_> = found.windows(2).map(|two| Arc::ptr_eq(&two[0], &two[1])).collect();
    assert_eq!(are_same, [true, false, false]);
}

#[test]
fn a_stray_marker_says_what_is_wrong_with_its_own_line() {
    // The same line before another one, and other lines of the same dialect.
    let text = "FINISH\nEND_OPERATOR_CMD\n<<<END>>>\n<<END>>\n*** begin patch\n\
                *** begin patch\n*** Update File: a.txt\n";
    let mut edited = Edited::new(text, Limits::default());
    let said = |scan: &Scan| {
        let line = |it: Problem| format!("{} {:?}", it.code, it.span);
        scan.problems().map(line).collect::<Vec<_>>()
    };
    let expected = [
        "operator/unexpected-end 0..6",
        "operator/unexpected-end 7..23",
        "replacer/unexpected-marker 24..33",
        "replacer/unexpected-marker 34..41",
        "apply-patch/near-marker 42..57",
    ];
    assert_eq!(said(&edited.scan), expected);
    edited.replace(0..0, "prose\n");
    assert_eq!(edited.differs(), None);
}

#[test]
fn a_text_that_is_too_large_is_not_scanned_in_parts_either() {
    let text = Text::new(&BLOCK.repeat(40));
    let limits = Limits { transcript_bytes: text.len() - 1, ..Limits::default() };
    let scan = Scan::in_parts(&text, &both(), &limits, Parts { most: 4, least: 1 });
    assert_eq!((scan.blocks().count(), scan.problem_count()), (0, 1));
}
