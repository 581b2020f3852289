//! The ExecutionResult that stands in a transcript already: where it ends, and what it says.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::reply::params;
use crate::dialect::{Failure, REFUSED, SAID_EARLIER};
use crate::plan::Outcome;
use crate::scan::Placed;
use crate::text::Text;

/// A result as it is read back; anything else in the object makes it none.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Result {
    #[serde(rename = "success")]
    _success: bool,
    #[serde(rename = "totalBlocks")]
    _total_blocks: usize,
    #[serde(rename = "executedActions")]
    _executed_actions: usize,
    results: Vec<ActionResult>,
    #[serde(rename = "parseErrors")]
    _parse_errors: Vec<Value>,
    #[serde(default, rename = "fatalError")]
    _fatal_error: Option<Value>,
}

/// What it says of one block.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ActionResult {
    #[serde(rename = "seq")]
    _seq: usize,
    block_id: String,
    action: String,
    params: Map<String, Value>,
    success: bool,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    data: Value,
}

/// The length of the result that a text begins with and that nothing else stands behind on its
/// line.
pub fn reply(text: &str) -> Option<usize> {
    if !text.starts_with('{') {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Result>();
    values.next()?.ok()?;
    let end = values.byte_offset();
    let rest = text[end..].split(['\n', '\r']).next().unwrap_or_default();
    rest.trim().is_empty().then_some(end + rest.len())
}

/// What a result says of a block: of the first that says the same in its header, its action and
/// all its parameters.
pub fn said(
    reply: &str,
    transcript: &Text,
    placed: &Placed,
) -> Option<std::result::Result<Outcome, Failure>> {
    let result: Result = serde_json::from_str(reply).ok()?;
    let parsed = &placed.block.parsed;
    let id = parsed.id.as_deref().unwrap_or_default();
    let action = parsed.action.as_deref()?;
    let mut own = result.results.into_iter().filter(|it| it.block_id == id && it.action == action);
    let mine = params(&transcript.slice(placed.span.clone()));
    let found = own.find(|it| it.params == mine)?;
    Some(match (found.success, found.error) {
        (true, _) => Ok(Outcome { data: found.data, ..Outcome::default() }),
        (false, Some(error)) if error == REFUSED => Err(Failure::Refused),
        (false, error) => {
            let details = [("data".to_owned(), found.data)].into_iter().collect();
            let (code, message) = (SAID_EARLIER.to_owned(), error.unwrap_or_default());
            Err(Failure::Problem { code, message, details })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_and_nothing_else_is_found_where_a_text_begins() {
        let result = r#"{"success": true, "totalBlocks": 1, "executedActions": 0,
            "results": [], "parseErrors": []}"#;
        assert_eq!(reply(result), Some(result.len()));
        assert_eq!(reply(&format!("{result} \nmore")), Some(result.len() + 1));
        for other in [
            format!("{result} more"),
            format!(" {result}"),
            result.replace("\"parseErrors\"", "\"mine\": 1, \"parseErrors\""),
            result.replace("\"results\": [],", ""),
            result[..result.len() - 1].to_owned(),
            "{}".to_owned(),
            String::new(),
        ] {
            assert_eq!(reply(&other), None, "{other}");
        }
    }
}
