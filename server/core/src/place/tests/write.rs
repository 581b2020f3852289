use super::*;

/// What becomes of a file when the lines `old` in it become `new`, and the edits.
fn check(file: &str, old: &str, new: &str, expected: &str, edits: &str) {
    check_ending(file, old, new, None, expected);
    assert_eq!(replaced(file, old, new, None).1, edits);
}

fn check_ending(file: &str, old: &str, new: &str, ending: Option<bool>, expected: &str) {
    assert_eq!(replaced(file, old, new, ending).0, expected, "{old} to {new} in {file:?}");
}

fn replaced(file: &str, old: &str, new: &str, ending: Option<bool>) -> (String, String) {
    let lines = Lines::new(file);
    let (old, new) = (parted(old), parted(new));
    let hints = Hints { at_end: old.is_empty(), ..Hints::default() };
    let Placement::One(place) = (Hunk { old: &old, new: &new, hints }).place(&lines) else {
        panic!("{old:?} is not at one place in {file:?}");
    };
    let edits = lines.replace(place, &new, ending);
    let shown = edits.iter().map(|edit| format!("{:?}={:?}", edit.span, edit.text));
    (edits.apply(file), shown.collect::<Vec<_>>().join(" "))
}

#[test]
fn equal_lines_are_not_touched() {
    check("a\nb\nc\n", "a|b|c", "a|B|c", "a\nB\nc\n", r#"2..4="B\n""#);
    check("a\nb\nc\nd\n", "a|b|c|d", "A|b|c|D", "A\nb\nc\nD\n", r#"0..2="A\n" 6..8="D\n""#);
    check("a\nb\n", "a|b", "a|b", "a\nb\n", "");
    check("a\nb\n", "a|b", "b", "b\n", r#"0..2="""#);
}

#[test]
fn new_lines_end_as_those_they_replace_or_follow() {
    check("a\r\nb\nc\n", "a|b", "A|B|B2", "A\r\nB\nB2\nc\n", r#"0..5="A\r\nB\nB2\n""#);
    check("a\r\nb\n", "a", "a|x", "a\r\nx\r\nb\n", r#"3..3="x\r\n""#);
    check("a\r\nb\n", "a", "x|a", "x\r\na\r\nb\n", r#"0..0="x\r\n""#);
    check("a\rb\r", "b", "x|y", "a\rx\ry\r", r#"2..4="x\ry\r""#);
    check("", "", "x|y", "x\ny\n", r#"0..0="x\ny\n""#);
    check("a\r\nb\r\nc", "c", "x|y", "a\r\nb\r\nx\r\ny", r#"6..7="x\r\ny""#);
    // The line before counts more than most lines.
    check("a\nb\nc\r\nd", "d", "x|y", "a\nb\nc\r\nx\r\ny", r#"7..8="x\r\ny""#);
    // Also for a line that had no ending and is not the last one any more.
    check_ending("x\r\ny\nz", "y|z", "z|w", None, "x\r\nz\r\nw");
    check_ending("a\nb\nx\r\nz", "a|b|x|z", "z|w", None, "z\r\nw");
}

#[test]
fn a_missing_final_newline_stays_missing() {
    check("a\nb", "b", "B", "a\nB", r#"2..3="B""#);
    check("a\nb", "b", "b|c", "a\nb\nc", r#"3..3="\nc""#);
    check("a\r\nb", "", "c", "a\r\nb\r\nc", r#"4..4="\r\nc""#);
    check("a\nb", "a|b", "a", "a", r#"1..3="""#);
    check("a\nb", "b", "", "a", r#"1..3="""#);
    check("a\nb", "a|b", "b|a", "b\na", r#"0..2="" 3..3="\na""#);
    check("a", "a", "", "", r#"0..1="""#);
    check("a\nb", "b", "|", "a\n\n\n", r#"2..3="\n\n""#);
    check("\nb", "b", "", "\n", r#"1..2="""#);
    check("a", "a", "b|c", "b\nc", r#"0..1="b\nc""#);
}

#[test]
fn the_caller_may_say_how_the_file_ends() {
    check_ending("a\nb", "b", "B", Some(true), "a\nB\n");
    check_ending("a\nb\n", "b", "B", Some(false), "a\nB");
    check_ending("a\nb\n", "a", "A", Some(false), "A\nb\n");
    check_ending("a\r\nb", "a|b", "a|b", Some(true), "a\r\nb\r\n");
    check_ending("", "", "x", Some(false), "x");
}

#[test]
fn a_lone_carriage_return_stays_an_ending_of_its_own() {
    check_ending("a\rb\n\nc\n", "b", "", None, "a\r\n\nc\n");
    check_ending("\rb\n\n", "|b", "n|", None, "n\r\r\n\n");
    check_ending("a\rb\nc\n", "b", "|c", None, "a\r\n\nc\nc\n");
}
