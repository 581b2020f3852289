//! The moves between commits as the command line and the language server ask for them.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::workspace::git::{GitError, Hooks, Moved, Repository, Selection, Squashed};

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// Undo the last AI commit.
    Undo,
    /// Go to the commit before.
    Back,
    /// Go to the commit that was come from.
    Forward,
    /// Make one AI commit of several, with this message if there is one.
    Squash(Selection, Option<String>),
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Done {
    /// The branch is at another commit.
    Moved(Moved),
    /// Commits are one.
    Squashed(Squashed),
}

/// Does it in the repository that holds `folder`.
///
/// # Errors
/// Why not; then nothing is changed.
pub fn run(folder: &Path, wanted: &Wanted) -> Result<Done, GitError> {
    let repository = Repository::open(folder, Hooks::Off)?;
    Ok(match wanted {
        Wanted::Undo => Done::Moved(repository.undo()?),
        Wanted::Back => Done::Moved(repository.back()?),
        Wanted::Forward => Done::Moved(repository.forward()?),
        Wanted::Squash(selection, message) => {
            Done::Squashed(repository.squash(selection, message.as_deref())?)
        }
    })
}

/// The outcome of it as JSON: `ok`, `action`, and the result's or the error's own.
pub fn answer(wanted: &Wanted, done: Result<&Done, &GitError>) -> Value {
    let mut answer = Map::new();
    answer.insert("ok".to_owned(), done.is_ok_and(|done| !done.has_conflicts()).into());
    answer.insert("action".to_owned(), wanted.name().into());
    match done {
        Err(error) => {
            let error = json!({ "code": error.code, "message": error.message });
            answer.insert("error".to_owned(), error);
        }
        Ok(done) => {
            if let Ok(Value::Object(fields)) = done.to_value() {
                answer.extend(fields);
            }
        }
    }
    Value::Object(answer)
}

impl Wanted {
    /// The word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Wanted::Undo => "undo",
            Wanted::Back => "back",
            Wanted::Forward => "forward",
            Wanted::Squash(..) => "squash",
        }
    }
}

impl Done {
    /// Whether files of a stash could not be brought back.
    pub fn has_conflicts(&self) -> bool {
        matches!(self, Done::Moved(moved) if moved.stash.is_some())
    }

    fn to_value(&self) -> serde_json::Result<Value> {
        match self {
            Done::Moved(moved) => serde_json::to_value(moved),
            Done::Squashed(squashed) => serde_json::to_value(squashed),
        }
    }
}
