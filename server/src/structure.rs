//! Operations on structures as people and programs ask for them, and how they are answered.

mod file;
mod params;

pub use file::File;
pub use params::{Params, Wanted};

use operator_core::fingerprint::Fingerprint;
use operator_core::limits::Limits;
use operator_core::snapshot::{Snapshot, State};
use operator_core::structure::{self, Done, ErrorCode, Failure, Request, Warning};
use serde_json::{Value, json};

/// An operation, and what the file has to be like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The operation.
    pub request: Request,
    /// The fingerprint without which nothing is to be done.
    pub base: Option<Fingerprint>,
}

impl Asked {
    /// Works out what the operation comes to. Nothing is written.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub fn perform(&self, snapshot: &dyn Snapshot, limits: &Limits) -> Result<Done, Failure> {
        self.check_base(snapshot)?;
        structure::perform(&self.request, snapshot, limits)
    }

    fn check_base(&self, snapshot: &dyn Snapshot) -> Result<(), Failure> {
        let Some(base) = self.base else { return Ok(()) };
        let path = self.request.path();
        // What keeps the file from being looked at is for the operation to say.
        let state = snapshot.resolve(path).and_then(|path| snapshot.state(&path));
        match state {
            Ok(State::File(found)) if found != base => {
                let message = format!("`{path}` has changed since; read it again");
                let failure = Failure::new(ErrorCode::FileChanged, message);
                let expected = base.to_string();
                Err(failure.detail("expected", expected).detail("found", found.to_string()))
            }
            _ => Ok(()),
        }
    }
}

/// The answer to an operation as programs read it: `{"ok","result","warnings"}` or
/// `{"ok","error"}`.
pub fn answer(outcome: Result<&Done, &Failure>) -> Value {
    match outcome {
        Ok(done) => {
            let warnings: Vec<Value> = done.warnings.iter().map(Warning::to_json).collect();
            json!({"ok": true, "result": done.result, "warnings": warnings})
        }
        Err(failure) => json!({"ok": false, "error": failure.to_json()}),
    }
}
