//! Failures of the program itself: the place is said, and never a text that was worked on.

use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

use super::{Exit, complain};

/// What was said on standard error of what could not be done.
static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps what is said of what could not be done, for programs.
pub fn note(message: &str) {
    SAID.lock().unwrap_or_else(PoisonError::into_inner).push(message.to_owned());
}

/// All of it, a line each.
pub fn said() -> String {
    SAID.lock().unwrap_or_else(PoisonError::into_inner).join("\n")
}

/// Has a panic reported by its place alone: its message may quote what the program was working on.
pub fn report_panics() {
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION");
        // Where standard error itself is gone there is nobody to tell.
        let _ = writeln!(
            io::stderr(),
            "error: operator-lsp {version} failed at {place}: this is a bug; please report this line"
        );
    }));
}

/// Does some work; `None` where it panics, which is reported by then.
pub fn contained<T>(work: impl FnOnce() -> T) -> Option<T> {
    // Nothing that the work has changed is looked at after a panic.
    panic::catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Runs a command to its end, whatever it is given; `advice` says what to do where it fails.
pub fn run(advice: &str, command: impl FnOnce() -> io::Result<Exit>) -> io::Result<Exit> {
    contained(command).unwrap_or_else(|| {
        complain(&format!("the command ended early: {advice}"));
        Ok(Exit::Failed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHILD: &str = "OPERATOR_CLI_TEST_PANIC";

    #[test]
    fn a_panic_is_reported_by_its_place_and_the_command_fails() {
        if std::env::var_os(CHILD).is_some() {
            report_panics();
            let fails = || {
                let text = "é SECRET".to_owned();
                let _ = &text[1..];
                Ok(Exit::Fine)
            };
            let exit = run("nothing was written", fails).unwrap();
            std::process::exit(exit as i32);
        }
        let name = "cli::failure::tests::a_panic_is_reported_by_its_place_and_the_command_fails";
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", name, "--nocapture", "--test-threads=1"]).env(CHILD, "1");
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("failure.rs") && said.contains("nothing was written"), "{said}");
        assert!(!said.contains("SECRET"), "{said}");
    }
}
