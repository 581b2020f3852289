//! Diffs held against `git apply --recount`: where both make a change, it is the same.
//!
//! `GIT_APPLY_DIFFS` says how many diffs are tried.

use std::fmt::Write as _;
use std::fs;

use proptest::prelude::Rng as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::World;
use crate::git::Git;

/// How many diffs are in one transcript.
const TOGETHER: usize = 500;
const DIFFS: usize = 1_000;

/// A file, a diff of an earlier state of it, and the expected content.
struct Trial {
    file: String,
    /// The diff as git is given it, and as we are.
    diff: String,
    ours: String,
    /// The file with the change; `None` where lines of the diff are not there any more.
    wanted: Option<String>,
    /// Whether the file has not changed since the diff, or each hunk matches exactly once.
    certain: bool,
}

/// Lines that are taken away, and lines in their place.
struct Change {
    at: usize,
    old: usize,
    new: Vec<String>,
}

/// A number below another one.
fn below(rng: &mut TestRng, limit: usize) -> usize {
    (rng.next_u64() % limit as u64) as usize
}

fn line(rng: &mut TestRng) -> String {
    let words = ["one", "two", "", "    three", "}", "four"];
    match below(rng, 4) {
        0 => format!("line {}", below(rng, 60)),
        _ => words[below(rng, words.len())].to_owned(),
    }
}

fn lines(rng: &mut TestRng, most: usize) -> Vec<String> {
    (0..below(rng, most + 1)).map(|_| line(rng)).collect()
}

impl Trial {
    fn new(rng: &mut TestRng, name: &str) -> Trial {
        let before = lines(rng, 40);
        let mut changes = Vec::new();
        let mut from = 0;
        for _ in 0..=below(rng, 3) {
            let at = (from + below(rng, 8)).min(before.len().max(from));
            if at > before.len() {
                break;
            }
            let old = below(rng, 2 + 1).min(before.len() - at);
            let new: Vec<String> =
                (0..below(rng, 3).max(usize::from(old == 0))).map(|_| line(rng)).collect();
            changes.push(Change { at, old, new });
            from = at + old + 7;
        }
        // The file as it is now: lines came, or were changed, since the diff was made.
        let mut now: Vec<(Option<usize>, String)> =
            before.iter().cloned().enumerate().map(|(index, line)| (Some(index), line)).collect();
        for _ in 0..[0, 0, 1, 2][below(rng, 4)] {
            let at = below(rng, now.len() + 1);
            match below(rng, 4) {
                0 if at < now.len() => now[at] = (None, line(rng)),
                1 if at < now.len() => drop(now.remove(at)),
                _ => now.insert(at, (None, line(rng))),
            }
        }
        let context = below(rng, 3 + 1);
        let off = if below(rng, 3) == 0 { below(rng, 5) as isize } else { 0 };
        let recount = below(rng, 4) == 0;
        let bare = below(rng, 3) == 0;
        let head = format!("diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n");
        let (mut diff, mut ours) = (head.clone(), head);
        let (mut wanted, mut grown) = (Some(now.clone()), 0isize);
        let mut places = Vec::new();
        for change in &changes {
            let first = change.at.saturating_sub(context);
            let last = (change.at + change.old + context).min(before.len());
            let mut body = String::new();
            let mut put = |sign: &str, line: &str| {
                let sign = if line.is_empty() && sign == " " && bare { "" } else { sign };
                writeln!(body, "{sign}{line}").unwrap();
            };
            before[first..change.at].iter().for_each(|line| put(" ", line));
            before[change.at..change.at + change.old].iter().for_each(|line| put("-", line));
            change.new.iter().for_each(|line| put("+", line));
            before[change.at + change.old..last].iter().for_each(|line| put(" ", line));
            let (old, new) = (last - first, last - first - change.old + change.new.len());
            let start = |count: usize, at: isize| at + isize::from(count > 0);
            let old_start = start(old, first as isize + off);
            let new_start = start(new, first as isize + off + grown);
            let wrong = usize::from(recount);
            let counts = (old + wrong, new + wrong);
            let header = format!("@@ -{old_start},{} +{new_start},{} @@\n", counts.0, counts.1);
            diff += &header;
            ours += if below(rng, 8) == 0 { "@@\n" } else { &header };
            diff += &body;
            ours += &body;
            grown += change.new.len() as isize - change.old as isize;
            places.push(&before[first..last]);
            wanted = wanted.and_then(|now| changed(now, change, first..last));
        }
        let text = |lines: Vec<(Option<usize>, String)>| -> String {
            lines.into_iter().map(|(_, line)| line + "\n").collect()
        };
        let same = off == 0 && now.iter().map(|(_, line)| line).eq(&before);
        let certain = same || places.iter().all(|old| occurrences(&now, old) == 1);
        Trial { file: text(now), diff, ours, wanted: wanted.map(text), certain }
    }
}

/// How often lines are in a file.
fn occurrences(now: &[(Option<usize>, String)], lines: &[String]) -> usize {
    let fits = |there: &&[(Option<usize>, String)]| there.iter().map(|(_, line)| line).eq(lines);
    now.windows(lines.len().max(1)).filter(fits).count()
}

/// The file after a change; `None` if the lines of the hunk are not all there, unchanged and in a
/// row.
fn changed(
    mut now: Vec<(Option<usize>, String)>,
    change: &Change,
    hunk: std::ops::Range<usize>,
) -> Option<Vec<(Option<usize>, String)>> {
    let first = now.iter().position(|(index, _)| *index == Some(hunk.start))?;
    let there = now[first..].iter().map(|(index, _)| *index);
    if !there.take(hunk.len()).eq(hunk.clone().map(Some)) {
        return None;
    }
    let at = first + change.at - hunk.start;
    now.splice(at..at + change.old, change.new.iter().cloned().map(|line| (None, line)));
    Some(now)
}

/// How many trials ended so.
#[derive(Debug, Default)]
struct Count {
    both: usize,
    ours_alone: usize,
    git_alone: usize,
    neither: usize,
}

fn compare(trials: &[Trial], count: &mut Count) {
    let world = World::new(&[]);
    let theirs = tempfile::tempdir().unwrap();
    let name = |index: usize| format!("f{index}.txt");
    let (mut transcript, mut patch) = (String::new(), String::new());
    for (index, trial) in trials.iter().enumerate() {
        world.put(&name(index), &trial.file);
        fs::write(theirs.path().join(name(index)), &trial.file).unwrap();
        write!(transcript, "````diff\n{}````\n\n", trial.ours).unwrap();
        patch += &trial.diff;
    }
    let ran = world.run_on(transcript, &["apply", "--yes", "--allow-caution", "--format", "json"]);
    let results = ran.json()["results"].as_array().unwrap().clone();
    assert_eq!(results.len(), trials.len());
    fs::write(theirs.path().join("all.patch"), patch).unwrap();
    let output = Git(theirs.path()).output(&["apply", "--recount", "--reject", "all.patch"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!["corrupt", "malformed", "garbage"].iter().any(|word| said.contains(word)), "{said}");
    for (index, (trial, result)) in trials.iter().zip(&results).enumerate() {
        let ours = world.text(&name(index));
        let git = fs::read_to_string(theirs.path().join(name(index))).unwrap();
        let rejected = theirs.path().join(name(index) + ".rej").exists()
            || said.contains(&format!("error: {}: ", name(index)));
        let shown = || {
            format!(
                "{}{}\n--- file\n{}--- ours\n{ours}--- git\n{git}--- {result}",
                about(&said, &name(index)),
                trial.ours,
                trial.file
            )
        };
        match (result["ok"].as_bool().unwrap(), !rejected) {
            (true, true) => {
                count.both += 1;
                assert_eq!(ours, git, "\n{}", shown());
            }
            (true, false) => {
                count.ours_alone += 1;
                if let Some(wanted) = trial.wanted.as_ref().filter(|_| trial.certain) {
                    assert_eq!(ours, *wanted, "\n{}", shown());
                }
            }
            (false, accepted) => {
                assert_eq!(ours, trial.file, "a refused diff changes nothing\n{}", shown());
                *(if accepted { &mut count.git_alone } else { &mut count.neither }) += 1;
            }
        }
    }
}

/// What git says of one file.
fn about<'a>(said: &'a str, name: &str) -> &'a str {
    let from = said.split_once(&format!("Checking patch {name}...\n")).map_or("", |it| it.1);
    from.split("Checking patch ").next().unwrap_or_default()
}

#[test]
fn a_diff_changes_what_git_changes_or_nothing() {
    let diffs = std::env::var("GIT_APPLY_DIFFS").ok().and_then(|count| count.parse().ok());
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let rng = runner.rng();
    let mut count = Count::default();
    for _ in 0..diffs.unwrap_or(DIFFS).div_ceil(TOGETHER) {
        let trial = |index| Trial::new(rng, &format!("f{index}.txt"));
        let trials: Vec<Trial> = (0..TOGETHER).map(trial).collect();
        compare(&trials, &mut count);
    }
    println!("{count:?}");
    assert!(count.both > diffs.unwrap_or(DIFFS) / 10, "{count:?}");
}
