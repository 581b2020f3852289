//! Replies: what goes back to the model, exactly these lines in this order.

use serde_json::json;

use super::{base64, marker};
use crate::dialect::{Answer, Failure};

/// The summary of a command that the user said no to.
pub const REFUSED: &str = "refused by the user";

const LONGEST_SUMMARY: usize = 200;

/// The reply to one command.
pub fn render(answer: &Answer) -> String {
    let (ok, summary, details) = match &answer.result {
        Ok(outcome) => (true, outcome.summary.as_str(), outcome.details.clone()),
        Err(Failure::Refused) => (false, REFUSED, None),
        Err(Failure::Problem { code, message, details }) => {
            let body = json!({ "code": code, "message": message, "details": details });
            (false, message.as_str(), Some(body.to_string()))
        }
    };
    let details = details.filter(|details| !details.is_empty());
    let details = details
        .map(|details| format!("details_b64: {}\n", base64::encode(&details)))
        .unwrap_or_default();
    format!(
        "{}\nid: {}\nok: {ok}\nsummary: {}\n{details}{}\n",
        marker::REPLY_START,
        answer.id.as_deref().unwrap_or_default(),
        one_line(summary),
        marker::REPLY_END,
    )
}

/// One line of at most 200 characters.
fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let plain = plain.trim();
    if plain.chars().count() <= LONGEST_SUMMARY {
        return plain.to_owned();
    }
    plain.chars().take(LONGEST_SUMMARY - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Outcome;

    #[test]
    fn the_lines_stand_in_their_order() {
        let result = Ok(Outcome { summary: "read\na".to_owned(), details: Some("x".to_owned()) });
        let answer = Answer { id: Some("a-1".to_owned()), action: None, result };
        assert_eq!(
            render(&answer),
            "OPERATOR_RESULT\nid: a-1\nok: true\nsummary: read a\ndetails_b64: eA==\nEND_OPERATOR_RESULT\n"
        );
        let refused = Answer { id: None, action: None, result: Err(Failure::Refused) };
        assert_eq!(
            render(&refused),
            "OPERATOR_RESULT\nid: \nok: false\nsummary: refused by the user\nEND_OPERATOR_RESULT\n"
        );
    }

    #[test]
    fn a_long_summary_is_cut_with_a_mark() {
        assert_eq!(one_line(&"é".repeat(300)).chars().count(), 200);
    }
}
