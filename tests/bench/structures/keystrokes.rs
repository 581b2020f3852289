//! Structures kept up through edits are those of a fresh parse, on real code.

use std::ops::ControlFlow;

use operator_core::outline::Parsed;
use operator_core::syntax::{LANGUAGES, Unparsed};
use operator_core::text::Content;

use crate::library;

/// Every so many files one is edited, and each so many times.
const EVERY: usize = 30;
const EDITS: usize = 12;

/// What is typed or pasted; some of it breaks the code, some fixes it again.
const TYPED: &[&str] = &[
    "x",
    "\n",
    "    ",
    "(",
    ")",
    "\"\"\"",
    "'",
    "#",
    ":",
    "def f():\n    pass\n",
    "@a\n",
    "else:\n",
    "lambda: 0",
    "class A:\n",
    "\\",
    "é",
];

#[test]
fn structures_after_edits_are_those_of_a_fresh_parse() {
    let python = LANGUAGES.iter().find(|language| language.name == "python");
    let python = python.expect("Python is a language");
    let fresh = |content: Content| -> Result<Parsed, Unparsed> {
        Parsed::new(python, content, &mut || ControlFlow::Continue(()))
    };
    let mut state: u64 = 7;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 33) as usize % below.max(1)
    };
    for path in library::files().iter().step_by(EVERY) {
        let bytes = std::fs::read(path).expect("the library can be read");
        let Ok(content) = Content::of_bytes(bytes) else { continue };
        let mut now = fresh(content).expect("it is code");
        for _ in 0..EDITS {
            let text = now.text();
            let mut start = random(text.len());
            let mut end = (start + [0, 0, 1, 9, 400][random(5)]).min(text.len());
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            while !text.is_char_boundary(end) {
                end += 1;
            }
            let mut after = text.to_owned();
            after.replace_range(start..end, TYPED[random(TYPED.len())]);
            let content = Content::plain(after);
            let edited = now.edited(start..end, content.clone(), &mut || ControlFlow::Continue(()));
            now = edited.expect("it was code");
            let expected = fresh(content).expect("it was code").outline;
            assert!(now.outline == expected, "{}: {start}..{end}", path.display());
        }
    }
}
