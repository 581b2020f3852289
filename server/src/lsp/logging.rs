//! The log, on standard error: what fails, and as much more as the setting `trace` says.

use std::sync::atomic::{AtomicU8, Ordering};

use tracing::{Level, Metadata};
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{Layer, fmt};

use super::config::Trace;

static TRACE: AtomicU8 = AtomicU8::new(0);

/// Starts the log; once for the process.
pub fn start() {
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
