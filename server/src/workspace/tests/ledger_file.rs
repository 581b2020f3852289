//! The ledger's file while others write it, and after a write that was cut short.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use operator_core::ledger::{Answer, Event};

use super::Disk;
use super::store::{begin, block, chat, store, write};
use crate::workspace::LedgerEnd;

/// The ledger's last line, and the file that it is in, after one change of `a` from 0 to 1.
fn last_line(disk: &Disk) -> (PathBuf, String) {
    disk.put("ws/a", "0");
    write(&disk.open(), "a", "0", "1");
    let path = store(disk).join("ledger");
    let text = fs::read_to_string(&path).unwrap();
    (path, text.lines().last().unwrap().to_owned())
}

/// Appends what another run has written of a line before it was killed.
fn append(path: &Path, part: &str) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(part.as_bytes()).unwrap();
}

#[test]
fn a_line_without_its_end_does_not_count_and_spoils_nothing_after_it() {
    let disk = Disk::new();
    let (path, last) = last_line(&disk);
    for part in [&*last, &last[..last.len() / 2]] {
        append(&path, part);
        let workspace = disk.open();
        let known = workspace.ledger().unwrap().operations().count();
        let now: usize = disk.text("ws/a").parse().unwrap();
        assert_eq!(known, now);
        write(&workspace, "a", &now.to_string(), &(now + 1).to_string());
        assert_eq!(disk.open().ledger().unwrap().operations().count(), now + 1);
    }
}

/// An answer is in no folder, so that a run does not learn of it again.
#[test]
fn what_follows_half_a_line_is_known_although_no_folder_tells_it() {
    let disk = Disk::new();
    let (path, last) = last_line(&disk);
    append(&path, &last[..20]);
    let workspace = disk.open();
    let mut journal = begin(&workspace);
    let answer = Answer { ok: true, summary: "3 lines".to_owned(), ..Answer::default() };
    journal.note(vec![Event::Answered { transcript: chat(), block: block("r"), answer }]);
    journal.commit().unwrap();
    let ledger = disk.open().ledger().unwrap();
    assert!(ledger.standing(&chat(), block("r"), false).answer.is_some());
    assert_eq!(ledger.operations().count(), 1);
}

#[test]
fn one_that_reads_never_sees_half_a_line() {
    let disk = Disk::new();
    disk.put("ws/a", "0");
    let workspace = disk.open();
    write(&workspace, "a", "0", "1");
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for number in 1..40_u32 {
                write(&workspace, "a", &number.to_string(), &(number + 1).to_string());
            }
        });
        let mut most = 0;
        while !writer.is_finished() {
            let known = workspace.ledger().unwrap().operations().count();
            assert!(known >= most, "{known} of {most} are known");
            most = known;
        }
    });
    assert_eq!(workspace.ledger().unwrap().operations().count(), 40);
}

#[test]
fn what_was_added_goes_on_from_the_reading_before_and_another_file_does_not() {
    let disk = Disk::new();
    last_line(&disk);
    let workspace = disk.open();
    let reading = || workspace.ledger_with_reading().unwrap().1;
    let first = reading();
    write(&disk.open(), "a", "1", "2");
    let mut journal = begin(&disk.open());
    journal.note(vec![Event::Proposed {
        transcript: chat(),
        block: block("p"),
        at: [].into(),
        ambiguous: false,
    }]);
    journal.commit().unwrap();
    let (ledger, second) = workspace.ledger_with_reading().unwrap();
    assert_eq!(second, first);
    assert!(ledger.base(&chat(), block("p")).is_some());
    // Another file in its place has as many lines, and may have its number on the disk, too.
    let path = store(&disk).join("ledger");
    let text = fs::read_to_string(&path).unwrap();
    let (kept, last) = text.trim_end().rsplit_once('\n').unwrap();
    fs::write(&path, format!("{last}\n{kept}\n")).unwrap();
    assert_ne!(reading(), second);
}

#[test]
fn the_files_that_the_ledger_was_told_of_since_are_known() {
    let disk = Disk::new();
    disk.put("ws/a", "0");
    disk.put("ws/b", "0");
    let workspace = disk.open();
    let told = |end| {
        let told = workspace.told_since(end)?;
        Some(told.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    };
    let end = || workspace.ledger_end();
    assert_eq!(told(end()), None, "there is no ledger");
    write(&disk.open(), "a", "0", "1");
    let first = end();
    assert_eq!(told(LedgerEnd::default()).as_deref(), Some("a"));
    assert_eq!(told(first).as_deref(), Some(""));
    write(&disk.open(), "b", "0", "1");
    assert_eq!(told(first).as_deref(), Some("b"));
    let half = LedgerEnd { length: first.length + 9, ..first };
    assert_eq!(told(half).as_deref(), Some("b"), "half of a line was there");
    let second = end();
    disk.open().undo(None, false).unwrap();
    assert_eq!(told(second).as_deref(), Some("b"), "an undo names the operation alone");
    // A file that was shortened may be longer by now.
    let path = store(&disk).join("ledger");
    fs::copy(&path, path.with_extension("new")).unwrap();
    fs::rename(path.with_extension("new"), &path).unwrap();
    assert_eq!(told(first), None);
    assert_eq!(told(LedgerEnd::default()).as_deref(), Some("a b"));
    assert_eq!(told(LedgerEnd { length: 1 << 40, ..end() }), None);
}
