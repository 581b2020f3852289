//! Operations at random in several languages: no letter of a file or a content is lost, and none is there twice.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::outline::Parsed;
use crate::structure::Index;
use crate::structure::perform::insertion::Side::{After, Before};
use crate::text::Content;

/// A file's name, and pieces of its language that make sense together now and then, a `¦` between two.
type Pieces = (&'static str, &'static str);

const LANGUAGES: [Pieces; 9] = [
    (
        "a.py",
        "def f():¦class A:¦if x:¦else:¦a = 1¦; ¦b = 2¦(¦)¦lambda: 1¦, ¦[¦]¦'''¦\"¦\\¦# é¦\n¦\
         \n    ¦\n\t¦\n  ¦\r\n¦\r¦\u{c}¦😀¦@d\n¦match x:¦\"\"\"é\"\"\"¦\n\n\n",
    ),
    (
        "a.js",
        "function f() {¦}¦class A {¦m() {}¦const x = ¦() => ¦1¦;¦, ¦{¦[¦]¦// é\n¦/* 😀 */¦\n¦\
         \n  ¦\r\n¦`¦'¦export ¦@d ¦(¦)¦n: 2¦/** d */\n¦\n\n",
    ),
    (
        "a.rs",
        "fn f() {¦}¦struct A {¦impl A {¦n: u8¦, ¦;¦// é\n¦/// 😀\n¦#[d]\n¦mod m {¦enum E {¦B¦\
         const X: u8 = 1;¦\n¦\n    ¦\r\n¦(¦)¦\"¦use k;¦{¦\n\n¦/* é */",
    ),
    (
        "a.go",
        "func f() {¦}¦type A struct {¦n int¦var x = 1¦const (¦)¦// é\n¦/* 😀 */¦\n¦\n\t¦\r\n¦\
         ;¦`¦\"¦{¦, ¦package k\n¦import \"m\"\n¦\n\n¦b = 2",
    ),
    ("a.json", "{¦}¦[¦]¦, ¦\"a\"¦: ¦1¦\"é\": ¦\n¦\n  ¦\r\n¦null¦\"😀\"¦\n\n"),
    (
        "a.yaml",
        "a: ¦- ¦b¦\n¦\n  ¦\n    ¦# é\n¦\"😀\"¦{¦}¦[¦]¦, ¦|\n¦---\n¦c:\n¦\r\n¦\n\n¦&n ¦*n¦? ",
    ),
    ("a.css", ".a¦ {¦}¦b: 1¦;¦, ¦/* é */¦@media x {¦\n¦\n  ¦\r\n¦\"😀\"¦(¦)¦\n\n¦--c: 2;"),
    (
        "a.html",
        "<div>¦</div>¦<p¦ a=\"é\"¦>¦text¦<!-- 😀 -->¦\n¦\n  ¦\r\n¦<br>¦</p>¦<script>¦\
         </script>¦x = 1;¦\n\n¦<ul>¦<li>¦</ul>",
    ),
    (
        "a.md",
        "a¦\n¦\n\n¦\r\n¦\r¦> ¦>¦- ¦* ¦+¦1. ¦9) ¦10. ¦    ¦  ¦ ¦\t¦# ¦##¦===\n¦---\n¦---¦\
         ```\n¦~~~¦| a |\n¦|---|\n¦[^1]: ¦[x]: y\n¦[ ] ¦<div>\n¦<!--¦é¦😀¦\\¦...\n¦k: v\n¦\
         \u{a0}¦\0",
    ),
];

fn text_of(pieces: &'static str) -> impl Strategy<Value = String> {
    let pieces: Vec<&str> = pieces.split('¦').collect();
    prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|pieces| pieces.concat())
}

fn file() -> impl Strategy<Value = (&'static str, String, String)> {
    let language = prop::sample::select(&LANGUAGES[..]);
    language.prop_flat_map(|(path, pieces)| (Just(path), text_of(pieces), text_of(pieces)))
}

fn targets(path: &str, text: &str) -> Vec<String> {
    let mut patience = || ControlFlow::Continue(());
    let language = operator_grammars::of_file(path, "").expect("it is known");
    let parsed = Parsed::new(language, Content::plain(text), &mut patience);
    parsed.map(|parsed| Index::new(&parsed).targets()).unwrap_or_default()
}

/// How often each letter is in texts. A no-break space is one; of `pass`, which an operation may write, none is.
fn letters(texts: &[&str]) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    let is_letter = |char: &char| {
        char.is_alphabetic() && !"pas".contains(*char) || matches!(char, '\u{a0}' | '😀' | '\0')
    };
    for letter in texts.iter().flat_map(|text| text.chars().filter(is_letter)) {
        *counts.entry(letter).or_insert(0) += 1;
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_letter_is_lost((path, before, content) in file(), pick in any::<prop::sample::Index>()) {
        let targets = targets(path, &before);
        let check = |request: Request, expected: &[&str]| {
            let request = about(path, request);
            let Ok((snapshot, _)) = done(&[(path, &before)], &request) else { return Ok(()) };
            let after = text(&snapshot, path);
            prop_assert_eq!(letters(&[&after]), letters(expected), "{:?}\n{:?}\n{:?}", request, before, after);
            Ok(())
        };
        for side in [Before, After] {
            check(insert(side, "", &content), &[&before, &content])?;
        }
        if !targets.is_empty() {
            let target = &targets[pick.index(targets.len())];
            for side in [Before, After] {
                check(insert(side, target, &content), &[&before, &content])?;
                check(move_to(target, side, "a.py"), &[&before])?;
                for other in &targets {
                    check(move_beside(target, side, "a.py", other), &[&before])?;
                }
            }
        }
    }
}
