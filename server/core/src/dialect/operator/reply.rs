//! Replies: what goes back to the model, exactly these lines in this order.

use serde_json::json;

use super::{base64, marker};
use crate::dialect::{Answer, Failure};

/// The reply to one command; `None` where it has no id to be answered by.
pub fn render(answer: &Answer) -> Option<String> {
    let id = answer.id.as_deref()?;
    let details = match &answer.result {
        Ok(outcome) => outcome.details.clone(),
        Err(Failure::Refused) => None,
        Err(Failure::Problem { code, message, details }) => {
            let body = json!({ "code": code, "message": message, "details": details });
            Some(body.to_string())
        }
    };
    let details = details.filter(|details| !details.is_empty());
    let details = details
        .map(|details| format!("details_b64: {}\n", base64::encode(&details)))
        .unwrap_or_default();
    Some(format!(
        "{}\nid: {id}\nok: {}\nsummary: {}\n{details}{}\n",
        marker::REPLY_START,
        answer.result.is_ok(),
        answer.summary(),
        marker::REPLY_END,
    ))
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
            render(&answer).unwrap(),
            "OPERATOR_RESULT\nid: a-1\nok: true\nsummary: read a\ndetails_b64: eA==\nEND_OPERATOR_RESULT\n"
        );
        let refused = Answer { result: Err(Failure::Refused), ..answer };
        assert_eq!(
            render(&refused).unwrap(),
            "OPERATOR_RESULT\nid: a-1\nok: false\nsummary: refused by the user\nEND_OPERATOR_RESULT\n"
        );
        assert_eq!(render(&Answer { id: None, ..refused }), None);
    }
}
