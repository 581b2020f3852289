//! What placing costs, counted in bytes and lines that are looked at.

use super::*;
use crate::text::work;

/// What it costs to index a file and place one hunk.
fn cost(text: &str, old: &[&str], new: &[&str]) -> (usize, String) {
    work::take();
    let placement = Hunk { old, new, hints: Hints::default() }.place(&Lines::new(text));
    let kind = shown(&placement);
    (work::take(), kind.split([' ', ':']).next().unwrap_or_default().to_owned())
}

/// Checks that a hit and a miss cost at most so much for each byte and line of the input, and the
/// miss at most three times the hit and a constant.
fn check(text: &str, hit: &[&str], miss: &[&str]) {
    let size = |lines: &[&str]| lines.iter().map(|line| line.len() + 1).sum::<usize>();
    let (hit_cost, placed) = cost(text, hit, &[]);
    assert!(placed == "at" || placed == "several", "{placed}");
    let input = text.len() + text.lines().count() + size(hit);
    assert!(hit_cost <= 3 * input, "a hit costs {hit_cost} of {input}");
    let (miss_cost, placed) = cost(text, miss, &[]);
    assert_eq!(placed, "none");
    let most = 3 * hit_cost.max(input) + nearest::ALWAYS;
    assert!(miss_cost <= most, "a miss costs {miss_cost}, a hit {hit_cost} of {input}");
}

#[test]
fn a_hit_is_linear_and_a_miss_costs_at_most_three_times_as_much() {
    for count in [10, 1_000, 10_000] {
        let file: String = (0..count).map(|n| format!("    let line = number({n});\n")).collect();
        let line = format!("    let line = number({});", count / 2);
        check(&file, &[&line], &["    let line = number(x);"]);
        check(&file, &[&line], &["  let line = number(7);"]);
        check(&file, &[&line], &["something else"]);
        check(&file, &[&line], &["let let let let number number line line"]);
        let all: Vec<&str> = file.lines().collect();
        let indented: Vec<String> = all.iter().map(|line| format!(" {line}")).collect();
        let indented: Vec<&str> = indented.iter().map(String::as_str).collect();
        check(&file, &all, &indented);
    }
}

#[test]
fn equal_lines_are_not_quadratic() {
    for count in [1_000, 20_000] {
        let file = "word\n".repeat(count);
        let half = vec!["word"; count / 2];
        let mut odd = half.clone();
        odd.push("other");
        let indented = vec![" word"; count / 2];
        check(&file, &half, &odd);
        check(&file, &half, &indented);
        check(&file, &half, &["word salad"]);
        let period: String = (0..count).map(|n| ["a\n", "a\n", "b\n"][n % 3]).collect();
        let lines: Vec<&str> = period.lines().take(count / 2).collect();
        let mut other = lines.clone();
        other.push("c");
        check(&period, &lines, &other);
        other.pop();
        other.extend(["b", "b", "b", "b"]);
        check(&period, &lines, &other);
    }
}

#[test]
fn many_hunks_share_the_index() {
    let file: String = (0..10_000).map(|n| format!("line {n}\n")).collect();
    let lines = Lines::new(&file);
    work::take();
    for n in 0..1_000 {
        let line = format!("line {}", 7 * n);
        let placed = Hunk { old: &[&line], ..Hunk::default() }.place(&lines);
        assert_eq!(placed, Placement::One(7 * n..7 * n + 1));
    }
    assert!(work::take() < 20_000);
}

#[test]
fn anchors_are_linear() {
    let count = 10_000;
    let file = "f\nx\n".repeat(count);
    for anchors in [&["f"; 1][..], &["f"; 5], &["f"; 15], &["f"; 400]] {
        work::take();
        let hints = Hints { anchors, ..Hints::default() };
        Hunk { old: &["x"], new: &[], hints }.place(&Lines::new(&file));
        let work = work::take();
        assert!(work <= 40 * file.len(), "{} anchors cost {work}", anchors.len());
    }
}
