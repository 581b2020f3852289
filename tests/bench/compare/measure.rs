//! One row: ours, a peer's and the limit, measured in turn.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a figure counts.
#[derive(Debug, Clone, Copy)]
pub enum Unit {
    /// Seconds.
    Time,
    /// Seconds for so many bytes, shown as bytes a second.
    Speed(usize),
    /// Bytes.
    Size,
}

type Measure<'a> = Box<dyn Fn() -> f64 + 'a>;

/// What is measured.
pub struct Row<'a> {
    /// The work.
    pub work: String,
    /// What is to be reached: of the peer's figure, or of the limit's.
    pub goal: &'static str,
    unit: Unit,
    runs: usize,
    ours: Measure<'a>,
    peer: Option<(&'static str, Option<Measure<'a>>)>,
    limit: Option<(&'static str, Measure<'a>)>,
}

/// Medians of the three, and of the ratios round by round.
pub struct Figures {
    /// The unit of the figures.
    pub unit: Unit,
    /// Ours.
    pub ours: f64,
    /// The peer's name, its figure, and ours by it; `None` where it is not installed.
    pub peer: Option<(&'static str, Option<(f64, f64)>)>,
    /// What the limit is, its figure, and ours by it.
    pub limit: Option<(&'static str, f64, f64)>,
}

impl<'a> Row<'a> {
    /// A row that says how long something takes.
    pub fn time(work: &str, goal: &'static str, ours: impl Fn() -> Duration + 'a) -> Row<'a> {
        Row::new(work, goal, Unit::Time, seconds(ours))
    }

    /// A row that says how long so many bytes take.
    pub fn speed(
        work: &str,
        goal: &'static str,
        bytes: usize,
        ours: impl Fn() -> Duration + 'a,
    ) -> Row<'a> {
        Row::new(work, goal, Unit::Speed(bytes), seconds(ours))
    }

    /// A row that says how many bytes something takes; it is measured once.
    pub fn size(work: &str, goal: &'static str, ours: impl Fn() -> usize + 'a) -> Row<'a> {
        Row::new(work, goal, Unit::Size, bytes(ours)).runs(1)
    }

    fn new(work: &str, goal: &'static str, unit: Unit, ours: Measure<'a>) -> Row<'a> {
        Row { work: work.to_owned(), goal, unit, runs: 15, ours, peer: None, limit: None }
    }

    /// How often each is measured.
    pub fn runs(self, runs: usize) -> Row<'a> {
        Row { runs, ..self }
    }

    /// What a peer takes that is installed.
    pub fn peer(self, name: &'static str, theirs: impl Fn() -> Duration + 'a) -> Row<'a> {
        Row { peer: Some((name, Some(seconds(theirs)))), ..self }
    }

    /// What a peer takes, if its program is there.
    pub fn program<F: Fn() -> Duration + 'a>(
        self,
        name: &'static str,
        program: &str,
        theirs: impl FnOnce(PathBuf) -> F,
    ) -> Row<'a> {
        let theirs = find(program).map(|program| seconds(theirs(program)));
        Row { peer: Some((name, theirs)), ..self }
    }

    /// The bytes that a peer takes; `None` where it is not installed.
    pub fn peer_size(self, name: &'static str, theirs: Option<usize>) -> Row<'a> {
        Row { peer: Some((name, theirs.map(|theirs| bytes(move || theirs)))), ..self }
    }

    /// What cannot be less.
    pub fn limit(self, name: &'static str, limit: impl Fn() -> Duration + 'a) -> Row<'a> {
        Row { limit: Some((name, seconds(limit))), ..self }
    }

    /// The bytes that cannot be fewer.
    pub fn limit_size(self, name: &'static str, limit: usize) -> Row<'a> {
        Row { limit: Some((name, bytes(move || limit))), ..self }
    }

    /// Measures all in turn, after one round that does not count.
    pub fn measure(&self) -> Figures {
        let peer = self.peer.as_ref().and_then(|(_, measure)| measure.as_ref());
        let limit = self.limit.as_ref().map(|(_, measure)| measure);
        let round = || [Some(&self.ours), peer, limit].map(|it| it.map(|measure| measure()));
        if self.runs > 1 {
            round();
        }
        let rounds: Vec<[Option<f64>; 3]> = (0..self.runs).map(|_| round()).collect();
        let figure = |side: usize| median(rounds.iter().filter_map(move |round| round[side]));
        let by = |side: usize| {
            let ratios = rounds.iter().filter_map(move |round| Some(round[0]? / round[side]?));
            Some((figure(side)?, median(ratios)?))
        };
        Figures {
            unit: self.unit,
            ours: figure(0).unwrap_or_default(),
            peer: self.peer.as_ref().map(|(name, _)| (*name, by(1))),
            limit: self.limit.as_ref().and_then(|(name, _)| by(2).map(|(it, by)| (*name, it, by))),
        }
    }
}

fn seconds<'a>(measure: impl Fn() -> Duration + 'a) -> Measure<'a> {
    Box::new(move || measure().as_secs_f64())
}

fn bytes<'a>(measure: impl Fn() -> usize + 'a) -> Measure<'a> {
    Box::new(move || measure() as f64)
}

/// A peer's program: one that `peers` has installed, else one on the `PATH`.
pub fn find(program: &str) -> Option<PathBuf> {
    let own = peers().join("bin").join(program);
    if own.exists() {
        return Some(own);
    }
    let mut command = Command::new(program);
    let quiet = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success()).then(|| program.into())
}

/// Where `peers` has installed them.
pub fn peers() -> PathBuf {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache/bench").into()
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

/// How long something takes that is done in this process.
pub fn took<T>(act: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    std::hint::black_box(act());
    start.elapsed()
}

/// The one in the middle.
pub fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    percentile(values, 50)
}

/// The value that so many in a hundred do not exceed.
pub fn percentile(values: impl Iterator<Item = f64>, percent: usize) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get((values.len() * percent / 100).min(values.len().saturating_sub(1))).copied()
}
