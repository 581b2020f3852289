//! What must hold of the structures of any source text.

use operator_core::limits::Limits;
use operator_core::outline::Parsed;
use operator_core::snapshot::MemorySnapshot;
use operator_core::structure::{Arguments, OPERATIONS, Request, open, perform};
use operator_core::text::Content;
use operator_grammars::LANGUAGES;

/// How many structures of a file are looked at.
const SOME: usize = 20;

/// Checks one input: a source text. The first character says its language; after NUL bytes come a
/// target, a content, and an edit.
pub fn run(input: &[u8]) {
    let Ok(input) = str::from_utf8(input) else { return };
    let mut characters = input.chars();
    let Some(language) = characters.next().map(|it| u32::from(it) as usize) else { return };
    let mut parts = characters.as_str().split('\0');
    let mut next = || parts.next().unwrap_or_default();
    let (source, target, content, edit) = (next(), next(), next(), next());
    check(language, source, target, content);
    let mut characters = edit.chars();
    let mut number = || characters.next().map_or(0, |it| u32::from(it) as usize);
    let (at, gone) = (number(), number());
    check_edit(language, source, at.min(source.len()), gone, characters.as_str());
}

/// Whatever the text is: each structure is found by its own target, lies in the one around it, and
/// no operation on it panics.
fn check(language: usize, source: &str, target: &str, content: &str) {
    let language = &LANGUAGES[language % LANGUAGES.len()];
    let Some(extension) = language.extensions.first() else { return };
    let path = format!("file.{extension}");
    let world = MemorySnapshot::of([(path.as_str(), source)]);
    let limits = Limits::default();
    operations(&path, target, content, &world);
    let Ok(parsed) = open(&path, &world, &limits) else { return };
    nested(&parsed);
    for listed in parsed.listing().into_iter().take(SOME) {
        let (path, target) = (path.clone(), listed.target.clone());
        let read = request("read_structure", Arguments { path, target, ..Default::default() });
        if let Err(failure) = perform(&read, &world, &limits) {
            assert_ne!(failure.code.as_str(), "TARGET_NOT_FOUND", "{listed:?}");
            assert_ne!(failure.code.as_str(), "AMBIGUOUS_TARGET", "{listed:?}");
        }
        operations(&read.arguments.path, &listed.target, content, &world);
    }
}

/// What an edit of the source leaves is what a fresh parse finds.
fn check_edit(language: usize, source: &str, at: usize, gone: usize, new: &str) {
    let language = &LANGUAGES[language % LANGUAGES.len()];
    let mut patience = || std::ops::ControlFlow::Continue(());
    let Ok(parsed) = Parsed::new(language, Content::plain(source), &mut patience) else { return };
    let text = parsed.text();
    let (start, end) = (text.floor_char_boundary(at), text.floor_char_boundary(at + gone));
    let edited = format!("{}{new}{}", &text[..start], &text[end..]);
    let fresh = Parsed::new(language, Content::plain(edited.clone()), &mut patience);
    let followed = parsed.edited(start..end, Content::plain(edited), &mut patience);
    match (fresh, followed) {
        (Ok(fresh), Ok(followed)) => assert_eq!(fresh.listing(), followed.listing()),
        (fresh, followed) => assert_eq!(fresh.err(), followed.err()),
    }
}

fn nested(parsed: &Parsed) {
    let structures = &parsed.outline.structures;
    for (index, structure) in structures.iter().enumerate() {
        assert!(parsed.text().get(structure.extent.clone()).is_some(), "{structure:?}");
        if let Some(parent) = structure.parent {
            let around = &structures[parent].extent;
            assert!(parent < index, "{structure:?}");
            assert!(
                around.start <= structure.extent.start && structure.extent.end <= around.end,
                "{structure:?} in {around:?}"
            );
        }
    }
}

fn request(name: &str, arguments: Arguments) -> Request {
    Request::new(name, arguments).expect("it is in the table")
}

/// Every operation there is, on one target.
fn operations(path: &str, target: &str, content: &str, world: &MemorySnapshot) {
    let arguments = Arguments {
        path: path.to_owned(),
        target: target.to_owned(),
        dest_path: path.to_owned(),
        content: content.to_owned(),
        old_text: content.split_whitespace().next().unwrap_or("x").to_owned(),
        new_text: "y".to_owned(),
        ..Default::default()
    };
    for operation in OPERATIONS {
        let request = request(operation.name, arguments.clone());
        if let Ok(done) = perform(&request, world, &Limits::default()) {
            world.clone().apply(&done.changes);
        }
    }
}
