//! What the records of a workspace's transactions end with, as they were read: there are hundreds, and
//! each run asks for all of them.

use std::collections::HashMap;
use std::fs::{self, Metadata, OpenOptions};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::log::{End, Log};
use super::regular;

/// A file that was written a shorter time ago than this may be written once more with the same time and
/// length.
const RECENT: Duration = Duration::from_secs(3);

/// What is known of the records, by their numbers. A record is read again where its file has another
/// length or time.
#[derive(Debug, Default)]
pub struct Ends(Mutex<HashMap<u64, Known>>);

#[derive(Debug)]
struct Known {
    edition: Edition,
    end: Option<End>,
    /// How many bytes its transaction keeps, once somebody has asked.
    bytes: Option<u64>,
}

/// How much a transaction keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// In bytes.
    pub(super) bytes: u64,
    /// For how long its record has been as it is.
    pub(super) age: Duration,
}

/// Which state of a record's file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edition {
    length: u64,
    time: SystemTime,
}

impl Edition {
    fn of(metadata: &Metadata) -> Option<Edition> {
        Some(Edition { length: metadata.len(), time: metadata.modified().ok()? })
    }

    fn is_recent(&self) -> bool {
        // A time that is yet to come says nothing.
        !self.time.elapsed().is_ok_and(|elapsed| elapsed > RECENT)
    }
}

impl Ends {
    /// What the record of this number, in this folder, ends with, if that settles it.
    pub(super) fn end(&self, number: u64, folder: &Path) -> Option<End> {
        self.ask(number, folder, |known| known.end)?
    }

    /// How much its transaction keeps; `bytes` tells it.
    pub(super) fn size(&self, number: u64, folder: &Path, bytes: impl Fn() -> u64) -> Size {
        let known = self.ask(number, folder, |known| Size {
            bytes: *known.bytes.get_or_insert_with(&bytes),
            age: known.edition.time.elapsed().unwrap_or_default(),
        });
        known.unwrap_or_else(|| Size { bytes: bytes(), age: Duration::ZERO })
    }

    /// Forgets all but these records.
    pub(super) fn keep(&self, numbers: &[u64]) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|number, _| numbers.contains(number));
    }

    /// What is known of a record by now; `None` where its file cannot be opened.
    fn ask<T>(&self, number: u64, folder: &Path, what: impl FnOnce(&mut Known) -> T) -> Option<T> {
        let path = Log::file(folder);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get_mut(&number)
            && let Ok(metadata) = fs::symlink_metadata(&path)
            && Edition::of(&metadata) == Some(known.edition)
        {
            return Some(what(known));
        }
        let (file, metadata) = regular::open_and_look(&path, OpenOptions::new().read(true)).ok()?;
        let edition = Edition::of(&metadata)?;
        let end = Log::end(&file, edition.length).ok().flatten();
        let mut known = Known { edition, end, bytes: None };
        let answer = what(&mut known);
        // One that is not settled is looked at by each run.
        if end.is_some() && !edition.is_recent() {
            all.insert(number, known);
        }
        Some(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    /// A record whose file has this text, and was written so many seconds ago.
    fn put(folder: &Path, text: &str, seconds: u64) {
        fs::write(Log::file(folder), text).unwrap();
        let file = File::options().write(true).open(Log::file(folder)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
    }

    #[test]
    fn a_record_is_read_again_once_its_file_is_another_one() {
        let directory = tempfile::tempdir().unwrap();
        let (folder, ends) = (directory.path(), Ends::default());
        assert_eq!(ends.end(1, folder), None, "there is none");
        put(folder, "\"handed\"\n", 60);
        assert_eq!(ends.end(1, folder), Some(End::Handed));
        put(folder, "\"handed\"\n\"commit\"\n", 60);
        assert_eq!(ends.end(1, folder), Some(End::Commit), "another length");
        put(folder, "\"handed\"\n\"handed\"\n", 30);
        assert_eq!(ends.end(1, folder), Some(End::Handed), "another time");
        put(folder, &format!("{}\"commit\"\n", "\"left\"\n".repeat(1_000)), 60);
        assert_eq!(ends.end(1, folder), Some(End::Commit), "one that is read from near its end");
        put(folder, &"\"commit\"".repeat(1_000), 60);
        assert_eq!(ends.end(1, folder), None, "a line that was cut short");
        fs::remove_file(Log::file(folder)).unwrap();
        assert_eq!(ends.end(1, folder), None);
    }

    #[test]
    fn what_was_just_written_is_read_each_time() {
        let directory = tempfile::tempdir().unwrap();
        let (folder, ends) = (directory.path(), Ends::default());
        put(folder, "\"handed\"\n", 0);
        let time = Log::file(folder).metadata().unwrap().modified().unwrap();
        assert_eq!(ends.end(1, folder), Some(End::Handed));
        put(folder, "\"commit\"\n", 0);
        File::options().write(true).open(Log::file(folder)).unwrap().set_modified(time).unwrap();
        assert_eq!(ends.end(1, folder), Some(End::Commit));
    }

    #[test]
    fn a_size_is_asked_for_once_for_each_state_of_the_record() {
        let directory = tempfile::tempdir().unwrap();
        let (folder, ends) = (directory.path(), Ends::default());
        put(folder, "\"commit\"\n", 60);
        let bytes = |bytes| ends.size(1, folder, || bytes).bytes;
        assert_eq!([bytes(1), bytes(2)], [1, 1]);
        put(folder, "\"commit\"\n", 30);
        assert_eq!(bytes(3), 3);
        ends.keep(&[]);
        assert_eq!(bytes(4), 4, "it was forgotten");
    }
}
