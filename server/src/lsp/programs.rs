//! Programs that a transcript has the server run: what to ask the user, and their end with the
//! server's.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use operator_core::command::{Operation, Program};
use operator_core::dialect::Failure;
use operator_core::plan::Outcome;
use operator_core::review::{Proposal, Status};
use operator_core::scan::Placed;
use tokio::sync::watch;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::Uri;

use super::capabilities::ResolvedClientCapabilities;
use super::carry_out::refusal;
use super::context::{Context, request_failed};
use crate::workspace::{ExecLimits, exec_until};

/// How many lines of a program the user is shown.
const SHOWN_LINES: usize = 10;
/// How many characters of a line.
const SHOWN_WIDTH: usize = 120;
/// How long the end of all programs is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// A program that is to be run once the user has said yes.
pub struct ToRun {
    /// The transcript.
    pub uri: Uri,
    /// The block that asks for it.
    pub placed: Placed,
    /// What it is, for a person.
    pub title: String,
    /// What the user is asked.
    pub question: String,
    program: Program,
    directory: PathBuf,
}

/// A program that has ended, or could not begin.
#[derive(Clone)]
pub struct Ran {
    /// The transcript.
    pub uri: Uri,
    /// The block that asked for it.
    pub placed: Placed,
    /// What it is, for a person.
    pub title: String,
    /// What came of it.
    pub result: std::result::Result<Outcome, Failure>,
}

/// The programs that are running.
#[derive(Default)]
pub struct Programs {
    stopping: watch::Sender<bool>,
    running: AtomicUsize,
}

/// One of them, until it is dropped.
pub struct Running(Arc<Programs>);

/// The program that a proposal asks to run.
pub fn of(proposal: &Proposal) -> Option<&Program> {
    match &proposal.placed.block.parsed.command.as_ref()?.operation {
        Operation::Exec(program) => Some(program),
        _ => None,
    }
}

/// What the action on a program is called.
pub fn title(program: &Program, again: bool) -> String {
    let again = if again { " again" } else { "" };
    format!("Run this {} program{again} and insert its result", program.language)
}

/// Why this client cannot have a program run, for a person.
pub fn cannot(client: &ResolvedClientCapabilities) -> Option<&'static str> {
    if !client.apply_edit {
        return Some(
            "a program's result cannot be inserted, since this editor takes no edits from a \
             language server; `operator-lsp apply --allow-exec` can run it",
        );
    }
    (!client.message_requests).then_some(
        "this editor cannot ask you whether a program may be run; `operator-lsp apply \
         --allow-exec` can",
    )
}

/// What has to be asked before a block's program is run.
///
/// # Errors
/// Why it cannot be run.
pub fn to_run(context: &Context, shown: &Proposal) -> Result<ToRun> {
    if let Some(cannot) = cannot(&context.session.client) {
        return Err(request_failed(cannot));
    }
    let view = context.site.view();
    let judged = context.reviewer().judge(&shown.placed, &view, context.session.limits());
    let open = matches!(shown.status, Status::Ready | Status::Applied);
    let planned = judged.plan.as_ref().filter(|_| open && judged.status == Status::Ready);
    let Some((program, directory)) = planned.and_then(|plan| plan.program.clone()) else {
        return Err(refusal(shown, &judged));
    };
    let directory = context.site.on_disk(&directory);
    let own = context.site.file(&context.document.uri).map(|own| own.to_string());
    let mut unsaved = context.site.unsaved();
    unsaved.retain(|file| Some(file) != own.as_ref());
    let unsaved = match unsaved.as_slice() {
        [] => String::new(),
        files => format!("\n\nIt does not see what is not saved: {}", files.join(", ")),
    };
    let question = format!(
        "Run this {} program in {}?\n\n{}{unsaved}",
        program.language,
        directory.display(),
        excerpt(&program.code),
    );
    let title = format!("Run {}", program.language);
    let (uri, placed) = (context.document.uri.clone(), shown.placed.clone());
    Ok(ToRun { uri, placed, title, question, program, directory })
}

/// The first lines of a program, and how many more there are.
fn excerpt(code: &str) -> String {
    let short = |line: &str| match line.char_indices().nth(SHOWN_WIDTH) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    };
    let mut lines: Vec<String> = code.lines().take(SHOWN_LINES).map(short).collect();
    let more = code.lines().count().saturating_sub(SHOWN_LINES);
    if more > 0 {
        lines.push(format!("… and {more} more lines"));
    }
    lines.join("\n")
}

impl ToRun {
    /// Runs it to its end, or until `stop` says so or the server ends.
    pub fn run(self, running: &Running, stop: impl Fn() -> bool) -> Ran {
        let stop = || stop() || *running.0.stopping.borrow();
        let result = exec_until(&self.program, &self.directory, ExecLimits::default(), &stop);
        Ran { uri: self.uri, placed: self.placed, title: self.title, result }
    }
}

impl Programs {
    /// Counts a program in, unless the server is about to end.
    pub fn start(self: &Arc<Programs>) -> Option<Running> {
        self.running.fetch_add(1, Ordering::SeqCst);
        let running = Running(self.clone());
        (!*self.stopping.borrow()).then_some(running)
    }

    /// Ends every program, and lets none begin.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Waits until every program is to end.
    pub async fn stopped(&self) {
        // The sender is this very structure.
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// Waits until none is left, for a while.
    pub async fn ended(&self) {
        let deadline = Instant::now() + PATIENCE;
        while self.running.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_program_is_shown_in_part_and_says_so() {
        assert_eq!(excerpt("echo hi\n"), "echo hi");
        let long: String = (1..=12).map(|number| format!("echo {number}\n")).collect();
        let shown = excerpt(&long);
        assert!(shown.ends_with("echo 10\n… and 2 more lines"), "{shown}");
        assert_eq!(excerpt(&"é".repeat(200)).chars().count(), SHOWN_WIDTH + 1);
    }

    #[test]
    fn none_begins_once_the_server_ends() {
        let programs = Arc::new(Programs::default());
        let one = programs.start().unwrap();
        programs.stop();
        assert!(programs.start().is_none());
        assert_eq!(programs.running.load(Ordering::SeqCst), 1);
        drop(one);
        assert_eq!(programs.running.load(Ordering::SeqCst), 0);
    }
}
