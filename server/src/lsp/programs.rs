//! Programs that a transcript has the server run: what to ask the user, and their end with the
//! server's.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use operator_core::command::{Program, Step};
use operator_core::dialect::Failure;
use operator_core::ledger::BlockId;
use operator_core::plan::Outcome;
use operator_core::review::{Offer, Proposal, Status};
use operator_core::scan::Placed;
use tokio::sync::watch;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::Uri;

use super::apply::refusal;
use super::capabilities::ResolvedClientCapabilities;
use super::context::{Context, request_failed};
use crate::visible;
use crate::workspace::{Environment, ExecLimits, exec_until};

/// How many lines a program may have that the user is asked about in a message.
const MAX_LINES: usize = 15;
/// How many UTF-16 units a message may have: VS Code cuts off what goes beyond.
const MAX_UNITS: usize = 1_000;
/// How many unsaved files are named.
const MAX_UNSAVED: usize = 3;
const TOO_LONG: &str = "this program is too long to be shown whole in a message, so you cannot be \
                        asked about it here: read it and run `operator-lsp apply --allow-exec` in \
                        a terminal, which shows all of it and asks";
/// How long the end of all programs is waited for.
pub const END_TIMEOUT: Duration = Duration::from_secs(2);

/// A program that is to be run once the user has said yes.
pub struct ToRun {
    /// The transcript.
    pub uri: Uri,
    /// The block that asks for it.
    pub placed: Placed,
    /// What the ledger knows the block by.
    pub id: BlockId,
    /// What it is, for a person.
    pub title: String,
    /// What the user is asked.
    pub question: String,
    program: Program,
    directory: PathBuf,
    environment: Environment,
    /// Its block, among those whose programs run.
    _busy: Option<Arc<(Uri, BlockId)>>,
}

/// A program that has ended, or could not begin.
#[derive(Clone)]
pub struct Ran {
    /// The transcript.
    pub uri: Uri,
    /// The block that asked for it.
    pub placed: Placed,
    /// What the ledger knows the block by.
    pub id: BlockId,
    /// What it is, for a person.
    pub title: String,
    /// Its result.
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

/// The blocks whose programs run, or about which the user is asked.
#[derive(Default)]
pub struct Busy(Vec<Weak<(Uri, BlockId)>>);

impl Busy {
    /// Counts the block of a program in, until that is dropped; `None` where it is in already.
    pub fn with(&mut self, to_run: ToRun) -> Option<ToRun> {
        self.0.retain(|block| block.strong_count() > 0);
        let block = Arc::new((to_run.uri.clone(), to_run.id));
        if self.0.iter().filter_map(Weak::upgrade).any(|other| other == block) {
            return None;
        }
        self.0.push(Arc::downgrade(&block));
        Some(ToRun { _busy: Some(block), ..to_run })
    }
}

/// The program that a proposal asks to run.
pub fn of(proposal: &Proposal) -> Option<&Program> {
    let command = proposal.placed.block.parsed.command.as_ref()?;
    command.steps.iter().find_map(|step| match step {
        Step::Exec(program) => Some(program),
        _ => None,
    })
}

/// What the action on a program is called.
pub fn title(program: &Program, again: bool) -> String {
    let again = if again { " again" } else { "" };
    format!("Run this {} program{again} and insert its result", program.language)
}

/// Why this client cannot have a program run, for a person.
pub fn cannot(client: &ResolvedClientCapabilities, program: &Program) -> Option<&'static str> {
    if shown(&program.code).is_none() {
        return Some(TOO_LONG);
    }
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

/// What must be asked before a block's program is run.
///
/// # Errors
/// Why it cannot be run.
pub fn to_run(context: &Context, shown: &Proposal) -> Result<ToRun> {
    if let Some(cannot) = of(shown).and_then(|it| cannot(&context.session.client, it)) {
        return Err(request_failed(cannot));
    }
    let view = context.view();
    let checked = context.book().check(shown, &view, context.limits());
    let offers = context.offers(shown);
    let may = offers.allow(Offer::Run) || offers.allow(Offer::RunAgain);
    let planned = checked.plan.as_ref().filter(|_| may && checked.status == Status::Ready);
    let Some((program, directory)) = planned.and_then(|plan| plan.program.clone()) else {
        return Err(refusal(shown, &checked));
    };
    let directory = context.site.on_disk(&directory);
    let own = context.site.file(&context.document.uri).map(|own| own.to_string());
    let mut unsaved = context.site.unsaved();
    unsaved.retain(|file| Some(file) != own.as_ref());
    let unsaved = match unsaved.as_slice() {
        [] => String::new(),
        files => {
            let named = files.iter().take(MAX_UNSAVED).cloned().collect::<Vec<_>>().join(", ");
            let more = files.len().saturating_sub(MAX_UNSAVED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("\n\nIt does not see what is not saved: {}{more}", visible::name(&named))
        }
    };
    let code = self::shown(&program.code).ok_or_else(|| request_failed(TOO_LONG))?;
    let question = format!(
        "Run this {} program in {}?\n\n{}{unsaved}",
        program.language,
        visible::name(&directory.display().to_string()),
        code,
    );
    if question.encode_utf16().count() > MAX_UNITS {
        return Err(request_failed(TOO_LONG));
    }
    let title = format!("Run {}", program.language);
    let (uri, placed) = (context.document.uri.clone(), shown.placed.clone());
    let allowed = &context.session.config.exec_environment;
    let environment = Environment::of_program(allowed, context.site.workspace().folders());
    Ok(ToRun {
        uri,
        placed,
        id: shown.id(),
        title,
        question,
        program,
        directory,
        environment,
        _busy: None,
    })
}

/// A program as the user is asked about it, its lines numbered where there are several, since not
/// every editor breaks the lines of a message; `None` where a message cannot show all of it.
fn shown(code: &str) -> Option<String> {
    let shown = visible::program(code);
    let lines: Vec<&str> = shown.split('\n').collect();
    let numbered = || {
        let line = |(index, line): (usize, &&str)| format!("{}: {line}", index + 1);
        lines.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
    };
    let text = if lines.len() == 1 { shown.clone() } else { numbered() };
    (lines.len() <= MAX_LINES && text.encode_utf16().count() <= MAX_UNITS).then_some(text)
}

impl ToRun {
    /// Runs it to its end, or until `stop` says so or the server ends.
    pub fn run(self, running: &Running, stop: impl Fn() -> bool) -> Ran {
        let stop = || stop() || *running.0.stopping.borrow();
        let ToRun { program, directory, environment, .. } = &self;
        let result = exec_until(program, directory, environment, ExecLimits::default(), &stop);
        Ran { uri: self.uri, placed: self.placed, id: self.id, title: self.title, result }
    }
}

impl Programs {
    /// Counts a program in, unless the server is about to end.
    pub fn start(self: &Arc<Programs>) -> Option<Running> {
        let running = self.write();
        (!*self.stopping.borrow()).then_some(running)
    }

    /// Counts something in that must be written, also where the server is about to end.
    pub fn write(self: &Arc<Programs>) -> Running {
        self.running.fetch_add(1, Ordering::SeqCst);
        Running(self.clone())
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

    /// Waits until none is left, and all is written, for a while.
    pub async fn ended(&self) {
        let deadline = Instant::now() + END_TIMEOUT;
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
    fn a_program_is_shown_whole_or_not_at_all() {
        assert_eq!(shown("echo hi\n").unwrap(), "echo hi");
        assert_eq!(shown("echo 1\n\nrm -rf ~\n").unwrap(), "1: echo 1\n2: \n3: rm -rf ~");
        assert_eq!(shown("a\u{202e}b\u{1b}").unwrap(), "a\\u{202e}b\\u{1b}");
        assert!(shown(&"x\n".repeat(15)).is_some() && shown(&"x\n".repeat(16)).is_none());
        assert!(shown(&"é".repeat(1000)).is_some() && shown(&"é".repeat(1001)).is_none());
        assert!(shown(&"😀".repeat(501)).is_none());
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
