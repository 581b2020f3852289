//! From a fence to its path, its problems and its command.

use super::fence::{self, Doubt, Named, Place};
use super::language;
use super::reader::{Begins, Content, Part, Walk};
use crate::command::{Command, Step, There, WholeFile};
use crate::dialect::hits::Needles;
use crate::dialect::turns::Styles;
use crate::dialect::{BlockEnd, Parsed, ParsedField, Role, Source, margin, path_line, unended};
use crate::problem::{self, Problem, Replacement};
use crate::snapshot::PathStyle;
use crate::spec::{self, Effect, FieldRole};
use crate::structure::elision::{self, Marks};
use crate::text::fence::Fence;
use crate::text::one_line::excerpt;
use crate::text::{Span, lines};

pub const ACTION: &str = "files.write";

/// So many lines that may name another file are looked at.
const OTHERS: usize = 20;

/// A fence taken apart.
struct Draft<'a> {
    text: &'a str,
    eol: &'static str,
    /// The lines, without endings.
    lines: Vec<Span>,
    /// The lines that may close the fence, and are the file's.
    inner: Vec<usize>,
    /// The line that closes it.
    end: Option<usize>,
}

/// What a block's text says.
pub fn parse(source: &Source<'_>) -> Parsed {
    let text = source.looked_at();
    let spans = lines::spans(text);
    let eol = lines::eol_after(source.text, spans.first().map_or(0, |first| first.end));
    let line = |index: usize| spans.get(index).map_or("", |span| &text[span.clone()]);
    // What a fence without an end holds comes after it.
    let next = lines::each(source.beyond).nth(1).map_or("", |span| &source.beyond[span]);
    let next = if spans.len() > 1 { line(1) } else { next };
    let Some(named) = fence::named(line(0), next, source.above) else {
        return Parsed::new(Role::Command, eol);
    };
    let draft = Draft::new(text, spans, eol, &named);
    let problems = problems(source, &draft, &named);
    let sound = !problems.iter().any(Problem::is_error);
    let path_above = match named.place {
        Place::Above(above) => Some(above),
        Place::Info | Place::Comment => None,
    };
    Parsed {
        action: Some(ACTION.to_owned()),
        path: Some(named.path.clone()),
        path_above,
        effect: Some(Effect::Write),
        fields: draft.fields(&named),
        command: sound.then(|| draft.command(&named)).flatten(),
        problems,
        asked: asked(source),
        ..Parsed::new(Role::Command, eol)
    }
}

/// How the heads of the model's messages are written, where a file is in a message of the person who asks:
/// there it shows what is, as a rule.
pub fn asked(source: &Source<'_>) -> Styles {
    match source.asked {
        Some(head) if head.asks => Styles::SURE,
        Some(_) => Styles::ANY,
        None => Styles::default(),
    }
}

fn problems(source: &Source<'_>, draft: &Draft<'_>, named: &Named) -> Vec<Problem> {
    let mut problems: Vec<Problem> =
        margin::problem(draft.text, &draft.lines).into_iter().collect();
    if source.end == BlockEnd::TooLarge {
        return problems;
    }
    problems.extend(unsure(draft, named));
    problems.extend(rival(source, draft, named));
    problems.extend(part(draft, named));
    match (draft.end, draft.inner.first()) {
        (None, _) => problems.push(open(source, draft)),
        (Some(end), Some(inner)) => problems.push(short(draft, *inner, end)),
        (Some(end), None) if source.end == BlockEnd::Unterminated => {
            problems.push(early(draft, end));
        }
        (Some(end), None) => {
            let content = &draft.lines[1..end];
            problems.extend(edit_in_text(draft.text, content, &named.path, "fence"));
        }
    }
    problems
}

/// The problem of a path that may not be that of the fence.
fn unsure(draft: &Draft<'_>, named: &Named) -> Option<Problem> {
    let path = excerpt(&named.path, 120);
    let why = match named.doubt.as_ref()? {
        Doubt::Listed(line) => {
            format!("the line above it, `{}`, may name a file, too", excerpt(line, 80))
        }
        Doubt::Below => "it is right below another fence".to_owned(),
    };
    let says = format!(
        "whether `{path}` is the path of this fence is not certain, since {why}; write the path on \
         the line right above the fence, and an empty line above that"
    );
    let problem = Problem::new(problem::FILES_UNSURE_PATH, draft.lines[0].clone(), says);
    let edit = Replacement::insert(0, format!("{}{}{}", draft.eol, named.path, draft.eol));
    Some(problem.choice(format!("It is `{path}`"), vec![edit]))
}

/// The problem of a fence with another one right below that may hold the file in its place, as where one
/// shows the text before and the other the text after.
fn rival(source: &Source<'_>, draft: &Draft<'_>, named: &Named) -> Option<Problem> {
    if source.end != BlockEnd::Followed || !matches!(named.place, Place::Above(_)) {
        return None;
    }
    let says = format!(
        "another fence of the same language is right below and has no path, so which of the two holds `{}` \
         is not certain; send the new text alone, in one fence below its path",
        excerpt(&named.path, 120)
    );
    Some(Problem::new(problem::FILES_UNSURE_PATH, draft.lines[0].clone(), says))
}

/// The problem of a fence that says that it shows a part of the file, or what it was.
fn part(draft: &Draft<'_>, named: &Named) -> Option<Problem> {
    let line = draft.line(0);
    let fence = Fence::of(&line[margin::of(line).len()..])?;
    if named.place != Place::Info || !path_line::shows_part(fence.info, &named.path) {
        return None;
    }
    let says = format!(
        "by what is beside its path this fence does not hold the whole new text of `{}`; send the \
         whole file with its path alone, or an edit in another dialect",
        excerpt(&named.path, 120)
    );
    Some(Problem::new(problem::FILES_NOT_A_FILE, draft.lines[0].clone(), says))
}

/// The problem of a fence or a heredoc with lines of text and of an edit: a file with an example, or more
/// than the edit.
pub fn edit_in_text(text: &str, lines: &[Span], path: &str, around: &str) -> Option<Problem> {
    let (mut content, mut needles) = (Content::new(path), Needles::default());
    let line = |at: usize| lines.get(at).map_or("", |span: &Span| &text[span.clone()]);
    let mut begins = |at: &usize| {
        // In most files no line does.
        let is_text = content.is_a_file() && !needles.are_in(text, &lines[*at]);
        !is_text && content.step(line(*at), line(at + 1)) == Begins::BlockInText
    };
    let at = (0..lines.len()).find(|at| begins(at))?;
    let says = format!(
        "this line is of an edit, with other text above it, so whether the {around} holds the file `{}` or the \
         edit is not certain, and neither is applied; put an edit in a fence of its own, and write a \
         file with such a line in another dialect",
        excerpt(path, 120)
    );
    Some(Problem::new(problem::FILES_NOT_A_FILE, lines[at].clone(), says))
}

/// The problem of a fence that nothing closes.
fn open(source: &Source<'_>, draft: &Draft<'_>) -> Problem {
    let place = draft.lines[0].clone();
    let says = "nothing closes this fence, so the file in it may be cut off";
    let problem = Problem::new(problem::FILES_OPEN_FENCE, place.clone(), says);
    let line = &draft.text[place];
    let Some(fence) = Fence::of(&line[margin::of(line).len()..]) else { return problem };
    let mut walk = Walk::new(line, false);
    for span in lines::each(source.beyond).skip(1) {
        walk.step(&source.beyond[span], "");
    }
    if walk.is_inside() {
        // A line such as "``` That is all." opens another one.
        return problem;
    }
    let closing = fence.sign.to_string().repeat(fence.length);
    let edit = unended::insert(source, &closing, draft.eol);
    problem.choice("Close the fence below", vec![edit])
}

/// The problem of a fence below whose closing line the file may go on.
fn early(draft: &Draft<'_>, end: usize) -> Problem {
    let says = "this line closes the fence, and by what is below it the file may go on after it; \
                the fence around a file must be longer than any in it";
    Problem::new(problem::FILES_OPEN_FENCE, draft.lines[end].clone(), says)
}

/// The problem of a fence that a line of its file may close.
fn short(draft: &Draft<'_>, inner: usize, end: usize) -> Problem {
    let place = draft.lines[inner].clone();
    let says = "the file in this fence has fences itself, so where it ends is not certain; the \
                fence around it must be longer than any in it";
    let problem = Problem::new(problem::FILES_OPEN_FENCE, place, says);
    let fence = |index: usize| {
        let line = draft.line(index);
        let text = &line[margin::of(line).len()..];
        let sign_at = draft.lines[index].end - text.trim_start().len();
        Some((Fence::of(text)?, sign_at))
    };
    let longest = draft.inner.iter().filter_map(|it| fence(*it)).map(|(it, _)| it.length).max();
    let longer = |index: usize| {
        let (own, at) = fence(index)?;
        let more = (longest? + 1).saturating_sub(own.length);
        Some(Replacement::insert(at, own.sign.to_string().repeat(more)))
    };
    match (longer(0), longer(end)) {
        (Some(first), Some(last)) => problem.choice("Make the fence longer", vec![first, last]),
        _ => problem,
    }
}

/// A field with its places.
pub fn field(name: &'static str, key: Span, value: Span, heredoc: bool) -> ParsedField {
    let role = FieldRole::of_name(name);
    ParsedField { name: name.into(), role, op: None, key, value, heredoc }
}

impl<'a> Draft<'a> {
    fn new(text: &'a str, spans: Vec<Span>, eol: &'static str, named: &Named) -> Draft<'a> {
        let mut draft = Draft { text, eol, lines: spans, inner: Vec::new(), end: None };
        let mut walk = Walk::new(draft.line(0), fence::is_prose(&named.path));
        for index in 1..draft.lines.len() {
            // The last line is the one that the block ends with.
            let next = if index + 1 < draft.lines.len() { draft.line(index + 1) } else { "" };
            match walk.step(draft.line(index), next) {
                Part::Inner => draft.inner.push(index),
                Part::End => draft.end = Some(index),
                Part::Text | Part::Below | Part::After => {}
            }
        }
        draft
    }

    fn line(&self, index: usize) -> &'a str {
        self.lines.get(index).map_or("", |span| &self.text[span.clone()])
    }

    /// The first line of the file's text.
    fn first(&self, named: &Named) -> usize {
        let comment = fence::path_of_comment(self.line(1));
        let has_comment =
            self.end.is_some_and(|end| end > 1) && comment.is_some_and(|path| path == named.path);
        1 + usize::from(has_comment)
    }

    /// What the fence is marked with, where that is another language than the file's.
    fn other_language(&self, named: &Named) -> Option<String> {
        let line = self.line(0);
        let info = Fence::of(&line[margin::of(line).len()..])?.info;
        language::is_other(info, &named.path).then(|| language::word(info).to_owned())
    }

    fn command(&self, named: &Named) -> Option<Command> {
        let first = self.first(named);
        let content = first..self.end?.max(first);
        let text = lines::with_newlines(self.text, self.lines.get(content).unwrap_or_default());
        let language = fence::language(&named.path);
        let file = WholeFile {
            elides: elision::marks(&text, language) == Marks::Sure,
            names_other: self.names_other(first, &named.path),
            may_name_other: self.may_name_other(first, &named.path),
            path_line: (first > 1).then(|| self.line(1).to_owned()),
            marked: self.other_language(named),
            there: match (named.is_new, named.is_edited) {
                (true, true) => There::Either,
                (true, false) => There::No,
                (false, _) => There::Yes,
            },
            may_be_part: named.is_edited,
            text,
        };
        let step = Step::WholeFile { path: named.path.clone(), file };
        Some(Command::one(spec::action("files", ACTION)?, step, None, PathStyle::Either))
    }

    /// The line of the text, which begins with the line `first`, that names another file.
    fn names_other(&self, first: usize, path: &str) -> Option<usize> {
        let begins = first == 1 && fence::names_other(self.line(1), path);
        let mut below = first + 1..self.end?.max(first + 1);
        let mut other = || below.find(|at| fence::begins_other(self.line(*at), path));
        if begins { Some(0) } else { other().map(|at| at - first) }
    }

    /// The lines of the text that name another file as the comment above it names its own, where that is
    /// a name alone, and the names.
    fn may_name_other(&self, first: usize, path: &str) -> Vec<(usize, String)> {
        let is_name = first > 1 && !path.contains(['/', '\\']);
        let Some((before, after)) = self.line(1).split_once(path).filter(|_| is_name) else {
            return Vec::new();
        };
        let other = |at: usize| {
            let line = self.line(at);
            let name = line.strip_prefix(before)?.strip_suffix(after)?;
            let is_other = fence::path_of_comment(line)? == name && path_line::is_file(name);
            let is_other = is_other && name != path && !name.contains(['/', '\\']);
            is_other.then(|| (at - first, name.to_owned()))
        };
        (first..self.end.unwrap_or(first)).filter_map(other).take(OTHERS).collect()
    }

    fn fields(&self, named: &Named) -> Vec<ParsedField> {
        let mut fields = Vec::new();
        let line = match named.place {
            Place::Info => Some(0),
            Place::Comment => Some(1),
            Place::Above(_) => None,
        };
        if let Some(span) = line.and_then(|line| self.lines.get(line))
            && let Some(at) = self.text[span.clone()].rfind(&named.path)
        {
            let start = span.start + at;
            fields.push(field("path", span.start..start, start..start + named.path.len(), false));
        }
        let first = self.first(named);
        if let (Some(from), Some(end)) = (self.lines.get(first), self.end) {
            let value = from.start..self.lines[end].start.max(from.start);
            fields.push(field("content", self.lines[0].clone(), value, true));
        }
        fields
    }
}
