//! Hunks of whole lines against a plain reference that looks at every line.

use proptest::prelude::*;

use super::*;
use crate::command::hunks::{Hunk, Reading};
use crate::problem::APPLY_PATCH_NO_PLACE;

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

fn hunk(old: &[&str], new: &[&str]) -> Hunk {
    let list = |lines: &[&str]| lines.iter().copied().collect();
    let reading = Reading { old: list(old), new: list(new) };
    Hunk::new(vec![reading], APPLY_PATCH_NO_PLACE)
}

/// The file's text after hunks, or the code of the issue.
fn applied(text: &str, hunks: Vec<Hunk>) -> Result<String, &'static str> {
    let snapshot = MemorySnapshot::of([("a", text)]);
    let edit = FileEdit::Hunks(hunks);
    let step = Step::Edit { path: "a".to_owned(), edit, missing: Missing::Refuse };
    let plan = plan_in(&snapshot, step).map_err(|issues| issues[0].code.as_str())?;
    let mut after = snapshot.clone();
    after.apply(&plan.changes);
    let path = after.resolve("a").expect("it is there");
    Ok(after.read(&path).expect("it is there").text.to_string())
}

#[test]
fn hunks_that_touch_one_another_are_written_together() {
    let hunks = vec![hunk(&["a"], &["1"]), hunk(&["b"], &[]), hunk(&["c"], &["3", "4"])];
    assert_eq!(applied("a\nb\nc", hunks), Ok("1\n3\n4".to_owned()));
    let hunks = vec![hunk(&["a"], &[]), hunk(&["c"], &[])];
    assert_eq!(applied("a\nb\nc", hunks), Ok("b".to_owned()));
}

#[test]
fn hunks_that_touch_share_the_endings_of_their_lines() {
    let hunks = vec![hunk(&["a"], &["1", "2"]), hunk(&["b"], &["3"])];
    assert_eq!(applied("a\r\nb\n", hunks), Ok("1\r\n2\n3\n".to_owned()));
}

#[test]
fn both_texts_of_a_hunk_count_for_the_limit() {
    let snapshot = MemorySnapshot::of([("a", "one\ntwo\nfour\n")]);
    let limits = Limits { content_bytes: 8, ..Limits::default() };
    let is_within = |old: &str, new: &str| {
        let step = edit("a", FileEdit::Hunks(vec![hunk(&[old], &[new])]));
        plan(&command(step), &snapshot, &limits).is_ok()
    };
    assert!(is_within("one", "1"));
    assert!(is_within("one", "six"));
    assert!(!is_within("four", "fives"));
}

#[test]
fn a_change_that_is_made_already_is_where_the_numbers_before_say() {
    let at = |line, old: &[&str], new: &[&str]| Hunk { line: Some(line), ..hunk(old, new) };
    // All lines are two further down than the numbers say.
    let further = vec![at(1, &["a"], &["A"]), at(3, &["k", "old"], &["k", "new"])];
    let text = "p\np\na\nb\nk\nnew\n";
    assert_eq!(applied(text, further), Ok(text.replace('a', "A")));
    // The change before, which is made already, adds three lines.
    let made = || at(1, &["a", "z"], &["a", "b", "c", "d", "z"]);
    let text = "a\nb\nc\nd\nz\nk\nnew\nq\n";
    let hunks = |line| vec![made(), at(line, &["k", "old"], &["k", "new"]), hunk(&["q"], &["r"])];
    assert_eq!(applied(text, hunks(3)), Ok(text.replace('q', "r")));
    assert_eq!(applied(text, hunks(4)), Err("plan/text-not-found"));
}

#[test]
fn numbers_choose_none_below_a_change_that_is_made_already() {
    let made = hunk(&["k", "old"], &["k", "new"]);
    let numbered = Hunk { line: Some(5), ..hunk(&["r"], &["n"]) };
    let text = "k\nnew\nr\ns\nr\n";
    assert_eq!(applied(text, vec![numbered.clone()]), Ok("k\nnew\nr\ns\nn\n".to_owned()));
    assert_eq!(applied(text, vec![made, numbered]), Err("plan/text-ambiguous"));
}

#[test]
fn a_place_is_above_where_the_number_and_the_lines_say_so() {
    let stated = |line, old: &[&str], new: &[&str]| Hunk { stated: Some(line), ..hunk(old, new) };
    let applied = |text: &str, line: usize| {
        applied(text, vec![stated(1, &["a"], &["A"]), stated(line, &["r"], &["n"])])
    };
    let ambiguous = Err("plan/text-ambiguous");
    // The first hunk is said to end above line 2, and is found further down.
    assert_eq!(applied("r\np\nq\na\nb\nr\n", 2), Ok("r\np\nq\nA\nb\nn\n".to_owned()));
    assert_eq!(applied("r\np\nq\na\nb\nr\n", 1), ambiguous);
    assert_eq!(applied("p\nr\nq\na\nb\nr\n", 2), ambiguous);
    assert_eq!(applied("p\nr\nq\na\nr\n", 5), Ok("p\nr\nq\nA\nn\n".to_owned()));
}

#[test]
fn readings_that_write_the_same_are_one() {
    let reading = |old: &[&str], new: &[&str]| Reading {
        old: old.iter().copied().collect(),
        new: new.iter().copied().collect(),
    };
    let applied = |readings| applied("a\nb\n", vec![Hunk::new(readings, APPLY_PATCH_NO_PLACE)]);
    let same = vec![reading(&["a", "b"], &["x", "b"]), reading(&["a"], &["x"])];
    assert_eq!(applied(same), Ok("x\nb\n".to_owned()));
    let other = vec![reading(&["a", "b"], &["x", "b"]), reading(&["a"], &["y"])];
    assert_eq!(applied(other), Err("search-replace/several-splits"));
}

#[test]
fn a_divider_that_the_file_has_parts_no_texts() {
    let reading = |old: &str| Reading { old: [old].into_iter().collect(), ..Reading::default() };
    let code = |old: [&str; 2]| {
        let readings = old.into_iter().map(reading).collect();
        let dividers = vec!["====".to_owned(), "====".to_owned()];
        let hunk = Hunk { dividers, ..Hunk::new(readings, APPLY_PATCH_NO_PLACE) };
        applied("a\n====\nb\n====\nc\n", vec![hunk])
    };
    assert_eq!(code(["a", "b"]), Err("search-replace/several-splits"));
    assert_eq!(code(["a", "c"]), Ok("a\n====\nb\n====\n".to_owned()));
    assert_eq!(code(["a", "nothing like it"]), Err("plan/text-not-found"));
}

#[test]
fn dots_in_both_texts_stand_for_what_stays_between_the_pieces() {
    let dots = |old: &[&str], new: &[&str]| {
        let hunk = Hunk { elides: true, ..hunk(old, new) };
        applied("a\nb\nc\nd\ne\n", vec![hunk])
    };
    let after = |text: &str| Ok(text.to_owned());
    assert_eq!(dots(&["a", "...", "c"], &["x", "...", "y"]), after("x\nb\ny\nd\ne\n"));
    let three = dots(&["a", "...", "c", "...", "e"], &["x", "...", "y", "...", "z"]);
    assert_eq!(three, after("x\nb\ny\nd\nz\n"));
    assert_eq!(dots(&["...", "c"], &["...", "y"]), after("a\nb\ny\nd\ne\n"));
    assert_eq!(dots(&["a", "...", "c"], &["...", "y"]), after("b\ny\nd\ne\n"));
    let not_found = || Err("plan/text-not-found");
    assert_eq!(dots(&["...", "c"], &["x", "...", "y"]), not_found());
    assert_eq!(dots(&["a", "...", "c"], &["x", "...", "y", "...", "z"]), not_found());
    assert_eq!(dots(&["c", "...", "a"], &["x", "...", "y"]), not_found());
    let plain = hunk(&["a", "...", "c"], &["x", "...", "y"]);
    assert_eq!(applied("a\nb\nc\n", vec![plain]), not_found());
}

#[test]
fn the_first_of_many_places_are_named() {
    let message = |count: usize| {
        let step = edit("a", FileEdit::Hunks(vec![hunk(&["r"], &["n"])]));
        refused(&MemorySnapshot::of([("a", "r\n".repeat(count))]), step).message
    };
    let ten = message(10);
    assert!(ten.contains("10 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10; add"), "{ten}");
    let eleven = message(11);
    assert!(
        eleven.contains("11 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …; add"),
        "{eleven}"
    );
}

#[test]
fn the_first_hunk_alone_has_a_choice_of_places() {
    let choices = |hunks: Vec<Hunk>| {
        let step = edit("a", FileEdit::Hunks(hunks));
        refused(&MemorySnapshot::of([("a", "a\nb\n")]), step).repairs.len()
    };
    assert_eq!(choices(vec![hunk(&[], &["x"]), hunk(&["b"], &["y"])]), 2);
    assert_eq!(choices(vec![hunk(&["a"], &["y"]), hunk(&[], &["x"])]), 0);
    assert_eq!(choices(vec![hunk(&["a"], &["y"]), hunk(&["b"], &["z"]), hunk(&[], &["x"])]), 0);
}

#[test]
fn lines_that_are_elsewhere_for_another_reason_are_not_the_change() {
    let code = Err("plan/text-not-found");
    assert_eq!(applied("a\n- Spanish\nb\n", vec![hunk(&["- Welsh"], &["- Spanish"])]), code);
    assert_eq!(applied("a\nb\n", vec![hunk(&["- Welsh"], &["b"])]), code);
    let with_context = vec![hunk(&["a", "- Welsh"], &["a", "- Spanish"])];
    assert_eq!(applied("a\n- Spanish\n", with_context), Ok("a\n- Spanish\n".to_owned()));
}

#[test]
fn a_hunk_is_below_the_one_before() {
    let hunks = || vec![hunk(&["b"], &["x"]), hunk(&["a"], &["y"])];
    assert_eq!(applied("b\na\n", hunks()), Ok("x\ny\n".to_owned()));
    assert_eq!(applied("a\nb\n", hunks()), Err("plan/text-not-found"));
}

#[test]
fn lines_that_two_hunks_share_are_not_found_further_down() {
    let first = || hunk(&["f", "1", "r"], &["f", "2", "r"]);
    let shares = || hunk(&["r"], &["r", "n"]);
    let ambiguous = Err("plan/text-ambiguous");
    assert_eq!(applied("f\n1\nr\ng\nr\n", vec![first(), shares()]), ambiguous);
    assert_eq!(applied("f\n1\nr\ng\n", vec![first(), shares()]), Err("plan/text-not-found"));
    // What the hunk before takes away is not there for the next one.
    let takes = || hunk(&["f", "r"], &["f"]);
    assert_eq!(applied("f\nr\ng\nr\n", vec![takes(), shares()]), Ok("f\ng\nr\nn\n".to_owned()));
}

#[test]
fn a_hunk_that_is_stated_above_is_not_found_further_down() {
    let at = |line, old: &[&str], new: &[&str]| Hunk {
        line: Some(line),
        stated: Some(line),
        ..hunk(old, new)
    };
    let file = "f\nr\ng\ny\nr\n";
    let below = |line, text: &str| {
        applied(text, vec![at(3, &["g", "y"], &["g", "z"]), at(line, &["r"], &["n"])])
    };
    assert_eq!(below(2, file), Err("plan/text-not-found"));
    assert_eq!(below(1, file), Err("plan/text-ambiguous"));
    assert_eq!(below(4, file), Err("plan/text-ambiguous"));
    assert_eq!(below(5, file), Ok("f\nr\ng\nz\nn\n".to_owned()));
    // Where it is there once, its number does not matter.
    assert_eq!(below(1, "g\ny\nr\n"), Ok("g\nz\nn\n".to_owned()));
    // All numbers are of another text.
    let far = vec![at(30, &["g", "y"], &["g", "z"]), at(40, &["r"], &["n"])];
    assert_eq!(applied(file, far), Ok("f\nr\ng\nz\nn\n".to_owned()));
    let twice = || at(1, &["x", "r"], &["x", "l", "r"]);
    assert_eq!(applied("x\nr\n\nx\nr\n", vec![twice(), twice()]), Err("plan/text-not-found"));
}

#[test]
fn one_of_several_hunks_is_told_by_its_number() {
    let message = |hunks| {
        let step = Step::Edit {
            path: "a".to_owned(),
            edit: FileEdit::Hunks(hunks),
            missing: Missing::Refuse,
        };
        refused(&MemorySnapshot::of([("a", "a\nb\n")]), step).message
    };
    let several = message(vec![hunk(&["a"], &["x"]), hunk(&["c"], &["y"])]);
    assert!(several.contains("hunk 2"), "{several}");
    let alone = message(vec![hunk(&["c"], &["y"])]);
    assert!(!alone.contains("hunk 1"), "{alone}");
}

#[test]
fn what_has_no_lines_to_find_has_the_readings_as_choices() {
    let choices = |text: &[u8], hunk: Hunk| -> Vec<String> {
        let repairs = bytes_after(text, hunk).unwrap_err().repairs;
        assert!(repairs.iter().all(|repair| repair.is_choice));
        repairs.into_iter().map(|repair| repair.title).collect()
    };
    let (end, whole) = ("Add it at the end of the file", "Replace the 2 lines of the file");
    assert_eq!(choices(b"a\nb\n", hunk(&[], &["x"])), [end, whole]);
    let at_line = |line| Hunk { line: Some(line), ..hunk(&[], &["x"]) };
    assert_eq!(choices(b"a\nb\n", at_line(2)), ["Insert after line 1", end, whole]);
    assert_eq!(choices(b"a\nb\n", at_line(1)), [end, whole]);
    assert_eq!(choices(b"a\nb\n", at_line(9)), [end, whole]);
    // Where a line of the file would be a marker in the block, or no few lines are unique.
    assert_eq!(choices(b"=====\nb\n", hunk(&[], &["x"])), [end]);
    assert_eq!(choices(b"a\n=====\n", hunk(&[], &["x"])), <[&str; 0]>::default());
    assert_eq!(choices(&b"a\n".repeat(300), hunk(&[], &["x"])), <[&str; 0]>::default());
    assert_eq!(choices(b"a\nb\n", hunk(&[], &[])), <[&str; 0]>::default());
}

/// The file's bytes after one hunk, or the issue.
fn bytes_after(bytes: &[u8], hunk: Hunk) -> Result<Vec<u8>, Box<Issue>> {
    let mut snapshot = MemorySnapshot::default();
    snapshot.files.insert("a".to_owned(), bytes.to_vec());
    let edit = FileEdit::Hunks(vec![hunk]);
    let step = Step::Edit { path: "a".to_owned(), edit, missing: Missing::Refuse };
    let plan = plan_in(&snapshot, step).map_err(|mut issues| Box::new(issues.remove(0)))?;
    snapshot.apply(&plan.changes);
    Ok(snapshot.files["a"].clone())
}

#[test]
fn an_ascii_edit_leaves_other_encodings_as_they_are() {
    let latin = b"caf\xe9\r\none\r\n\xa0two";
    assert_eq!(
        bytes_after(latin, hunk(&["one"], &["1", "2"])).as_deref(),
        Ok(&b"caf\xe9\r\n1\r\n2\r\n\xa0two"[..])
    );
    // The second byte of a Shift-JIS character may be a backslash, and is never a line ending.
    let japanese = b"\x95\x5c\n\\\n\x83\x5c";
    assert_eq!(
        bytes_after(japanese, hunk(&["\\"], &["x"])).as_deref(),
        Ok(&b"\x95\x5c\nx\n\x83\x5c"[..])
    );
    let refused = |bytes: &[u8], hunk| bytes_after(bytes, hunk).map_err(|it| it.code.as_str());
    let not_utf8 = Err("plan/not-utf8");
    assert_eq!(refused(latin, hunk(&["one"], &["é"])), not_utf8);
    assert_eq!(refused(latin, hunk(&["café", "one"], &["1"])), not_utf8);
    assert_eq!(refused(latin, hunk(&["caf\u{f7e9}"], &["1"])), not_utf8);
    assert_eq!(refused(b"\xff\xfeo\0n\0e\0", hunk(&["one"], &["1"])), not_utf8);
    assert_eq!(refused(b"one\n\xff\0", hunk(&["one"], &["1"])), not_utf8);
}

#[test]
fn bytes_that_are_no_text_are_not_shown() {
    let issue = bytes_after(b"a\ncaf\xe9 one\nb\n", hunk(&["a", "caf one", "b"], &["x"]));
    let issue = issue.unwrap_err();
    assert_eq!(issue.code.as_str(), "plan/text-not-found");
    assert!(issue.message.contains("caf\u{fffd} one"), "{}", issue.message);
    let details = serde_json::Value::Object(issue.details).to_string();
    assert!(details.contains("caf\u{fffd} one") && !details.contains('\u{f7e9}'), "{details}");
    let is_repaired = |bytes: &[u8], line: &str| {
        bytes_after(bytes, hunk(&[line], &["x"])).unwrap_err().repairs.len() == 1
    };
    assert!(is_repaired(b"    one = two(three)\ncaf\xe9\n", "one = two(three)"));
    assert!(is_repaired("    one = twé(three)\n".as_bytes(), "    one = Twé(three)"));
    assert!(!is_repaired(b"    one = tw\xe9(three)\n", "    one = Twe(three)"));
}

/// Lines of any bytes but NUL, each with its ending.
fn lines_of_bytes() -> impl Strategy<Value = Vec<u8>> {
    let byte = any::<u8>().prop_filter("ends a line", |byte| !matches!(byte, 0 | b'\n' | b'\r'));
    let ending = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    let line = (prop::collection::vec(byte, 0..8), ending);
    let joined = |(line, ending): (Vec<u8>, &str)| [&line, ending.as_bytes()].concat();
    prop::collection::vec(line.prop_map(joined), 0..8).prop_map(|lines| lines.concat())
}

proptest! {
    #[test]
    fn every_byte_outside_of_an_ascii_edit_stays(
        above in lines_of_bytes(),
        below in lines_of_bytes(),
        new in "[ -~]{0,8}",
    ) {
        prop_assume!(!above.starts_with(b"\xff\xfe") && !above.starts_with(b"\xfe\xff"));
        let file = |line: &str| [&above, line.as_bytes(), b"\r\n", &below].concat();
        let after = bytes_after(&file("the only line"), hunk(&["the only line"], &[&new]));
        prop_assert_eq!(after, Ok(file(&new)));
    }
}

/// One change: at a line, how many lines of context before, removed, and after, and what is added.
type Change = (usize, usize, usize, usize, Vec<&'static str>);

fn change() -> impl Strategy<Value = Change> {
    let added = prop::collection::vec(prop::sample::select(vec!["a", "b", "new", ""]), 0..3);
    (0..12_usize, 0..3_usize, 0..3_usize, 0..3_usize, added)
}

/// Where lines are in a file, from a line on.
fn places(file: &[&str], wanted: &[&str], from: usize) -> Vec<usize> {
    let all = (from..file.len()).filter(|at| file[*at..].starts_with(wanted));
    match (wanted, file) {
        ([], []) => vec![0],
        ([], _) => Vec::new(),
        _ => all.collect(),
    }
}

/// Whether the first or the last line is kept and not blank, blank ones beside it left out.
fn keeps_a_line(old: &[&str], new: &[&str]) -> bool {
    let most = old.len().min(new.len());
    let is_filled = |line: &&str| !line.trim().is_empty();
    let start = |count: &usize| old[..*count] == new[..*count];
    let end = |count: &usize| old[old.len() - count..] == new[new.len() - count..];
    (1..=most).rev().find(start).is_some_and(|count| old[..count].iter().any(is_filled))
        || (1..=most)
            .rev()
            .find(end)
            .is_some_and(|count| old[old.len() - count..].iter().any(is_filled))
}

/// Whether the new lines have one that is not kept.
fn adds_a_line(old: &[&str], new: &[&str]) -> bool {
    let most = old.len().min(new.len());
    let above = (0..=most).rev().find(|count| old[..*count] == new[..*count]).unwrap_or(0);
    let (old, rest) = (&old[above..], &new[above..]);
    let most = old.len().min(rest.len());
    let ends = |count: &usize| old[old.len() - count..] == rest[rest.len() - count..];
    let below = (0..=most).rev().find(ends).unwrap_or(0);
    above + below < new.len()
}

/// What a plain reader makes of the hunks; `None` where it refuses them.
fn expected(file: &[&str], hunks: &[Hunk]) -> Option<Vec<String>> {
    let mut after: Vec<String> = Vec::new();
    let (mut below, mut kept, mut copied) = (0, 0, 0);
    for hunk in hunks {
        let Reading { old, new } = &hunk.readings[0];
        let (old, new): (Vec<&str>, Vec<&str>) = (old.iter().collect(), new.iter().collect());
        let from = below - kept;
        match places(file, &old, from)[..] {
            [only] if only < below => return None,
            [only] => {
                after.extend(owned(&file[copied..only]));
                after.extend(owned(&new));
                below = only + old.len();
                copied = below;
            }
            [] => match places(file, &new, from)[..] {
                [only]
                    if only >= below
                        && keeps_a_line(&old, &new)
                        && adds_a_line(&old, &new)
                        && places(file, &old, 0).is_empty() =>
                {
                    below = only + new.len();
                }
                _ => return None,
            },
            _ => return None,
        }
        let most = old.len().min(new.len());
        let ends = |count: &usize| old[old.len() - count..] == new[new.len() - count..];
        kept = (0..=most).rev().find(ends).unwrap_or(0);
    }
    after.extend(owned(&file[copied..]));
    Some(after)
}

proptest! {
    #[test]
    fn hunks_go_to_the_one_place_or_nowhere(
        file in prop::collection::vec(prop::sample::select(vec!["a", "b", "c", " a", ""]), 0..14),
        changes in prop::collection::vec(change(), 1..4),
        is_ended in any::<bool>(),
        ending in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        // An empty last line without an ending is not a line, and an empty file gets endings.
        let is_ended = is_ended || file.last().is_none_or(|last| last.is_empty());
        // Where no line has an ending, new ones get a line feed.
        let has_ending = file.len() > 1 || is_ended && !file.is_empty();
        let ending = if has_ending { ending } else { "\n" };
        let text = |lines: &[String]| {
            let text = lines.join(ending);
            if is_ended && !lines.is_empty() { text + ending } else { text }
        };
        let hunks: Vec<Hunk> = changes
            .iter()
            .map(|(at, before, removed, after, added)| {
                let slice = |from: usize, count: usize| {
                    let from = from.min(file.len());
                    &file[from..(from + count).min(file.len())]
                };
                let (above, gone) = (slice(*at, *before), slice(at + before, *removed));
                let below = slice(at + before + removed, *after);
                hunk(&[above, gone, below].concat(), &[above, &added[..], below].concat())
            })
            .collect();
        let wanted = expected(&file, &hunks);
        match (applied(&text(&owned(&file)), hunks), wanted) {
            (Ok(found), Some(wanted)) => {
                // The last line keeps what it has: an ending, or none.
                let is_bare = !is_ended && wanted.last().is_some_and(String::is_empty);
                prop_assert!(found == text(&wanted) || is_bare, "{found:?} {wanted:?}");
            }
            (Err(_), None) => {}
            (found, wanted) => prop_assert!(false, "{found:?} {wanted:?}"),
        }
    }
}
