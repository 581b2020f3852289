//! From a diff to its problems and its command: the steps for its file.

use super::draft::{Draft, Hunk, LINK, SUBMODULE};
use super::line;
use super::names::{About, Named};
use crate::command::hunks;
use crate::command::patch::header::Ranges;
use crate::command::{Command, FileEdit, Missing, Only, Step, WriteMode};
use crate::dialect::around;
use crate::dialect::path_line;
use crate::dialect::{
    BlockEnd, Parsed, ParsedField, PathAbove, Role, Source, margin, signed, typed,
};
use crate::problem::{self, Problem, Replacement, Severity};
use crate::snapshot::PathStyle;
use crate::spec::{self, Effect, FieldRole};
use crate::text::fence::Fence;
use crate::text::{Span, lines};

const ACTION: &str = "diff.patch";
/// The field of the first hunk.
pub const HUNK: &str = "hunk";

/// What a block's text says.
pub fn parse(source: &Source<'_>) -> Parsed {
    let draft = Draft::new(source);
    let mut problems = Vec::new();
    let file = File::of(source, &draft, &mut problems);
    match margin::problem(draft.text, &draft.lines) {
        Some(problem) => problems.push(problem),
        None => writing(source, &draft, &mut problems),
    }
    problems.extend(file.as_ref().and_then(|file| mode(&draft, file)));
    if !problems.iter().any(Problem::is_error) {
        problems.extend(file.as_ref().and_then(|file| keeps_lines(&draft, file)));
    }
    let typed = typed(source);
    problems.extend((typed == Some(REVERSED)).then(|| reversed(&draft)));
    problems.sort_by_key(|problem| (problem.span.start, problem.severity));
    let errors = problems.iter().filter(|problem| problem.is_error()).count();
    let sound = errors == 0;
    let file = file.as_ref();
    let is_unnamed = || matches!(draft.names.about(draft.is_new, draft.is_gone), About::Nothing);
    let nowhere = File { what: What::Edited, path: Named::default(), above: None, path_to: None };
    let unnamed = file.is_none() && errors == 1 && is_unnamed();
    Parsed {
        action: Some(ACTION.to_owned()),
        path: file.map(|file| file.path.0.clone()),
        path_above: file.and_then(|file| file.above),
        effect: Some(Effect::Write),
        fields: fields(&draft, file),
        problems,
        command: file.filter(|_| sound).and_then(|file| command(&draft, file)),
        unnamed: unnamed.then(|| command(&draft, &nowhere).map(Box::new)).flatten(),
        leaves: typed.map(Into::into),
        is_printed: typed == Some(PRINTED),
        ..Parsed::new(Role::Command, draft.eol)
    }
}

/// What is said of a diff, and of the next one right below it, by the lines above it.
const REVERSED: &str = "reversed";
const PRINTED: &str = "printed";

/// What the shell was told above a diff, or above the one right before it.
fn typed(source: &Source<'_>) -> Option<&'static str> {
    let is_below = source.above.is_below_block()
        && source.above.lines().all(|(_, line)| line.trim().is_empty());
    if let Some(carried) = source.carried.filter(|_| is_below) {
        return [REVERSED, PRINTED].into_iter().find(|word| *word == &**carried);
    }
    if let Some(heredoc) = typed::heredoc_above(source.above) {
        return heredoc.is_reverse.then_some(REVERSED);
    }
    (source.fence.is_some() && typed::is_printed(source.above)).then_some(PRINTED)
}

/// The problem of a diff that is to be undone.
fn reversed(draft: &Draft<'_>) -> Problem {
    let says = "the line above undoes this diff (`-R`), and diffs are applied forwards alone; send \
                the diff of the change that is wanted";
    Problem::new(problem::DIFF_REVERSED, draft.lines[0].clone(), says)
}

/// The file that a diff is about.
struct File {
    what: What,
    path: Named,
    /// Where the path is, where the lines above the block have it.
    above: Option<PathAbove>,
    /// What it is called afterwards.
    path_to: Option<Named>,
}

/// What becomes of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Edited,
    Created,
    Deleted,
    Moved,
    Copied,
}

impl File {
    fn of(source: &Source<'_>, draft: &Draft<'_>, problems: &mut Vec<Problem>) -> Option<File> {
        let file = |what, path, path_to| Some(File { what, path, above: None, path_to });
        match draft.names.about(draft.is_new, draft.is_gone) {
            About::One(path) => file(What::Edited, path, None),
            About::New(path) => file(What::Created, path, None),
            About::Gone(path) => file(What::Deleted, path, None),
            About::Two(from, to) => {
                let what = if draft.is_copy { What::Copied } else { What::Moved };
                file(what, from, Some(to))
            }
            About::Unclear(old, (new, span)) => {
                let says = format!(
                    "the diff names `{old}` and `{new}`, and nothing says that the file is \
                     renamed; write the same path after `--- a/` and `+++ b/`"
                );
                problems.push(Problem::new(problem::DIFF_MISSING_PATH, span, says));
                None
            }
            About::Nothing => unnamed(source, draft, problems),
        }
    }
}

/// The file of a diff without headers: in its fence, after the fence's mark, or above it.
fn unnamed(source: &Source<'_>, draft: &Draft<'_>, problems: &mut Vec<Problem>) -> Option<File> {
    let edited = |path, above| Some(File { what: What::Edited, path, above, path_to: None });
    let path_at = |index: usize, path: String| {
        let line = draft.lines[index].clone();
        let start = line.start + draft.text[line].rfind(&path)?;
        Some((path.clone(), start..start + path.len()))
    };
    let inside = draft
        .texts
        .first()
        .and_then(|index| path_at(*index, path_line::path_of_line(draft.line(*index))?));
    let info = || {
        let info = Fence::of(draft.line(0)).filter(|_| draft.has_fence)?.info;
        path_at(0, path_line::path_of_info(info)?)
    };
    if let Some(path) = inside.or_else(info) {
        return edited(path, None);
    }
    let is_stray = line::hunk(draft.line(0)).is_some();
    let mentioned = match around::named(source) {
        // In prose, what is above may be about something else.
        around::Named::Path(path, _) if is_stray => vec![path],
        around::Named::Path(path, place) => return edited((path, 0..0), Some(place)),
        around::Named::Unsure(_, paths) => paths,
        around::Named::Nothing => Vec::new(),
    };
    let first = draft.lines[0].clone();
    let says = "nothing names the file of this diff; write `--- a/PATH` and `+++ b/PATH` before it";
    let at = draft.lines[usize::from(draft.has_fence).min(draft.lines.len() - 1)].start;
    let eol = draft.eol;
    let problem = Problem::new(problem::DIFF_MISSING_PATH, first, says);
    problems.push(mentioned.into_iter().take(3).fold(problem, |problem, path| {
        let names = format!("--- a/{path}{eol}+++ b/{path}{eol}");
        problem.choice(format!("Insert the path `{path}`"), vec![Replacement::insert(at, names)])
    }));
    None
}

/// Says what is wrong with the lines of a diff.
fn writing(source: &Source<'_>, draft: &Draft<'_>, problems: &mut Vec<Problem>) {
    if let Some(index) = draft.binary {
        let says = "the contents of this file are not text, and a diff of them is not applied; leave this file out";
        problems.push(Problem::new(problem::DIFF_BINARY, draft.lines[index].clone(), says));
        return;
    }
    let before = problems.len();
    problems.extend(draft.close_early.first().map(|index| closed(draft, *index)));
    unsigned(draft, problems);
    problems.extend(draft.past.first().map(|index| {
        let says = "the hunk above has all the lines that its header states, and this line may be its \
                    next one or not of the diff; put the diff into a fence";
        Problem::new(problem::DIFF_MALFORMED_HUNK, draft.lines[*index].clone(), says)
            .choice("Put it into a fence", in_fence(source, draft))
    }));
    problems.extend(draft.beyond.first().map(|index| {
        let says = "this line comes after one that is said to be the last of the file";
        Problem::new(problem::DIFF_MALFORMED_HUNK, draft.lines[*index].clone(), says)
    }));
    if (draft.is_open || !source.is_line_ended) && source.end == BlockEnd::Unterminated {
        problems.push(unended(source, draft));
    }
    if problems.len() == before {
        let problem = |hunk| empty(draft, hunk).or_else(|| wrong_count(draft, hunk));
        problems.extend(draft.hunks.iter().filter_map(problem));
    }
}

/// The problem of a mode: an error where nothing else is changed, or the change is not one of a text.
fn mode(draft: &Draft<'_>, file: &File) -> Option<Problem> {
    let (index, mode) = draft.mode?;
    let is_alone = file.what == What::Edited && !edits(draft);
    let other = match mode {
        LINK => Some("a symbolic link"),
        SUBMODULE => Some("a submodule"),
        _ => None,
    };
    let says = match (other, is_alone) {
        (Some(other), _) => {
            format!("this is {other}, and only changes of files are applied; leave it out")
        }
        (None, true) => format!(
            "the diff changes the mode to {mode} and nothing else, and modes are not applied; leave it out"
        ),
        (None, false) => format!("the mode {mode} is not applied, and everything else is"),
    };
    let mut problem =
        Problem::new(problem::DIFF_MODE_NOT_APPLIED, draft.lines[index].clone(), says);
    if other.is_none() && !is_alone {
        problem.severity = Severity::Warning;
    }
    Some(problem)
}

/// Says which lines lack their sign: context, or a mark for lines that are left out.
fn unsigned(draft: &Draft<'_>, problems: &mut Vec<Problem>) {
    let is_path = |index: &&usize| path_line::path_of_line(draft.line(**index)).is_some();
    let texts = draft.texts.iter().skip_while(is_path).map(|index| (*index, " "));
    let (left_out, bare): (Vec<_>, Vec<_>) = texts
        .chain(draft.bare.iter().copied())
        .partition(|(index, _)| matches!(draft.line(*index).trim(), "..." | "…"));
    problems.extend(left_out.iter().map(|(index, _)| {
        let says = "the lines of a hunk follow one another in the file, and here some are left out";
        let line = draft.lines[*index].clone();
        let problem = Problem::new(problem::DIFF_MALFORMED_HUNK, line.clone(), says);
        problem.fix("Begin another hunk here", vec![Replacement::new(line, "@@")])
    }));
    problems.extend(signed::missing(problem::DIFF_MISSING_BLANK, &draft.lines, &bare));
}

/// The problem of a fence that a line of the diff closes.
fn closed(draft: &Draft<'_>, index: usize) -> Problem {
    let place = draft.lines[index].clone();
    let says = "this line of the diff closes the fence around it; the fence must be longer than \
                any in the diff";
    let problem = Problem::new(problem::DIFF_CLOSED_FENCE, place, says);
    let last = draft.lines.len() - 1;
    let fence = |index: usize| {
        let line = &draft.lines[index];
        let fence = Fence::of(draft.line(index))?;
        let start = line.end - draft.line(index).trim_start().len();
        let longest = draft.close_early.iter().filter_map(|it| Fence::of(draft.line(*it)));
        let length = longest.map(|it| it.length + 1).max()?;
        let more = fence.sign.to_string().repeat(length.saturating_sub(fence.length));
        Some(Replacement::insert(start, more))
    };
    match (draft.has_fence.then(|| fence(0)).flatten(), fence(last)) {
        (Some(opening), Some(closing)) => {
            problem.fix("Make the fence longer", vec![opening, closing])
        }
        _ => problem,
    }
}

/// The problem of a diff after which nothing tells that it is whole.
fn unended(source: &Source<'_>, draft: &Draft<'_>) -> Problem {
    let last = draft.lines.len() - 1;
    let place = |index: usize| draft.lines[index].clone();
    let malformed = |index, says| Problem::new(problem::DIFF_MALFORMED_HUNK, place(index), says);
    let end = source.text.len();
    if draft.is_short {
        let first = draft.hunks.last().map_or(last, |hunk| hunk.first);
        return malformed(first, "the text ends in this hunk, which states that it has more lines");
    }
    match (draft.has_fence, Fence::of(draft.line(0))) {
        (true, Some(fence)) => {
            let closing = fence.sign.to_string().repeat(fence.length);
            let edit = Replacement::insert(end, format!("{}{closing}", draft.eol));
            malformed(0, "nothing closes the fence of this diff, so it may be cut off")
                .choice("Close the fence below", vec![edit])
        }
        _ => {
            let says = match draft.is_open {
                true => "nothing says where this diff ends; put it into a fence",
                false => {
                    "the text ends in this line, so it may be cut off; end the line, or put the \
                          diff into a fence"
                }
            };
            malformed(last, says).choice("Put it into a fence", in_fence(source, draft))
        }
    }
}

/// The edits that put a bare diff into a fence.
fn in_fence(source: &Source<'_>, draft: &Draft<'_>) -> Vec<Replacement> {
    let (end, eol) = (source.text.len(), draft.eol);
    vec![
        Replacement::insert(0, format!("```diff{eol}")),
        Replacement::insert(end, format!("{eol}```")),
    ]
}

/// The problem of a header that states lines or is the last one, and has none below it.
fn empty(draft: &Draft<'_>, hunk: &Hunk<'_>) -> Option<Problem> {
    let is_last = draft.hunks.last().is_some_and(|last| last.first == hunk.first);
    let states_lines = match hunk.ranges {
        Some(ranges) => (ranges.old_lines, ranges.new_lines) != (0, 0),
        None => is_last,
    };
    if hunk.lines.counts() != (0, 0) || !states_lines {
        return None;
    }
    let says = "no line of a hunk is below this header, so the diff may be cut off";
    let place = draft.lines[hunk.first].clone();
    Some(Problem::new(problem::DIFF_MALFORMED_HUNK, place, says))
}

/// The problem of a hunk that has other numbers of lines than its header states.
fn wrong_count(draft: &Draft<'_>, hunk: &Hunk<'_>) -> Option<Problem> {
    let ranges = hunk.ranges?;
    let stated = (ranges.old_lines, ranges.new_lines);
    let readings = hunk.lines.readings();
    let counts = |reading: &hunks::Reading| (reading.old.len(), reading.new.len());
    if readings.iter().any(|reading| counts(reading) == stated) {
        return None;
    }
    let place = draft.lines[hunk.first].clone();
    if hunk.may_hold_names {
        let says = "the hunk has other numbers of lines than this header states, and a line in it \
                    may begin the diff of another file; give each file its own diff";
        return Some(Problem::new(problem::DIFF_MALFORMED_HUNK, place, says));
    }
    if !hunk.lines.is_changed && stated.0 != stated.1 {
        let says = "this header states that lines come or go, and no line of the hunk begins with `-` \
                    or `+`";
        return Some(Problem::new(problem::DIFF_MALFORMED_HUNK, place, says));
    }
    let (old_lines, new_lines) = readings.last().map(counts)?;
    let says = format!(
        "this header states {} old and {} new lines, and the hunk has {old_lines} and {new_lines}",
        stated.0, stated.1,
    );
    let right = Ranges { old_lines, new_lines, ..ranges }.to_string();
    let line = &draft.text[place.clone()];
    let start = place.start + line.find("@@")?;
    let length = line[line.find("@@")? + 2..].find("@@")? + 4;
    let edit = Replacement::new(start..start + length, right);
    Some(
        Problem::new(problem::DIFF_WRONG_COUNT, place, says).fix("Correct the numbers", vec![edit]),
    )
}

fn fields(draft: &Draft<'_>, file: Option<&File>) -> Vec<ParsedField> {
    let field = |name: &'static str, role, op, key: Span, value: Span, heredoc| ParsedField {
        name: name.into(),
        role: Some(role),
        op: Some(op),
        key,
        value,
        heredoc,
    };
    let key = |named: &Named| lines::around(draft.text, named.1.start).start..named.1.start;
    let mut fields = Vec::new();
    let what = file.map_or(What::Edited, |file| file.what);
    if let Some(path) = file.filter(|file| file.above.is_none()).map(|file| &file.path) {
        fields.push(field("path", FieldRole::Path, 0, key(path), path.1.clone(), false));
    }
    if let Some(path) = file.and_then(|file| file.path_to.as_ref()) {
        let op = usize::from(what == What::Moved && edits(draft));
        fields.push(field("move_to", FieldRole::DestPath, op, key(path), path.1.clone(), false));
    }
    if let Some(hunk) = draft.hunks.first() {
        let line = draft.lines[hunk.first].clone();
        let op = usize::from(what == What::Copied);
        fields.push(field(HUNK, FieldRole::Search, op, line.clone(), line, true));
    }
    fields
}

/// Whether some hunk changes lines.
fn edits(draft: &Draft<'_>) -> bool {
    draft.hunks.iter().any(|hunk| hunk.lines.is_changed)
}

fn command(draft: &Draft<'_>, file: &File) -> Option<Command> {
    let mut steps = steps(draft, file);
    if steps.is_empty() {
        steps = vec![Step::Nothing { reason: "the diff changes no line" }];
    }
    Some(Command {
        action: spec::action("diff", ACTION)?,
        name: ACTION.to_owned(),
        steps,
        is_list: false,
        bases: Vec::new(),
        paths: PathStyle::Either,
    })
}

/// What is done with the file, in order.
fn steps(draft: &Draft<'_>, file: &File) -> Vec<Step> {
    let path = file.path.0.clone();
    let path_to = || file.path_to.as_ref().map_or_else(String::new, |to| to.0.clone());
    let edit = |path: String| {
        let changed = draft.hunks.iter().filter(|hunk| hunk.lines.is_changed);
        let hunks: Vec<hunks::Hunk> = changed.map(|hunk| placed(draft, hunk)).collect();
        let edits = !hunks.is_empty();
        let edit = FileEdit::Hunks(hunks);
        edits.then_some(Step::Edit { path, edit, missing: Missing::Refuse })
    };
    match file.what {
        What::Edited => edit(path).into_iter().collect(),
        What::Created => {
            let mode = WriteMode::Create;
            vec![Step::Write { path, content: content(draft), mode }]
        }
        What::Deleted => {
            let lines = removed(draft)
                .flat_map(|reading| reading.old.iter().map(str::to_owned).collect::<Vec<_>>());
            vec![Step::Delete { path, only: Only::FileOf(lines.collect()) }]
        }
        What::Moved => {
            let step = Step::Move { path: path.clone(), path_to: path_to(), overwrite: false };
            edit(path).into_iter().chain([step]).collect()
        }
        What::Copied => {
            let step = Step::Copy { path, path_to: path_to() };
            [step].into_iter().chain(edit(path_to())).collect()
        }
    }
}

/// The hunks of a diff that deletes its file, without the empty lines at their ends.
fn removed(draft: &Draft<'_>) -> impl Iterator<Item = hunks::Reading> {
    draft.hunks.iter().filter_map(|hunk| placed(draft, hunk).readings.pop())
}

/// The problem of a diff that deletes its file and keeps lines of it, or adds some.
fn keeps_lines(draft: &Draft<'_>, file: &File) -> Option<Problem> {
    if file.what != What::Deleted || removed(draft).all(|reading| reading.new.is_empty()) {
        return None;
    }
    let place = draft.lines[draft.hunks.first()?.first].clone();
    let says =
        "the diff deletes the file, and not every line of it begins with `-`; remove every line";
    Some(Problem::new(problem::DIFF_MALFORMED_HUNK, place, says))
}

/// The content of a new file.
fn content(draft: &Draft<'_>) -> String {
    let new = draft.hunks.iter().flat_map(|hunk| hunk.lines.new_lines()).copied();
    let mut content = lines::terminated(new);
    if draft.hunks.last().is_some_and(|hunk| hunk.cut.1) {
        content.pop();
    }
    content
}

/// The line at which a hunk's old lines begin, where both numbers of its header say the same: some
/// tools go by the old one, and others by the new one.
fn stated_line(draft: &Draft<'_>, hunk: &Hunk<'_>) -> Option<usize> {
    let before = draft.hunks.iter().take_while(|other| other.first < hunk.first);
    let (old, new) = before
        .map(|other| other.lines.counts())
        .fold((0, 0), |(old, new), more| (old + more.0, new + more.1));
    let ranges = hunk.ranges?;
    let line = first_line(ranges.old_start, ranges.old_lines);
    let is_same = first_line(ranges.new_start, ranges.new_lines) + old == line + new;
    (is_same && ranges.old_start > 0).then_some(line)
}

/// The line at which lines begin; a range of none names the one before.
fn first_line(start: usize, count: usize) -> usize {
    start + usize::from(count == 0)
}

fn placed(draft: &Draft<'_>, hunk: &Hunk<'_>) -> hunks::Hunk {
    let mut readings = hunk.lines.readings();
    let stated = hunk.ranges.map(|ranges| (ranges.old_lines, ranges.new_lines));
    let fits = |reading: &hunks::Reading| Some((reading.old.len(), reading.new.len())) == stated;
    if let Some(at) = readings.iter().position(fits) {
        readings = vec![readings.swap_remove(at)];
    }
    hunks::Hunk {
        line: stated_line(draft, hunk),
        stated: hunk.ranges.map(|ranges| first_line(ranges.old_start, ranges.old_lines)),
        open_end: !hunk.lines.ends_in_context,
        final_ending: match hunk.cut {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        },
        ..hunks::Hunk::new(readings, problem::DIFF_NO_PLACE)
    }
}
