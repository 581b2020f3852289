//! Diagnostics: every problem at the exact characters, pushed or pulled.

use operator_core::problem::{
    self, CHAT_DRAFT, CHAT_SUPERSEDED, Code, OPERATOR_DUPLICATE_ID, PLAN_UNSYNCED, Place, Problem,
    Related, SCAN_MORE_PROBLEMS, Severity,
};
use operator_core::review::Review;
use operator_core::spec;
use serde_json::json;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CodeDescription, Diagnostic, DiagnosticOptions, DiagnosticRelatedInformation,
    DiagnosticServerCapabilities, DiagnosticSeverity, DiagnosticTag, DocumentDiagnosticParams,
    DocumentDiagnosticReport, DocumentDiagnosticReportResult, FullDocumentDiagnosticReport,
    Location, NumberOrString, Position, Range, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, ServerCapabilities,
    UnchangedDocumentDiagnosticReport, Uri, request,
};

use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::context::Context;
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;

/// How many problems of a document an editor is given.
const MAX_DIAGNOSTICS: usize = 1_000;
/// The page that explains every code.
const PAGE: &str = "https://github.com/operator-lsp/operator-lsp/blob/main/spec/problems.toml";

/// Every problem of the document, in the order of the text, cut at [`MAX_DIAGNOSTICS`] with a word
/// about it.
pub fn diagnostics(context: &Context, review: &Review) -> Vec<Diagnostic> {
    if let Some(unsynced) = &context.document.unsynced {
        let message = format!(
            "the editor's changes do not fit ({unsynced}); nothing is offered here until the \
             document is sent whole: close and open it"
        );
        let problem = Problem::new(PLAN_UNSYNCED, 0..0, message);
        return vec![diagnostic(context, &problem, None)];
    }
    let total = review.problem_count();
    let of_blocks = review.of_blocks().map(|(block, problem)| (problem, Some(block)));
    let stray = review.stray().map(|problem| (problem, None));
    // Both come in the order of the text, so the first of each are the first of all.
    let mut first: Vec<_> =
        of_blocks.take(MAX_DIAGNOSTICS).chain(stray.take(MAX_DIAGNOSTICS)).collect();
    first.sort_by_key(|(problem, _)| (problem.span.start, problem.span.end));
    first.truncate(MAX_DIAGNOSTICS);
    let mut found: Vec<_> =
        first.iter().map(|(problem, block)| diagnostic(context, problem, *block)).collect();
    if total > MAX_DIAGNOSTICS {
        let message = format!(
            "{total} problems in all; the first {MAX_DIAGNOSTICS} are shown. `operator-lsp check` lists every \
             one"
        );
        found.push(diagnostic(context, &Problem::new(SCAN_MORE_PROBLEMS, 0..0, message), None));
    }
    found
}

/// What is said of a document that the server itself has failed on.
pub fn failure(context: &Context) -> Vec<Diagnostic> {
    let says = "operator-lsp failed on this document, and offers nothing here until its text \
                changes: this is a bug; report the place that the server's log names";
    vec![diagnostic(context, &Problem::new(PLAN_UNSYNCED, 0..0, says.to_owned()), None)]
}

/// A problem as the protocol has it; `block` is the index of the block that it belongs to.
pub fn diagnostic(context: &Context, problem: &Problem, block: Option<usize>) -> Diagnostic {
    let client = &context.session.client;
    let related = problem.related.iter().filter_map(|related| place(context, related));
    let related: Vec<_> = if client.related_information { related.collect() } else { Vec::new() };
    let no_more = [CHAT_DRAFT, CHAT_SUPERSEDED, OPERATOR_DUPLICATE_ID];
    let faded = no_more.contains(&problem.code) && client.unnecessary_tag;
    Diagnostic {
        range: context.range(&problem.span),
        severity: Some(severity(problem.severity)),
        code: Some(NumberOrString::String(problem.code.to_string())),
        code_description: description(problem.code).filter(|_| client.code_descriptions),
        source: Some("operator".to_owned()),
        message: problem.message.clone(),
        related_information: (!related.is_empty()).then_some(related),
        tags: faded.then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: client.diagnostic_data.then(|| {
            json!({
                "version": context.document.version,
                "block": block,
                "fixes": problem.fixes.len(),
            })
        }),
    }
}

fn description(code: Code) -> Option<CodeDescription> {
    let line = spec::problem_line(code.as_str())?;
    let href = format!("{PAGE}#L{line}").parse().ok()?;
    Some(CodeDescription { href })
}

fn severity(severity: problem::Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Information => DiagnosticSeverity::INFORMATION,
        Severity::Hint => DiagnosticSeverity::HINT,
    }
}

fn place(context: &Context, related: &Related) -> Option<DiagnosticRelatedInformation> {
    let location = match &related.place {
        Place::Transcript(span) => Location::new(context.document.uri.clone(), context.range(span)),
        Place::Target(file, line) => {
            let line = u32::try_from(line.saturating_sub(1)).unwrap_or(u32::MAX);
            let start = Position::new(line, 0);
            Location::new(context.site.uri(file)?, Range::new(start, start))
        }
    };
    Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
}

/// `textDocument/diagnostic`
pub struct Handler;

impl DocumentRequest for Handler {
    type Protocol = request::DocumentDiagnosticRequest;
    const NEEDS: Needs = Needs::Review;

    fn advertise(client: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        let options = || DiagnosticOptions {
            identifier: Some("operator".to_owned()),
            inter_file_dependencies: true,
            workspace_diagnostics: false,
            ..DiagnosticOptions::default()
        };
        let provider = client.pull_diagnostics.then(options);
        server.diagnostic_provider = provider.map(DiagnosticServerCapabilities::Options);
    }

    fn document(params: &DocumentDiagnosticParams) -> &Uri {
        &params.text_document.uri
    }

    fn handle(
        context: &Context,
        params: &DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult> {
        let result_id = context.reviewed.serial.to_string();
        let report = if params.previous_result_id.as_ref() == Some(&result_id) {
            DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
                related_documents: None,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport {
                    result_id,
                },
            })
        } else {
            DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
                related_documents: None,
                full_document_diagnostic_report: FullDocumentDiagnosticReport {
                    result_id: Some(result_id),
                    items: context.reviewed.diagnostics.as_ref().clone(),
                },
            })
        };
        Ok(report.into())
    }

    fn not_open() -> Result<DocumentDiagnosticReportResult> {
        Ok(DocumentDiagnosticReport::Full(Default::default()).into())
    }
}
