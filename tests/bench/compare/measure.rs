//! Times of whole processes.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Medians of two works, and of the ratios pair by pair.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    /// Ours.
    pub ours: Duration,
    /// The peer's.
    pub theirs: Duration,
    /// Ours by the peer's.
    pub ratio: f64,
}

/// Whether a program is there to be run.
pub fn installed(program: &str) -> bool {
    let mut command = Command::new(program);
    let quiet = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// How long a process takes; what it prints is thrown away.
pub fn timed(command: &mut Command, exit: i32) -> Duration {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status().expect("the program can be started");
    let took = start.elapsed();
    assert_eq!(status.code(), Some(exit), "{command:?}");
    took
}

/// Runs both in turn, after one round that does not count.
pub fn in_turn(runs: usize, ours: impl Fn() -> Duration, theirs: impl Fn() -> Duration) -> Pair {
    ours();
    theirs();
    let rounds: Vec<(Duration, Duration)> = (0..runs).map(|_| (ours(), theirs())).collect();
    let ratios = rounds.iter().map(|(ours, theirs)| ours.as_secs_f64() / theirs.as_secs_f64());
    Pair {
        ours: median(rounds.iter().map(|round| round.0), Duration::cmp),
        theirs: median(rounds.iter().map(|round| round.1), Duration::cmp),
        ratio: median(ratios, f64::total_cmp),
    }
}

fn median<T: Copy>(
    values: impl Iterator<Item = T>,
    order: impl Fn(&T, &T) -> std::cmp::Ordering,
) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_by(order);
    values[values.len() / 2]
}
