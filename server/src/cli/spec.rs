//! `spec`: the interface specification of a dialect, or of the operations on structures.

use std::io::{self, Write};

use operator_core::{dialect, spec};

use super::Exit;
use super::args::SpecArgs;

const STRUCTURE: &str = "structure";
const STRUCTURE_HELP: &str = "the operations on functions, classes, sections";

/// What there is a specification of.
pub fn names() -> impl Iterator<Item = &'static str> {
    dialect::written().map(|rules| rules.name).chain([STRUCTURE])
}

/// Prints the specification, or the names with what each is.
pub fn run(args: &SpecArgs) -> io::Result<Exit> {
    if args.list {
        return list();
    }
    let rules = dialect::written().find(|rules| rules.name == args.name);
    let text = rules.map_or(spec::STRUCTURE, |rules| rules.specification);
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Fine)
}

fn list() -> io::Result<Exit> {
    let is_recommended = |name: &str| name == dialect::recommended().name;
    let mut all: Vec<_> = dialect::written()
        .map(|rules| (rules.name, rules.help))
        .chain([(STRUCTURE, STRUCTURE_HELP)])
        .collect();
    all.sort_by_key(|(name, _)| !is_recommended(name));
    let mut out = io::stdout().lock();
    for (name, help) in all {
        let recommended = if is_recommended(name) { " (recommended)" } else { "" };
        writeln!(out, "{name}\t{help}{recommended}")?;
    }
    Ok(Exit::Fine)
}
