//! Runs all cases of one dialect and shows every one that fails.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

use crate::parse::{Case, CaseFile};
use crate::run::Outcome;
use crate::update;

static CASES: LazyLock<PathBuf> =
    LazyLock::new(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/cases"));

/// The folders of `spec/cases`, one per dialect.
pub fn dialects() -> Vec<String> {
    let entries = std::fs::read_dir(&*CASES).unwrap().map(Result::unwrap);
    let folders = entries.filter(|entry| entry.file_type().unwrap().is_dir());
    let mut names: Vec<_> =
        folders.map(|folder| folder.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs a folder's cases and fails with all that is wrong with them; `complete` looks at all of
/// them together.
pub fn run(dialect: &str, run: fn(&Case) -> Outcome, complete: fn(&str, &[Outcome])) {
    let files = files(dialect);
    let wanted = std::env::var("CASE").ok();
    let outcomes: Vec<_> = files.iter().map(|file| of_file(file, wanted.as_deref(), run)).collect();
    let update = std::env::var_os("UPDATE_CASES").is_some();
    let mut report = String::new();
    let mut failed = 0;
    for (file, outcomes) in files.iter().zip(&outcomes) {
        for (case, outcome) in file.cases.iter().zip(outcomes) {
            let differences = outcome.iter().flat_map(|outcome| &outcome.differences);
            let shown: String = differences.map(ToString::to_string).collect();
            if !shown.is_empty() {
                failed += 1;
                report.push_str(&format!("\n{}: {}\n{shown}", place(file, case), case.name));
            }
        }
        if update {
            update::rewrite(file, outcomes);
        }
    }
    let all = outcomes.into_iter().flatten().flatten().collect::<Vec<_>>();
    assert!(failed == 0, "{failed} of {} cases fail\n{report}", all.len());
    if wanted.is_none() {
        complete(dialect, &all);
    }
}

/// `spec/cases/operator/markers.cases.md:12`
fn place(file: &CaseFile, case: &Case) -> String {
    let path = file.path.strip_prefix(&*CASES).unwrap_or(&file.path);
    format!("spec/cases/{}:{}", path.display(), case.start + 1)
}

fn files(dialect: &str) -> Vec<CaseFile> {
    let entries = std::fs::read_dir(CASES.join(dialect)).unwrap().map(Result::unwrap);
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".cases.md"));
    paths.sort();
    paths.iter().map(|path| CaseFile::read(path)).collect()
}

/// The outcomes of a file's cases, in order, found by twice as many threads as there are processors, as each waits for
/// a disk half of the time; `None` for a case that is not wanted.
fn of_file(
    file: &CaseFile,
    wanted: Option<&str>,
    run: fn(&Case) -> Outcome,
) -> Vec<Option<Outcome>> {
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = file.cases.get(index) else { return };
            let is_wanted = wanted.is_none_or(|wanted| case.name.contains(wanted));
            let outcome = is_wanted.then(|| run(case));
            outcomes.lock().unwrap().push((index, outcome));
        }
    };
    let threads = 2 * std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        (0..threads).for_each(|_| {
            scope.spawn(work);
        });
    });
    let mut outcomes = outcomes.into_inner().unwrap();
    outcomes.sort_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}
