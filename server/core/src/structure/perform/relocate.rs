//! The four operations that move a structure, within a file or to another one of its language.
//!
//! It is put into its new place first and taken out of the old one then, so that both happen in
//! sound syntax.

use super::block::{Block, Layout};
use super::delete::{Taken, suspects, take_out};
use super::find::{self, Goal};
use super::insert::{Put, put};
use super::insertion::{Putting, Side, is_joint, opening};
use super::origin::Origin;
use super::place::Place;
use super::warnings::{self, Suspect};
use super::written::Written;
use super::{Context, aliases, frame, markdown, prologue};
use crate::edit::Target as Touched;
use crate::edit::{Change, ChangeSet};
use crate::outline::Parsed;
use crate::path::{FilePath, State};
use crate::structure::Arguments;
use crate::structure::file::{File, unparsed, unsupported};
use crate::structure::output::{Done, LineRange, Output, Warning};
use crate::structure::{ErrorCode, Failure, Kind};
use crate::syntax::Language;
use crate::text::lines::Ending;
use crate::text::{Content, Span};

/// What moves.
struct Source {
    file: File,
    index: usize,
    lines: LineRange,
}

/// What a move comes to.
struct Moved {
    lines: LineRange,
    warnings: Vec<Warning>,
    changes: ChangeSet,
    targets: Vec<Touched>,
}

/// Beside another structure.
pub(super) fn beside(
    context: &Context<'_>,
    arguments: &Arguments,
    side: Side,
) -> Result<Done, Failure> {
    let source = Source::find(context, arguments)?;
    let dest_path = &arguments.dest_path;
    let resolved = context.resolve(dest_path, "read")?;
    if resolved == source.file.path {
        let goal = find::one(&source.file, &arguments.dest_target)?;
        if let Goal::Structure(index) = goal {
            check_destination(&source, index)?;
            if is_there(&source, index, side) {
                return stays(context, &source);
            }
        }
        return Ok(done(&source, within(context, &source, goal, side)?));
    }
    let dest = context.open(dest_path, resolved)?;
    check_language(&source, dest.parsed.language(), dest_path)?;
    let goal = find::one(&dest, &arguments.dest_target)?;
    Ok(done(&source, across(context, &source, &dest, goal, side)?))
}

/// At the start or the end of a file, which is made where it is missing.
pub(super) fn to_edge(
    context: &Context<'_>,
    arguments: &Arguments,
    side: Side,
) -> Result<Done, Failure> {
    let source = Source::find(context, arguments)?;
    let dest_path = &arguments.dest_path;
    let resolved = context.resolve(dest_path, "write")?;
    let kind = context.snapshot.kind(&resolved);
    if kind.map_err(|why| Failure::denied(dest_path, &why, "write"))?.is_none() {
        return Ok(done(&source, to_new_file(context, &source, resolved, dest_path)?));
    }
    if resolved == source.file.path {
        if is_at_edge(&source, side) {
            return stays(context, &source);
        }
        return Ok(done(&source, within(context, &source, Goal::File, side)?));
    }
    let dest = context.open(dest_path, resolved)?;
    check_language(&source, dest.parsed.language(), dest_path)?;
    Ok(done(&source, across(context, &source, &dest, Goal::File, side)?))
}

fn done(source: &Source, moved: Moved) -> Done {
    Done {
        output: Output::Moved { from: source.lines, to: moved.lines },
        warnings: moved.warnings,
        changes: moved.changes,
        targets: moved.targets,
    }
}

impl Source {
    fn find(context: &Context<'_>, arguments: &Arguments) -> Result<Source, Failure> {
        let file = context.source(&arguments.path)?;
        let Goal::Structure(index) = find::one(&file, &arguments.target)? else {
            let message =
                "the target is the whole file, which goes into no structure; move the file";
            return Err(Failure::new(ErrorCode::InvalidDestination, message));
        };
        let lines = file.parsed.lines_of(&file.parsed.outline.structures[index].extent);
        Ok(Source { file, index, lines })
    }

    fn block(&self) -> Block {
        let parsed = &self.file.parsed;
        let kind = parsed.outline.structures[self.index].kind;
        Block::of_place(parsed, &Place::of(parsed, self.index), kind)
    }

    /// What it is to be where it goes.
    fn origin(&self, dest: &Parsed, goal: Goal) -> Origin<'_> {
        let shows = self.shows(dest, goal);
        Origin { parsed: &self.file.parsed, index: self.index, shows }
    }

    /// Whether it is a structure where it goes: a variable is none in a function.
    fn shows(&self, dest: &Parsed, goal: Goal) -> bool {
        let kind = self.file.parsed.outline.structures[self.index].kind;
        let structures = &dest.outline.structures;
        let mut around = match goal {
            Goal::File => None,
            Goal::Structure(index) => structures[index].parent,
        };
        let may_hide = matches!(kind, Kind::Variable | Kind::Constant | Kind::Field | Kind::Lambda);
        while let Some(parent) = around.filter(|_| may_hide) {
            if structures[parent].kind.runs() {
                return false;
            }
            around = structures[parent].parent;
        }
        true
    }

    /// Takes it out of its file, which goes to another one, with the warnings about that.
    fn taken_out(&self, context: &Context<'_>) -> Result<(Written, Vec<Warning>), Failure> {
        let parsed = &self.file.parsed;
        let extent = &parsed.outline.structures[self.index].extent;
        if let Some(at) = aliases::outside(parsed, extent) {
            return Err(other_value(parsed, at, &self.file.path.path));
        }
        let taken = take_out(context, &self.file, parsed, self.index)?;
        check_rest(&taken, parsed)?;
        let Taken { written, edits, .. } = taken;
        let suspects = suspects(parsed, self.index, &edits);
        let warnings = warnings::of(&written, None, &suspects, None);
        Ok((written, warnings))
    }
}

fn check_language(source: &Source, dest: &Language, dest_path: &str) -> Result<(), Failure> {
    let language = source.file.parsed.language();
    if language.name == dest.name {
        return Ok(());
    }
    let message =
        format!("`{}` is {}, `{dest_path}` is {}", source.file.path, language.title, dest.title);
    Err(Failure::new(ErrorCode::LanguageMismatch, message)
        .detail("source_language", language.name)
        .detail("dest_language", dest.name))
}

fn check_destination(source: &Source, dest: usize) -> Result<(), Failure> {
    let is_inside = source.file.parsed.outline.is_inside(dest, source.index);
    if dest != source.index && !is_inside {
        return Ok(());
    }
    let what = if is_inside { "lies inside the structure" } else { "is the structure itself" };
    let message = format!("the destination {what} that is to move");
    Err(Failure::new(ErrorCode::InvalidDestination, message))
}

/// Checks that what a structure that moves was in can do without it.
fn check_rest(taken: &Taken, before: &Parsed) -> Result<(), Failure> {
    let after = &taken.written.after;
    let errors = &after.outline.errors;
    let is_broken = errors.len() > before.outline.errors.len();
    let broken = errors.first().filter(|_| is_broken).map(|error| error.start);
    let Some(offset) = taken.misread.or(broken) else { return Ok(()) };
    let message = format!(
        "what it is in cannot do without it: line {} of `{}` would be read as something else",
        crate::text::lines::number_at(after.text(), offset.min(after.text().len())),
        taken.written.touched.path
    );
    Err(Failure::new(ErrorCode::InvalidDestination, message))
}

/// Whether the structure is beside that one already, on that side and with nothing between.
fn is_there(source: &Source, dest: usize, side: Side) -> bool {
    let parsed = &source.file.parsed;
    let structures = &parsed.outline.structures;
    let (first, second) = match side {
        Side::Before => (source.index, dest),
        Side::After => (dest, source.index),
    };
    let [first, second] = [first, second].map(|index| &structures[index]);
    let between = parsed.text().get(first.extent.end..second.extent.start);
    // The lines of a quote begin with its markers.
    let parts = |char: char| char.is_whitespace() || matches!(char, ',' | ';' | '>');
    first.parent == second.parent && between.is_some_and(|between| between.chars().all(parts))
}

/// Whether the structure is at the start or the end of its file already.
fn is_at_edge(source: &Source, side: Side) -> bool {
    let parsed = &source.file.parsed;
    let structure = &parsed.outline.structures[source.index];
    let beyond = match side {
        Side::Before => prologue::end(parsed)..structure.extent.start,
        Side::After => structure.extent.end..prologue::close(parsed),
    };
    let beyond = parsed.text().get(beyond);
    structure.parent.is_none() && beyond.is_some_and(|beyond| beyond.trim().is_empty())
}

/// Everything stays as it is.
fn stays(context: &Context<'_>, source: &Source) -> Result<Done, Failure> {
    let text = source.file.parsed.text().to_owned();
    let written = Written::new(context, &source.file, text)?;
    let moved = Moved {
        lines: source.lines,
        warnings: Vec::new(),
        changes: ChangeSet::default(),
        targets: vec![written.touched],
    };
    Ok(done(source, moved))
}

/// Within one file.
fn within(
    context: &Context<'_>,
    source: &Source,
    goal: Goal,
    side: Side,
) -> Result<Moved, Failure> {
    let file = &source.file;
    let structures = &file.parsed.outline.structures;
    let block = source.block();
    let putting = Putting { parsed: &file.parsed, block: &block, is_native: true };
    let origin = source.origin(&file.parsed, goal);
    let put = put(context, file, &putting, goal, side, Some(origin))?;
    if !put.fits() {
        return Err(put.refusal());
    }
    let Put { written: both, insertion, .. } = put;
    let own_start = insertion.edits.moved(structures[source.index].own_start);
    let Some(old) = place_of(&both.after, own_start, &insertion.written) else {
        return Err(lost(&both));
    };
    // A comment beside it may have become its own.
    if !markdown::is(file.parsed.language())
        && text_of(&both.after, old).ne(text_of(&file.parsed, source.index))
    {
        return Err(lost(&both));
    }
    let taken = take_out(context, file, &both.after, old)?;
    check_rest(&taken, &both.after)?;
    let Taken { written, edits: removal, .. } = taken;
    let new = removal.moved_start(insertion.written.start)..removal.moved(insertion.written.end);
    let extent = &structures[source.index].extent;
    let rebound = aliases::rebound((&file.parsed, extent), (&written.after, &new));
    if let Some(at) = rebound {
        return Err(other_value(&written.after, at, &file.path.path));
    }
    let parent = structures[source.index].parent;
    let suspect = parent.map(|parent| Suspect {
        before: parent,
        own_start: removal.moved(insertion.edits.moved(structures[parent].own_start)),
    });
    let suspects: Vec<Suspect> = suspect.into_iter().collect();
    Ok(Moved {
        lines: written.after.lines_of(&new),
        warnings: warnings::of(&written, Some(&new), &suspects, None),
        changes: written.change.into_iter().collect(),
        targets: vec![written.touched],
    })
}

/// The failure where a name would stand for another value where it goes, or for none.
fn other_value(parsed: &Parsed, at: usize, path: &str) -> Failure {
    let line = crate::text::lines::number_at(parsed.text(), at);
    let message = format!(
        "the destination cannot hold it: the alias in line {line} of `{path}` would stand for something else"
    );
    Failure::new(ErrorCode::InvalidDestination, message)
}

/// The failure where a file does not show any more what is to be taken out of it.
fn lost(written: &Written) -> Failure {
    let message = format!(
        "the destination cannot hold it: `{}` would be read as something else",
        written.touched.path
    );
    Failure::new(ErrorCode::InvalidDestination, message)
}

/// All that goes where a structure goes, without white space and what sets it apart from its neighbours.
fn text_of(parsed: &Parsed, index: usize) -> impl Iterator<Item = char> + '_ {
    let text = &parsed.text()[Place::of(parsed, index).region];
    text.chars().filter(|char| !is_joint(*char))
}

/// The structure that begins at an offset and is not the one that was written.
fn place_of(parsed: &Parsed, own_start: usize, new: &Span) -> Option<usize> {
    let structures = parsed.outline.structures.iter();
    let mut found = structures.enumerate().filter(|(_, it)| it.own_start == own_start);
    let is_old = |start: usize| start >= new.end || start < new.start;
    found.find(|(_, it)| is_old(it.own_start)).map(|(index, _)| index)
}

/// To another file that is there.
fn across(
    context: &Context<'_>,
    source: &Source,
    dest: &File,
    goal: Goal,
    side: Side,
) -> Result<Moved, Failure> {
    let block = source.block();
    let putting = Putting { parsed: &dest.parsed, block: &block, is_native: false };
    let origin = source.origin(&dest.parsed, goal);
    let put = put(context, dest, &putting, goal, side, Some(origin))?;
    if !put.fits() {
        return Err(put.refusal());
    }
    let Put { written: put, insertion, .. } = put;
    let (taken, of_taken) = source.taken_out(context)?;
    let mut warnings = warnings::of(&put, Some(&insertion.written), &[], None);
    warnings.extend(of_taken);
    Ok(Moved {
        lines: put.after.lines_of(&insertion.written),
        warnings,
        // What is written comes first: at worst a structure is there twice, never not at all.
        changes: put.change.into_iter().chain(taken.change).collect(),
        targets: vec![put.touched, taken.touched],
    })
}

/// To a file that is made.
fn to_new_file(
    context: &Context<'_>,
    source: &Source,
    path: FilePath,
    dest_path: &str,
) -> Result<Moved, Failure> {
    let language =
        operator_grammars::of_file(&path.path, "").ok_or_else(|| unsupported(dest_path))?;
    check_language(source, language, dest_path)?;
    let writable = context.snapshot.writable(&path);
    writable.map_err(|why| Failure::denied(dest_path, &why, "write"))?;
    let ending = Ending::dominant(source.file.parsed.text());
    let layout = Layout { base: "", unit: None, ending: Some(ending), separator: "" };
    let mut text = opening(language, ending.as_str());
    let start = text.len();
    text.push_str(&source.block().text(&layout));
    let new = start..text.len();
    text.push_str(ending.as_str());
    let content = Content::plain(text);
    context.check_size(dest_path, &content)?;
    let mut patience = context.snapshot.patience(content.len());
    let parsed = Parsed::new(language, content.clone(), &mut patience);
    let parsed = parsed.map_err(|why| unparsed(dest_path, why))?;
    let shows = parsed.outline.structures.iter().any(|it| new.contains(&it.own_start));
    let origin = source.origin(&parsed, Goal::File);
    let is_held = !(0..parsed.outline.structures.len()).any(|it| frame::is_excluded(&parsed, it));
    let is_kept = markdown::is(language) || origin.is_kept(&parsed, &new) && is_held;
    if !shows || !is_kept || !parsed.outline.errors.is_empty() {
        let message = format!("it cannot be all of `{dest_path}`");
        return Err(Failure::new(ErrorCode::InvalidDestination, message));
    }
    let (taken, warnings) = source.taken_out(context)?;
    let after = State::File(content.fingerprint());
    let touched = Touched { path: path.clone(), before: State::Missing, after };
    let lines = lines_of(&content.text, &new);
    let made = Change::Create { path, content, like: None };
    Ok(Moved {
        lines,
        warnings,
        changes: [made].into_iter().chain(taken.change).collect(),
        targets: vec![touched, taken.touched],
    })
}

fn lines_of(text: &str, span: &Span) -> LineRange {
    use crate::text::lines::number_at;
    [number_at(text, span.start), number_at(text, span.end)]
}
