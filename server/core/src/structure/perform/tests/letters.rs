//! Operations at random in all languages: nothing that a file or a content says is lost, and nothing is there twice.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::outline::Parsed;
use crate::structure::Index;
use crate::structure::perform::insertion::Side::{After, Before};
use crate::structure::perform::place::Place;
use crate::text::{Content, Span};

/// A file's name, and pieces of its language that make sense together now and then, a `¦` between two.
type Pieces = (&'static str, &'static str);

const LANGUAGES: [Pieces; 20] = [
    (
        "a.py",
        "def f():¦class A:¦if x:¦else:¦a = 1¦; ¦b = 2¦(¦)¦lambda: 1¦, ¦[¦]¦'''¦\"¦\\¦# é¦\n¦\
         \n    ¦\n\t¦\n  ¦\r\n¦\r¦😀¦@d\n¦match x:¦\"\"\"é\"\"\"¦\n\n\n",
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
    (
        "a.php",
        "<?php\n¦?>¦function f() {¦}¦class A {¦$x = 1¦;¦// é\n¦# c¦/* 😀 */¦\n¦\n  ¦\r\n¦{¦(¦)¦\
         , ¦\"¦'¦#[d]\n¦namespace n;¦\n\n¦const B = 2;",
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
    (
        "a.ts",
        "interface I {¦}¦type T = ¦number¦enum E {¦class A {¦m(): void {¦}¦namespace N {¦@d ¦export ¦abstract ¦\
         const x = ¦() => ¦1¦;¦, ¦{¦[¦]¦// é\n¦/* 😀 */¦\n¦\n  ¦\r\n¦`¦'¦(¦)¦n?: T¦declare ¦\n\n",
    ),
    (
        "a.tsx",
        "function F() {¦}¦return ¦<div>¦</div>¦<p a={¦}>¦/>¦const x = ¦() => ¦1¦;¦, ¦{¦(¦)¦// é\n¦/* 😀 */¦\n¦\
         \n  ¦\r\n¦export default ¦`¦'¦type T = ¦\n\n",
    ),
    (
        "a.java",
        "class A {¦}¦void m() {¦int n¦ = 1¦;¦, ¦interface I {¦enum E {¦B¦C¦@D\n¦// é\n¦/* 😀 */¦/** d */\n¦\
         import k;¦package q;¦static {¦\n¦\n    ¦\r\n¦(¦)¦\"¦record R(int n) {¦\n\n",
    ),
    (
        "a.c",
        "void f() {¦}¦struct A {¦int n¦;¦, ¦ = 1¦#define X 1\n¦#if X\n¦#else\n¦#endif\n¦#include <k>\n¦enum E {¦B¦\
         typedef ¦// é\n¦/* 😀 */¦\n¦\n  ¦\r\n¦\\\n¦(¦)¦\"¦*p¦\n\n",
    ),
    (
        "a.cpp",
        "namespace n {¦}¦template <class T>\n¦class A {¦public:\n¦void f() {¦int n¦;¦, ¦ = 1¦#define X 1\n¦#if X\n¦\
         #endif\n¦enum class E {¦B¦// é\n¦/* 😀 */¦\n¦\n  ¦\r\n¦A::f() {¦(¦)¦\"¦extern \"C\" {¦using k = ¦\n\n",
    ),
    (
        "a.cs",
        "namespace N {¦namespace K;\n¦}¦class A {¦void M() {¦int N¦ { get; set; }¦ = 1¦;¦, ¦[D]\n¦#region r\n¦\
         #endregion\n¦#if X\n¦#endif\n¦using k;¦enum E {¦B¦// é\n¦/* 😀 */¦\n¦\n    ¦\r\n¦(¦)¦\"¦ => 1¦\n\n",
    ),
    (
        "a.rb",
        "def f\n¦end\n¦end¦class A\n¦module M\n¦X = 1¦y = 2¦# é\n¦if x\n¦else\n¦\n=begin\n¦\n=end\n¦<<~E\n¦E\n¦do |x|\n¦\
         {¦}¦; ¦, ¦[¦]¦\n¦\n  ¦\r\n¦\"😀\"¦private ¦attr_reader :k¦(¦)¦\n__END__\n¦\n\n",
    ),
    (
        "a.sh",
        "f() {¦}¦x=1¦# é\n¦if x; then\n¦fi\n¦else\n¦case x in\n¦a) ¦;;\n¦esac\n¦cat <<E\n¦E\n¦function g {¦\
         for i in j; do\n¦done¦; ¦ & ¦ && ¦ | ¦\\\n¦(¦)¦\n¦\n  ¦\r\n¦\"😀\"¦'¦k=(¦export ¦\n\n",
    ),
    (
        "a.lua",
        "function f()\n¦end\n¦end¦local x = ¦1¦t = ¦{¦}¦, ¦; ¦-- é\n¦--[[ 😀 ]]¦function M.g()\n¦function()\n¦\
         if x then\n¦else\n¦return t¦\n¦\n  ¦\r\n¦[[¦]]¦\"¦(¦)¦k = ¦\n\n",
    ),
    (
        "a.toml",
        "[a]\n¦[[b]]\n¦[a.b]\n¦k = ¦1¦\"é\" = ¦{ ¦ }¦[¦]¦, ¦# 😀\n¦'''¦\"¦\n¦\n  ¦\r\n¦k.m = ¦true¦\n\n",
    ),
];

fn text_of(pieces: &'static str) -> impl Strategy<Value = String> {
    let pieces: Vec<&str> = pieces.split('¦').chain(["\u{c}"]).collect();
    prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|pieces| pieces.concat())
}

fn file() -> impl Strategy<Value = (&'static str, String, String)> {
    let language = prop::sample::select(&LANGUAGES[..]);
    language.prop_flat_map(|(path, pieces)| (Just(path), text_of(pieces), text_of(pieces)))
}

/// The targets of a text, each with what goes with its structure.
fn targets(path: &str, text: &str) -> Vec<(String, String)> {
    let mut patience = || ControlFlow::Continue(());
    let language = operator_grammars::of_file(path, "").expect("it is known");
    let parsed = Parsed::new(language, Content::plain(text), &mut patience);
    let Ok(parsed) = parsed else { return Vec::new() };
    let all = parsed.outline.structures.iter().enumerate().map(|(index, structure)| {
        let Span { start, end } = structure.extent;
        // The comment after its separator goes with a structure.
        let is_markdown = path.ends_with(".md");
        let end = if is_markdown { end } else { Place::of(&parsed, index).region.end.max(end) };
        text[start..end].to_owned()
    });
    Index::new(&parsed).targets().into_iter().zip(all).collect()
}

/// How often each character is in texts, of those that an operation has to keep: all except white space, separators, and what
/// an operation may write. In Markdown these are the letters alone, and the no-break space.
fn letters(path: &str, texts: &[&str]) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    let is_letter = |char: &char| match path.rsplit_once('.') {
        Some((_, "md")) => char.is_alphabetic() || matches!(char, '\u{a0}' | '😀' | '\0'),
        _ if char.is_whitespace() => false,
        Some((_, "py")) => !",;pas".contains(*char),
        Some((_, "php")) => !",;<?ph".contains(*char),
        _ => !",;".contains(*char),
    };
    for letter in texts.iter().flat_map(|text| text.chars().filter(is_letter)) {
        *counts.entry(letter).or_insert(0) += 1;
    }
    counts
}

#[test]
fn text_that_cannot_be_read_after_a_comment_has_a_place() {
    assert_eq!(targets("a.yaml", "# é\n&n \n    - |\n\"😀\"a: ").len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_letter_is_lost((path, before, content) in file(), pick in any::<prop::sample::Index>()) {
        let other_path = path.replacen('a', "b", 1);
        // What is there afterwards, and what has to be at least: of what was there and what came, all but what goes.
        let check = |request: Request, came: &str, goes: &str, may_grow: bool| {
            let mut request = about(path, request);
            if request.arguments.dest_path == "b.py" {
                request.arguments.dest_path.clone_from(&other_path);
            }
            let Ok((snapshot, _)) = done(&[(path, &before)], &request) else { return Ok(()) };
            let after = letters(path, &[&text(&snapshot, path), &text(&snapshot, &other_path)]);
            let gone = letters(path, &[goes]);
            for (letter, count) in letters(path, &[&before, came]) {
                let (now, least) = (after.get(&letter).copied().unwrap_or(0), count - gone.get(&letter).unwrap_or(&0));
                // An empty body may take the place of what went.
                let may_grow = may_grow || "{}".contains(letter);
                let is_right = if may_grow { now >= least } else { now == least };
                prop_assert!(is_right, "{:?}: {:?}\n{:?}\n{:?}", letter, request, before, text(&snapshot, path));
            }
            Ok(())
        };
        for side in [Before, After] {
            check(insert(side, "", &content), &content, "", false)?;
        }
        let targets = targets(path, &before);
        if !targets.is_empty() {
            let (target, own) = &targets[pick.index(targets.len())];
            check(replace(target, &content), &content, own, true)?;
            check(delete(target), "", own, true)?;
            for side in [Before, After] {
                check(insert(side, target, &content), &content, "", false)?;
                check(move_to(target, side, "a.py"), "", "", false)?;
                check(move_to(target, side, "b.py"), "", "", true)?;
                for (other, _) in &targets {
                    check(move_beside(target, side, "a.py", other), "", "", false)?;
                }
            }
        }
    }
}
