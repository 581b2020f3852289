//! One runtime for all inputs: to make one takes longer than a short conversation.

use std::cell::OnceCell;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

/// How long a server may take over a whole input.
const PATIENCE: Duration = Duration::from_secs(8);

thread_local! {
    static RUNTIME: OnceCell<Runtime> = const { OnceCell::new() };
}

/// Runs something to its end, in bounded time.
pub fn run<T>(what: impl Future<Output = T>) -> T {
    let make = || {
        let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(4).build();
        runtime.expect("a runtime can be had")
    };
    RUNTIME.with(|runtime| {
        let bounded = async { tokio::time::timeout(PATIENCE, what).await };
        let done = runtime.get_or_init(make).block_on(bounded);
        done.expect("the server answers, and ends when its client has left")
    })
}
