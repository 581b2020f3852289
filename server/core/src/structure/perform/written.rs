//! A file as an operation leaves it, checked against what a file may be.

use std::sync::Arc;

use super::Context;
use crate::edit::Target as Touched;
use crate::edit::{Change, Edit, EditSet};
use crate::outline::Parsed;
use crate::path::State;
use crate::snapshot::Denied;
use crate::structure::Failure;
use crate::structure::file::{File, unparsed};
use crate::text::{Content, Span};

/// A file as an operation leaves it.
pub(super) struct Written {
    /// What it held.
    pub before: Arc<Parsed>,
    /// What it holds.
    pub after: Arc<Parsed>,
    /// The change, none where everything is as it was.
    pub change: Option<Change>,
    /// The file as it was and as it would be.
    pub touched: Touched,
}

impl Written {
    /// Writes `text` into `file`.
    pub(super) fn new(
        context: &Context<'_>,
        file: &File,
        text: String,
    ) -> Result<Written, Failure> {
        let path = file.path.to_string();
        let writable = context.snapshot.writable(&file.path);
        writable.map_err(|why| Failure::denied(&path, &why, "write"))?;
        let before = &file.parsed;
        if before.text() == text {
            let after = before.clone();
            let touched = file.touched();
            return Ok(Written { before: before.clone(), after, change: None, touched });
        }
        let content = before.content.with_text(text);
        context.check_size(&path, &content)?;
        let parsed = context.snapshot.parsed(&file.path, before.language(), content.clone());
        let after = parsed.map_err(|why| unparsed(&path, why))?;
        let (was, is) = (before.content.clone(), content);
        let touched = Touched {
            path: file.path.clone(),
            before: State::File(was.fingerprint()),
            after: State::File(is.fingerprint()),
        };
        let change = Change::Edit { path: file.path.clone(), before: was, after: is };
        Ok(Written { before: before.clone(), after, change: Some(change), touched })
    }
}

impl Context<'_> {
    /// Whether a file may hold so much.
    pub(super) fn check_size(&self, path: &str, content: &Content) -> Result<(), Failure> {
        let (size, limit) = (content.len(), self.limits.file_bytes);
        if size <= limit {
            return Ok(());
        }
        Err(Failure::denied(path, &Denied::TooLarge { size: size as u64, limit }, "write"))
    }
}

/// Edits of one text, and where they leave what.
pub(super) struct Edits {
    set: EditSet,
    /// How far what follows so many of the edits is moved.
    shifts: Vec<isize>,
    /// What begins with bytes that an edit changes, after what the same edit puts before it, and
    /// where it is afterwards.
    pushed: Option<(usize, usize)>,
}

impl Edits {
    /// Disjoint edits, in any order.
    pub(super) fn new(edits: Vec<Edit>) -> Edits {
        let set = EditSet::new(edits).expect("an operation edits different places");
        let mut shifts = vec![0];
        shifts.extend(set.iter().scan(0, |shift, edit| {
            *shift += edit.text.len().cast_signed() - edit.span.len().cast_signed();
            Some(*shift)
        }));
        Edits { set, shifts, pushed: None }
    }

    /// What they take out of `text`.
    pub(super) fn removed<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        self.set.iter().map(|edit| &text[edit.span.clone()])
    }

    /// The same edits, where the bytes at `offset` are at `to` afterwards.
    pub(super) fn pushing(self, offset: usize, to: usize) -> Edits {
        Edits { pushed: Some((offset, to)), ..self }
    }

    /// One edit.
    pub(super) fn one(span: Span, text: impl Into<String>) -> Edits {
        Edits::new(vec![Edit { span, text: text.into() }])
    }

    /// The text after the edits.
    pub(super) fn apply(&self, text: &str) -> String {
        self.set.apply(text)
    }

    /// The bytes of the edit that changes what is at an offset.
    pub(super) fn around(&self, offset: usize) -> Span {
        let edits = self.set.as_slice();
        let edit = edits.get(edits.partition_point(|edit| edit.span.end <= offset));
        edit.map_or(offset..offset, |edit| edit.span.clone())
    }

    /// The bytes from the first edit's to the last one's.
    pub(super) fn span(&self) -> Span {
        let start = self.set.iter().next().map_or(0, |edit| edit.span.start);
        start..self.set.iter().next_back().map_or(0, |edit| edit.span.end)
    }

    /// Where an offset is after the edits; what is inserted there is before it.
    pub(super) fn moved(&self, offset: usize) -> usize {
        match self.pushed {
            Some((from, to)) if from == offset => to,
            _ => self.shifted(offset, |edit| edit.span.end <= offset),
        }
    }

    /// Where an offset is after the edits; what is inserted there is after it.
    pub(super) fn moved_start(&self, offset: usize) -> usize {
        self.shifted(offset, |edit| edit.span.end <= offset && edit.span.start < offset)
    }

    fn shifted(&self, offset: usize, is_before: impl Fn(&Edit) -> bool) -> usize {
        let before = self.set.as_slice().partition_point(is_before);
        let inside = self.set.as_slice().get(before).filter(|edit| edit.span.start < offset);
        let from = inside.map_or(offset, |edit| edit.span.start);
        from.saturating_add_signed(self.shifts[before])
    }
}
