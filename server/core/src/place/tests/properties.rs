//! Places and edits against a plain reference that looks at every line.

use proptest::prelude::*;

use super::*;
use crate::text::lines::{after_ending, each};

/// The lines of a text and their endings, one after the other.
fn naive(text: &str) -> Vec<(&str, &str)> {
    let mut lines: Vec<(&str, &str)> = each(text)
        .map(|span| (&text[span.clone()], &text[span.end..after_ending(text, span.end)]))
        .collect();
    if lines.last().is_some_and(|line| line.0.is_empty()) {
        lines.pop();
    }
    lines
}

fn matches(file: &[(&str, &str)], wanted: &[&str]) -> Vec<usize> {
    let at = |start: &usize| {
        let there = file[*start..].iter().map(|line| line.0);
        there.take(wanted.len()).eq(wanted.iter().copied())
    };
    if wanted.is_empty() { Vec::new() } else { (0..file.len()).filter(at).collect() }
}

/// All chains of anchors in a range: the line below the innermost for each choice of the outermost.
fn chains(
    file: &[(&str, &str)],
    anchors: &[&str],
    from: usize,
    until: usize,
) -> Result<Vec<usize>, usize> {
    let is = |line: usize, anchor: &str| file[line].0.trim_start() == anchor.trim_start();
    let outer =
        |range: Range<usize>| range.filter(|line| is(*line, anchors[0])).collect::<Vec<_>>();
    let mut choices = outer(from..until);
    if choices.is_empty() {
        choices = outer(0..from);
    }
    let mut deepest = 0;
    let mut ends = Vec::new();
    for choice in choices {
        let mut line = Some(choice);
        for (index, anchor) in anchors.iter().enumerate().skip(1) {
            deepest = deepest.max(if line.is_some() { index } else { 0 });
            line = line.and_then(|line| (line + 1..until).find(|next| is(*next, anchor)));
        }
        ends.extend(line.map(|line| line + 1));
    }
    if ends.is_empty() { Err(deepest) } else { Ok(ends) }
}

/// The range that the place must be inside of, in the file.
fn range(file: &[(&str, &str)], hints: &Hints<'_>) -> (usize, usize) {
    let within = hints.within.clone().unwrap_or(0..file.len());
    let until = within.end.min(file.len());
    (within.start.min(until), until)
}

/// The lines that the place is below of.
fn below(file: &[(&str, &str)], hints: &Hints<'_>) -> Result<Vec<usize>, usize> {
    let (from, until) = range(file, hints);
    match hints.anchors {
        [] => Ok(vec![from]),
        anchors => chains(file, anchors, from, until),
    }
}

/// The places by the rules of the hints, without the line number.
fn reference(
    file: &[(&str, &str)],
    wanted: &[&str],
    hints: &Hints<'_>,
) -> Result<Vec<usize>, usize> {
    let (_, until) = range(file, hints);
    let below = below(file, hints)?;
    let first = *below.iter().min().unwrap();
    let mut found = matches(file, wanted);
    found.retain(|at| first <= *at && at + wanted.len() <= until);
    if hints.at_end && found.iter().any(|at| at + wanted.len() == file.len()) {
        found.retain(|at| at + wanted.len() == file.len());
    }
    if hints.anchors.len() > 1 {
        let firsts = below.iter().filter_map(|below| found.iter().find(|at| below <= at));
        let mut firsts: Vec<usize> = firsts.copied().collect();
        firsts.dedup();
        found = firsts;
    }
    Ok(found)
}

/// Whether new lines at a line of the file are there since the change is made.
fn is_made(file: &[(&str, &str)], hunk: &Hunk<'_>, at: usize, below: &[usize]) -> bool {
    let (old, new) = (hunk.old, hunk.new);
    let most = old.len().min(new.len());
    let above = (0..=most).rev().find(|count| old[..*count] == new[..*count]).unwrap_or(0);
    let (old, rest) = (&old[above..], &new[above..]);
    let most = old.len().min(rest.len());
    let ends = |count: &usize| old[old.len() - count..] == rest[rest.len() - count..];
    let under = (0..=most).rev().find(ends).unwrap_or(0);
    let is_stated = hunk.hints.made_at == Some(at + 1);
    let tells = |kept: &[&str]| {
        let is_known = is_stated || matches(file, kept).len() == 1;
        kept.iter().any(|line| !line.trim().is_empty()) && is_known
    };
    let keeps = tells(&new[..above]) || tells(&rest[rest.len() - under..]);
    let shows = if above + under < new.len() {
        hunk.hints.made_at.is_none() || is_stated
    } else {
        is_stated && above > 0 && under > 0
    };
    let Some(first) = below.iter().copied().filter(|first| *first <= at).max() else {
        return false;
    };
    if hunk.hints.anchors.is_empty() {
        return shows && keeps;
    }
    let depth = |line: usize| file[line].0.len() - file[line].0.trim_start().len();
    let is_deeper = |line: usize| file[line].0.trim().is_empty() || depth(line) > depth(first - 1);
    shows && (first == at || keeps && (first..=at).all(is_deeper))
}

fn line() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "a", "b", " a", "A", "ab cd", " ab cd", "ab Cd"])
}

fn text() -> impl Strategy<Value = String> {
    let ending = prop::sample::select(vec!["\n", "\n", "\r\n", "\r"]);
    (prop::collection::vec((line(), ending), 0..14), any::<bool>()).prop_map(|(lines, ended)| {
        let mut text: String = lines.iter().flat_map(|(line, ending)| [*line, *ending]).collect();
        let last = lines.last().filter(|(line, _)| !ended && !line.is_empty());
        if let Some((_, ending)) = last {
            text.truncate(text.len() - ending.len());
        }
        text
    })
}

fn lines_of(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(line(), count)
}

type HintValues = (Option<usize>, Vec<&'static str>, bool, Option<(usize, usize)>);

fn hints() -> impl Strategy<Value = HintValues> {
    (
        prop::option::of(0usize..16),
        prop_oneof![Just(Vec::new()), lines_of(1..4)],
        prop::bool::weighted(0.2),
        prop::option::weighted(0.4, (0usize..14, 0usize..14)),
    )
}

proptest! {
    #[test]
    fn places_are_those_of_the_reference(
        text in text(),
        (from, length) in (any::<prop::sample::Index>(), 0usize..5),
        made_up in lines_of(1..4),
        new in lines_of(0..3),
        take in prop::bool::weighted(0.7),
        (line, anchors, at_end, within) in hints(),
        made_at in prop::option::of(0usize..16),
    ) {
        let file = naive(&text);
        let lines = Lines::new(&text);
        prop_assert_eq!(lines.len(), file.len());
        let start = from.index(file.len() + 1);
        let taken: Vec<&str> = file[start..].iter().take(length).map(|line| line.0).collect();
        let old = if take { taken } else { made_up };
        let within = within.map(|(start, length)| start..start + length);
        let hints =
            Hints { line, made_at, anchors: &anchors, at_end, within, ..Hints::default() };
        let hunk = Hunk { old: &old, new: &new, hints };
        let placement = hunk.place(&lines);
        if old.is_empty() {
            prop_assert!(!matches!(placement, Placement::Satisfied(_)));
            return Ok(());
        }
        let found = match reference(&file, &old, &hunk.hints) {
            Ok(found) => found,
            Err(index) => {
                prop_assert_eq!(placement, Placement::NoAnchor(index));
                return Ok(());
            }
        };
        match found[..] {
            [only] => prop_assert_eq!(placement, Placement::One(only..only + old.len())),
            [] => match reference(&file, &new, &hunk.hints).unwrap()[..] {
                [only] if is_made(&file, &hunk, only, &below(&file, &hunk.hints).unwrap())
                    && matches(&file, &old).is_empty() =>
                {
                    prop_assert_eq!(placement, Placement::Satisfied(only..only + new.len()));
                }
                _ => match placement {
                    Placement::None(candidates) => check_candidates(&file, &old, &candidates)?,
                    other => prop_assert!(false, "{:?}", other),
                },
            },
            _ => match line.filter(|line| *line > 0 && found.contains(&(line - 1))) {
                Some(line) => prop_assert_eq!(placement, Placement::One(line - 1..line - 1 + old.len())),
                None => prop_assert_eq!(
                    placement,
                    Placement::Several(found.iter().map(|line| line + 1).collect())
                ),
            },
        }
    }

    #[test]
    fn edits_make_the_text_and_leave_other_bytes_alone(
        text in text(),
        (from, length) in (any::<prop::sample::Index>(), 0usize..5),
        new in lines_of(0..6),
    ) {
        let file = naive(&text);
        let start = from.index(file.len() + 1);
        let place = start..(start + length).min(file.len());
        let lines = Lines::new(&text);
        let edits = lines.replace(place.clone(), &new, None);
        let after = edits.apply(&text);
        let made = naive(&after);

        // The lines.
        let mut expected: Vec<&str> = file.iter().map(|line| line.0).collect();
        expected.splice(place.clone(), new.iter().copied());
        let is_lines = made.iter().map(|line| line.0).eq(expected.iter().copied());
        prop_assert!(is_lines, "{:?} became {:?}, not {:?}", text, after, expected);

        // The bytes around: the ending of the line before may change with the end of the file,
        // and where it would become one with another.
        let unended = file.last().is_some_and(|line| line.1.is_empty());
        let mut kept = lines.start(place.start);
        if text[..kept].ends_with('\r') || (place.end == file.len() && unended) {
            kept = lines.text_end(place.start.saturating_sub(1)).min(kept);
        }
        prop_assert!(after.starts_with(&text[..kept]));
        prop_assert!(after.ends_with(&text[lines.start(place.end)..]));
        let last = made.last().filter(|line| place.end == file.len() && !line.0.is_empty());
        prop_assert!(last.is_none_or(|line| line.1.is_empty() == unended));

        // Uniform endings stay uniform.
        for ending in ["\n", "\r\n"] {
            if !file.is_empty() && file.iter().all(|line| [ending, ""].contains(&line.1)) {
                let only = if file.len() == 1 && unended { "\n" } else { ending };
                prop_assert!(made.iter().all(|line| [only, ""].contains(&line.1)), "{:?}", after);
            }
        }
        if new.iter().copied().eq(file[place].iter().map(|line| line.0)) {
            prop_assert!(edits.is_empty(), "{:?}", edits);
        }
    }
}

/// Each candidate says the truth.
fn check_candidates(
    file: &[(&str, &str)],
    old: &[&str],
    candidates: &[Candidate],
) -> Result<(), TestCaseError> {
    prop_assert!(candidates.len() <= 3);
    for it in candidates {
        let there: Vec<&str> = file[it.line - 1..].iter().take(old.len()).map(|it| it.0).collect();
        let first = old.iter().zip(&there).position(|(a, b)| a != b);
        let fits = |made: Vec<String>| made.iter().map(String::as_str).eq(there.iter().copied());
        if it.difference == Difference::Excluded {
            prop_assert_eq!(first, None);
            continue;
        }
        let first = first.unwrap_or(there.len());
        prop_assert_eq!(it.differs_at, it.line + first);
        prop_assert_eq!(&it.searched, old[first]);
        prop_assert_eq!(it.there.as_deref(), there.get(first).copied());
        match &it.difference {
            Difference::Indent(indent) => {
                prop_assert!(fits(old.iter().filter_map(|line| indent.line(line)).collect()));
            }
            Difference::Case => {
                let lower = |line: &&str| line.to_lowercase();
                prop_assert!(old.iter().map(lower).eq(there.iter().map(lower)));
            }
            Difference::Line(ways) => prop_assert!(!ways.is_empty()),
            other => prop_assert!(false, "{:?}", other),
        }
    }
    Ok(())
}
