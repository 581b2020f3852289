//! The way from a request to what it comes to: look the files up, find the structures, work the
//! operation out in memory.

use super::file::File;
use super::request::{Done, ErrorCode, Failure, Request};
use super::{Index, Match, Target};
use crate::edit::ChangeSet;
use crate::limits::Limits;
use crate::snapshot::Snapshot;

/// Works out what an operation comes to. Nothing is written.
///
/// # Errors
/// Why it cannot be done.
pub fn perform(
    request: &Request,
    snapshot: &dyn Snapshot,
    limits: &Limits,
) -> Result<Done, Failure> {
    match request {
        Request::Read { path, target } => read(&File::open(path, snapshot, limits)?, target),
        _ => Err(Failure::new(ErrorCode::ParserFailed, "not there yet")),
    }
}

fn read(file: &File, target: &str) -> Result<Done, Failure> {
    let index = Index::new(&file.parsed);
    let places = match index.find(&Target::parse(target)) {
        Match::Structures(places) => places,
        _ => return Err(Failure::new(ErrorCode::TargetNotFound, "not there yet")),
    };
    let matches: Vec<_> = places
        .iter()
        .map(|place| {
            let extent = &file.parsed.outline.structures[*place].extent;
            serde_json::json!({
                "text": file.parsed.text()[extent.clone()],
                "line_range_inclusive": file.parsed.lines_of(extent),
            })
        })
        .collect();
    Ok(Done {
        result: serde_json::json!({ "matches": matches }),
        warnings: Vec::new(),
        changes: ChangeSet::default(),
        targets: vec![file.touched()],
    })
}
