//! `fs.write`: a file's whole content.

use super::context::{Context, Written};
use super::{Issue, Plan};
use crate::snapshot::Kind;
use crate::text::Content;
use crate::text::lines::{self, Ending};

/// Creates the file, or replaces its content with its line ending and byte order mark kept.
pub(super) fn plan(context: &Context<'_>, path: &str, content: &str) -> Result<Plan, Box<Issue>> {
    context.check_payload(content.len(), "content")?;
    let texts = vec![content];
    let resolved = context.resolve(path, "path")?;
    let kind: Option<Kind> = context.ask(&resolved, "path", |snapshot| snapshot.kind(&resolved))?;
    let wanted = Content::of_file(content);
    if kind.is_none() {
        let path = context.free(path, "path")?;
        return context.created(Written { verb: "created", path, field: "content", texts }, wanted);
    }
    let before = context.read(&resolved)?;
    let text = match Ending::dominant_in(&before.text) {
        Some(ending) => lines::with_ending(&wanted.text, ending),
        None => wanted.text.clone(),
    };
    let after = Content::new(before.bom || wanted.bom, text);
    let written = Written { verb: "wrote", path: resolved, field: "content", texts };
    context.edited(written, before, after)
}
