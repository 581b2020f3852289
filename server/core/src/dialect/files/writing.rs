//! How people write whole files.

use crate::dialect::Writing;
use crate::spec::Action;

/// The writing of fences with a file in them.
pub struct Fences;

impl Writing for Fences {
    fn skeleton(&self, _: &Action, _: &str, hole: &mut dyn FnMut() -> String) -> String {
        let (path, text) = (hole(), hole());
        format!("{path}\n````\n{text}\n````")
    }

    fn end_marker(&self, header: &str) -> Option<String> {
        let fence = crate::text::fence::Fence::of(header)?;
        Some(fence.sign.to_string().repeat(fence.length))
    }
}
