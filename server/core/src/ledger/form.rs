//! How paths, states and operations are written in the ledger's file.

/// A path as a folder's number and a path in it.
pub(super) mod file_path {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::path::FilePath;

    pub fn serialize<S: Serializer>(path: &FilePath, serializer: S) -> Result<S::Ok, S::Error> {
        (path.root, &path.path).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FilePath, D::Error> {
        let (root, path) = <(usize, Arc<str>)>::deserialize(deserializer)?;
        Ok(FilePath { root, path })
    }
}

/// A state in one word: `missing`, `directory`, a fingerprint, or `large:SIZE:NANOSECONDS`.
pub(super) mod state {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use serde::{Deserializer, Serializer};

    use crate::fingerprint::Fingerprint;
    use crate::ledger::identity::parsed;
    use crate::path::State;

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
        parsed(deserializer, parse, "a state")
    }

    /// Also the shorter words of the [`short`](super::short) form.
    fn parse(text: &str) -> Option<State> {
        if let Some(fingerprint) = Fingerprint::of_short(text) {
            return Some(State::File(fingerprint));
        }
        Some(match text {
            "missing" | "-" => State::Missing,
            "directory" | "/" => State::Directory,
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

/// A state in one short word: `-` for what is missing, `/` for a directory, and a fingerprint in
/// 43 characters; read by [`state`], which knows both.
pub(super) mod short {
    pub use super::state::deserialize;

    use serde::Serializer;

    use crate::path::State;

    pub fn serialize<S: Serializer>(state: &State, serializer: S) -> Result<S::Ok, S::Error> {
        match state {
            State::Missing => serializer.serialize_str("-"),
            State::Directory => serializer.serialize_str("/"),
            State::File(fingerprint) => serializer.serialize_str(&fingerprint.to_short()),
            large @ State::Large { .. } => super::state::serialize(large, serializer),
        }
    }
}

/// An operation as a list without names: there are many. Earlier programs wrote the names.
pub(super) mod kept {
    use std::fmt;
    use std::sync::Arc;

    use serde::de::Visitor;
    use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
    use serde::de::{MapAccess, SeqAccess};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::edit::Hunk;
    use crate::fingerprint::Fingerprint;
    use crate::ledger::identity::{BlockId, OperationId, Transcript, parsed};
    use crate::ledger::operation::{Door, Operation, Transition, Work};
    use crate::path::{FilePath, State};
    use crate::plan::Part;

    #[derive(Serialize, Deserialize)]
    struct Kept(OperationId, u64, Door, Transcript, Vec<KeptWork>);

    #[derive(Serialize, Deserialize)]
    struct KeptWork(
        Short,
        u32,
        String,
        String,
        Vec<KeptTransition>,
        #[serde(default, skip_serializing_if = "Option::is_none")] Option<Part>,
    );

    #[derive(Serialize, Deserialize)]
    struct KeptTransition(
        usize,
        Arc<str>,
        #[serde(with = "super::short")] State,
        #[serde(with = "super::short")] State,
        Vec<Short>,
        #[serde(default, skip_serializing_if = "Option::is_none")] Option<Hunk>,
    );

    struct Short(Fingerprint);

    impl Serialize for Short {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&self.0.to_short())
        }
    }

    impl<'de> Deserialize<'de> for Short {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Short, D::Error> {
            let parse = |text: &str| Fingerprint::of_short(text).map(Short);
            parsed(deserializer, parse, "a fingerprint in 43 characters")
        }
    }

    pub fn serialize<S: Serializer>(it: &Operation, serializer: S) -> Result<S::Ok, S::Error> {
        let transition = |it: &Transition| {
            let Transition { path, before, after, ended, lines } = it.clone();
            let ended = ended.into_iter().map(Short).collect();
            KeptTransition(path.root, path.path, before, after, ended, lines)
        };
        let work = |it: &Work| {
            let transitions = it.transitions.iter().map(transition).collect();
            let BlockId { text, nth } = it.block;
            let (name, title) = (it.name.clone(), it.title.clone());
            KeptWork(Short(text), nth, name, title, transitions, it.part.clone())
        };
        let works = it.works.iter().map(work).collect();
        Kept(it.id, it.time, it.door, it.transcript.clone(), works).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Operation, D::Error> {
        deserializer.deserialize_any(Either)
    }

    struct Either;

    impl<'de> Visitor<'de> for Either {
        type Value = Operation;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an operation")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Operation, A::Error> {
            Operation::deserialize(MapAccessDeserializer::new(map))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Operation, A::Error> {
            let kept = Kept::deserialize(SeqAccessDeserializer::new(list))?;
            let Kept(id, time, door, transcript, works) = kept;
            let works = works.into_iter().map(Work::from).collect();
            Ok(Operation { id, time, door, transcript, works })
        }
    }

    impl From<KeptWork> for Work {
        fn from(kept: KeptWork) -> Work {
            let KeptWork(Short(text), nth, name, title, transitions, part) = kept;
            let transitions = transitions.into_iter().map(Transition::from).collect();
            Work { block: BlockId { text, nth }, name, title, transitions, part }
        }
    }

    impl From<KeptTransition> for Transition {
        fn from(kept: KeptTransition) -> Transition {
            let KeptTransition(root, path, before, after, ended, lines) = kept;
            let ended = ended.into_iter().map(|Short(fingerprint)| fingerprint).collect();
            Transition { path: FilePath { root, path }, before, after, ended, lines }
        }
    }
}

/// Pairs of states.
pub(super) mod pairs {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::path::State;

    #[derive(Serialize, Deserialize)]
    struct Pair(#[serde(with = "super::short")] State, #[serde(with = "super::short")] State);

    pub fn serialize<S: Serializer>(
        all: &[(State, State)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(all.iter().map(|(one, other)| Pair(*one, *other)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(State, State)>, D::Error> {
        let pairs = Vec::<Pair>::deserialize(deserializer)?;
        Ok(pairs.into_iter().map(|Pair(one, other)| (one, other)).collect())
    }
}

/// Paths with their states.
pub(super) mod states {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::path::{FilePath, State};

    #[derive(Serialize, Deserialize)]
    struct Pair(
        #[serde(with = "super::file_path")] FilePath,
        #[serde(with = "super::short")] State,
    );

    pub fn serialize<S: Serializer>(
        all: &[(FilePath, State)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(all.iter().map(|(path, state)| Pair(path.clone(), *state)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<[(FilePath, State)]>, D::Error> {
        let pairs = Vec::<Pair>::deserialize(deserializer)?;
        Ok(pairs.into_iter().map(|Pair(path, state)| (path, state)).collect())
    }
}
