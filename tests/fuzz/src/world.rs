//! The workspace that blocks are about.

use operator_core::snapshot::MemorySnapshot;

macro_rules! example {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!("../../../spec/examples/workspace/", $path)))),*]
    };
}

/// A text with lines that are there once, and lines that are there more often.
pub const MANY: &str = "one\ntwo\none\nthree\n two\nfour\n\none two\n";

/// The example workspace, with some files whose lines end in other ways.
pub fn world() -> MemorySnapshot {
    let mut world = MemorySnapshot::of(example![
        "README.md",
        "greeter.json",
        "greeter/__init__.py",
        "greeter/cli.py",
        "notes.txt",
        "pyproject.toml",
        "tests/test_greeter.py",
    ]);
    let more: [(&str, &[u8]); 6] = [
        ("many.txt", MANY.as_bytes()),
        ("a.txt", b"one\ntwo\nthree\n"),
        ("crlf.txt", b"one\r\ntwo\r\nthree"),
        ("mixed.txt", b"one\r\ntwo\nthree\rfour"),
        ("mark.txt", b"\xEF\xBB\xBFone\n\xF0\x9F\x98\x80 two\n"),
        ("binary", b"\xFF\xFE\x00"),
    ];
    world.files.extend(more.map(|(path, bytes)| (path.to_owned(), bytes.to_vec())));
    world
}
