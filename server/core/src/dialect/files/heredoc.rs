//! A file in a heredoc, as a shell would write it: from its first line to its command.

use super::fence;
use super::parse::{self, ACTION};
use super::reader::{Begins, Content};
use super::shell::{self, Heredoc, Shell, Unlike};
use crate::command::{Command, Step, There, WholeFile, patch::header};
use crate::dialect::{
    BlockEnd, Candidate, LineKind, Opening, Parsed, ParsedField, Reader, Role, Source, margin,
    typed, unended,
};
use crate::problem::{self, Problem, Replacement};
use crate::snapshot::PathStyle;
use crate::spec::{self, Effect};
use crate::text::fence::{Fence, OpenFence};
use crate::text::one_line::excerpt;
use crate::text::work;
use crate::text::{Span, lines};

/// What a block leaves to the next one in its fence: the shell is where it began, or elsewhere.
const AT_ROOT: &str = "root";
const ELSEWHERE: &str = "elsewhere";
const IN_COMMAND: &str = "in a command";

/// What a line outside any block is.
pub fn opens(candidate: &Candidate<'_>) -> Opening {
    work::add(candidate.line.len());
    let before = margin::of(candidate.line).len();
    let heredoc = shell::of_line(&candidate.line[before..]).filter(|it| !header::is_in(&it.path));
    let shell = || shell::shell(candidate.above, candidate.fence);
    let Some(heredoc) = heredoc.filter(|_| shell() != Shell::InHeredoc) else {
        return Opening::Nothing;
    };
    let path = excerpt(&heredoc.path, 120);
    let is = match (heredoc.unlike, candidate.fence) {
        (None, _) if before > 0 => format!("this writes `{path}` in an indented or quoted line"),
        (None, Some(_)) => return Opening::Maybe,
        (None, None) => format!("this writes `{path}` in no fence"),
        (Some(Unlike::Appends), _) => format!("this adds lines to the end of `{path}`"),
        (Some(Unlike::WorksOutPath), _) => format!("the shell works out the path `{path}`"),
    };
    let says = format!("{is}; operator-lsp does not apply these yet");
    let place = before + heredoc.place.start..before + heredoc.place.end;
    Opening::Stray(Problem::new(problem::CHAT_NOT_APPLIED, place, says))
}

/// Follows a heredoc from its first line on.
pub struct HeredocReader {
    heredoc: Heredoc,
    /// The fence that it is in.
    fence: Option<OpenFence>,
    content: Content,
    /// Whether a block of another dialect is all that it has.
    is_around_block: bool,
    /// Whether the fence has ended before it.
    is_cut: bool,
}

impl HeredocReader {
    /// A reader that has seen the line that begins the heredoc.
    pub fn new(heredoc: Heredoc, fence: Option<OpenFence>) -> HeredocReader {
        let content = Content::new(&heredoc.path);
        HeredocReader { heredoc, fence, content, is_around_block: false, is_cut: false }
    }
}

impl Reader for HeredocReader {
    fn step(&mut self, line: &str, next: &str) -> LineKind {
        if self.heredoc.is_ended_by(line) {
            return LineKind::Ends;
        }
        let closes = |fence: &OpenFence| Fence::of(line).is_some_and(|it| fence.is_closed_by(&it));
        if self.fence.as_ref().is_some_and(closes) {
            self.is_cut = true;
            return LineKind::Breaks(BlockEnd::Unterminated);
        }
        if !self.content.is_a_file() && self.content.step(line, next) == Begins::Block {
            self.is_around_block = true;
            return LineKind::Ends;
        }
        LineKind::Fits
    }

    /// Whatever a file holds is text.
    fn raw(&self) -> bool {
        true
    }

    fn ended(&self) -> Option<BlockEnd> {
        self.is_cut.then_some(BlockEnd::Unterminated)
    }

    fn is_block(&self) -> bool {
        !self.is_around_block
    }
}

/// What a block's text says.
pub fn parse(source: &Source<'_>, heredoc: &Heredoc) -> Parsed {
    let text = source.looked_at();
    let spans = lines::spans(text);
    let eol = lines::eol_after(source.text, spans.first().map_or(0, |first| first.end));
    let is_closed = source.end == BlockEnd::Closed && spans.len() > 1;
    let content = &spans[1..spans.len() - usize::from(is_closed)];
    let written = heredoc.text(text, content);
    let shell = shell_at(source, heredoc);
    let mut problems = Vec::new();
    if source.end != BlockEnd::TooLarge {
        problems.extend(match shell {
            Shell::InCommand => Some(in_command(heredoc)),
            _ => unsure(source, heredoc, shell, eol),
        });
        if !is_closed {
            problems.push(open(source, heredoc, eol));
        }
        problems.extend(same_delimiter(text, content, heredoc));
        problems.extend(parse::edit_in_text(text, content, &heredoc.path, "heredoc"));
        problems.extend(written.as_ref().err().map(|place| expands(text, place, heredoc)));
        problems.sort_by_key(|problem| problem.span.start);
    }
    let sound = is_closed && problems.is_empty();
    let file = |text| {
        let first = content.first().map_or("", |span| &source.text[span.clone()]);
        WholeFile {
            text,
            path_line: None,
            names_other: fence::names_other(first, &heredoc.path).then_some(0),
            may_name_other: Vec::new(),
            marked: None,
            there: There::Either,
            may_be_part: false,
            elides: false,
        }
    };
    let command = || {
        let step = Step::WholeFile { path: heredoc.path.clone(), file: file(written.ok()?) };
        Some(Command::one(spec::action("files", ACTION)?, step, None, PathStyle::Either))
    };
    Parsed {
        action: Some(ACTION.to_owned()),
        path: Some(heredoc.path.clone()),
        effect: Some(Effect::Write),
        fields: fields(text, content, heredoc),
        command: sound.then(command).flatten(),
        problems,
        asked: parse::asked(source),
        is_printed: !source.text.starts_with("$ ") && typed::is_printed(source.above),
        leaves: match (shell, heredoc.leaves) {
            (Shell::InCommand, _) => Some(IN_COMMAND.into()),
            (Shell::AtRoot, false) => Some(AT_ROOT.into()),
            (Shell::Unknown, false) => None,
            _ => Some(ELSEWHERE.into()),
        },
        ..Parsed::new(Role::Command, eol)
    }
}

/// Where the shell is that writes the file.
fn shell_at(source: &Source<'_>, heredoc: &Heredoc) -> Shell {
    if heredoc.is_elsewhere {
        return Shell::Elsewhere;
    }
    match (shell::shell(source.above, source.fence), source.carried) {
        // All lines below the block before are known.
        (Shell::Unknown, Some(left)) if source.above.is_down_to_block() => match &**left {
            AT_ROOT => Shell::AtRoot,
            IN_COMMAND => Shell::InCommand,
            _ => Shell::Elsewhere,
        },
        (shell, _) => shell,
    }
}

/// The problem of a path that may not begin at the workspace's root.
fn unsure(source: &Source<'_>, heredoc: &Heredoc, shell: Shell, eol: &str) -> Option<Problem> {
    let why = match shell {
        Shell::AtRoot => return None,
        Shell::Elsewhere => "a command above goes to another directory",
        Shell::Unknown | Shell::InHeredoc | Shell::InCommand => {
            "the fence begins too far above to see whether a command goes to another directory"
        }
    };
    let says = format!(
        "whether `{}` begins at the workspace's root is not certain, since {why}; send the file in a fence \
         of its own, with its path from the root on",
        excerpt(&heredoc.path, 120)
    );
    let problem = Problem::new(problem::FILES_UNSURE_PATH, heredoc.place.clone(), says);
    // In a fence of its own it is where that begins, and so are the ones below it.
    let fence = source.fence.filter(|_| !heredoc.is_elsewhere).map(OpenFence::line);
    Some(match fence {
        Some(fence) => {
            let edit = Replacement::insert(0, format!("{fence}{eol}{eol}{fence}sh{eol}"));
            problem.choice("It begins at the root", vec![edit])
        }
        None => problem,
    })
}

/// The problem of a heredoc that the shell may write or not.
fn in_command(heredoc: &Heredoc) -> Problem {
    let says = format!(
        "a command above, such as `if`, says whether and how often the shell writes `{}`; send the file in a \
         fence of its own",
        excerpt(&heredoc.path, 120)
    );
    Problem::new(problem::FILES_IN_COMMAND, heredoc.place.clone(), says)
}

/// The problem of a heredoc that no line ends.
fn open(source: &Source<'_>, heredoc: &Heredoc, eol: &str) -> Problem {
    let delimiter = &heredoc.delimiter;
    let says = format!(
        "no line `{}` ends this heredoc before its fence ends, so the file in it may be cut off; the fence \
         must be longer than any in the file",
        excerpt(delimiter, 40)
    );
    let problem = Problem::new(problem::FILES_OPEN_HEREDOC, heredoc.delimiter_place.clone(), says);
    let edit = match source.beyond.is_empty() {
        true => Replacement::insert(source.text.len(), format!("{eol}{delimiter}")),
        false => unended::insert(source, delimiter, eol),
    };
    problem.choice("End the heredoc below", vec![edit])
}

/// The problem of a text in which another heredoc has the same delimiter, which the shell ends first.
fn same_delimiter(text: &str, content: &[Span], heredoc: &Heredoc) -> Option<Problem> {
    let begins = |span: &&Span| {
        let after = typed::after_sign(&text[(*span).clone()]);
        let rest = after.and_then(|after| after.strip_prefix(heredoc.delimiter.as_str()));
        rest.is_some_and(|it| !it.starts_with(typed::is_word))
    };
    let place = content.iter().find(begins)?;
    let says = format!(
        "this line begins a heredoc that ends with `{}`, too, so where the one around it ends is not certain; \
         give the outer one another delimiter",
        excerpt(&heredoc.delimiter, 40)
    );
    Some(Problem::new(problem::FILES_OPEN_HEREDOC, place.clone(), says))
}

/// The problem of a part in the place of which the shell puts something else.
fn expands(text: &str, place: &Span, heredoc: &Heredoc) -> Problem {
    let delimiter = &heredoc.delimiter;
    let says = format!(
        "the shell would put something else in the place of `{}`, as `{}` is not in quotes; put it in \
         quotes, or write a backslash before the sign",
        &text[place.clone()],
        excerpt(delimiter, 40)
    );
    let quoted = Replacement::new(heredoc.delimiter_place.clone(), format!("'{delimiter}'"));
    Problem::new(problem::FILES_EXPANDS, place.clone(), says)
        .choice("Take the lines as they are", vec![quoted])
}

fn fields(text: &str, content: &[Span], heredoc: &Heredoc) -> Vec<ParsedField> {
    // Its quotes are none of it.
    let place = heredoc.place.clone();
    let inside = text[place.clone()].find(&heredoc.path).map(|at| place.start + at);
    let path = inside.map_or(place, |at| at..at + heredoc.path.len());
    let mut fields = vec![parse::field("path", 0..path.start, path, false)];
    if let (Some(first), Some(last)) = (content.first(), content.last()) {
        let end = lines::after_ending(text, last.end);
        let key = heredoc.delimiter_place.clone();
        fields.push(parse::field("content", key, first.start..end, true));
    }
    fields
}
