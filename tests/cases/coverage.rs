//! Whether the cases show everything: each problem code, each action, each quick fix.

use std::collections::BTreeSet;

use operator_core::command::edit_ops;
use operator_core::problem::{Code, Severity};
use operator_core::spec;

use crate::run::Outcome;

/// What the cases of a dialect must show besides its own codes and its actions.
struct Demand {
    dialect: &'static str,
    /// The shared codes that its cases show: those that no other dialect's do, or that it has in
    /// its own way.
    shared: &'static [&'static str],
    /// Whether all shared codes are its own to show but those that others do.
    rest: bool,
    /// The codes with a quick fix that the design's table for the dialect demands.
    fixed: &'static [&'static str],
}

const DEMANDS: &[Demand] = &[
    Demand {
        dialect: "operator",
        shared: &[],
        rest: true,
        fixed: &[
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
        ],
    },
    Demand {
        dialect: "search-replace",
        shared: &[
            "chat/draft",
            "chat/not-applied",
            "chat/superseded",
            "plan/own-name",
            "plan/unlikely-path",
            "scan/indented",
            "scan/inside-unterminated",
        ],
        rest: false,
        fixed: &[
            "scan/indented",
            "search-replace/fence-inside",
            "search-replace/line-numbers-inside",
            "search-replace/missing-divider",
            "search-replace/missing-end",
            "search-replace/missing-path",
            "search-replace/mixed-markers",
            "search-replace/text-on-marker",
        ],
    },
    Demand {
        dialect: "apply-patch",
        shared: &["scan/inside-unterminated"],
        rest: false,
        fixed: &["apply-patch/missing-blank", "apply-patch/missing-end", "scan/indented"],
    },
    Demand {
        dialect: "diff",
        shared: &[],
        rest: false,
        fixed: &[
            "diff/closed-fence",
            "diff/malformed-hunk",
            "diff/missing-blank",
            "diff/missing-path",
            "diff/wrong-count",
            "scan/indented",
        ],
    },
    Demand {
        dialect: "edit-ops",
        shared: &["scan/inside-unterminated"],
        rest: false,
        fixed: &["edit-ops/invalid-json", "edit-ops/schema", "edit-ops/unknown-file", "plan/stale"],
    },
    Demand {
        dialect: "files",
        shared: &[],
        rest: false,
        fixed: &["files/not-announced", "files/open-fence", "scan/indented"],
    },
    Demand {
        dialect: "replacer",
        shared: &["scan/inside-unterminated"],
        rest: false,
        fixed: &[
            "replacer/empty-search",
            "replacer/marker-not-alone",
            "replacer/missing-end",
            "replacer/path-guessed",
            "replacer/path-not-plain",
            "replacer/unexpected-marker",
            "replacer/unexpected-text",
        ],
    },
    Demand {
        dialect: "sham",
        shared: &[
            "plan/count-mismatch",
            "plan/directory-not-empty",
            "plan/files-unreadable",
            "plan/invalid-lines",
            "plan/no-line-comment",
            "plan/no-paths",
            "plan/not-in-context",
            "plan/text-empty",
            "scan/inside-unterminated",
            "structure/invalid-destination",
            "structure/language-mismatch",
            "structure/text-empty",
        ],
        rest: false,
        fixed: &[
            "plan/stale",
            "sham/duplicate-key",
            "sham/invalid-assignment-operator",
            "sham/invalid-boolean",
            "sham/invalid-heredoc-delimiter",
            "sham/invalid-path",
            "sham/invalid-value",
            "sham/malformed-header",
            "sham/marker-not-exact",
            "sham/mismatched-end",
            "sham/missing-parameter",
            "sham/trailing-content",
            "sham/unclosed-block",
            "sham/unclosed-heredoc",
            "sham/unclosed-quote",
            "sham/unexpected-end",
            "sham/unknown-action",
            "sham/unknown-key",
        ],
    },
];

/// The codes that no case can show, with where they are tested: a place that does not fit takes a
/// request that this very server has answered (`plan/tests/edit_ops.rs`); replies are too large
/// once files of many megabytes are read (`tests/it/cli/replies.rs`); an equal block above is applied
/// before (`tests/it/cli/ledger.rs`), and so is one that has replaced the text of another; what is not saved elsewhere takes
/// another editor (`tests/it/lsp/unsaved.rs`).
const ELSEWHERE: &[&str] = &[
    "edit-ops/out-of-range",
    "plan/made-above",
    "plan/reply-too-large",
    "plan/text-replaced",
    "plan/not-reloaded",
    "plan/unsaved",
];

/// The errors that no text of a model corrects, with the reason.
const NOT_FOR_THE_MODEL: &[(&str, &str)] = &[
    ("diff/mode-not-applied", "modes are the user's to change"),
    ("operator/unexpected-end", "it belongs to no block, so no reply names it; the user sees it"),
    ("plan/all-or-nothing", "another block failed, and its own reply says why"),
    ("plan/client-cannot", "the user's editor cannot; the command line can"),
    ("plan/io", "the user's disk or system failed"),
    ("plan/needs-a-look", "the user must look and choose"),
    ("plan/no-workspace", "the user opens a folder"),
    ("plan/permission-denied", "the user gives the permission"),
    ("plan/text-replaced", "another block was applied instead"),
    ("plan/unsynced", "the user's editor must open the document again"),
    ("scan/too-many-blocks", "the transcript is too long, and the user begins another"),
    ("scan/too-many-problems", "what is wrong is said by the problems before it"),
    ("scan/transcript-too-large", "the transcript is too long, and the user begins another"),
    ("sham/exec-disabled", "the user allows programs, or does not"),
    ("sham/user-only", "the action is the user's, and no block has it"),
];

/// Whether a model is to send a corrected text for a problem.
fn is_for_the_model(code: &str) -> bool {
    let entry = spec::problems().iter().find(|entry| entry.code == code);
    entry.is_some_and(|entry| entry.severity == Severity::Error)
        && !NOT_FOR_THE_MODEL.iter().any(|(other, _)| *other == code)
}

/// Whether a problem code is one that every dialect has.
fn is_shared(code: &str) -> bool {
    ["scan/", "plan/", "structure/", "reply/", "settings/"]
        .iter()
        .any(|start| code.starts_with(start))
}

impl Demand {
    /// Whether the dialect's cases must show a code.
    fn wants(&self, code: &str) -> bool {
        let own = code.split_once('/').is_some_and(|(dialect, _)| dialect == self.dialect);
        let others = || DEMANDS.iter().any(|it| !it.rest && it.shared.contains(&code));
        let rest = self.rest && is_shared(code) && !others();
        (own || rest || self.shared.contains(&code)) && !ELSEWHERE.contains(&code)
    }
}

/// Fails with the names of everything that no case shows.
pub fn check(dialect: &str, outcomes: &[Outcome]) {
    let all = |of: fn(&Outcome) -> &BTreeSet<String>| -> BTreeSet<&str> {
        outcomes.iter().flat_map(of).map(String::as_str).collect()
    };
    let codes = all(|outcome| &outcome.codes);
    let actions = all(|outcome| &outcome.actions);
    let offered = all(|outcome| &outcome.offered);
    let shown = all(|outcome| &outcome.shown);
    let demand = DEMANDS.iter().find(|demand| demand.dialect == dialect).expect("a dialect");
    let known = Code::ALL.iter().map(|code| code.as_str());
    let wanted: Vec<&str> = known.filter(|code| demand.wants(code)).collect();
    let mut missing: Vec<String> = wanted
        .iter()
        .filter(|code| !codes.contains(*code))
        .map(|code| format!("no case shows the problem {code}"))
        .collect();
    let corrected = all(|outcome| &outcome.corrected);
    let without = wanted.iter().filter(|code| is_for_the_model(code) && !corrected.contains(*code));
    missing.extend(
        without.map(|code| format!("no case shows the reply to {code} and a corrected text")),
    );
    let wanted = spec::actions(dialect).map(|action| action.name.as_str());
    missing.extend(
        wanted.filter(|name| !actions.contains(name)).map(|it| format!("no case asks for {it}")),
    );
    // A fix for another dialect's block is that dialect's to show.
    let offered = offered.into_iter().filter(|code| is_shared(code) || demand.wants(code));
    let wanted: BTreeSet<&str> = demand.fixed.iter().copied().chain(offered).collect();
    missing.extend(
        wanted.difference(&shown).map(|code| format!("no `fixed` section for a fix of {code}")),
    );
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn each_code_is_shown_by_some_dialect() {
    for code in Code::ALL {
        let code = code.as_str();
        let elsewhere = ELSEWHERE.contains(&code);
        assert!(
            elsewhere || DEMANDS.iter().any(|demand| demand.wants(code)),
            "no dialect's cases show {code}"
        );
    }
}

#[test]
fn what_no_model_corrects_is_an_error() {
    for (code, reason) in NOT_FOR_THE_MODEL {
        let entry = spec::problems().iter().find(|entry| entry.code == *code);
        assert!(entry.is_some_and(|entry| entry.severity == Severity::Error), "{code}: {reason}");
    }
}

#[test]
fn the_page_and_the_code_name_the_same_problems() {
    let page: BTreeSet<_> = spec::problems().iter().map(|entry| entry.code.as_str()).collect();
    let code: BTreeSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(page, code);
}

#[test]
fn the_schema_of_proposals_is_that_of_the_types() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/edit-ops.schema.json");
    let types = format!("{:#}\n", edit_ops::schema().to_value());
    if std::env::var_os("UPDATE_CASES").is_some() {
        std::fs::write(path, &types).expect("the page can be written");
    }
    let page = std::fs::read_to_string(path).expect("the page is there");
    assert_eq!(page, types, "UPDATE_CASES=1 writes the page anew");
}
