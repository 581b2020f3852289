//! Edits of ASCII lines in files of ten encodings, with `iconv` as the oracle: what comes out is
//! what the edit of the decoded text is, and every byte outside of the edit stays.
//!
//! `tests/encodings/run COUNT` makes so many files; `cargo test` a few.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stdout, reason = "a test")]

mod files;
mod iconv;

use std::ops::Range;

use operator_core::dialect::Dialects;
use operator_core::limits::Limits;
use operator_core::review::{Reviewer, Status};
use operator_core::scan::Scan;
use operator_core::snapshot::MemorySnapshot;
use operator_core::text::Text;

use files::{File, Numbers};

/// Encodings in which the bytes of ASCII are ASCII at the beginning of a character; in five of them
/// such bytes are the end of others, too.
const ENCODINGS: [&str; 10] = [
    "ISO-8859-1",
    "ISO-8859-15",
    "WINDOWS-1251",
    "WINDOWS-1252",
    "KOI8-R",
    "CP932",
    "EUC-JP",
    "GB18030",
    "BIG5",
    "EUC-KR",
];
/// How many files go through one `iconv`.
const BATCH: usize = 2_000;

/// An edit of whole lines, as lines without their endings.
struct Edit {
    old: Vec<String>,
    new: Vec<String>,
}

impl Edit {
    /// A block that asks for it, in one of three dialects.
    fn block(&self, numbers: &mut Numbers) -> String {
        let lines = |mark: &str, lines: &[String]| -> String {
            lines.iter().map(|line| format!("{mark}{line}\n")).collect()
        };
        let hunk = lines("-", &self.old) + &lines("+", &self.new);
        match numbers.below(3) {
            0 => {
                let (old, new) = (lines("", &self.old), lines("", &self.new));
                format!("f.txt\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n")
            }
            1 => format!("*** Begin Patch\n*** Update File: f.txt\n@@\n{hunk}*** End Patch\n"),
            _ => format!("```diff\n--- a/f.txt\n+++ b/f.txt\n@@\n{hunk}```\n"),
        }
    }
}

/// A file after an edit, and what is above the edit, comes by it, and is below it.
struct Edited {
    after: Vec<u8>,
    parts: [Vec<u8>; 3],
}

/// What the program leaves in a file, where it applies a block.
fn applied(bytes: &[u8], block: &str) -> Option<Vec<u8>> {
    let (dialects, limits) = (Dialects::all(), Limits::default());
    let mut world = MemorySnapshot::default();
    world.files.insert("f.txt".to_owned(), bytes.to_vec());
    let scan = Scan::new(&Text::new(block), dialects, &limits);
    let mut reviewer = Reviewer::default();
    let review = reviewer.review(&scan, &world, &limits);
    let proposal = review.proposals().next().expect("it is a block");
    let checked = reviewer.book().check(&proposal, &world, &limits);
    let plan = checked.plan.filter(|_| checked.status == Status::Ready)?;
    world.apply(&plan.changes);
    world.files.remove("f.txt")
}

/// The only place where lines are in a file.
fn only_place(file: &File, old: &[String]) -> Option<Range<usize>> {
    let lines = file.lines();
    let is_it = |at: &usize| {
        let own = lines[*at..].iter().map(|line| file.text_of(line));
        old.len() <= lines.len() - at && own.zip(old).all(|(a, b)| a == b.as_bytes())
    };
    let places: Vec<usize> = (0..lines.len()).filter(is_it).collect();
    let [first] = places[..] else { return None };
    Some(lines[first].start..lines[first + old.len() - 1].end)
}

fn without_ending(bytes: &[u8]) -> &[u8] {
    let rest = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    rest.strip_suffix(b"\r").unwrap_or(rest)
}

fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8(bytes.to_vec()).expect("what comes is ASCII");
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Applies an edit and checks the bytes; gives the file afterwards, and its parts for the oracle.
fn check(file: &File, edit: &Edit, numbers: &mut Numbers) -> Option<Edited> {
    let block = edit.block(numbers);
    let after = applied(&file.bytes, &block);
    let context = || format!("{block}\non {:?}", String::from_utf8_lossy(&file.bytes));
    // What begins as UTF-16 does is taken for that, and left alone.
    if file.bytes.starts_with(b"\xff\xfe") || file.bytes.starts_with(b"\xfe\xff") {
        assert_eq!(after, None, "it looks like UTF-16: {}", context());
        return None;
    }
    let Some(place) = only_place(file, &edit.old) else {
        assert_eq!(after, None, "the lines are not there once: {}", context());
        return None;
    };
    let after = after.unwrap_or_else(|| panic!("it is not applied: {}", context()));
    let (mut above, below) = (&file.bytes[..place.start], &file.bytes[place.end..]);
    let is_ended =
        file.bytes[..place.end].ends_with(b"\n") || file.bytes[..place.end].ends_with(b"\r");
    if edit.new.is_empty() && !is_ended {
        // A file whose last line has no ending has none after that line is gone.
        above = without_ending(above);
    }
    assert!(after.starts_with(above) && after.ends_with(below), "bytes change: {}", context());
    let middle = &after[above.len()..after.len() - below.len()];
    let new: String = edit.new.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(plain(middle).trim_end_matches('\n'), new.trim_end_matches('\n'), "{}", context());
    let parts = [above, middle, below].map(<[u8]>::to_vec);
    Some(Edited { after, parts })
}

/// The edit of the bytes is the edit of the text: decoded as a whole it is what its parts are.
fn decoded_is_the_same(encoding: &str, all: &[Edited]) {
    let decoded = |texts: Vec<Vec<u8>>| iconv::convert(&texts, encoding, "UTF-8");
    let whole = decoded(all.iter().map(|it| it.after.clone()).collect());
    let parts = decoded(all.iter().flat_map(|it| it.parts.clone()).collect());
    for (whole, parts) in whole.iter().zip(parts.chunks(3)) {
        assert_eq!(
            String::from_utf8_lossy(whole),
            String::from_utf8_lossy(&parts.concat()),
            "{encoding}"
        );
    }
}

#[test]
fn an_edit_of_ascii_lines_changes_no_other_byte() {
    if !iconv::is_there() {
        println!("left out: there is no iconv");
        return;
    }
    let count = std::env::var("ENCODINGS").ok().and_then(|it| it.parse().ok()).unwrap_or(4_000);
    let seed = std::env::var("SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(20_261_122);
    let mut numbers = Numbers::new(seed);
    let (mut made, mut edited) = (0, 0);
    while made < count {
        for encoding in ENCODINGS {
            let size = BATCH.min(count / ENCODINGS.len()).max(1);
            let texts: Vec<Vec<u8>> =
                (0..size).map(|_| files::text(encoding, &mut numbers).into_bytes()).collect();
            let encoded = iconv::convert(&texts, "UTF-8", encoding);
            let mut pairs = Vec::new();
            for file in encoded.into_iter().map(File::new) {
                let edit = files::edit(&file, &mut numbers);
                pairs.extend(edit.and_then(|edit| check(&file, &edit, &mut numbers)));
            }
            decoded_is_the_same(encoding, &pairs);
            made += size;
            edited += pairs.len();
        }
    }
    assert!(edited > made / 3, "{edited} of {made}");
    println!("{made} files in {} encodings, {edited} of them edited", ENCODINGS.len());
}
