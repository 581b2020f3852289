//! Plans on a disk whose calls fail: what is there is what was there before, or what the plan
//! leaves, never something between, and undo without faults gives all back.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use operator_core::edit::{Change, ChangeSet};
use operator_core::path::{FilePath, Kind};
use operator_core::snapshot::Snapshot;
use operator_core::text::Content;
use operator_lsp::workspace::{ApplyError, Transaction, UndoError, Workspace, WorkspaceOptions};
use tempfile::TempDir;

use crate::choices::Choices;
use crate::faults::{ERRORS, Fault, under};

const PLACES: [&str; 9] = ["a", "b", "c", "d", "d/a", "d/b", "e", "e/a", "n/e/w"];

/// Something that a plan does.
#[derive(Debug, Clone)]
enum Deed {
    Write(&'static str, String),
    Delete(&'static str),
    Rename(&'static str, &'static str),
    Directory(&'static str),
}

struct Disk {
    directory: TempDir,
}

/// Checks one input: what is done, which call fails, and while what.
pub fn run(input: &[u8]) {
    let mut choices = Choices::new(input);
    let (phase, fault) = (choices.below(3), fault(&mut choices));
    let deeds: Vec<Vec<Deed>> = (0..=choices.below(4)).map(|_| deeds(&mut choices)).collect();
    let disk = Disk::new();
    let before = disk.tree();
    let (states, after) = reference(&disk, &before, &deeds);
    let context = format!("{fault:?} in phase {phase} of {deeds:?}");
    match phase {
        0 => apply(&disk, &states, &deeds, fault, &context),
        1 => undo(&disk, &before, &after, fault, &context),
        _ => redo(&disk, &before, &after, fault, &context),
    }
}

fn fault(choices: &mut Choices<'_>) -> Fault {
    let after = u16::from(choices.byte()) % 160;
    Fault { after, error: *choices.pick(&ERRORS), for_good: choices.below(2) == 1 }
}

fn deeds(choices: &mut Choices<'_>) -> Vec<Deed> {
    let deed = |choices: &mut Choices<'_>| {
        let place = *choices.pick(&PLACES);
        match choices.below(8) {
            0 => Deed::Delete(place),
            1 => Deed::Rename(place, *choices.pick(&PLACES)),
            2 => Deed::Directory(place),
            _ => Deed::Write(place, format!("{}\n", choices.byte()).repeat(choices.below(40))),
        }
    };
    (0..=choices.below(3)).map(|_| deed(choices)).collect()
}

/// Makes all of it without faults; what is there after each plan, and at the end. The plans are
/// committed, for what comes next to begin with.
fn reference(
    disk: &Disk,
    before: &[String],
    deeds: &[Vec<Deed>],
) -> (Vec<Vec<String>>, Vec<String>) {
    let workspace = disk.open();
    let mut states = vec![before.to_vec()];
    let mut journal = Transaction::begin(&workspace).expect("the journal can be written");
    for plan in deeds {
        // One that is not possible leaves nothing.
        let _ = workspace.apply(&changes(&workspace, plan), &mut journal);
        states.push(disk.tree());
    }
    journal.commit().expect("the journal can be written");
    let after = disk.tree();
    (states, after)
}

/// The changes that are possible now.
fn changes(workspace: &Workspace, deeds: &[Deed]) -> ChangeSet {
    let path = |place: &str| FilePath::new(0, place);
    let kind = |place: &str| workspace.kind(&path(place)).ok().flatten();
    let mut used: Vec<FilePath> = Vec::new();
    let mut is_free = |place: &str| {
        let (path, clash) = (path(place), |known: &FilePath| {
            known.is_within(&FilePath::new(0, place)) || FilePath::new(0, place).is_within(known)
        });
        let free = !used.iter().any(clash);
        used.push(path);
        free
    };
    let change = |deed: &Deed| match deed {
        Deed::Write(place, _) | Deed::Delete(place) | Deed::Directory(place) if !is_free(place) => {
            None
        }
        Deed::Rename(from, to) if !is_free(from) || !is_free(to) => None,
        Deed::Write(place, text) => match kind(place) {
            None => {
                let content = Content::plain(text.clone());
                Some(Change::Create { path: path(place), content, like: None })
            }
            Some(Kind::File) => {
                let before = workspace.read(&path(place)).ok()?;
                let after = before.with_text(text.clone());
                Some(Change::Edit { path: path(place), after, before })
            }
            Some(Kind::Directory) => None,
        },
        Deed::Delete(place) => {
            Some(Change::Delete { path: path(place), kind: kind(place)?, files: 1 })
        }
        Deed::Rename(from, to) => {
            let (from, kind) = (path(from), kind(from)?);
            Some(Change::Rename { from, to: path(to), kind, files: 1 })
        }
        Deed::Directory(place) => Some(Change::CreateDirectory { path: path(place) }),
    };
    deeds.iter().filter_map(change).collect()
}

/// Undoes until nothing is left; the workspace must be as it was then.
fn undone(disk: &Disk, before: &[String], context: &str) {
    match disk.open().undo(None, false) {
        Ok(_) | Err(UndoError::Nothing) => {}
        Err(error) => panic!("undo: {error}, {context}: {:?}", disk.tree()),
    }
    assert_eq!(disk.tree(), before, "undo, {context}");
}

/// Plan after plan while a call fails.
fn apply(disk: &Disk, states: &[Vec<String>], deeds: &[Vec<Deed>], fault: Fault, context: &str) {
    undone(disk, &states[0], context);
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).expect("the journal can be written");
    let plans = deeds.iter().zip(states.windows(2));
    let mut now = &states[0];
    let mut is_half = false;
    for (plan, pair) in plans {
        let changes = changes(&workspace, plan);
        let (made, failed) = under(fault, || workspace.apply(&changes, &mut journal));
        match made {
            Ok(()) => {
                assert_eq!(disk.shown(), pair[1], "applied, {context}");
                now = &pair[1];
            }
            Err(ApplyError::HalfDone { .. }) => {
                // What half of a plan leaves that is not possible, such as a rename to a file that
                // is there, is known of no state.
                if pair[0] != pair[1] {
                    between(&disk.shown(), pair, context);
                }
                is_half = true;
            }
            Err(error) => {
                assert_eq!(disk.shown(), pair[0], "not applied: {error}, {context}");
            }
        }
        if failed {
            break;
        }
    }
    let (committed, _) = under(fault, || journal.commit());
    let _ = committed;
    assert!(is_half || disk.shown() == *now, "committed, {context}");
    undone(disk, &states[0], context);
}

/// Each file is the one before or the one after.
fn between(now: &[String], pair: &[Vec<String>], context: &str) {
    let is_known = |line: &&String| pair.iter().any(|state| state.contains(line));
    let torn: Vec<&String> = now.iter().filter(|line| !is_known(line)).collect();
    assert!(torn.is_empty(), "{torn:?}, {context}");
}

fn undo(disk: &Disk, before: &[String], after: &[String], fault: Fault, context: &str) {
    let workspace = disk.open();
    let (undo, _) = under(fault, || workspace.undo(None, false));
    if undo.is_ok() {
        assert_eq!(disk.shown(), before, "undo under faults, {context}");
    }
    undone(disk, before, context);
    made_again(disk, before, after, context);
}

fn redo(disk: &Disk, before: &[String], after: &[String], fault: Fault, context: &str) {
    undone(disk, before, context);
    let workspace = disk.open();
    let (redo, _) = under(fault, || workspace.redo());
    if redo.is_ok() {
        assert_eq!(disk.shown(), after, "redo under faults, {context}");
    } else {
        let now = disk.shown();
        let is_whole = now == before || now == after;
        assert!(is_whole || disk.open().undo(None, false).is_ok(), "redo: {redo:?}, {context}");
        if !is_whole {
            assert_eq!(disk.shown(), before, "undo of half a redo, {context}");
        }
    }
    undone(disk, before, context);
}

/// What was undone is made again as a whole, or it is refused and nothing is done.
fn made_again(disk: &Disk, before: &[String], after: &[String], context: &str) {
    match disk.open().redo() {
        Ok(_) => assert_eq!(disk.tree(), after, "redo, {context}"),
        Err(_) => assert_eq!(disk.tree(), before, "redo that is refused, {context}"),
    }
    undone(disk, before, context);
}

impl Disk {
    fn new() -> Disk {
        let directory = tempfile::tempdir().expect("a temporary folder can be made");
        let disk = Disk { directory };
        for (path, text) in [("a", "a\n"), ("d/a", "da"), ("e/a", "ea\r\n"), ("e/deep/x", "x")] {
            let path = disk.at("ws").join(path);
            let parent = path.parent().expect("it is in a folder");
            fs::create_dir_all(parent).expect("a folder can be made");
            fs::write(path, text).expect("a file can be written");
        }
        disk
    }

    fn at(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn open(&self) -> Workspace {
        let workspace = Workspace::open(&[self.at("ws")], WorkspaceOptions::default());
        workspace.expect("it is there").with_state_directory(self.at("state"))
    }

    /// The same but for temporary files, which the next run removes where this one could not.
    fn shown(&self) -> Vec<String> {
        let mut lines = self.tree();
        lines.retain(|line| !line.contains(".operator-lsp-"));
        lines
    }

    /// Everything in the workspace: path, mode, content.
    fn tree(&self) -> Vec<String> {
        let root = self.at("ws");
        let mut lines = Vec::new();
        list(&root, &root, &mut lines);
        lines.sort();
        lines
    }
}

fn list(root: &Path, at: &Path, lines: &mut Vec<String>) {
    let data = fs::symlink_metadata(at).expect("it is there");
    let name = at.strip_prefix(root).unwrap_or(at).display();
    let mode = data.permissions().mode();
    if !data.is_dir() {
        let bytes = fs::read(at).expect("it can be read");
        lines.push(format!("{name} {mode:o} {:?}", String::from_utf8_lossy(&bytes)));
        return;
    }
    lines.push(format!("{name} {mode:o}"));
    for entry in fs::read_dir(at).expect("it can be read") {
        list(root, &entry.expect("it can be read").path(), lines);
    }
}
