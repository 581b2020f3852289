//! The ExecutionResult that stands in a transcript already: where it ends, and what it says.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::reply::params;
use crate::dialect::{EarlierReply, Failure, REFUSED, SAID_EARLIER, Told};
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

/// A result that was read back.
pub struct Earlier {
    length: usize,
    /// What it says of each block, by its id and its action.
    results: HashMap<(String, String), Vec<ActionResult>>,
}

/// The result that a text begins with and that nothing else stands behind on its line.
pub fn read(text: &str) -> Option<Earlier> {
    if !text.starts_with('{') {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Result>();
    let result = values.next()?.ok()?;
    let end = values.byte_offset();
    let rest = text[end..].split(['\n', '\r']).next().unwrap_or_default();
    let length = rest.trim().is_empty().then_some(end + rest.len())?;
    let mut results: HashMap<_, Vec<_>> = HashMap::new();
    for one in result.results {
        results.entry((one.block_id.clone(), one.action.clone())).or_default().push(one);
    }
    Some(Earlier { length, results })
}

impl EarlierReply for Earlier {
    fn length(&self) -> usize {
        self.length
    }

    /// What the first entry says that has the block's header, action and all its parameters.
    fn said(&self, transcript: &Text, placed: &Placed) -> Option<Told> {
        let parsed = &placed.block.parsed;
        let key = (parsed.id.clone().unwrap_or_default(), parsed.action.clone()?);
        let own = self.results.get(&key)?;
        let mine = params(&transcript.slice(placed.span.clone()));
        let found = own.iter().find(|it| it.params == mine)?;
        Some(match (found.success, &found.error) {
            (true, _) => Ok(Outcome::Noted { summary: String::new(), data: found.data.clone() }),
            (false, Some(error)) if error == REFUSED => Err(Failure::Refused),
            (false, error) => {
                let details = [("data".to_owned(), found.data.clone())].into_iter().collect();
                let message = error.clone().unwrap_or_default();
                Err(Failure::Problem { code: SAID_EARLIER.to_owned(), message, details })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_and_nothing_else_is_found_where_a_text_begins() {
        let reply = |text: &str| read(text).map(|earlier| earlier.length);
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
