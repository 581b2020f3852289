//! Quick fixes, through the library: the command line offers none.

use operator_core::dialect::Dialects;
use operator_core::limits::Limits;
use operator_core::problem::{Fix, Problem};
use operator_core::review::Reviewer;
use operator_core::scan::Scan;
use operator_core::snapshot::MemorySnapshot;
use operator_core::text::Text;

/// Every problem of a transcript with its fixes, in document order.
pub fn problems(transcript: &str, files: &[(String, Vec<u8>)], home: &str) -> Vec<Problem> {
    let limits = Limits::default();
    let files = files.iter().cloned().collect();
    let home = home.to_owned();
    let dialects = Dialects::all().at_home(Some(&home));
    let snapshot = MemorySnapshot { files, home, ..MemorySnapshot::default() };
    let scan = Scan::new(&Text::new(transcript), &dialects, &limits);
    let review = Reviewer::default().review(&scan, &snapshot, &limits);
    let mut problems: Vec<Problem> = review.problems().map(|(_, problem)| problem).collect();
    problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
    problems
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
