//! The log, on standard error: what fails, and as much more as the setting `trace` says.

use std::sync::atomic::{AtomicU8, Ordering};

use tracing::{Level, Metadata};
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{Layer, fmt};

use super::config::Trace;

static TRACE: AtomicU8 = AtomicU8::new(0);

/// Starts the log; once for the process. A panic is logged by its place alone, since its message
/// may quote what the program was working on.
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "this is a mistake in operator-lsp; please report it");
    }));
    // Other crates log what they read, and no text of a document may come into the log.
    let wanted = |metadata: &Metadata<'_>| {
        metadata.target().starts_with("operator_") && *metadata.level() <= level()
    };
    let layer = fmt::layer().with_writer(std::io::stderr).with_ansi(false).without_time();
    let log = tracing_subscriber::registry()
        .with(layer.with_filter(dynamic_filter_fn(move |metadata, _| wanted(metadata))));
    // A second start in one process, as in tests, keeps the first.
    let _ = tracing::subscriber::set_global_default(log);
}

/// Sets how much is logged from now on.
pub fn set(trace: Trace) {
    let number = match trace {
        Trace::Off => 0,
        Trace::Messages => 1,
        Trace::Verbose => 2,
    };
    TRACE.store(number, Ordering::Relaxed);
}

fn level() -> Level {
    match TRACE.load(Ordering::Relaxed) {
        0 => Level::WARN,
        1 => Level::INFO,
        _ => Level::DEBUG,
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    const CHILD: &str = "OPERATOR_LSP_TEST_PANIC";

    #[test]
    fn a_panic_is_logged_by_its_place_alone() {
        if std::env::var_os(CHILD).is_some() {
            super::start();
            let text = "é SECRET".to_owned();
            let _ = &text[1..];
            return;
        }
        let name = "lsp::logging::tests::a_panic_is_logged_by_its_place_alone";
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", name, "--nocapture", "--test-threads=1"]).env(CHILD, "1");
        let output = command.output().unwrap();
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && log.contains("logging.rs"), "{log}");
        assert!(!log.contains("SECRET"), "{log}");
    }
}
