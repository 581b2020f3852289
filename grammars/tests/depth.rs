//! Texts nested thousands of levels deep: none may end the process or take forever.
//!
//! How long is not measured here; a parse that asks for patience too often is ended, as the
//! programs do by the clock.

use std::ops::ControlFlow;

use operator_core::outline::Parsed;
use operator_core::syntax::Unparsed;
use operator_core::text::Content;
use operator_grammars::{LANGUAGES, Language};

/// Far more levels than any file has.
const LEVELS: usize = 4_000;

/// So often a parse is let go on.
const PATIENCE: usize = 100;

/// What opens one level more, by language; brackets are tried in all of them.
const OPENERS: &[(&str, &[&str])] = &[
    ("python", &["lambda: ", "f'{", "not "]),
    ("markdown", &["> ", "- ", "1. "]),
    ("rust", &["fn a() {", "/*", "Vec<"]),
    ("javascript", &["function a() {", "`${", "a => "]),
    ("typescript", &["function a() {", "`${", "A<"]),
    ("tsx", &["<a>", "`${"]),
    ("java", &["class A {", "a(b -> "]),
    ("go", &["func() {", "struct { a "]),
    ("c", &["struct a {", "#if a\n"]),
    ("cpp", &["namespace a {", "a<", "[]() {"]),
    ("csharp", &["class A {", "$\"{"]),
    ("ruby", &["if a\n", "\"#{", "<<A,", "%w("]),
    ("php", &["<?php if (a) {", "\"{$a["]),
    ("lua", &["if a then\n", "a(function() ", "{a=", "--[[", "not "]),
    ("bash", &["if a; then\n", "$(", "cat <<A\n"]),
    ("json", &["{\"a\":", "[{\"a\":"]),
    ("yaml", &["- ", "? ", "- ? ", "{a: "]),
    ("toml", &["a = [", "a = {b = "]),
    ("html", &["<div>", "<a-b>", "<p>"]),
    ("css", &["a {", "@media x {"]),
];

fn parse(language: &Language, text: &str) -> Result<Parsed, Unparsed> {
    Parsed::new(language, Content::plain(text), &mut patience())
}

fn patience() -> impl FnMut() -> ControlFlow<()> {
    let mut asked = 0;
    move || {
        asked += 1;
        if asked < PATIENCE { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

#[test]
fn no_depth_ends_the_process() {
    for language in LANGUAGES {
        let own = OPENERS.iter().find(|(name, _)| *name == language.name);
        let (_, own) = own.expect("every language has something that nests");
        for opener in own.iter().chain(&["(", "[", "{"]) {
            let text = opener.repeat(LEVELS);
            let Ok(parsed) = parse(language, &text) else { continue };
            let mut edited = text.clone();
            edited.insert(opener.len() * (LEVELS / 2), '\n');
            let at = opener.len() * (LEVELS / 2);
            // Only that it comes back is asked for.
            let _ = parsed.edited(at..at, Content::plain(edited), &mut patience());
        }
    }
}

fn too_deep(language: &str, text: &str) -> bool {
    let language = LANGUAGES.iter().find(|known| known.name == language);
    let parsed = parse(language.expect("a language that there is"), text);
    matches!(parsed, Err(Unparsed::TooDeep))
}

/// Lines, each indented by one blank more.
fn stairs(levels: usize, line: &str) -> String {
    (0..levels).map(|level| format!("{}{line}\n", " ".repeat(level))).collect()
}

#[test]
fn what_a_scanner_has_no_room_for_is_refused() {
    assert!(too_deep("python", &stairs(600, "if 'x':")));
    assert!(!too_deep("python", &stairs(200, "if 'x':")));
    assert!(too_deep("yaml", &stairs(300, "a:")));
    assert!(!too_deep("yaml", &stairs(100, "a:")));
    assert!(too_deep("yaml", &"- ".repeat(600)));
    let heredoc = |word: usize| format!("a = <<{0}\nb\n{0}\n", "A".repeat(word));
    assert!(too_deep("bash", &"\0".repeat(100_000)));
    assert!(!too_deep("bash", &"a\0b\n".repeat(1000)));
    assert!(too_deep("yaml", &": ".repeat(600)));
    assert!(!too_deep("yaml", &"a: b : c\n".repeat(600)));
    assert!(too_deep("markdown", &"[^a]: ".repeat(1000)));
    assert!(!too_deep("markdown", &"[^a]: [^b]: c\n\n".repeat(1000)));
    assert!(too_deep("ruby", &heredoc(256)));
    assert!(!too_deep("ruby", &heredoc(255)));
    assert!(too_deep("ruby", &format!("a({}<<AAAA)\n", "<<A, ".repeat(201))));
    assert!(too_deep("csharp", &"A<".repeat(1000)));
    assert!(too_deep("csharp", &format!("var x = {} b;", "a < ".repeat(1000))));
    assert!(!too_deep("csharp", &format!("A{}{} a;", "<A".repeat(200), ">".repeat(200))));
    assert!(too_deep("html", &"<div>".repeat(3000)));
    assert!(!too_deep("html", &"<p>a<br>".repeat(3000)));
}

#[test]
fn a_parser_has_room_to_let_go_of_what_is_deep() {
    let php = LANGUAGES.iter().find(|known| known.name == "php").expect("a language that there is");
    let text = format!("<?php\n{}\n", "([{".repeat(100_000));
    let parsed = Parsed::new(php, Content::plain(text), &mut || ControlFlow::Continue(()));
    // Only that it comes back is asked for.
    assert!(parsed.is_err() || parsed.is_ok_and(|parsed| !parsed.outline.errors.is_empty()));
}

#[test]
fn structures_that_no_target_could_name_are_refused() {
    let blocks = |levels: usize| format!("{}{}", "if (a) {".repeat(levels), "}".repeat(levels));
    assert!(too_deep("javascript", &blocks(300)));
    assert!(!too_deep("javascript", &blocks(200)));
}

#[test]
fn many_of_what_may_not_be_deep_are_no_depth() {
    let flat = |line: &str| line.repeat(5000);
    assert!(!too_deep("python", &flat("if a:\n    b = f'{c}'\n")));
    assert!(!too_deep("yaml", &flat("- a: [b, c]\n  d: |\n      e - f\n")));
    assert!(!too_deep("ruby", &flat("a <<~SQL, \"#{b}\"\n  c\nSQL\n")));
    assert!(!too_deep("csharp", &flat("/// <summary>a</summary>\nbool A<B>() => c < d;\n")));
    assert!(!too_deep("html", &flat("<div><img src='a'/><p>b</div>\n")));
}
