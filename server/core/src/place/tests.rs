use super::*;

mod anchors;
mod misses;
mod properties;
mod work;
mod write;

/// The place of `old` (lines parted by `|`) in a file of lines parted by `|`, in short.
fn placed(file: &str, old: &str, new: &str, hints: Hints<'_>) -> String {
    let text: String = file.split('|').map(|line| format!("{line}\n")).collect();
    let (old, new) = (parted(old), parted(new));
    let lines = Lines::new(if file.is_empty() { "" } else { &text });
    shown(&Hunk { old: &old, new: &new, hints }.place(&lines))
}

fn parted(lines: &str) -> Vec<&str> {
    if lines.is_empty() { Vec::new() } else { lines.split('|').collect() }
}

fn shown(placement: &Placement) -> String {
    match placement {
        Placement::One(range) => format!("at {}..{}", range.start, range.end),
        Placement::Satisfied(range) => format!("satisfied at {}..{}", range.start, range.end),
        Placement::Several(lines) => format!("several: {lines:?}"),
        Placement::NoAnchor(index) => format!("no anchor {index}"),
        Placement::None(candidates) => {
            let shown: Vec<String> = candidates.iter().map(candidate).collect();
            format!("none: {}", shown.join("; "))
        }
    }
}

fn candidate(it: &Candidate) -> String {
    format!("{} differs at {}: {:?}", it.line, it.differs_at, it.difference)
}

fn check(file: &str, old: &str, expected: &str) {
    assert_eq!(placed(file, old, "", Hints::default()), expected, "{old} in {file}");
}

#[test]
fn whole_lines_are_at_one_place_at_none_or_at_several() {
    check("a|b|c", "b", "at 1..2");
    check("a|b|c", "b|c", "at 1..3");
    check("a|b|a", "a", "several: [1, 3]");
    check("a|a|a", "a|a", "several: [1, 2]");
    check("ab|b", "a", "none: ");
    check("", "a", "none: ");
    check("|a", "", "none: ");
    check("a||b", "a||b", "at 0..3");
}

#[test]
fn endings_are_not_compared() {
    let lines = Lines::new("a\r\nb\rc\nd");
    assert_eq!(lines.len(), 4);
    assert_eq!(lines.places(&["a", "b", "c", "d"], 0..4), [0]);
    assert_eq!(Lines::of_target("a\r\nb\rc\nd").places(&["b\rc", "d"], 0..3), [1]);
}

#[test]
fn a_line_number_chooses_the_match_at_exactly_this_line() {
    let at = |line| Hints { line: Some(line), ..Hints::default() };
    assert_eq!(placed("a|b|a", "a", "", at(3)), "at 2..3");
    assert_eq!(placed("a|b|a", "a", "", at(2)), "several: [1, 3]");
    assert_eq!(placed("a|b|a", "a", "", at(0)), "several: [1, 3]");
    assert_eq!(placed("a|b|a", "b", "", at(1)), "at 1..2");
    let open = |line| Hints { line: Some(line), open_end: true, ..Hints::default() };
    assert_eq!(placed("a|b|a", "a", "", open(3)), "at 2..3");
    assert_eq!(placed("a|b|a", "a", "", open(1)), "several: [1, 3]");
    assert_eq!(placed("a|b|a|b", "a", "", open(1)), "at 0..1");
}

#[test]
fn the_end_of_the_file_and_a_range_choose() {
    let end = || Hints { at_end: true, ..Hints::default() };
    assert_eq!(placed("a|b|a", "a", "", end()), "at 2..3");
    assert_eq!(placed("a|b|a|c", "a", "", end()), "several: [1, 3]");
    assert_eq!(placed("a|b|c", "a", "", end()), "at 0..1");
    assert_eq!(placed("a|b", "", "c", end()), "at 2..2");
    assert_eq!(placed("", "", "c", Hints::default()), "at 0..0");
    assert_eq!(placed("a", "", "c", Hints::default()), "none: ");
    let not_above = |line| Hints { line: Some(line), not_above: 1, ..Hints::default() };
    assert_eq!(placed("a|b|a", "a", "", not_above(3)), "at 2..3");
    assert_eq!(placed("a|b|a", "a", "", not_above(2)), "several: [1, 3]");
    assert_eq!(placed("a|b|a", "a", "", not_above(1)), "none: 1 differs at 1: Excluded");
    assert_eq!(placed("a|b", "a", "", not_above(9)), "none: 1 differs at 1: Excluded");
    assert!(placed("a|B|c", "a|b|c", "a|B|c", not_above(9)).starts_with("none: "));
    let within = |range| Hints { within: Some(range), ..Hints::default() };
    assert_eq!(placed("a|b|a", "a", "", within(1..9)), "at 2..3");
    assert_eq!(placed("a|b|a", "a|b", "", within(1..3)), "none: 1 differs at 1: Excluded");
    assert_eq!(placed("a|b|a", "a|b", "", within(9..12)), "none: 1 differs at 1: Excluded");
}

#[test]
fn new_lines_that_are_there_once_satisfy() {
    let satisfied = |file, old, new| placed(file, old, new, Hints::default());
    assert_eq!(satisfied("a|B|c", "a|b|c", "a|B|c"), "satisfied at 0..3");
    assert_eq!(satisfied("B", "b", "B"), "none: ");
    assert_eq!(satisfied("c|B|B", "c|b", "c|B"), "satisfied at 0..2");
    let candidate = satisfied("a|c", "a|b|c", "a|c");
    assert!(candidate.starts_with("none: "), "they may have been there before: {candidate}");
    let candidate = satisfied("a|x", "a|b", "a");
    assert!(candidate.starts_with("none: "), "what it removes may be written wrong: {candidate}");
    let candidate = satisfied("a|x", "b|a", "a");
    assert!(candidate.starts_with("none: "), "above the context as well: {candidate}");
    assert_eq!(satisfied("b|B", "b", "B"), "at 0..1");
    assert_eq!(satisfied("a", "b", ""), "none: ");
    let hints = Hints { within: Some(1..2), ..Hints::default() };
    assert_eq!(placed("B|B", "b", "B", hints), "none: ");
}

#[test]
fn new_lines_satisfy_only_where_they_would_go() {
    let is_made = |file, old, new, hints| placed(file, old, new, hints).starts_with("satisfied");
    let at = |line| Hints { made_at: Some(line), ..Hints::default() };
    assert!(is_made("x|a|B|c", "a|b|c", "a|B|c", at(2)));
    assert!(!is_made("x|a|B|c", "a|b|c", "a|B|c", at(1)), "the line says another place");
    assert!(is_made("x|a|c", "a|b|c", "a|c", at(2)));
    assert!(!is_made("x|a|c", "a|b|c", "a|c", at(1)));
    assert!(!is_made("a|c", "b|c", "c", at(2)), "nothing above says where it was");
    assert!(!is_made("x|a", "a|b", "a", at(2)));
    let below = |anchors| Hints { anchors, ..Hints::default() };
    assert!(is_made("f| x| a| B|g", " a| b", " a| B", below(&["f"])));
    assert!(!is_made("f| x|g| a| B", " a| b", " a| B", below(&["f"])), "it is in another one");
    assert!(!is_made("f| x| B|g", " b", " B", below(&["f"])));
    assert!(is_made("f| B| x|g", " b", " B", below(&["f"])));
    assert!(is_made("f|a|B", "a|b", "a|B", below(&["f"])));
    let later = || Hints { within: Some(2..9), ..Hints::default() };
    assert!(is_made("x|y|a|B", "a|b", "a|B", later()));
    assert!(!is_made("a|b|a|B", "a|b", "a|B", later()), "the old lines are above");
}

#[test]
fn lines_that_replace_none_go_below_an_anchor_inside_of_the_range() {
    let below = |file, within| {
        let hints = Hints { anchors: &["x"], within: Some(within), ..Hints::default() };
        placed(file, "", "n", hints)
    };
    assert_eq!(below("x|a|b", 0..3), "at 1..1");
    assert_eq!(below("x|a|b", 1..3), "at 1..1");
    assert_eq!(below("a|x", 0..2), "at 2..2");
    // The one place is outside, and the line is not taken for the one that is wanted.
    assert_eq!(below("x|a|n", 2..3), "none: ");
    assert_eq!(below("x|a|x|b", 0..2), "at 1..1");
}
