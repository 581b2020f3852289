//! The rooms of the core use only rooms before them: read from the `use` lines of the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::sources;

/// The rooms, each using only those before it.
const ORDER: &[&str] = &[
    "fingerprint",
    "text",
    "json",
    "path",
    "trusted",
    "parts",
    "limits",
    "spec",
    "problem",
    "edit",
    "syntax",
    "outline",
    "snapshot",
    "place",
    "structure",
    "command",
    "plan",
    "dialect",
    "prompt",
    "scan",
    "ledger",
    "review",
];

/// The rooms that a source names with `crate::`, tests apart.
fn used(code: &str) -> BTreeSet<&str> {
    let named = code.lines().flat_map(|line| line.split("crate::").skip(1));
    named
        .filter_map(|rest| rest.split(|it: char| !it.is_alphanumeric() && it != '_').next())
        .collect()
}

#[test]
fn a_room_uses_only_rooms_before_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("core/src");
    let mut upward = BTreeSet::new();
    for path in sources::files(&root, ".rs") {
        let inside = path.strip_prefix(&root).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        let room = first.trim_end_matches(".rs");
        let Some(own) = ORDER.iter().position(|it| *it == room) else {
            assert_eq!(room, "lib", "{} is in no room", path.display());
            continue;
        };
        for other in used(&sources::code(&fs::read_to_string(&path).unwrap())) {
            if ORDER.iter().position(|it| *it == other).is_some_and(|place| place > own) {
                upward.insert(format!("{room} -> {other}"));
            }
        }
    }
    assert_eq!(upward, BTreeSet::new());
}
