//! The ExecutionResult that is in a transcript already: where it is, and what it says.

use std::collections::{BTreeMap, HashSet};
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::values::Param;
use crate::dialect::{
    BlockEnd, Claim, Failure, LineKind, Parsed, REFUSED, Reader, Role, Said, Source, Told,
};
use crate::fingerprint::Fingerprint;
use crate::plan::Outcome;
use crate::text::fence::Fence;
use crate::text::lines;

/// The keys of a result, one of which is its first.
const KEYS: [&str; 6] =
    ["success", "totalBlocks", "executedActions", "results", "parseErrors", "fatalError"];

/// A result as it is read back; anything else in the object makes it none.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ExecutionResult {
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

/// What a result names a block by: its id, its action and all its parameters.
pub fn call(id: &str, action: &str, params: Vec<(&str, Param<'_>)>) -> String {
    // Their order does not matter.
    let params: BTreeMap<_, _> = params.into_iter().collect();
    format!("\n{id}\n{action}\n{:x}", FixedState::default().hash_one(params))
}

/// Whether a fence opens with a line that may hold a result.
pub fn is_fence(line: &str, next: &str) -> bool {
    next.starts_with('{') && Fence::of(line).is_some_and(|it| matches!(it.info, "json" | ""))
}

/// Whether a result begins with a line.
pub fn begins(line: &str, next: &str) -> bool {
    let Some(rest) = line.strip_prefix('{').map(str::trim_start) else { return false };
    let first = if rest.is_empty() { next.trim_start() } else { rest };
    let key = first.strip_prefix('"').and_then(|key| key.split_once('"'));
    key.is_some_and(|(key, _)| KEYS.contains(&key))
}

/// What a result says.
pub fn parse(source: &Source<'_>) -> Parsed {
    let text = source.text;
    let first = lines::each(text).next().unwrap_or(0..0);
    let fenced = Fence::of(&text[first.clone()]).is_some();
    let start = if fenced { lines::after_ending(text, first.end) } else { 0 };
    let result = serde_json::Deserializer::from_str(&text[start..]).into_iter().next();
    let result = result.and_then(Result::<ExecutionResult, _>::ok);
    let mut known = HashSet::new();
    let says = result.into_iter().flat_map(|it| it.results).filter_map(ActionResult::said);
    // Of several that name the same block the first one counts.
    let says = says.filter(|said| known.insert(said.of.clone())).collect();
    Parsed { says, ..Parsed::new(Role::Reply, lines::eol_after(text, first.end)) }
}

impl ActionResult {
    fn said(self) -> Option<Said> {
        let params = self.params.iter().map(|(name, value)| Some((&**name, Param::of(value)?)));
        let params: Option<Vec<_>> = params.collect();
        let of = call(&self.block_id, &self.action, params?);
        let stated = match self.success {
            true => Fingerprint::all_in(&self.data.to_string()),
            false => Vec::new(),
        };
        let told = self.told();
        let claim = Claim {
            ok: told.is_ok(),
            refused: told == Err(Failure::Refused),
            again: false,
            stated,
        };
        Some(Said { of, claim, told: Some(Box::new(told)) })
    }

    fn told(self) -> Told {
        match (self.success, self.error) {
            (true, _) => Ok(Outcome::Noted { summary: String::new(), data: self.data }),
            (false, Some(error)) if error == REFUSED => Err(Failure::Refused),
            (false, error) => {
                Err(Failure::Noted { message: error.unwrap_or_default(), data: self.data })
            }
        }
    }
}

/// Follows a result, in its fence or without one.
#[derive(Default)]
pub struct ResultReader {
    /// The sign and the length of the fence that it is in.
    fence: Option<(char, usize)>,
    /// The lines of the object so far.
    text: String,
    brackets: Brackets,
    is_result: bool,
}

impl ResultReader {
    /// A reader that has seen the first line.
    pub fn new(first: &str) -> ResultReader {
        let mut reader = ResultReader::default();
        match Fence::of(first) {
            Some(fence) => reader.fence = Some((fence.sign, fence.length)),
            None => reader.take(first),
        }
        reader
    }

    fn take(&mut self, line: &str) {
        self.brackets.take(line);
        self.text += line;
        self.text.push('\n');
        if self.is_complete() {
            let text = std::mem::take(&mut self.text);
            self.is_result = serde_json::from_str::<ExecutionResult>(&text).is_ok();
        }
    }

    fn is_complete(&self) -> bool {
        self.brackets.begun && self.brackets.depth == 0
    }
}

impl Reader for ResultReader {
    fn step(&mut self, line: &str, next: &str) -> LineKind {
        // No line of JSON is a fence.
        if let Some(fence) = Fence::of(line) {
            let own = self.fence.map(|(sign, length)| Fence { sign, length, info: "" });
            return match own.is_some_and(|own| fence.closes(&own)) {
                true => LineKind::Ends,
                false => LineKind::Breaks(BlockEnd::Unterminated),
            };
        }
        if self.is_complete() {
            return match self.fence.is_some() && line.trim().is_empty() {
                true => LineKind::Other,
                false => LineKind::Breaks(BlockEnd::Closed),
            };
        }
        if !self.brackets.begun && !begins(line, next) {
            return LineKind::Breaks(BlockEnd::Unterminated);
        }
        self.take(line);
        match self.is_complete() {
            true if !self.is_result => LineKind::Breaks(BlockEnd::Closed),
            true if self.fence.is_none() => LineKind::Ends,
            _ => LineKind::Fits,
        }
    }

    fn raw(&self) -> bool {
        !self.is_complete()
    }

    fn is_block(&self) -> bool {
        self.is_result
    }
}

/// The brackets of an object that are open.
#[derive(Default)]
struct Brackets {
    begun: bool,
    depth: usize,
}

impl Brackets {
    /// Looks at the next line. A text of JSON is on one line.
    fn take(&mut self, line: &str) {
        let (mut in_text, mut escaped) = (false, false);
        for byte in line.bytes() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = in_text,
                b'"' => in_text = !in_text,
                b'{' | b'[' if !in_text => self.depth += 1,
                b'}' | b']' if !in_text => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.begun |= !line.trim().is_empty();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_and_nothing_else_is_followed_to_its_end() {
        let length = |text: &str| {
            let mut lines = text.lines();
            let mut reader = ResultReader::new(lines.next().unwrap_or_default());
            let mut count = 1;
            while !reader.is_complete() {
                reader.step(lines.next()?, "");
                count += 1;
            }
            reader.is_block().then_some(count)
        };
        let result = "{\"success\": true, \"totalBlocks\": 1, \"executedActions\": 0,\n \
                      \"results\": [], \"parseErrors\": [\"}\"]}";
        assert_eq!(length(result), Some(2));
        assert_eq!(length(&format!("{result} \nmore")), Some(2));
        for other in [
            format!("{result} more"),
            result.replace("\"parseErrors\"", "\"mine\": 1, \"parseErrors\""),
            result.replace("\"results\": [],", ""),
            result[..result.len() - 1].to_owned(),
            "{}".to_owned(),
        ] {
            assert_eq!(length(&other), None, "{other}");
        }
    }

    #[test]
    fn a_result_is_in_a_fence_of_json_or_of_no_language() {
        assert!(is_fence("```json", "{") && is_fence("```", "{\"success\": true"));
        assert!(!is_fence("```js", "{") && !is_fence("```", "text") && !is_fence("{", "{"));
    }

    #[test]
    fn a_result_begins_with_one_of_its_keys() {
        assert!(begins("{\"success\": true, ", "") && begins("{", "  \"results\": ["));
        assert!(!begins(" {\"success\": true", "") && !begins("{", "\"ops\": []"));
        assert!(!begins("{", "") && !begins("{}", "\"success\""));
    }
}
