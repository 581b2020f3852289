//! Small pieces of the sentences that the commands end with.

use std::io::{self, Write};
use std::path::Path;

use operator_core::dialect;
use operator_core::ledger::{By, Transcript};
use operator_core::review::{Proposal, Reply, Status};
use operator_core::spec::Effect;
use operator_core::text::Text;

use crate::workspace::real_path;
use crate::{moment, visible};

/// `1 block`, `2 blocks`.
pub fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// What `count` says of each that there is any of, `2 errors, 1 warning`.
pub fn counts(numbers: &[(usize, &str)]) -> Option<String> {
    let some = numbers.iter().filter(|(number, _)| *number > 0);
    let texts: Vec<_> = some.map(|(number, word)| count(*number, word)).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

/// What is said of a read that has its answer.
const ANSWERED: &str = "answered";
/// What is said of a program that has run, however it ended.
const RAN: &str = "ran";

/// The status of a block for people. JSON has one word for all that was done.
fn status(proposal: &Proposal) -> &'static str {
    match (proposal.status, proposal.effect()) {
        (Status::Applied, Some(Effect::Read | Effect::Meta)) => ANSWERED,
        (Status::Applied, Some(Effect::Exec)) => RAN,
        (status, _) => status.as_str(),
    }
}

/// How many blocks there are and what became of them, `3 blocks: 2 ready, 1 stale`.
pub fn statuses<'a>(all: impl IntoIterator<Item = &'a Proposal>) -> String {
    counted(&all.into_iter().map(status).collect::<Vec<_>>())
}

fn counted(all: &[&str]) -> String {
    const ORDER: [&str; 10] = [
        Status::Ready.as_str(),
        Status::Applied.as_str(),
        ANSWERED,
        RAN,
        Status::Satisfied.as_str(),
        Status::Rejected.as_str(),
        Status::Superseded.as_str(),
        Status::Stale.as_str(),
        Status::Blocked.as_str(),
        Status::Invalid.as_str(),
    ];
    if all.is_empty() {
        return no_blocks();
    }
    let each = ORDER.iter().filter_map(|status| {
        let number = all.iter().filter(|each| *each == status).count();
        (number > 0).then(|| format!("{number} {status}"))
    });
    format!("{}: {}", count(all.len(), "block"), each.collect::<Vec<_>>().join(", "))
}

/// A line for each block of a transcript: its number, status, what it does, the line where it begins, and
/// from which other transcript it was applied.
pub fn listed(text: &Text, proposals: &[Proposal], transcript: &Transcript) -> Vec<String> {
    let widest = proposals.len().to_string().len();
    let line = |proposal: &Proposal| {
        let (number, status) = (proposal.placed.index + 1, status(proposal));
        let id = proposal.placed.block.parsed.id.as_deref();
        let id = id.map(|id| format!(" (id {id})")).unwrap_or_default();
        let title = visible::one_line(&format!("{}{id}", proposal.title()));
        let at = text.line_of(proposal.placed.span.start) + 1;
        let look = if proposal.caution().is_some() { ", needs a look" } else { "" };
        let by = proposal.by.as_ref().filter(|_| proposal.status == Status::Applied);
        let from = by.and_then(|by| from(by, transcript)).map(|from| format!(", {from}"));
        let from = from.unwrap_or_default();
        let part = match proposal.part() {
            Some(part) if part.edited => ", as edited",
            Some(_) => ", in part",
            None => "",
        };
        format!("{number:>widest$}  {status:<10}  {title}, line {at}{part}{look}{from}")
    };
    proposals.iter().map(line).collect()
}

/// From which transcript a block was applied, and when; `None` where it was this one.
pub fn from(by: &By, transcript: &Transcript) -> Option<String> {
    let is_other = by.transcript != *transcript;
    let name = || self::transcript(&by.transcript);
    is_other.then(|| format!("from {} on {}", name(), moment::minute(by.time)))
}

/// What is said of transcripts without a block: what was searched for.
pub fn no_blocks() -> String {
    let names: Vec<&str> = dialect::written().map(|rules| rules.name).collect();
    format!("no blocks found; searched for those of {}", names.join(", "))
}

/// Prints replies as they are, or with their control characters shown on a terminal.
pub fn print_replies(replies: &[Reply]) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    replies.iter().try_for_each(|reply| {
        out.write_all(visible::for_stream(&reply.text, &io::stdout()).as_bytes())
    })?;
    out.flush()
}

/// A transcript's name for people: its path as seen from the working directory.
pub fn transcript(name: &Transcript) -> String {
    if !name.has_name() {
        return name.shown().to_owned();
    }
    let path = Path::new(name.as_str());
    let here = std::env::current_dir().ok().and_then(|here| real_path(&here).ok());
    let short = here.and_then(|here| path.strip_prefix(here).ok());
    visible::one_line(&short.unwrap_or(path).to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        assert_eq!(count(1, "block"), "1 block");
        assert_eq!(count(0, "block"), "0 blocks");
        assert_eq!(counts(&[(2, "error"), (0, "warning")]).unwrap(), "2 errors");
        assert_eq!(counts(&[(0, "error")]), None);
        assert!(counted(&[]).starts_with("no blocks found; searched for those of operator, "));
        assert_eq!(counted(&["stale", "ran", "stale"]), "3 blocks: 1 ran, 2 stale");
    }
}
