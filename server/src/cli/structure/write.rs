//! Writing what an operation comes to, as one step that `undo` undoes.

use operator_core::structure::{Done, ErrorCode, Failure, Request};

use crate::cli::complain;
use crate::workspace::{ApplyError, Transaction, Workspace};

/// Writes the changes that a request asks for; where there are none, the last step stays the one that
/// `undo` undoes.
///
/// # Errors
/// A message for people: there is no place for what was there before, or it failed midway.
pub fn write(
    workspace: &Workspace,
    request: &Request,
    done: Done,
) -> Result<Result<Done, Failure>, String> {
    if done.changes.is_empty() {
        return Ok(Ok(done));
    }
    let mut transaction = Transaction::begin(workspace).map_err(|error| error.to_string())?;
    let name = request.operation.command.unwrap_or(request.operation.name);
    transaction.entitle(format!("structure {name} {}", request.path_with_target()));
    if let Err(error) = workspace.apply(&done.changes, &mut transaction) {
        // It has undone what it did; what is left is an empty journal.
        let message = error.to_string();
        let code = code(&error).ok_or_else(|| message.clone())?;
        transaction.rollback().map_err(|error| error.to_string())?;
        return Ok(Err(Failure::new(code, message)));
    }
    if let Err(error) = transaction.commit() {
        complain(&format!("the changes are made, but undo may not work: {error}"));
    }
    Ok(Ok(done))
}

/// What an operation's failure is called; `None` where the program itself is at its end.
fn code(error: &ApplyError) -> Option<ErrorCode> {
    Some(match error {
        ApplyError::Changed(_) | ApplyError::Exists(_) => ErrorCode::FileChanged,
        ApplyError::Denied { why, .. } => ErrorCode::of_denied(why),
        ApplyError::Journal(_) | ApplyError::HalfDone { .. } => return None,
    })
}
