use super::*;

fn file() -> &'static str {
    "fn one() {|    call(1);|    done();|}|fn two() {|    call(2);|    done();|}"
}

fn check(old: &str, expected: &str) {
    let found = placed(file(), old, "", Hints::default());
    let found = found.strip_prefix("none: ").expect(&found);
    assert_eq!(found.split("; ").next(), Some(expected), "{old}: {found}");
}

#[test]
fn a_miss_says_what_alone_differs() {
    check("  call(2);|  done();", r#"6 differs at 6: Indent(Add("  "))"#);
    check("      call(1);|      done();", r#"2 differs at 2: Indent(Remove("  "))"#);
    check("fn two() {  |    call(2);", "5 differs at 5: TrailingBlanks");
    check("FN TWO() {|    call(2);", "5 differs at 5: Case");
    check("5: fn two() {|6:     call(2);", "5 differs at 5: LineNumbers");
    check("\u{a0}   call(2);", r#"6 differs at 6: LookAlike("a no-break space")"#);
    check("    call(\u{200b}2);", r#"6 differs at 6: LookAlike("a zero-width space")"#);
    check("fn two() {|    call(3);", r#"5 differs at 6: Line(["text"])"#);
    check("FN TWO() {|  call(2);", r#"5 differs at 5: Line(["case"])"#);
    check("}|", "");
}

#[test]
fn the_nearest_comes_first_and_what_is_like_nothing_has_none() {
    let found = placed(file(), "    done();|}|fn three() {", "", Hints::default());
    let expected = r#"none: 3 differs at 5: Line(["text"]); 7 differs at 9: Line(["text"])"#;
    assert_eq!(found, expected);
    check("fn two(x) {", r#"5 differs at 5: Line(["text"])"#);
    check("something quite different", "");
    check("extra|fn one() {|    call(1);", r#"1 differs at 1: Line(["text"])"#);
}

#[test]
fn lines_can_be_indented_to_fit() {
    let indent = Indent::Add("\t".to_owned());
    assert_eq!(indent.line("a"), Some("\ta".to_owned()));
    assert_eq!(indent.line(""), Some(String::new()));
    let outdent = Indent::Remove("  ".to_owned());
    assert_eq!(outdent.line("   a"), Some(" a".to_owned()));
    assert_eq!(outdent.line(" a"), None);
}

#[test]
fn numbers_before_lines_count_up() {
    assert_eq!(unnumbered(&["9 | a", "10 | ", "11 |   b"]), Some(vec!["a", "", "  b"]));
    assert_eq!(unnumbered(&["  9\ta", " 10\tb"]), Some(vec!["a", "b"]));
    assert_eq!(unnumbered(&["1: a"]), Some(vec!["a"]));
    assert_eq!(unnumbered(&["1 | a", "3 | b"]), None);
    assert_eq!(unnumbered(&["1 | a", "b"]), None);
    assert_eq!(unnumbered(&["1 a"]), None);
    assert_eq!(unnumbered(&["99999999999999999999 | a"]), None);
    assert_eq!(unnumbered(&[]), None);
}

/// The nearest place in a file of such lines.
fn nearest(file: &[String], old: &[String]) -> String {
    let text = |lines: &[String]| lines.join("|");
    let found = placed(&text(file), &text(old), "", Hints::default());
    found.split("; ").next().unwrap_or_default().to_owned()
}

fn named(name: &str, numbers: std::ops::RangeInclusive<usize>) -> Vec<String> {
    numbers.map(|number| format!("{name} line {number}")).collect()
}

#[test]
fn a_place_with_more_of_the_lines_counts_more_than_many_above() {
    let one = [named("old", 1..=1), named("other", 1..=1)].concat();
    let file = [vec![one; 20].concat(), named("old", 1..=3), named("other", 1..=1)].concat();
    let old = [named("old", 1..=3), named("changed", 1..=1)].concat();
    assert_eq!(nearest(&file, &old), r#"none: 41 differs at 44: Line(["text"])"#);
}

#[test]
fn the_rarest_lines_say_where_a_place_is() {
    let far = |line| [vec![line], vec!["-".to_owned(); 12]].concat();
    let often: Vec<String> = named("often", 1..=8).into_iter().flat_map(far).collect();
    let place = [named("often", 1..=8), named("rare", 1..=2)].concat();
    let file = [vec![often; 501].concat(), place.clone(), named("other", 1..=1)].concat();
    let old = [place, named("changed", 1..=1)].concat();
    assert_eq!(nearest(&file, &old), r#"none: 52105 differs at 52115: Line(["text"])"#);
}

#[test]
fn a_place_is_found_behind_many_blank_lines() {
    let file = [vec![String::new(); 20_000], named("old", 1..=3)].concat();
    let old = [named("old", 1..=2), named("changed", 1..=1)].concat();
    assert_eq!(nearest(&file, &old), r#"none: 20001 differs at 20003: Line(["text"])"#);
}

#[test]
fn equal_lines_count_as_much_as_the_rarest_ones() {
    let (rare, own) = (named("rare", 1..=3), named("own", 1..=1));
    let (most, rest) = (named("most", 1..=7), named("rest", 1..=4));
    let old = [&rare[..], &own, &most, &rest, &named("changed", 1..=1)].concat();
    let apart = |lines: &[String]| -> Vec<String> {
        lines.iter().flat_map(|line| [line.clone(), "-".to_owned()]).collect()
    };
    let first = [&rare[..], &named("junk", 1..=20)].concat();
    let second = [&named("junk", 21..=23)[..], &own, &most, &named("junk", 24..=40)].concat();
    let file = [first, second, apart(&rest), apart(&most), apart(&most)].concat();
    assert_eq!(nearest(&file, &old), r#"none: 24 differs at 24: Line(["text"])"#);
}
