//! `fs.stat`: what is at a path.

use super::context::Context;
use super::{Fact, Issue, Plan};
use crate::path::{Kind, State};
use crate::snapshot::Denied;
use crate::spec::FieldRole;
use crate::text::lines;

/// Size, lines, fingerprint and kind of a file; kind and number of entries of a directory.
///
/// Of a file that is no UTF-8 text the size and the lines are not known and `null`.
pub(super) fn plan(context: &Context<'_>, path: &str) -> Result<Plan, Box<Issue>> {
    let (path, kind) = context.existing(path, FieldRole::Path)?;
    if kind == Kind::Directory {
        let entries = context.ask(&path, FieldRole::Path, |snapshot| snapshot.list(&path))?.len();
        let fact = Fact::StatDirectory { path: path.clone(), entries };
        return Ok(Plan::of_reading(path, State::Directory, fact));
    }
    let (size, lines, state) = match context.snapshot.read(&path) {
        Ok(content) => {
            let lines = lines::count(&content.text);
            (Some(content.len()), Some(lines), State::File(content.fingerprint()))
        }
        Err(Denied::NotUtf8(_)) => {
            (None, None, context.ask(&path, FieldRole::Path, |snapshot| snapshot.state(&path))?)
        }
        Err(denied) => {
            return Err(super::denied::issue(context, denied, &path.to_string(), FieldRole::Path));
        }
    };
    let fingerprint = match state {
        State::File(fingerprint) => Some(fingerprint),
        _ => None,
    };
    let fact = Fact::StatFile { path: path.clone(), size, lines, fingerprint };
    Ok(Plan::of_reading(path, state, fact))
}
