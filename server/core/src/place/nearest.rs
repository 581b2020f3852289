//! The places of a file that are most like lines it does not have, in bounded work.

use std::cmp::Reverse;
use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use super::Lines;
use super::difference::{Difference, Laid, unnumbered};
use super::like::{self, Budget};

/// So many candidates are given.
const GIVEN: usize = 3;
/// So many of the searched lines, the rarest in the file, say where to look.
const TELLING: usize = 8;
/// So many places are compared line by line.
const COMPARED: usize = 16;
/// So many lines of a place are compared to see how like it is.
const SAMPLE: usize = 100;

/// So many bytes of work are always allowed: a small file's miss is worth them.
pub(super) const ALWAYS: usize = 4_096;

/// A place that is like the lines that are searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The 1-based line of the file at which the place begins.
    pub line: usize,
    /// The 1-based line of the file that differs first; with [`Difference::Excluded`] as `line`.
    pub differs_at: usize,
    /// What is there; `None` after the end of the file.
    pub there: Option<String>,
    /// What is searched for instead.
    pub searched: String,
    /// What differs.
    pub difference: Difference,
}

/// At most three places in `within` that are like `old`, which is not there, the best first.
///
/// Costs at most twice what it costs to read the file and the lines, and a little that does not
/// grow with them.
pub(super) fn candidates(lines: &Lines<'_>, old: &[&str], within: Range<usize>) -> Vec<Candidate> {
    let mut budget = Budget(2 * (lines.text.len() + lines.len() + size(old)) + ALWAYS);
    if within != (0..lines.len()) {
        let places = lines.places(old, 0..lines.len());
        if !places.is_empty() {
            return places.into_iter().take(GIVEN).map(|at| excluded(at, old)).collect();
        }
        budget.0 = budget.0.saturating_sub(size(old));
    }
    let bare = unnumbered(old);
    let mut starts = alike(lines, bare.as_deref().unwrap_or(old), &within, &mut budget);
    if starts.is_empty() {
        starts.extend(by_words(lines, old, &within, &mut budget));
    }
    let candidate = |start: usize| {
        let there = (start..start + old.len()).map(|line| lines.get(line)).collect();
        let laid = Laid { there, searched: old, bare: bare.as_deref() };
        let (first, difference) = laid.difference(&mut budget)?;
        Some(Candidate {
            line: start + 1,
            differs_at: start + first + 1,
            there: laid.there[first].map(str::to_owned),
            searched: old[first].to_owned(),
            difference,
        })
    };
    starts.into_iter().filter_map(candidate).collect()
}

fn size(lines: &[&str]) -> usize {
    lines.iter().map(|line| line.len() + 1).sum()
}

/// A place at which the lines are, and which the hints exclude.
pub(super) fn excluded(at: usize, old: &[&str]) -> Candidate {
    let text = old.first().copied().unwrap_or_default().to_owned();
    Candidate {
        line: at + 1,
        differs_at: at + 1,
        there: Some(text.clone()),
        searched: text,
        difference: Difference::Excluded,
    }
}

/// Where the lines begin if those that tell most are at lines of the file that are equal but for
/// their looks.
fn alike(
    lines: &Lines<'_>,
    old: &[&str],
    within: &Range<usize>,
    budget: &mut Budget,
) -> Vec<usize> {
    budget.take(size(old));
    // It counts the same whether it is worked out now or was for an earlier hunk: what is found
    // does not depend on what was asked before.
    budget.0 = budget.0.saturating_sub(lines.text.len() + lines.len());
    let keys: Vec<u64> = old.iter().map(|line| like::key(line)).collect();
    let mut telling: HashMap<u64, (usize, Vec<usize>)> = HashMap::with_capacity(keys.len());
    for (index, _) in old.iter().enumerate().filter(|(_, line)| like::tells(line)) {
        telling.entry(keys[index]).or_insert((index, Vec::new()));
    }
    for (id, key) in lines.loose().iter().enumerate() {
        if let Some((_, ids)) = telling.get_mut(key) {
            ids.push(id);
        }
    }
    let count = |ids: &[usize]| ids.iter().map(|id| lines.count(*id)).sum::<usize>();
    let mut telling: Vec<(usize, Vec<usize>)> =
        telling.into_values().filter(|(_, ids)| !ids.is_empty()).collect();
    telling.sort_by_key(|(index, ids)| (count(ids), *index));
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (index, ids) in telling.iter().take(TELLING) {
        let all = ids.iter().flat_map(|id| lines.occurrences(*id));
        let inside = all.filter(|line| within.contains(line)).take(like::CANDIDATES);
        for line in inside {
            *votes.entry(line.saturating_sub(*index).max(within.start)).or_default() += 1;
        }
    }
    best(lines, &keys, votes, budget)
}

/// The places that have the most lines in common with the searched ones.
fn best(
    lines: &Lines<'_>,
    keys: &[u64],
    votes: HashMap<usize, usize>,
    budget: &mut Budget,
) -> Vec<usize> {
    let mut voted: Vec<(usize, usize)> = votes.into_iter().collect();
    voted.sort_unstable_by_key(|(start, votes)| (Reverse(*votes), *start));
    voted.truncate(COMPARED);
    let loose = lines.loose();
    let equal = |start: usize| {
        let pairs = keys.iter().take(SAMPLE).zip(&lines.ids[start..]);
        pairs.filter(|(key, id)| **key == loose[**id]).count()
    };
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for (start, votes) in voted {
        if budget.take(keys.len().min(SAMPLE)) {
            starts.push((start, votes + equal(start)));
        }
    }
    starts.sort_unstable_by_key(|(start, score)| (Reverse(*score), *start));
    let enough = starts.first().map_or(0, |(_, score)| score.div_ceil(2));
    let good = starts.into_iter().filter(|(_, score)| *score >= enough);
    good.map(|(start, _)| start).take(GIVEN).collect()
}

/// Where the lines begin if one of them is at the line of the file that has most of it.
fn by_words(
    lines: &Lines<'_>,
    old: &[&str],
    within: &Range<usize>,
    budget: &mut Budget,
) -> Option<usize> {
    let span = lines.span(within.clone());
    let (offset, index) = like::most_like(&lines.text[span.clone()], old, budget)?;
    Some(lines.line_of(span.start + offset).saturating_sub(index).max(within.start))
}
