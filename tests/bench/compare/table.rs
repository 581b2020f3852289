//! One table: the work, ours, the peer's, the limit's, the ratios, and what is to be reached.

use super::measure::{Figures, Row, Unit};

const HEAD: [&str; 9] =
    ["work", "ours", "peer", "theirs", "ratio", "limit", "at it", "ratio", "goal"];

/// Rows as they come in.
#[derive(Default)]
pub struct Table {
    rows: Vec<[String; 9]>,
}

impl Table {
    /// Measures a row and adds it.
    pub fn add(&mut self, row: &Row<'_>) {
        let Figures { unit, ours, peer, limit } = row.measure();
        let none = || "".to_owned();
        let (peer, theirs, ratio) = match peer {
            Some((name, Some((theirs, ratio)))) => (name, shown(unit, theirs), digits(ratio)),
            Some((name, None)) => (name, "not installed".to_owned(), none()),
            None => ("", none(), none()),
        };
        let (limit, at, by) = match limit {
            Some((name, at, by)) => (name, shown(unit, at), digits(by)),
            None => ("", none(), none()),
        };
        let row = [
            row.work.clone(),
            shown(unit, ours),
            peer.to_owned(),
            theirs,
            ratio,
            limit.to_owned(),
            at,
            by,
            row.goal.to_owned(),
        ];
        let cells = row.iter().filter(|cell| !cell.is_empty()).map(String::as_str);
        eprintln!("{}", cells.collect::<Vec<_>>().join(", "));
        self.rows.push(row);
    }

    /// Prints it.
    #[allow(clippy::print_stdout, reason = "the table is what this prints")]
    pub fn print(&self) {
        let head = HEAD.map(str::to_owned);
        let rows = || std::iter::once(&head).chain(&self.rows);
        let widths: Vec<usize> = (0..head.len())
            .map(|column| rows().map(|row| row[column].chars().count()).max().unwrap_or(0))
            .collect();
        for (number, row) in rows().enumerate() {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
            println!("| {} |", cells.collect::<Vec<_>>().join(" | "));
            if number == 0 {
                println!(
                    "|{}|",
                    widths.iter().map(|width| "-".repeat(width + 2)).collect::<Vec<_>>().join("|")
                );
            }
        }
    }
}

fn shown(unit: Unit, figure: f64) -> String {
    match unit {
        Unit::Time if figure < 0.01 => format!("{:.2} ms", figure * 1e3),
        Unit::Time => format!("{:.1} ms", figure * 1e3),
        Unit::Speed(bytes) => format!("{:.0} MB/s", bytes as f64 / figure / 1e6),
        Unit::Size => format!("{:.1} MB", figure / 1e6),
    }
}

fn digits(ratio: f64) -> String {
    if ratio < 0.1 { format!("{ratio:.3}") } else { format!("{ratio:.2}") }
}
