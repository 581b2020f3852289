//! What happens to the ledger, in the form in which it is kept.

use serde::{Deserialize, Serialize};

use super::identity::{BlockId, OperationId, Transcript};
use super::operation::Operation;
use crate::snapshot::{FilePath, State};

/// One thing that happened. The same events in the same order make the same ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A block was first complete.
    Proposed {
        /// The transcript that it is in.
        transcript: Transcript,
        /// The block.
        block: BlockId,
        /// What stood at each of its paths then.
        #[serde(with = "states")]
        at: Vec<(FilePath, State)>,
    },
    /// An edit was given to a client, or the command line is about to write.
    HandedOut(Operation),
    /// The edit was made, as whoever got it says.
    Claimed {
        /// The operation.
        operation: OperationId,
    },
    /// The edit was not made.
    Withdrawn {
        /// The operation.
        operation: OperationId,
    },
    /// A read was answered, a program has run, or the user has refused a block.
    Answered {
        /// The transcript that the block is in.
        transcript: Transcript,
        /// The block.
        block: BlockId,
        /// The answer that was given.
        answer: Answer,
    },
    /// A file was seen as handed-out transitions leave it.
    Made {
        /// The file.
        #[serde(with = "file_path")]
        path: FilePath,
        /// The transitions, each as operation, block and number.
        owners: Vec<(OperationId, usize, usize)>,
        /// What stands there.
        #[serde(with = "state")]
        to: State,
    },
    /// A file was seen as it was before some of its changes.
    Back {
        /// The file.
        #[serde(with = "file_path")]
        path: FilePath,
        /// What stands there.
        #[serde(with = "state")]
        to: State,
    },
    /// A file was seen as changes left it that had been undone.
    Forth {
        /// The file.
        #[serde(with = "file_path")]
        path: FilePath,
        /// What stands there.
        #[serde(with = "state")]
        to: State,
    },
    /// A file was seen in a state that no block leads to.
    Changed {
        /// The file.
        #[serde(with = "file_path")]
        path: FilePath,
        /// What stands there.
        #[serde(with = "state")]
        to: State,
    },
    /// A file was seen in the state that was claimed.
    Seen {
        /// The file.
        #[serde(with = "file_path")]
        path: FilePath,
        /// What stands there.
        #[serde(with = "state")]
        to: State,
    },
    /// Somebody made the whole change of a block by hand.
    ByHand(Operation),
    /// The changes of an operation were undone.
    Undone {
        /// The operation.
        operation: OperationId,
    },
    /// The changes of an operation were made once more.
    Redone {
        /// The operation.
        operation: OperationId,
    },
    /// An operation is too old to be kept.
    Forgotten {
        /// The operation.
        operation: OperationId,
    },
}

/// The answer to a block that is not a change of files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Whether the command was done.
    pub ok: bool,
    /// Whether the user refused it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
    /// One line.
    pub summary: String,
}

impl Event {
    /// Whether the event has to be kept. What is only seen is seen again after a restart.
    pub fn is_lasting(&self) -> bool {
        !matches!(self, Event::Changed { .. })
    }

    /// The files that were found to be as it says.
    pub fn paths(&self) -> Vec<&FilePath> {
        match self {
            Event::Made { path, .. }
            | Event::Back { path, .. }
            | Event::Forth { path, .. }
            | Event::Changed { path, .. }
            | Event::Seen { path, .. } => vec![path],
            Event::ByHand(operation) => operation.paths(),
            _ => Vec::new(),
        }
    }
}

/// A path as a folder's number and a path in it.
pub(super) mod file_path {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::snapshot::FilePath;

    pub fn serialize<S: Serializer>(path: &FilePath, serializer: S) -> Result<S::Ok, S::Error> {
        (path.root, &path.path).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FilePath, D::Error> {
        let (root, path) = <(usize, String)>::deserialize(deserializer)?;
        Ok(FilePath { root, path })
    }
}

/// A state in one word: `missing`, `directory`, a fingerprint, or `large:SIZE:NANOSECONDS`.
pub(super) mod state {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use serde::{Deserialize, Deserializer, Serializer};

    use crate::snapshot::State;

    pub fn serialize<S: Serializer>(state: &State, serializer: S) -> Result<S::Ok, S::Error> {
        match state {
            State::Missing => serializer.serialize_str("missing"),
            State::Directory => serializer.serialize_str("directory"),
            State::File(fingerprint) => serializer.collect_str(fingerprint),
            State::Large { size, modified } => {
                let since = |time: &SystemTime| time.duration_since(UNIX_EPOCH).ok();
                let modified = modified.as_ref().and_then(since);
                let modified = modified.map(|it| it.as_nanos().to_string()).unwrap_or_default();
                serializer.serialize_str(&format!("large:{size}:{modified}"))
            }
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<State, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse(&text).ok_or_else(|| serde::de::Error::custom("not a state"))
    }

    fn parse(text: &str) -> Option<State> {
        Some(match text {
            "missing" => State::Missing,
            "directory" => State::Directory,
            _ => match text.strip_prefix("large:") {
                None => State::File(text.parse().ok()?),
                Some(large) => {
                    let (size, modified) = large.split_once(':')?;
                    let nanoseconds = modified.parse::<u64>().ok();
                    let modified = nanoseconds.map(|it| UNIX_EPOCH + Duration::from_nanos(it));
                    State::Large { size: size.parse().ok()?, modified }
                }
            },
        })
    }
}

/// Paths with their states.
mod states {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::snapshot::{FilePath, State};

    #[derive(Serialize, Deserialize)]
    struct Pair(
        #[serde(with = "super::file_path")] FilePath,
        #[serde(with = "super::state")] State,
    );

    pub fn serialize<S: Serializer>(
        all: &[(FilePath, State)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(all.iter().map(|(path, state)| Pair(path.clone(), *state)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(FilePath, State)>, D::Error> {
        let pairs = Vec::<Pair>::deserialize(deserializer)?;
        Ok(pairs.into_iter().map(|Pair(path, state)| (path, state)).collect())
    }
}
