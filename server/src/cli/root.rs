//! The workspace that a command works on.

use std::path::Path;

use operator_core::limits::Limits;

use super::complain;
use crate::workspace::{Workspace, WorkspaceOptions};

/// Opens the folder; says on standard error why it cannot.
pub fn open(root: &Path, limits: &Limits) -> Option<Workspace> {
    let options = WorkspaceOptions { limits: limits.clone(), ..WorkspaceOptions::default() };
    Workspace::open(&[root.to_owned()], options)
        .inspect_err(|error| complain(&error.to_string()))
        .ok()
}
