//! What a run that was killed left behind, removed by the next: only what its journal names.

use std::io::{self, BufReader, Read};

use cap_std::fs::Dir;
use operator_core::fingerprint::Fingerprint;
use operator_core::snapshot::Denied;

use super::Workspace;
use super::check::{self, Shown};
use super::log::{End, Line, Log};
use super::record::Record;
use super::step::Step;
use super::store::Store;
use crate::workspace::errors::JournalError;
use crate::workspace::place::{Place, fingerprint, open_file};
use crate::workspace::replace::{PREFIX, exchange, rename_new, sync_directory};
use crate::workspace::tree;

/// Removes leftovers, and transactions in which nothing was done. Returns the transactions that are
/// left, each with what its record ends with.
pub(super) fn sweep(
    workspace: &Workspace,
    store: &Store,
) -> Result<Vec<(u64, Option<End>)>, JournalError> {
    let mut all = store.ends()?;
    for (number, end) in all.iter_mut().filter(|(_, end)| end.is_none()) {
        let number = *number;
        // One that cannot be understood is `undo`'s to report; it keeps nobody from working.
        let Ok((mut log, record)) = store.open(number) else { continue };
        let is_tidy = record.is_settled() || {
            let steps = record.all(workspace).unwrap_or_default();
            let left: Vec<bool> =
                steps.iter().map(|(_, step)| remove_leftovers(workspace, step)).collect();
            !left.contains(&false)
        };
        let is_empty = record.is_empty() && !record.is_reverted();
        let has_done_nothing = || {
            let shown = (!record.is_committed()).then(|| look_at(workspace, &log, &record));
            shown.flatten().is_some_and(|shown| shown.done == 0 && shown.changed.is_empty())
        };
        // What fails here is tried again by the next run.
        if record.is_undone() && is_tidy {
            // Its number is the ledger's, so that it is kept.
            log.note(Line::Reverted);
        } else if is_tidy && record.is_again() && !record.is_settled() && has_done_nothing() {
            log.note(Line::Reverted);
        } else if is_tidy && (is_empty || !record.is_settled() && has_done_nothing()) {
            let _ = store.remove(log);
        } else if !record.is_settled() && is_tidy {
            log.note(Line::Swept);
        }
        *end = store.end(number);
    }
    all.retain(|(number, end)| end.is_some() || store.has(*number));
    store.finish_removals()?;
    Ok(all)
}

/// What the disk shows of the steps of a record; where it does not tell, they were not made. `None`
/// where the record is about folders that are not there any more.
pub(super) fn look_at(workspace: &Workspace, log: &Log, record: &Record) -> Option<Shown> {
    let steps = record.steps(workspace).ok()?;
    let steps: Vec<&Step> = steps.iter().map(|(_, step)| step).collect();
    Some(check::look(workspace, log.folder(), &steps, 0))
}

/// Removes the temporary files or directories of a step, durably: once the record is settled or gone, no
/// later run would remove what came back after a power cut. Whether none is there any more.
pub(super) fn remove_leftovers(workspace: &Workspace, step: &Step) -> bool {
    let (Step::Write { path, temporary, .. } | Step::Remove { path, temporary, .. }) = step else {
        return true;
    };
    if !temporary.starts_with(PREFIX) || temporary.contains('/') {
        return true;
    }
    let place = match workspace.place(path) {
        Err(Denied::NotFound | Denied::NotADirectory) => return true,
        Err(_) => return false,
        Ok(place) => place,
    };
    let tidied = match step {
        Step::Write { before, after, .. } => {
            let before = before.as_ref().map(|saved| saved.fingerprint);
            remove_copies(&place, temporary, before, *after)
        }
        _ => remove(&place.dir, temporary),
    };
    let synced = |was_there| if was_there { sync_directory(&place.dir) } else { Ok(()) };
    tidied.and_then(synced).is_ok()
}

/// Removes what has this name; whether there was anything.
fn remove(dir: &Dir, name: &str) -> io::Result<bool> {
    match dir.symlink_metadata(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
        Ok(_) => tree::remove(dir, name).map(|()| true),
    }
}

/// Removes what a write and its undo leave beside the file; whether there was anything.
fn remove_copies(
    place: &Place,
    temporary: &str,
    before: Option<Fingerprint>,
    after: Fingerprint,
) -> io::Result<bool> {
    let dir = &place.dir;
    let known = [before, Some(after)];
    let mut was_there = false;
    for (copy, new) in [(temporary, Some(after)), (&Step::undo_name(temporary), before)] {
        match dir.symlink_metadata(copy) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            data => _ = data?,
        }
        was_there = true;
        if !known.contains(&fingerprint(dir, copy)?) {
            give_back(place, copy, new, before.is_none())?;
        }
        tree::remove(dir, copy)?;
    }
    Ok(was_there)
}

/// Puts back what somebody else had written in the moment in which the file was exchanged or
/// moved away, where that is what the copy is: otherwise it is a new file that is not whole.
fn give_back(
    place: &Place,
    copy: &str,
    new: Option<Fingerprint>,
    was_made: bool,
) -> io::Result<()> {
    let Place { dir, name } = place;
    match new {
        None => rename_new(dir, copy, dir, name),
        Some(_) if was_made || fingerprint(dir, name)? != new => Ok(()),
        // The text of the new file may be there all the same: by hand, or because nothing was to change.
        Some(_) if is_cut_short(dir, copy, name)? => Ok(()),
        Some(_) => exchange(dir, copy, name).map(drop),
    }
}

/// Whether a file is what is left of another one whose writing was cut short: it ends earlier, or has
/// zeros where a power cut came before the data.
fn is_cut_short(dir: &Dir, copy: &str, whole: &str) -> io::Result<bool> {
    let open = |name: &str| match open_file(dir, name.as_ref()) {
        Ok((file, data)) => Ok(Some((BufReader::new(file), data.len()))),
        Err(Denied::NotAFile) => Ok(None),
        Err(denied) => Err(io::Error::other(denied.to_string())),
    };
    let (Some((copy, short)), Some((whole, long))) = (open(copy)?, open(whole)?) else {
        return Ok(false);
    };
    for (one, other) in copy.bytes().zip(whole.bytes()) {
        let (one, other) = (one?, other?);
        if one != other && one != 0 {
            return Ok(false);
        }
    }
    Ok(short <= long)
}
