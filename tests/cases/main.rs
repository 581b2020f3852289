//! Runs every conformance case of `spec/cases` through the real binary.
//!
//! `spec/cases/README.md` describes the format. `UPDATE_CASES=1` rewrites the expected sections in
//! place; `CASE=text` runs only the cases whose name holds the text.
#![allow(clippy::unwrap_used, reason = "a test")]

mod apply;
mod check;
#[allow(dead_code, unused_imports, reason = "made for more than is needed here")]
#[path = "../it/lsp/client/mod.rs"]
mod client;
mod coverage;
mod editor;
mod escape;
mod fixes;
mod macros;
mod parse;
mod problems;
mod report;
mod run;
mod structure;
mod suite;
mod tree;
mod update;
mod world;

#[test]
fn diff() {
    suite::run("diff", run::run, coverage::check);
}

#[test]
fn apply_patch() {
    suite::run("apply-patch", run::run, coverage::check);
}

#[test]
fn edit_ops() {
    suite::run("edit-ops", run::run, coverage::check);
}

#[test]
fn files() {
    suite::run("files", run::run, coverage::check);
}

#[test]
fn operator() {
    suite::run("operator", run::run, coverage::check);
}

#[test]
fn replacer() {
    suite::run("replacer", run::run, coverage::check);
}

#[test]
fn search_replace() {
    suite::run("search-replace", run::run, coverage::check);
}

#[test]
fn sham() {
    suite::run("sham", run::run, coverage::check);
}

#[test]
fn structure() {
    suite::run("structure", structure::run, structure::coverage);
}

#[test]
fn every_dialect_folder_has_its_test() {
    let folders = suite::dialects();
    assert_eq!(
        folders,
        [
            "apply-patch",
            "diff",
            "edit-ops",
            "files",
            "operator",
            "replacer",
            "search-replace",
            "sham",
            "structure"
        ],
        "add a test for each new folder of spec/cases"
    );
}
