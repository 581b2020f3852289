//! `outline`: every structure of a file.

use super::Context;
use crate::edit::ChangeSet;
use crate::structure::Arguments;
use crate::structure::output::{Done, Output};
use crate::structure::{Failure, FileOutline};

/// Lists the structures of the file.
pub(super) fn outline(context: &Context<'_>, arguments: &Arguments) -> Result<Done, Failure> {
    let file = context.source(&arguments.path)?;
    Ok(Done {
        output: Output::Outlined { files: [FileOutline::of(&arguments.path, &file.parsed)] },
        warnings: Vec::new(),
        changes: ChangeSet::default(),
        targets: vec![file.touched()],
    })
}
