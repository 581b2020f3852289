//! How much is kept of what was done in a workspace.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::regular;

const FILE: &str = "history";
/// A file that takes the other's place once it is whole.
const NEW: &str = "history.new";
/// A file with so many bytes at most.
const MOST: u64 = 4_096;

/// How much the user wants kept, so that it can be undone or redone. What an editor's settings say is
/// written down, and holds for the command line, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// How many operations.
    pub operations: usize,
    /// How old they are at most, in days.
    pub days: u64,
    /// How many bytes their old contents have together.
    pub bytes: u64,
}

impl Default for History {
    fn default() -> History {
        History { operations: 200, days: 90, bytes: 256 << 20 }
    }
}

impl History {
    /// What the journals in a folder say; the default where they say nothing that can be understood.
    fn read(folder: &Path) -> History {
        let file = regular::open(&folder.join(FILE), OpenOptions::new().read(true));
        let mut text = Vec::new();
        let read = file.and_then(|file| file.take(MOST).read_to_end(&mut text));
        read.ok().and_then(|_| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        let new = folder.join(NEW);
        let mut options = OpenOptions::new();
        let mut file = regular::open(&new, options.write(true).create(true).truncate(true))?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_all()?;
        fs::rename(&new, folder.join(FILE))
    }
}

/// How much is kept. What is over it goes, the oldest first, but not what was there before the
/// last change of some file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// How many operations can be undone or redone.
    pub(super) operations: usize,
    /// How many bytes their old contents have together.
    pub(super) bytes: u64,
    /// How many bytes those have together that otherwise would never go.
    pub(super) most_bytes: u64,
    /// How old they are.
    pub(super) age: Duration,
    /// How many operations the ledger tells of. Twice as many are the most before those that are
    /// too old go.
    pub(super) told: usize,
    /// How many folders are kept that `undo --skip-changed` has put aside.
    pub(super) aside: usize,
}

impl Bounds {
    /// What holds for the journals in a folder, where the user of this program wants so much kept; `None`
    /// where this program is not told. Whoever has the lock asks.
    pub(super) fn agreed(folder: &Path, wanted: Option<History>) -> Bounds {
        let known = History::read(folder);
        let wanted = wanted.unwrap_or(known);
        if wanted != known
            && let Err(error) = wanted.write(folder)
        {
            tracing::warn!(%error, "the command line does not learn how much is to be kept");
        }
        Bounds::of(wanted)
    }

    /// What holds where so much is wanted.
    pub(super) fn of(History { operations, days, bytes }: History) -> Bounds {
        let age = Duration::from_secs(days.saturating_mul(24 * 60 * 60));
        let most_bytes = bytes.max(1 << 30);
        Bounds { operations, bytes, most_bytes, age, told: 10_000, aside: 20 }
    }
}
