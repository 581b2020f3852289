//! One table: the work, ours, the peer's, and the ratio.

use std::time::Duration;

use super::measure::Pair;

/// Rows as they come in.
#[derive(Default)]
pub struct Table {
    rows: Vec<[String; 5]>,
}

impl Table {
    /// A row of times.
    pub fn times(&mut self, work: &str, peer: &str, pair: Pair) {
        let (ours, theirs) = (milliseconds(pair.ours), milliseconds(pair.theirs));
        self.row([work.into(), ours, peer.into(), theirs, format!("{:.2}", pair.ratio)]);
    }

    /// A row of sizes, in bytes.
    pub fn sizes(&mut self, work: &str, peer: &str, ours: usize, theirs: usize) {
        let ratio = format!("{:.2}", ours as f64 / theirs.max(1) as f64);
        self.row([work.into(), megabytes(ours), peer.into(), megabytes(theirs), ratio]);
    }

    /// A peer that is not installed.
    pub fn missing(&mut self, work: &str, peer: &str) {
        let cells = [work.into(), "-".into(), peer.into(), "not installed".into(), "-".into()];
        self.row(cells);
    }

    fn row(&mut self, cells: [String; 5]) {
        eprintln!("{}", cells.join(", "));
        self.rows.push(cells);
    }

    /// Prints it.
    #[allow(clippy::print_stdout, reason = "the table is what this prints")]
    pub fn print(&self) {
        let head = ["work", "ours", "peer", "theirs", "ratio"].map(str::to_owned);
        let rows = || std::iter::once(&head).chain(&self.rows);
        let widths: Vec<usize> = (0..head.len())
            .map(|column| rows().map(|row| row[column].chars().count()).max().unwrap_or(0))
            .collect();
        for row in rows() {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
            println!("| {} |", cells.collect::<Vec<_>>().join(" | "));
        }
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

fn megabytes(bytes: usize) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
