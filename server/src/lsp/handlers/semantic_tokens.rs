//! Semantic tokens: blocks are coloured without an editor's grammar.

use operator_core::scan::Block;
use operator_core::spec::FieldType;
use operator_core::text::Span;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    Range, SemanticToken, SemanticTokenType, SemanticTokens, SemanticTokensFullOptions,
    SemanticTokensLegend, SemanticTokensOptions, SemanticTokensParams, SemanticTokensRangeParams,
    SemanticTokensRangeResult, SemanticTokensResult, ServerCapabilities, Uri, request,
};

use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::context::Context;
use crate::lsp::payload::{self, Value};
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;

/// What the characters of a block are; the place in the list is the number in the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Marker,
    Key,
    Action,
    Id,
    Number,
    Text,
    Payload,
}

const LEGEND: &[(Token, SemanticTokenType)] = &[
    (Token::Marker, SemanticTokenType::KEYWORD),
    (Token::Key, SemanticTokenType::PROPERTY),
    (Token::Action, SemanticTokenType::FUNCTION),
    (Token::Id, SemanticTokenType::VARIABLE),
    (Token::Number, SemanticTokenType::NUMBER),
    (Token::Text, SemanticTokenType::STRING),
    (Token::Payload, SemanticTokenType::COMMENT),
];

/// The kinds of tokens, in the order of their numbers.
fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: LEGEND.iter().map(|(_, kind)| kind.clone()).collect(),
        token_modifiers: Vec::new(),
    }
}

/// `textDocument/semanticTokens/full`
pub struct Handler;

impl DocumentRequest for Handler {
    type Protocol = request::SemanticTokensFullRequest;
    const NEEDS: Needs = Needs::Scan;

    fn advertise(_: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        let options = SemanticTokensOptions {
            legend: legend(),
            range: Some(true),
            full: Some(SemanticTokensFullOptions::Bool(true)),
            ..SemanticTokensOptions::default()
        };
        server.semantic_tokens_provider = Some(options.into());
    }

    fn document(params: &SemanticTokensParams) -> &Uri {
        &params.text_document.uri
    }

    fn handle(context: &Context, _: &SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        Ok(tokens(context, None)?.map(SemanticTokensResult::Tokens))
    }

    fn not_open() -> Result<Option<SemanticTokensResult>> {
        Ok(None)
    }
}

/// `textDocument/semanticTokens/range`
pub struct RangeHandler;

impl DocumentRequest for RangeHandler {
    type Protocol = request::SemanticTokensRangeRequest;
    const NEEDS: Needs = Needs::Scan;

    fn document(params: &SemanticTokensRangeParams) -> &Uri {
        &params.text_document.uri
    }

    fn handle(
        context: &Context,
        params: &SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        Ok(tokens(context, Some(params.range))?.map(SemanticTokensRangeResult::Tokens))
    }

    fn not_open() -> Result<Option<SemanticTokensRangeResult>> {
        Ok(None)
    }
}

/// The tokens of a document, or of a range of it.
fn tokens(context: &Context, range: Option<Range>) -> Result<Option<SemanticTokens>> {
    let wanted = match range {
        Some(range) => context.span(range)?,
        None => 0..usize::MAX,
    };
    let Some(scan) = context.scan() else { return Ok(None) };
    let commands = scan.blocks().map(|placed| (placed.span, placed.block));
    let replies = scan.reply_blocks().map(|(span, block)| (span, block.clone()));
    let is_wanted = |span: &Span| span.start < wanted.end && wanted.start <= span.end;
    let mut blocks: Vec<_> = commands.chain(replies).filter(|(span, _)| is_wanted(span)).collect();
    blocks.sort_by_key(|(span, _)| span.start);
    let above = scan.blocks().filter_map(|placed| placed.path_above());
    let mut found: Vec<_> =
        blocks.iter().flat_map(|(span, block)| of_block(context, span, block)).collect();
    found.extend(above.filter(|span| is_wanted(span)).map(|span| (span, Token::Text)));
    found.sort_by_key(|(span, _)| span.start);
    let found = found.into_iter();
    let found = found.flat_map(|(span, token)| lines(context, &span, &wanted, token));
    Ok(Some(SemanticTokens { result_id: None, data: relative(context, found) }))
}

fn of_block(context: &Context, span: &Span, block: &Block) -> Vec<(Span, Token)> {
    let text = context.text().slice(span.clone());
    let keyed = |line: &Span| {
        let mut keys = block.parsed.fields.iter().map(|it| payload::at(span.start, &it.key));
        keys.any(|key| line.start <= key.start && key.start < line.end)
    };
    let first = line_text(context, span.start);
    let mut tokens = Vec::new();
    // A line of a JSON object that has a key is not a marker.
    let is_json = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
    if !(is_json && keyed(&first)) {
        tokens.push((first, Token::Marker));
    }
    for field in &block.parsed.fields {
        tokens.push((payload::at(span.start, &field.key), Token::Key));
        let around = block.dialect.delimiters(&text, field);
        tokens.extend(around.iter().map(|it| (payload::at(span.start, it), Token::Marker)));
        let token = match payload::kind(block, field) {
            Value::Version | Value::Typed(FieldType::Integer) => Token::Number,
            Value::Id => Token::Id,
            Value::Action => Token::Action,
            kind if kind.is_encoded() => Token::Payload,
            Value::Typed(_) => Token::Text,
            Value::Unknown => continue,
        };
        tokens.push((payload::at(span.start, &field.value), token));
    }
    let last = line_text(context, span.end);
    // Not each diff in a fence ends with the end of the fence.
    let is_content = block.dialect.ends_with_content(&context.text().slice(last.clone()));
    if last.start > span.start && !keyed(&last) && !is_content {
        tokens.push((last, Token::Marker));
    }
    tokens.retain(|(span, _)| !span.is_empty());
    tokens.sort_by_key(|(span, _)| span.start);
    tokens
}

/// A token that may take several lines, as one for each line that is wanted, blanks around it left
/// out.
fn lines(context: &Context, span: &Span, wanted: &Span, token: Token) -> Vec<(Span, Token)> {
    let text = context.text();
    let first = text.line_of(span.start.max(wanted.start).min(span.end));
    let last = text.line_of(span.end.min(wanted.end).max(span.start));
    let line = |line: usize| {
        let begins = text.line_start(line).max(span.start);
        let ends = text.line_start(line + 1).min(span.end).max(begins);
        let said = text.slice(begins..ends);
        let blanks = said.len() - said.trim_start().len();
        let begins = begins + blanks;
        (begins..begins + said.trim().len(), token)
    };
    (first..=last).map(line).filter(|(span, _)| !span.is_empty()).collect()
}

/// The line that `offset` is in, without blanks around it.
fn line_text(context: &Context, offset: usize) -> Span {
    let start = context.text().line_start_of(offset);
    let line = context.text().line(context.text().line_of(offset));
    let blanks = line.len() - line.trim_start().len();
    start + blanks..start + blanks + line.trim().len()
}

/// The tokens as the protocol writes them: each from where the one before begins.
fn relative(context: &Context, tokens: impl Iterator<Item = (Span, Token)>) -> Vec<SemanticToken> {
    let mut data: Vec<SemanticToken> = Vec::new();
    let (mut line, mut character, mut end) = (0, 0, 0);
    for (span, token) in tokens {
        let range = context.range(&span);
        if span.start < end || range.start.line != range.end.line {
            continue;
        }
        end = span.end;
        let delta_line = range.start.line - line;
        let from = if delta_line == 0 { character } else { 0 };
        let number = LEGEND.iter().position(|(known, _)| *known == token).unwrap_or(0);
        data.push(SemanticToken {
            delta_line,
            delta_start: range.start.character - from,
            length: range.end.character - range.start.character,
            token_type: u32::try_from(number).unwrap_or(0),
            token_modifiers_bitset: 0,
        });
        (line, character) = (range.start.line, range.start.character);
    }
    data
}
