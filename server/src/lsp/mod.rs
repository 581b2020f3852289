//! The language server: a transport, a main loop that owns the state, one handler per feature.

mod apply;
mod backend;
mod capabilities;
mod commits;
pub mod config;
mod context;
mod documents;
mod event;
mod handlers;
mod logging;
mod made_edits;
mod main_loop;
pub mod names;
mod newer;
mod notifications_out;
mod outbox;
mod payload;
mod pending;
mod programs;
mod proto;
mod protocol;
mod recorder;
mod reorder;
mod replies;
mod requests;
mod reviews;
mod server_capabilities;
mod session;
mod shelf;
mod sites;
mod spelling;
mod tasks;
mod transport;
mod user_messages;

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, WeakUnboundedSender};
use tokio::task::JoinHandle;
use tower_lsp::{Client, LspService};

use backend::Backend;
use event::Event;
use programs::Programs;

/// What the main loop takes its events from.
type Queue = UnboundedReceiver<Event>;

/// How long after a failure of the main loop the last answers may take to go out.
const LAST_ANSWERS_TIMEOUT: Duration = Duration::from_millis(250);

/// Serves one client until it says `exit` or stops talking, or the server itself fails; says
/// whether all went well and it asked for a shutdown before.
pub async fn serve<I, O>(input: I, output: O) -> bool
where
    I: AsyncRead + Unpin + Send + 'static,
    O: AsyncWrite + Unpin + Send + 'static,
{
    let dialects = operator_core::dialect::ALL;
    let run =
        |client, queue, events, programs| main_loop::run(dialects, client, queue, events, programs);
    serve_by(input, output, run).await
}

/// Serves with this main loop.
async fn serve_by<I, O, L>(
    input: I,
    output: O,
    main_loop: impl FnOnce(Client, Queue, WeakUnboundedSender<Event>, Arc<Programs>) -> L,
) -> bool
where
    I: AsyncRead + Unpin + Send + 'static,
    O: AsyncWrite + Unpin + Send + 'static,
    L: Future<Output = ()> + Send + 'static,
{
    let programs = Arc::new(Programs::default());
    let (events, queue) = tokio::sync::mpsc::unbounded_channel();
    let mut looping = None;
    let build = LspService::build(|client| {
        let main_loop = main_loop(client, queue, events.downgrade(), programs.clone());
        looping = Some(on_thread(main_loop));
        Backend::new(events, programs.clone())
    });
    let (service, socket) = requests::register(build).finish();
    // Nothing can be answered without the main loop. An editor starts a server again that has
    // exited, and none that answers with errors.
    let mut looping = looping.unwrap_or_else(|| tokio::spawn(async {}));
    let failure = async {
        if (&mut looping).await.is_ok() {
            std::future::pending::<()>().await;
        }
        tracing::error!("the main loop has failed: the server exits");
        // What waits for an answer gets an error now.
        tokio::time::sleep(LAST_ANSWERS_TIMEOUT).await;
    };
    let all_well = tokio::select! {
        shut_down = transport::serve(input, output, service, socket, &programs) => shut_down,
        () = failure => false,
    };
    programs.stop();
    if !looping.is_finished() {
        // What the client has told last is still to be read, and may need to be written.
        let _ = tokio::time::timeout(programs::END_TIMEOUT, looping).await;
    }
    programs.ended().await;
    all_well
}

/// Runs a future on a thread of its own. The runtime has one thread, which writes and keeps time:
/// neither reading nor judging may hold it up.
fn on_thread<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> JoinHandle<T> {
    let runtime = Handle::current();
    tokio::task::spawn_blocking(move || runtime.block_on(future))
}

/// Starts the log, on standard error, with what fails.
pub fn start_log() {
    logging::start();
}

/// Starts the log, on standard error, with what fails and a line about each request.
pub fn start_log_of_requests() {
    logging::start();
    logging::set(config::Trace::Messages);
}

/// Serves the client on standard input and output, and gives the process's exit code: 0 after a
/// `shutdown`, 1 without one.
///
/// # Errors
/// Where the system gives no threads.
pub fn serve_stdio() -> std::io::Result<i32> {
    logging::start();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let shut_down = runtime.block_on(serve(tokio::io::stdin(), tokio::io::stdout()));
    // A reader of standard input may still be blocked; nobody waits for it.
    runtime.shutdown_background();
    Ok(if shut_down { 0 } else { 1 })
}

#[cfg(test)]
mod tests;
