//! Scans a large text in parts, each in a thread of its own.

use std::thread;

use super::edited::FoundSoFar;
use super::pass::Pass;
use super::{Scan, is_too_large};
use crate::dialect::Dialects;
use crate::limits::Limits;
use crate::parts::Parts;
use crate::text::Text;

impl Scan {
    /// Finds everything in `text`. All but its first part is scanned at the same time as if it were a
    /// text of its own. What the first part has is then put before that as an edit would be, so that the
    /// result is that of one scan.
    pub(super) fn in_parts(
        text: &Text,
        dialects: &Dialects,
        limits: &Limits,
        parts: Parts,
    ) -> Scan {
        let whole = || Scan::until(text, dialects, limits, |_| false);
        let count = parts.count(text.len());
        if count < 2 || is_too_large(text, limits) {
            return whole();
        }
        let at = text.line_start_of(text.len() / count);
        let rest = || {
            let parts = Parts { most: count - 1, ..parts };
            Scan::in_parts(&text.rest(at), dialects, limits, parts)
        };
        thread::scope(|scope| {
            // Where no thread can be started, one goes through all of it.
            let Ok(rest) = thread::Builder::new().spawn_scoped(scope, rest) else { return whole() };
            let mut pass = Pass::new(text, dialects, limits, 0, Default::default());
            let mut found = FoundSoFar::default();
            found.add(&mut pass, at, limits.blocks);
            match rest.join() {
                Ok(mut scan) => {
                    scan.put_first(pass, found, text, at, dialects.looks_back());
                    scan
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }
}
