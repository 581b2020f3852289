//! Quick fixes, through the library: the command line offers none.

use std::collections::BTreeSet;

use operator_core::dialect::Dialects;
use operator_core::edit::Change;
use operator_core::limits::Limits;
use operator_core::plan::plan;
use operator_core::problem::{Fix, Problem, SCAN_TOO_MANY_PROBLEMS};
use operator_core::review::{Book, Review, Reviewer, Status};
use operator_core::scan::Scan;
use operator_core::snapshot::MemorySnapshot;
use operator_core::text::Text;

/// Every problem of a transcript with its fixes, in document order.
pub fn problems(transcript: &str, files: &[(String, Vec<u8>)], home: &str) -> Vec<Problem> {
    let (review, ..) = review(transcript, files, home);
    let mut problems: Vec<Problem> = review.problems().map(|(_, problem)| problem).collect();
    problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
    problems
}

fn review(
    transcript: &str,
    files: &[(String, Vec<u8>)],
    home: &str,
) -> (Review, MemorySnapshot, Limits) {
    let limits = Limits::default();
    let files = files.iter().cloned().collect();
    let home = home.to_owned();
    let dialects = Dialects::all().at_home(Some(&home));
    let snapshot = MemorySnapshot { files, home, ..MemorySnapshot::default() };
    let scan = Scan::new(&Text::new(transcript), &dialects, &limits);
    (Reviewer::with_book(Book::default()).review(&scan, &snapshot, &limits), snapshot, limits)
}

/// The transcript after the fix with that 0-based number among all fixes of a code.
pub fn fixed(
    transcript: &str,
    problems: &[Problem],
    code: &str,
    number: usize,
) -> Result<String, String> {
    let of_code = || problems.iter().filter(|problem| problem.code.as_str() == code);
    let fix = of_code().flat_map(|problem| &problem.fixes).nth(number);
    let fix = fix.ok_or_else(|| {
        let titles: Vec<_> = of_code().flat_map(|it| &it.fixes).map(|fix| &fix.title).collect();
        format!("{code} has no fix number {}; its fixes: {titles:?}", number + 1)
    })?;
    Ok(carried_out(fix, transcript))
}

/// What is wrong with the fixes of a transcript: each must take its problem away, and a block
/// that becomes ready by one must not write what was meant for a marker.
pub fn complaints(
    transcript: &str,
    found: &[Problem],
    files: &[(String, Vec<u8>)],
    home: &str,
) -> Vec<String> {
    // Where not all problems are listed, another takes the place of one that is gone.
    if found.iter().any(|problem| problem.code == SCAN_TOO_MANY_PROBLEMS) {
        return Vec::new();
    }
    let shown = |text: &str, it: &Problem| (it.code, text[it.span.clone()].to_owned());
    let fixes =
        found.iter().flat_map(|problem| problem.fixes.iter().map(move |fix| (problem, fix)));
    let before = written(transcript, files, home);
    let mut complaints = Vec::new();
    let most = if transcript.len() > LONG { 4 } else { MOST };
    for (problem, fix) in fixes.take(most) {
        let (code, title) = (problem.code, &fix.title);
        let fixed = carried_out(fix, transcript);
        let own = shown(transcript, problem);
        let were = found.iter().filter(|it| shown(transcript, it) == own).count();
        let left = problems(&fixed, files, home);
        if left.iter().filter(|it| shown(&fixed, it) == own).count() >= were {
            complaints.push(format!("{code}: `{title}` leaves it there:\n{fixed}"));
        }
        for line in written(&fixed, files, home).difference(&before) {
            complaints.push(format!("{code}: `{title}` writes `{line}` into a file:\n{fixed}"));
        }
    }
    complaints
}

/// The lines with a marker in them that the blocks of a transcript would write.
fn written(transcript: &str, files: &[(String, Vec<u8>)], home: &str) -> BTreeSet<String> {
    // A line that opens a heredoc may be in the text of another one.
    let is_marked = |line: &&str| {
        MARKERS.iter().any(|marker| line.contains(marker)) && !line.contains("<<'EOT_")
    };
    let (review, snapshot, limits) = review(transcript, files, home);
    let ready = review.proposals().filter(|proposal| proposal.status == Status::Ready);
    let commands = ready.filter_map(|proposal| proposal.placed.block.parsed.command.clone());
    let plans = commands.filter_map(|command| plan(&command, &snapshot, &limits).ok());
    let texts = plans.flat_map(|plan| {
        let texts = plan.changes.iter().filter_map(|change| match change {
            Change::Create { content, .. } => Some(content.text.to_string()),
            Change::Edit { after, .. } => Some(after.text.to_string()),
            _ => None,
        });
        texts.collect::<Vec<_>>()
    });
    texts
        .flat_map(|text| text.lines().filter(is_marked).map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// What no file has that a model did not mean to write about the dialects.
const MARKERS: &[&str] = &["EOT_", "#!END_", "#!end_", "OPERATOR_CMD", "<<<"];

/// How many fixes of a transcript are tried, but for a long one.
const MOST: usize = 60;
/// How long a transcript is that takes its time, in bytes.
const LONG: usize = 50_000;

fn carried_out(fix: &Fix, transcript: &str) -> String {
    let mut result = String::new();
    let mut done = 0;
    for edit in &fix.edits {
        result.push_str(&transcript[done..edit.span.start]);
        result.push_str(&edit.text);
        done = edit.span.end;
    }
    result + &transcript[done..]
}
