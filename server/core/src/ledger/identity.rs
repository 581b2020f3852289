//! What blocks, transcripts and operations are known by, whichever program looks at them.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::fingerprint::Fingerprint;

/// A block by its content: what is known of it survives everything but a change of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId {
    /// The digest of the dialect, the text, and what the block takes from its neighbours.
    pub text: Fingerprint,
    /// Its 0-based number among the equal blocks of its transcript.
    pub nth: u32,
}

/// An operation's number: unique in a workspace, and rising.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OperationId(pub u64);

/// A transcript: the path or the URI of a document, or the digest of a text without a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transcript(Arc<str>);

/// What the names of texts begin with that have none.
const WITHOUT_NAME: &str = "stdin:";

impl Transcript {
    /// The transcript of this name.
    pub fn new(name: &str) -> Transcript {
        Transcript(name.into())
    }

    /// The transcript of a text that has no name.
    pub fn without_name(text: Fingerprint) -> Transcript {
        Transcript::new(&format!("{WITHOUT_NAME}{text}"))
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its name for people.
    pub fn shown(&self) -> &str {
        if self.has_name() { &self.0 } else { "standard input" }
    }

    /// Whether it is a document.
    pub fn has_name(&self) -> bool {
        !self.0.starts_with(WITHOUT_NAME)
    }
}

impl Default for Transcript {
    fn default() -> Transcript {
        Transcript::new("")
    }
}

impl fmt::Display for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.text, self.nth)
    }
}

impl FromStr for BlockId {
    type Err = String;

    fn from_str(text: &str) -> Result<BlockId, String> {
        let wrong = || format!("`{text}` is not a block's id");
        let (text, nth) = text.rsplit_once('#').ok_or_else(wrong)?;
        Ok(BlockId { text: text.parse()?, nth: nth.parse().map_err(|_| wrong())? })
    }
}

impl Serialize for BlockId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BlockId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BlockId, D::Error> {
        parsed(deserializer, |text| text.parse().ok(), "a block's id")
    }
}

impl Serialize for Transcript {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Transcript {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Transcript, D::Error> {
        parsed(deserializer, |text| Some(Transcript::new(text)), "a transcript")
    }
}

/// Reads a value out of a string, without a copy of the string.
pub(super) fn parsed<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    parse: fn(&str) -> Option<T>,
    what: &'static str,
) -> Result<T, D::Error> {
    struct Parse<T>(fn(&str) -> Option<T>, &'static str);

    impl<T> Visitor<'_> for Parse<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.1)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            self.0(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
        }
    }

    deserializer.deserialize_str(Parse(parse, what))
}
