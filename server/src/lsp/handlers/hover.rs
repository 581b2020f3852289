//! Hover: payloads decoded and shown as the code they are, and what they would do.

mod decoded;
mod markup;

use operator_core::dialect::{Dialect, ParsedField};
use operator_core::path::Kind;
use operator_core::review::Proposal;
use operator_core::scan::Block;
use operator_core::snapshot::Snapshot;
use operator_core::spec::{Action, Effect, Field, FieldRole, FieldType};
use operator_core::structure::{self, Arguments, Output, Request};
use operator_core::text::{Span, lines};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    Hover, HoverContents, HoverParams, HoverProviderCapability, MarkupContent, MarkupKind,
    ServerCapabilities, Uri, request,
};

use super::{preview, targets};
use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::context::Context;
use crate::lsp::payload::{self, NamedPath, Value};
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;
use markup::Markup;

/// How many structures that a target fits are shown.
const MAX_STRUCTURES: usize = 5;

/// `textDocument/hover`
pub struct Handler;

impl DocumentRequest for Handler {
    type Protocol = request::HoverRequest;
    const NEEDS: Needs = Needs::Review;

    fn advertise(_: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        server.hover_provider = Some(HoverProviderCapability::Simple(true));
    }

    fn document(params: &HoverParams) -> &Uri {
        &params.text_document_position_params.text_document.uri
    }

    fn handle(context: &Context, params: &HoverParams) -> Result<Option<Hover>> {
        let offset = context.offset(params.text_document_position_params.position);
        let Some((span, text)) = at(context, offset) else { return Ok(None) };
        let kind = match markup(context) {
            Markup::Markdown => MarkupKind::Markdown,
            Markup::Plain => MarkupKind::PlainText,
        };
        let contents = HoverContents::Markup(MarkupContent { kind, value: text });
        Ok(Some(Hover { contents, range: Some(context.range(&span)) }))
    }

    fn not_open() -> Result<Option<Hover>> {
        Ok(None)
    }
}

fn markup(context: &Context) -> Markup {
    match context.session.client.markdown_hover {
        true => Markup::Markdown,
        false => Markup::Plain,
    }
}

/// What there is to say at an offset, and about which characters.
fn at(context: &Context, offset: usize) -> Option<(Span, String)> {
    let holds = |span: &Span| span.start <= offset && offset <= span.end;
    if let Some((placed, span)) = payload::path_above(context.scan()?, offset) {
        let path = placed.block.parsed.path.as_deref()?;
        return Some((span, path_text(context, path, placed.block.dialect)));
    }
    if let Some(proposal) = context.review().near(&(offset..offset)).next() {
        let placed = &proposal.placed;
        // A mark without a value of its own is a line of the block.
        let found = field_at(&placed.block, placed.span.start, offset);
        let found = found.filter(|(field, _)| field.key != field.value);
        let Some((field, span)) = found else {
            return Some((line_span(context, offset), block(context, &proposal)));
        };
        let key = payload::at(placed.span.start, &field.key);
        let value = (offset > key.end).then_some(offset);
        return Some((span, field_text(context, &proposal, field, value)?));
    }
    let (span, block) = context.scan()?.reply_blocks().find(|(span, _)| holds(span))?;
    let (field, value) = field_at(block, span.start, offset)?;
    if field.role != Some(FieldRole::Details) {
        return None;
    }
    let text = payload::decoded(context.text(), span.start, block, field)?;
    Some((value, decoded::details(markup(context), &text)))
}

fn field_at(block: &Block, start: usize, offset: usize) -> Option<(&ParsedField, Span)> {
    block.parsed.fields.iter().find_map(|field| {
        let whole = start + field.key.start..start + field.value.end;
        (whole.start <= offset && offset <= whole.end)
            .then(|| (field, payload::at(start, &field.value)))
    })
}

fn line_span(context: &Context, offset: usize) -> Span {
    let start = context.text().line_start_of(offset);
    start..start + context.text().line(context.text().line_of(offset)).len()
}

/// On a marker: what the block is, its status, and the change that it would make.
fn block(context: &Context, proposal: &Proposal) -> String {
    let checked = preview::check(context, proposal);
    let summary = proposal.check_result().summary(&proposal.placed.block);
    let markup = markup(context);
    let title = markup.strong(&proposal.title());
    let mut text = format!("{title} — {}", proposal.status.as_str());
    if !summary.is_empty() {
        // It is in the words of the reply, which tells of what was done.
        let done = if proposal.effect() == Some(Effect::Write) { "applied" } else { "run" };
        let says = markup.prose(&summary);
        text.push_str(&format!("\n\nif it is {done} now, the reply says: {says}"));
    }
    for problem in proposal.problems() {
        let (code, says) = (markup.code(problem.code.as_str()), markup.prose(&problem.message));
        text.push_str(&format!("\n\n{code} {says}"));
    }
    text + &diff(context, &checked)
}

/// The diff that a proposal would make, ready to be appended.
fn diff(context: &Context, checked: &Proposal) -> String {
    let Some(plan) = checked.plan.as_ref().filter(|plan| !plan.changes.is_empty()) else {
        return String::new();
    };
    let files = preview::changed_files(&plan.changes, &context.view());
    let all: String = files.iter().map(preview::FileChange::diff).collect();
    format!("\n\n{}", markup(context).fence("diff", &all))
}

/// What there is to say about a field, or about what is at an offset in its value.
fn field_text(
    context: &Context,
    proposal: &Proposal,
    field: &ParsedField,
    offset: Option<usize>,
) -> Option<String> {
    let placed = &proposal.placed;
    let (block, start, parsed) = (&*placed.block, placed.span.start, &placed.block.parsed);
    let action = payload::action(block);
    match payload::kind(block, field) {
        Value::Action => action.map(|action| action_text(markup(context), action)),
        Value::Typed(kind) if kind.is_path() => {
            let named = payload::paths(context.text(), start, block, field);
            let touches = |span: &Span| offset.is_none_or(|at| span.start <= at && at <= span.end);
            let whole = |named: &&NamedPath| {
                let target = named.target.as_ref();
                touches(&named.span) || target.is_some_and(|(span, _)| touches(span))
            };
            let named = named.iter().find(whole).or(named.first())?;
            match named.target.as_ref().filter(|(span, _)| offset.is_some() && touches(span)) {
                Some((_, target)) => Some(target_text(context, &named.path, target, block.dialect)),
                None => Some(path_text(context, &named.path, block.dialect)),
            }
        }
        Value::Typed(kind) if kind.is_target() => {
            let text = payload::decoded(context.text(), start, block, field)?;
            let path = payload::path_beside(context.text(), start, block, (field.role, field.op))?;
            Some(target_text(context, &path, &text, block.dialect))
        }
        kind if kind.is_encoded() => {
            let text = payload::decoded(context.text(), start, block, field)?;
            let shown = decoded::payload(markup(context), kind, parsed, None, &text);
            let diff = diff(context, &preview::check(context, proposal));
            // A patch often is the very diff that it makes.
            Some(if shown.ends_with(diff.trim_start()) { shown } else { shown + &diff })
        }
        Value::Typed(kind) => {
            let markup = markup(context);
            let mut shown = markup.prose(&action?.field(&field.name)?.help);
            let text = payload::decoded(context.text(), start, block, field);
            let raw = payload::raw(context.text(), start, field);
            if let Some(text) = text.filter(|text| !field.heredoc && *text != *raw) {
                let beside = (field.role, field.op);
                let path = payload::path_beside(context.text(), start, block, beside);
                let decoded =
                    decoded::payload(markup, Value::Typed(kind), parsed, path.as_deref(), &text);
                shown.push_str(&format!("\n\n{decoded}"));
            }
            if kind == FieldType::Text && proposal.effect() == Some(Effect::Write) {
                shown.push_str(&diff(context, &preview::check(context, proposal)));
            }
            Some(shown)
        }
        _ => None,
    }
}

/// On an action: its entry in the specification.
fn action_text(markup: Markup, action: &Action) -> String {
    let (name, help) = (markup.strong(&action.name), markup.prose(&action.help));
    let result = format!("{} {}", markup.slanted("Result:"), markup.prose(&action.result));
    let mut text = format!("{name}\n\n{help}\n\n{result}");
    let rows = action.fields.iter().map(|field| {
        let need = match (field.required, field.one_of) {
            (true, _) => "required",
            (false, Some(_)) => "one of these",
            (false, None) => "optional",
        };
        let help = markup.prose(&field.help) + &limits(markup, field);
        [markup.code(&field.name), need.to_owned(), help]
    });
    if !action.fields.is_empty() {
        text.push_str(&format!("\n\n{}", markup.table(["field", "", ""], rows.collect())));
    }
    text
}

/// What a field's value may be, and what it is where the field is left out: ` 1 to 400; default
/// 120.`
fn limits(markup: Markup, field: &Field) -> String {
    let range = match (field.min, field.max) {
        (Some(min), Some(max)) => Some(format!("{min} to {max}")),
        (Some(min), None) if min > 0 => Some(format!("at least {min}")),
        (_, Some(max)) => Some(format!("at most {max}")),
        _ => None,
    };
    let values: Vec<String> = field.values.iter().map(|value| markup.code(value)).collect();
    let values = (!values.is_empty()).then(|| values.join(", "));
    let default = field.default.map(|default| format!("default {default}"));
    let parts: Vec<String> = [range, values, default].into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!(" {}", markup.slanted(&parts.join("; "))) }
}

/// On a target: the structures that it fits, as the code that they are.
fn target_text(context: &Context, path: &str, target: &str, dialect: &dyn Dialect) -> String {
    let path = structure::within(path).0;
    let markup = markup(context);
    let target_line = markup.code(&targets::on_one_line(target));
    let shown = format!("{target_line} in {}", markup.code(path));
    let arguments =
        Arguments { path: path.to_owned(), target: target.to_owned(), ..Default::default() };
    let Some(request) = Request::new("read_structure", arguments) else { return shown };
    let view = context.view();
    let through = payload::through(&view, dialect);
    let done = structure::perform(&request, &through, context.limits());
    let matches = match done.map(|done| done.output) {
        Ok(Output::Read { matches }) => matches,
        Ok(_) => Vec::new(),
        Err(failure) => return format!("{shown}\n\n{}", markup.prose(&failure.message)),
    };
    let language = operator_grammars::by_path(path).map_or("", |language| language.name);
    let mut text = format!("{shown}: {}", payload::counted(matches.len(), "structure"));
    for one in matches.iter().take(MAX_STRUCTURES) {
        let [first, last] = one.lines;
        let code = markup.fence(language, &one.text);
        text.push_str(&format!("\n\nlines {first}–{last}\n\n{code}"));
    }
    text
}

/// On a path: what is there.
fn path_text(context: &Context, path: &str, dialect: &dyn Dialect) -> String {
    let view = context.view();
    let markup = markup(context);
    let name = markup.code(path);
    let found = payload::through(&view, dialect)
        .resolve(path)
        .and_then(|file| Ok((view.kind(&file)?, file)));
    match found {
        Ok((None, _)) => format!("{name}: nothing is there"),
        Ok((Some(Kind::Directory), file)) => {
            let count = view.list(&file).map_or(0, |entries| entries.len());
            format!("{name}: a directory with {count} entries")
        }
        Ok((Some(Kind::File), file)) => match view.read(&file) {
            Ok(content) => {
                let count = payload::counted(lines::count(&content.text), "line");
                let fingerprint = markup.code(&content.fingerprint().to_string());
                format!("{name}: {}, {count}\n\n{fingerprint}", payload::size(content.len()))
            }
            Err(denied) => format!("{name}: cannot be read: {}", markup.prose(&denied.to_string())),
        },
        Err(denied) => {
            format!("{name}: cannot be checked: {}", markup.prose(&denied.to_string()))
        }
    }
}
