//! Whether the cases show everything: each problem code, each action, each quick fix.

use std::collections::BTreeSet;

use operator_core::{problem::Code, spec};

use crate::run::Outcome;

/// Codes that no case can show, and why; the unit tests of the named module show them.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "scan/inside-unterminated",
        "no block of this dialect carries raw text; `operator_core::scan::tests`",
    ),
    ("structure/invalid-destination", MOVES),
    ("structure/language-mismatch", MOVES),
    ("structure/text-empty", TEXTS),
    ("plan/count-mismatch", TEXTS),
];

const MOVES: &str = "no action of this dialect moves a structure; spec/cases/structure";
const TEXTS: &str = "no action of this dialect replaces text in a structure; spec/cases/structure";

/// The codes with a quick fix that the design's table for the dialect demands.
const FIXED: &[&str] = &[
    "operator/blank-line",
    "operator/duplicate-id",
    "operator/duplicate-key",
    "operator/forbidden-path",
    "operator/inline-content",
    "operator/invalid-base64",
    "operator/invalid-patch",
    "operator/marker-not-alone",
    "operator/missing-end",
    "operator/missing-field",
    "operator/missing-path",
    "operator/nested-block",
    "operator/not-key-value",
    "operator/payload-conflict",
    "operator/unexpected-end",
    "operator/unknown-action",
    "operator/unknown-field",
    "operator/unsupported-version",
    "operator/workspace-field",
    "plan/patch-mismatch",
    "plan/stale",
];

/// Fails with the names of everything that no case shows.
pub fn check(dialect: &str, outcomes: &[Outcome]) {
    let all = |of: fn(&Outcome) -> &BTreeSet<String>| -> BTreeSet<&str> {
        outcomes.iter().flat_map(of).map(String::as_str).collect()
    };
    let codes = all(|outcome| &outcome.codes);
    let actions = all(|outcome| &outcome.actions);
    let offered = all(|outcome| &outcome.offered);
    let shown = all(|outcome| &outcome.shown);
    let elsewhere: BTreeSet<&str> = ELSEWHERE.iter().map(|(code, _)| *code).collect();
    let known = Code::ALL.iter().map(|code| code.as_str());
    let prefix = format!("{dialect}/");
    let shared = |code: &&str| {
        ["scan/", "plan/", "structure/", "settings/"].iter().any(|start| code.starts_with(start))
    };
    let wanted = known.filter(|code| shared(code) || code.starts_with(&prefix));
    let mut missing: Vec<String> = wanted
        .filter(|code| !codes.contains(code) && !elsewhere.contains(code))
        .map(|code| format!("no case shows the problem {code}"))
        .collect();
    let wanted = spec::actions(dialect).map(|action| action.name.as_str());
    missing.extend(
        wanted.filter(|name| !actions.contains(name)).map(|it| format!("no case asks for {it}")),
    );
    let wanted: BTreeSet<&str> = FIXED.iter().copied().chain(offered).collect();
    missing.extend(
        wanted.difference(&shown).map(|code| format!("no `fixed` section for a fix of {code}")),
    );
    missing.extend(
        elsewhere.intersection(&codes).map(|code| format!("{code} is shown here, not elsewhere")),
    );
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn the_list_of_exceptions_names_real_codes() {
    for (code, _) in ELSEWHERE {
        assert!(Code::ALL.iter().any(|known| known.as_str() == *code), "{code}");
    }
}

#[test]
fn the_page_and_the_code_name_the_same_problems() {
    let page: BTreeSet<_> = spec::problems().iter().map(|entry| entry.code.as_str()).collect();
    let code: BTreeSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(page, code);
}
