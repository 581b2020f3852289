//! Paths that begin with the workspace's own name: said where it is dropped, or could be.

use std::collections::HashSet;

use super::{Issue, Remedy, Repair};
use crate::command::Command;
use crate::edit::Change;
use crate::path::FilePath;
use crate::problem::PLAN_OWN_NAME;
use crate::snapshot::{Snapshot, Through};
use crate::spec::FieldRole;
use crate::text::one_line;

/// A remark for each path that is taken for its rest.
pub(super) fn remarks(command: &Command, through: &Through<'_>) -> Vec<Issue> {
    let mut seen = HashSet::new();
    let mut remarks = Vec::new();
    for (index, step) in command.steps.iter().enumerate() {
        for (path, field) in step.paths().zip([FieldRole::Path, FieldRole::DestPath]) {
            let Some(rest) = through.without_own_name(path).filter(|_| seen.insert(path)) else {
                continue;
            };
            let mut remark = remark(path, &rest, field);
            remark.op = (command.steps.len() > 1).then_some(index);
            remarks.push(*remark);
        }
    }
    remarks
}

fn remark(path: &str, rest: &str, field: FieldRole) -> Box<Issue> {
    let (path, shown) = (one_line::excerpt(path, 120), one_line::excerpt(rest, 120));
    let message = format!(
        "`{path}` is taken for `{shown}`: it begins with the name of the workspace, and no \
         directory of that name is in it"
    );
    let mut remark = Issue::warning(PLAN_OWN_NAME, field, message).detail("taken", rest);
    remark.repairs.push(Repair {
        title: format!("Make it `{shown}`"),
        remedy: Remedy::Values(vec![(field, rest.to_owned())]),
        is_choice: false,
    });
    remark
}

/// What a change makes in a new directory that has the workspace's own name: the path as the
/// command writes it, the rest that may be meant, and the field.
pub(super) fn made_inside<'a>(
    command: &'a Command,
    through: &Through<'_>,
    change: &Change,
) -> Option<(&'a str, String, FieldRole)> {
    let made: &FilePath = match change {
        Change::Create { path, .. } | Change::CreateDirectory { path } => path,
        Change::Rename { to, .. } => to,
        Change::Edit { .. } | Change::Delete { .. } => return None,
    };
    let paths = command
        .steps
        .iter()
        .flat_map(|step| step.paths().zip([FieldRole::Path, FieldRole::DestPath]));
    let mut named = paths.filter_map(|(path, field)| {
        let rest = through.below_own_name(path)?;
        let is_it = Snapshot::resolve(through, path).ok()? == *made;
        is_it.then_some((path, rest, field))
    });
    named.find(|(path, ..)| through.without_own_name(path).is_none())
}
