//! Problems: what is wrong with a block or a plan, where, and how to fix it.

mod codes;
mod details;

pub use crate::spec::Severity;
pub use codes::*;
pub use details::Details;

use serde_json::Value;

use crate::path::FilePath;
use crate::text::Span;

/// The name of a kind of problem, as `spec/problems.toml` lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(&'static str);

impl Code {
    /// The code's text, `operator/missing-end`.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// The severity that `spec/problems.toml` gives it; an error for a code that is not listed
    /// (which a test keeps from happening).
    pub fn severity(self) -> Severity {
        crate::spec::problem(self.0).map_or(Severity::Error, |entry| entry.severity)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// One replacement in a transcript: the bytes of `span` become `text`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What is there afterwards.
    pub text: String,
}

/// A way to fix a problem by editing the transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as the menu of an editor shows it: `Insert END_OPERATOR_CMD`.
    pub title: String,
    /// Disjoint replacements, in order.
    pub edits: Vec<Replacement>,
    /// Whether it is the one to take when all problems are fixed at once. A problem has at most
    /// one such fix; one that would lose or guess something is never preferred.
    pub preferred: bool,
}

/// Another place that is about a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// What is there.
    pub message: String,
    /// Where.
    pub place: Place,
}

/// A place in a transcript or in a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Bytes of the transcript, from the same origin as the problem's own range.
    Transcript(Span),
    /// A 1-based line of a target.
    Target(FilePath, usize),
}

/// What is wrong, where, and what can be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The kind of problem.
    pub code: Code,
    /// How bad it is, here.
    pub severity: Severity,
    /// What is wrong and what to do, in a sentence or two.
    pub message: String,
    /// The characters at fault; bytes from the origin that the holder defines (the start of the
    /// block for a block's problems, the start of the transcript for the others).
    pub span: Span,
    /// What a program needs to react: counts, lines, names.
    pub details: Details,
    /// Ways to fix it.
    pub fixes: Vec<Fix>,
    /// Other places.
    pub related: Vec<Related>,
}

impl Problem {
    /// A problem of the code's own severity, with no fix yet.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Problem {
        let mut message = message.into();
        message.shrink_to_fit();
        Problem {
            code,
            severity: code.severity(),
            message,
            span,
            details: Details::default(),
            fixes: Vec::new(),
            related: Vec::new(),
        }
    }

    /// The problem with another fix. The first fix added by this is the preferred one.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<Replacement>) -> Problem {
        let preferred = self.fixes.is_empty();
        // Most problems have one or two, and a transcript may have very many problems.
        self.fixes.reserve_exact(1);
        self.fixes.push(Fix { title: title.into(), edits, preferred });
        self
    }

    /// The problem with a fix that a person must choose: one that loses or guesses something.
    #[must_use]
    pub fn choice(mut self, title: impl Into<String>, edits: Vec<Replacement>) -> Problem {
        self.fixes.reserve_exact(1);
        self.fixes.push(Fix { title: title.into(), edits, preferred: false });
        self
    }

    /// The problem with one more detail.
    #[must_use]
    pub fn detail(mut self, key: &str, value: impl Into<Value>) -> Problem {
        self.details.insert(key, value.into());
        self
    }

    /// The problem with another place.
    #[must_use]
    pub fn related(mut self, message: impl Into<String>, place: Place) -> Problem {
        self.related.reserve_exact(1);
        self.related.push(Related { message: message.into(), place });
        self
    }

    /// The problem with every span counted from `origin` bytes earlier.
    #[must_use]
    pub fn shifted(mut self, origin: usize) -> Problem {
        let shift = |span: &mut Span| *span = span.start + origin..span.end + origin;
        shift(&mut self.span);
        for fix in &mut self.fixes {
            fix.edits.iter_mut().for_each(|edit| shift(&mut edit.span));
        }
        for related in &mut self.related {
            if let Place::Transcript(span) = &mut related.place {
                shift(span);
            }
        }
        self
    }

    /// Whether it keeps the block or the plan from being used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The problem of a block that has so many others that the lines from `span` on are not looked at.
pub(crate) fn too_many(span: Span) -> Problem {
    let most = crate::limits::PROBLEMS;
    let says = format!(
        "this block has more than {most} fields and problems: what follows is not read; \
         ask for the block again"
    );
    Problem::new(SCAN_TOO_MANY_PROBLEMS, span, says).detail("limit", most)
}

impl Replacement {
    /// Puts `text` in the place of `span`.
    pub fn new(span: Span, text: impl Into<String>) -> Replacement {
        Replacement { span, text: text.into() }
    }

    /// Puts `text` before the byte at `offset`.
    pub fn insert(offset: usize, text: impl Into<String>) -> Replacement {
        Replacement::new(offset..offset, text)
    }

    /// Takes `span` away.
    pub fn remove(span: Span) -> Replacement {
        Replacement::new(span, "")
    }
}
