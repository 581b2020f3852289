//! The rooms of the core use only rooms before them: read from the `use` lines of the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, each using only those before it.
const ORDER: &[&str] = &[
    "fingerprint",
    "json",
    "text",
    "path",
    "trusted",
    "limits",
    "spec",
    "problem",
    "edit",
    "syntax",
    "outline",
    "snapshot",
    "structure",
    "command",
    "plan",
    "dialect",
    "scan",
    "ledger",
    "review",
];

/// Uses of later rooms that are left, each `room -> later room`. Take out what goes, add nothing.
const LEFT: &[&str] = &[
    // What a request for edits was about comes through the snapshot.
    "snapshot -> command",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

/// The rooms that a source names with `crate::`, tests apart.
fn used(text: &str) -> BTreeSet<&str> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let named = lines.flat_map(|line| line.split("crate::").skip(1));
    named
        .filter_map(|rest| rest.split(|it: char| !it.is_alphanumeric() && it != '_').next())
        .collect()
}

#[test]
fn a_room_uses_only_rooms_before_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("core/src");
    let mut all = Vec::new();
    sources(&root, &mut all);
    let mut upward = BTreeSet::new();
    for path in all {
        let inside = path.strip_prefix(&root).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        let room = first.trim_end_matches(".rs");
        let Some(own) = ORDER.iter().position(|it| *it == room) else {
            assert_eq!(room, "lib", "{} is in no room", path.display());
            continue;
        };
        for other in used(&fs::read_to_string(&path).unwrap()) {
            if ORDER.iter().position(|it| *it == other).is_some_and(|place| place > own) {
                upward.insert(format!("{room} -> {other}"));
            }
        }
    }
    let left: BTreeSet<String> = LEFT.iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(upward, left);
}
