use super::*;

fn check(file: &str, anchors: &[&str], old: &str, expected: &str) {
    let hints = Hints { anchors, ..Hints::default() };
    assert_eq!(placed(file, old, "", hints), expected, "{old} below {anchors:?} in {file}");
}

#[test]
fn below_one_anchor_the_place_is_unique() {
    check("x|f|x", &["f"], "x", "at 2..3");
    check("x|  f|x", &["f"], "x", "at 2..3");
    check("x|f|x", &["\tf"], "x", "at 2..3");
    check("f|x|f|y", &["f"], "x", "at 1..2");
    check("f|x|f|x", &["f"], "x", "several: [2, 4]");
    check("f|x|g|x", &["f"], "x", "several: [2, 4]");
    check("x|f", &["f"], "x", "none: 1 differs at 1: Excluded");
    check("x|f", &["F"], "x", "no anchor 0");
}

#[test]
fn below_several_the_first_match_is_the_place() {
    let file = "A|f|x|g|x|B|f|x|g|x";
    check(file, &["A", "g"], "x", "at 4..5");
    check(file, &["B", "f"], "x", "at 7..8");
    check(file, &["f", "x"], "g", "several: [4, 9]");
    check("f|f|g|x", &["f", "g"], "x", "at 3..4");
    check(file, &["A", "h"], "x", "no anchor 1");
    check(file, &["B", "A"], "x", "no anchor 1");
    check(
        file,
        &["B", "g", "x"],
        "x",
        "none: 3 differs at 3: Excluded; 5 differs at 5: Excluded; 8 differs at 8: Excluded",
    );
}

#[test]
fn an_anchor_is_searched_for_below_the_hunk_before_first() {
    let below = |within, anchors| Hints { anchors, within: Some(within), ..Hints::default() };
    assert_eq!(placed("A|x|x|A|x", "x", "", below(2..5, &["A"])), "at 4..5");
    assert_eq!(placed("A|x|y|z", "y", "", below(2..4, &["A"])), "at 2..3");
    assert_eq!(placed("A|f|x|g|x", "x", "", below(3..5, &["A", "g"])), "at 4..5");
}

#[test]
fn below_an_anchor_that_is_above_all_places_count() {
    let below = |within: Range<usize>, anchors| Hints {
        anchors,
        not_above: within.start,
        within: Some(within),
        ..Hints::default()
    };
    assert_eq!(placed("A|x|x|y", "x", "", below(2..4, &["A"])), "several: [2, 3]");
    let above = "none: 2 differs at 2: Excluded";
    assert_eq!(placed("A|x|y|z", "x", "", below(2..4, &["A"])), above);
    let first = "none: 3 differs at 3: Excluded";
    assert_eq!(placed("A|f|x|y|x", "x", "", below(3..5, &["A", "f"])), first);
}

#[test]
fn added_lines_alone_go_right_below_the_anchor() {
    check("a|b|c", &["b"], "", "at 2..2");
    check("a|b|c", &["c"], "", "at 3..3");
    check("b|b|c", &["b"], "", "several: [2, 3]");
    check("A|b|B|b", &["B", "b"], "", "at 4..4");
    check("a", &["b"], "", "no anchor 0");
}
