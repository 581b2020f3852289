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
