//! What a dialect is, as data.

use std::borrow::Cow;

use super::Writing;
use crate::snapshot::PathStyle;
use crate::spec::{self, Action, FieldRole};

/// What holds for every block of a dialect.
pub struct Rules {
    /// The name, `operator`.
    pub name: &'static str,
    /// One line for a person who chooses the dialect that a model is to write.
    pub help: &'static str,
    /// The name of the dialects whose blocks are answered together; mostly its own.
    pub family: &'static str,
    /// ASCII texts, one of which every line holds that [`opens`](super::Recognise::opens) says
    /// anything about.
    pub needles: &'static [&'static str],
    /// Such texts that may be in upper or lower case; each has a `_`.
    pub needles_any_case: &'static [&'static str],
    /// How many lines above its first line say something about a block; 0 for most dialects.
    pub looks_back: usize,
    /// Whether its blocks are searched for in chats only: in other documents, what looks like one
    /// is mostly an example.
    pub in_chats_only: bool,
    /// How its paths are written.
    pub paths: PathStyle,
    /// What a reply answers.
    pub reply: ReplyStyle,
    /// Whether an id names one command: a later block with the same id supersedes.
    pub ids_are_unique: bool,
    /// Whether a file must be read in the transcript before it is changed.
    pub reads_first: bool,
    /// Whether a whole JSON document may be a block.
    pub in_json: bool,
    /// The language ids of documents of its own.
    pub languages: &'static [&'static str],
    /// The file patterns of documents of its own.
    pub files: &'static [&'static str],
    /// The keys that every command has besides its action's own.
    pub common_keys: &'static [CommonKey],
    /// How people write its blocks, where an editor can help with that.
    pub writing: Option<&'static dyn Writing>,
    /// The interface specification.
    pub specification: &'static str,
}

impl Rules {
    /// A command's field by its name, with its role; where the action is not known, with what other
    /// actions have it for.
    pub fn field(
        &self,
        action: Option<&'static Action>,
        name: &str,
    ) -> (Cow<'static, str>, Option<FieldRole>) {
        let of = |action: &'static Action| action.field(name).filter(|field| field.role.is_some());
        let own = match action {
            Some(action) => of(action),
            None => spec::actions(self.name).find_map(of),
        };
        let common = || self.common_keys.iter().find(|key| key.name == name);
        match own {
            Some(field) => (field.name.as_str().into(), field.role),
            None => match common() {
                Some(key) => (key.name.into(), Some(key.is)),
                None => (name.to_owned().into(), None),
            },
        }
    }
}

/// What a reply answers, and in what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyStyle {
    /// One block, which it names by its id.
    PerBlock,
    /// The block of this dialect right above it, which it does not name; in a fence of its own.
    InPlace {
        /// The language of the fence.
        language: &'static str,
    },
    /// All blocks of the transcript; in a fence where they are in one.
    PerTranscript {
        /// The language of the fence.
        language: &'static str,
    },
    /// The blocks of its family since the reply before, which it names by their texts.
    PerAnswer,
}

impl ReplyStyle {
    /// Whether one reply answers several blocks together.
    pub fn answers_several(self) -> bool {
        matches!(self, ReplyStyle::PerTranscript { .. } | ReplyStyle::PerAnswer)
    }
}

/// A key that every command of a dialect has.
pub struct CommonKey {
    /// The key.
    pub name: &'static str,
    /// What its value is.
    pub is: FieldRole,
    /// One line of help.
    pub help: &'static str,
}
