//! Quick fixes: one for each way to fix a problem, and all preferred ones together.

use std::collections::BTreeSet;

use operator_core::edit::{Edit, EditSet};
use operator_core::path::FilePath;
use operator_core::plan;
use operator_core::problem::{Fix, Problem, Replacement};
use operator_core::review::Proposal;
use operator_core::text::Span;
use tower_lsp::ls_types::{CodeAction, CodeActionKind, WorkspaceEdit};

use crate::lsp::context::Context;
use crate::lsp::handlers::diagnostics::diagnostic;
use crate::lsp::names::ActionKind;
use crate::lsp::proto::EditBuilder;

/// How many fixes are offered at once.
const MAX_FIXES: usize = 100;

/// The fixes of the problems that `span` touches, or of the blocks that it touches where it
/// touches no problem; and for each block all its sure fixes at once.
pub fn quick_fixes(context: &Context, span: &Span) -> Vec<CodeAction> {
    let review = context.review();
    let touches = |other: &Span| other.start <= span.end && span.start <= other.end;
    let of_blocks = review.problems_near(span).map(|(block, problem)| (problem, Some(block)));
    let stray = review.stray().filter(|problem| touches(&problem.span));
    let near: Vec<_> = of_blocks.chain(stray.map(|problem| (problem, None))).collect();
    let is_at_one = near.iter().any(|(problem, _)| touches(&problem.span));
    let is_in = |block: usize| {
        review.proposal(block).is_some_and(|proposal| touches(&proposal.placed.span))
    };
    let shown = near.iter().filter(|(problem, block)| match is_at_one {
        true => touches(&problem.span),
        false => block.is_some_and(is_in),
    });
    let fixes = shown.flat_map(|(problem, block)| {
        let proposal = block.and_then(|block| review.proposal(block));
        let problem = match proposal.filter(|_| problem.is_error()) {
            Some(proposal) => with_homes(context, problem.clone(), &proposal),
            None => problem.clone(),
        };
        let action = |fix| action(context, &problem, fix, *block, is_at_one);
        problem.fixes.iter().filter_map(action).collect::<Vec<_>>()
    });
    let blocks: BTreeSet<usize> = near.iter().filter_map(|(_, block)| *block).collect();
    let whole = blocks.into_iter().filter(|block| is_in(*block)).filter_map(|block| {
        let own = near.iter().filter(|(_, of)| *of == Some(block));
        fix_block(context, own.map(|(problem, _)| problem))
    });
    let mut actions: Vec<_> = fixes.take(MAX_FIXES).collect();
    actions.extend(whole);
    actions
}

/// All sure fixes of a block, where there are several.
fn fix_block<'a>(
    context: &Context,
    problems: impl Iterator<Item = &'a Problem>,
) -> Option<CodeAction> {
    let sure = problems.filter_map(|problem| problem.fixes.iter().find(|fix| fix.preferred));
    let sure: Vec<&Fix> = sure.collect();
    if sure.len() < 2 {
        return None;
    }
    let title = "Fix all in this block";
    Some(CodeAction {
        title: title.to_owned(),
        kind: Some(CodeActionKind::new(ActionKind::QuickFix.identifier())),
        edit: Some(edit(context, &disjoint(sure.into_iter().map(edits)), title)?),
        ..CodeAction::default()
    })
}

/// The problem of a block without a path with the files that its lines fit as choices. They are
/// searched for when somebody asks, since that takes a look into every file.
fn with_homes(context: &Context, problem: Problem, proposal: &Proposal) -> Problem {
    let (placed, parsed) = (&proposal.placed, &proposal.placed.block.parsed);
    let Some(unnamed) = &parsed.unnamed else { return problem };
    let mut homes = plan::homes(unnamed, &context.view(), context.limits());
    // The transcript holds the lines itself.
    let own = context.site.file(&context.document.uri);
    homes.retain(|home| own.as_ref() != Some(home));
    homes.iter().map(FilePath::to_string).fold(problem, |problem, path| {
        let title = format!("Insert the path `{path}`");
        let edit = placed.block.dialect.name_file(parsed, &path);
        match edit.filter(|_| problem.fixes.iter().all(|fix| fix.title != title)) {
            Some(edit) => {
                let at = placed.span.start + edit.span.start;
                problem.choice(title, vec![Replacement::insert(at, edit.text)])
            }
            None => problem,
        }
    })
}

fn action(
    context: &Context,
    problem: &Problem,
    fix: &Fix,
    block: Option<usize>,
    is_at_cursor: bool,
) -> Option<CodeAction> {
    // Only a fix at the cursor is preferred.
    let preferred = context.session.client.preferred_actions && fix.preferred && is_at_cursor;
    Some(CodeAction {
        title: fix.title.clone(),
        kind: Some(CodeActionKind::new(ActionKind::QuickFix.identifier())),
        diagnostics: Some(vec![diagnostic(context, problem, block)]),
        edit: Some(edit(context, &edits(fix), &fix.title)?),
        is_preferred: preferred.then_some(true),
        ..CodeAction::default()
    })
}

/// The preferred fixes of all problems; of two that want the same characters the earlier.
pub fn fix_all(context: &Context) -> Option<CodeAction> {
    let mut problems: Vec<_> = context.review().problems().map(|(_, problem)| problem).collect();
    problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
    let preferred = problems.iter().filter_map(|p| p.fixes.iter().find(|fix| fix.preferred));
    let all = disjoint(preferred.map(edits));
    if all.is_empty() {
        return None;
    }
    let title = "Fix all problems that have exactly one fix";
    Some(CodeAction {
        title: title.to_owned(),
        kind: Some(CodeActionKind::new(ActionKind::FixAll.identifier())),
        edit: Some(edit(context, &all, title)?),
        ..CodeAction::default()
    })
}

/// As many of the sets as fit together, the earlier ones first; each wholly or not at all.
fn disjoint(sets: impl Iterator<Item = Vec<Edit>>) -> Vec<Edit> {
    let mut taken: Vec<Edit> = Vec::new();
    for set in sets {
        let clashes = set.iter().any(|edit| {
            taken.iter().rev().any(|other| {
                edit.span.start < other.span.end && other.span.start < edit.span.end
                    || edit.span.start == other.span.start
                    || edit.span.is_empty() && edit.span.start == other.span.end
                    || other.span.is_empty() && other.span.start == edit.span.end
            })
        });
        if !clashes {
            taken.extend(set);
        }
    }
    taken
}

fn edits(fix: &Fix) -> Vec<Edit> {
    fix.edits.iter().map(|r| Edit { span: r.span.clone(), text: r.text.clone() }).collect()
}

fn edit(context: &Context, edits: &[Edit], title: &str) -> Option<WorkspaceEdit> {
    let set = EditSet::new(edits.to_vec()).ok()?;
    let session = &context.session;
    let mut builder = EditBuilder::new(&session.client, session.config.confirm, &context.site);
    let document = &context.document;
    builder.document(document.uri.clone(), document.version, context.text(), &set);
    builder.finish(title).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixes_that_clash_are_left_for_the_next_time() {
        let edit = |span: Span, text: &str| Edit { span, text: text.to_owned() };
        let sets = [
            vec![edit(0..2, "a"), edit(8..9, "b")],
            vec![edit(4..5, "c"), edit(8..8, "d")],
            vec![edit(3..4, "e")],
        ];
        let taken = disjoint(sets.into_iter());
        let texts: Vec<_> = taken.iter().map(|edit| edit.text.as_str()).collect();
        assert_eq!(texts, ["a", "b", "e"]);
        assert!(EditSet::new(taken).is_ok());
    }
}
