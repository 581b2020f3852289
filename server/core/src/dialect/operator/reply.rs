//! Replies: what goes back to the model, exactly these lines in this order.

use serde_json::{Map, Value};

use super::{base64, marker};
use crate::dialect::reply::{
    TELL_THE_USER, details, is_for_the_user, is_to_be_sent_again, message,
};
use crate::dialect::{Answer, Failure, Fault};
use crate::text::Text;

/// What a model does about a command that failed.
const NEXT: &str = "send the corrected block again, whole, with a new id";

/// The reply to one command; `None` where it has no id to be answered by.
pub fn render(transcript: &Text, answer: &Answer) -> Option<String> {
    let id = answer.placed.block.parsed.id.as_deref()?;
    let details = match &answer.result {
        Ok(outcome) => details(outcome),
        Err(Failure::Refused | Failure::Pending | Failure::Noted { .. }) => None,
        Err(Failure::Problem { fault, others }) => {
            Some(body(transcript, answer, fault, others).to_string())
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

/// What is wrong with a command, for the model to correct it.
fn body(transcript: &Text, answer: &Answer, fault: &Fault, others: &[Fault]) -> Value {
    let said = |fault: &Fault| {
        let (code, details) = (fault.code.clone().into(), fault.details.clone());
        let message = message(transcript, answer, fault).into();
        let of = |name: &str, value: Value| (name.to_owned(), value);
        Map::from_iter([of("code", code), of("message", message), of("details", details.into())])
    };
    let mut body = said(fault);
    if !others.is_empty() {
        body.insert("others".to_owned(), others.iter().map(said).collect());
    }
    if is_to_be_sent_again(fault) {
        body.insert("next".to_owned(), NEXT.into());
    } else if is_for_the_user(fault) {
        body.insert("next".to_owned(), TELL_THE_USER.into());
    }
    body.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialects;
    use crate::limits::Limits;
    use crate::path::FilePath;
    use crate::plan::{Fact, ListedEntry, Outcome};
    use crate::scan::Scan;

    fn answer(text: &str, result: Result<Outcome, Failure>) -> Answer {
        let scan = Scan::new(&Text::new(text), Dialects::all(), &Limits::default());
        Answer { placed: scan.blocks().next().unwrap(), result, states: Vec::new() }
    }

    #[test]
    fn the_lines_stand_in_their_order() {
        let block = "OPERATOR_CMD\nid: a-1\nEND_OPERATOR_CMD\n";
        let entry = ListedEntry { name: "x".to_owned(), is_directory: false, details: None };
        let fact = Fact::Listed { path: FilePath::new(0, "a"), entries: vec![entry] };
        let outcome = Outcome::Done(vec![fact]);
        assert_eq!(
            render(&Text::new(block), &answer(block, Ok(outcome))).unwrap(),
            "OPERATOR_RESULT\nid: a-1\nok: true\nsummary: listed a, 1 entry\ndetails_b64: eA==\nEND_OPERATOR_RESULT\n"
        );
        assert_eq!(
            render(&Text::new(block), &answer(block, Err(Failure::Refused))).unwrap(),
            "OPERATOR_RESULT\nid: a-1\nok: false\nsummary: refused by the user\nEND_OPERATOR_RESULT\n"
        );
        let nameless = "OPERATOR_CMD\nversion: 1\nEND_OPERATOR_CMD\n";
        assert_eq!(render(&Text::new(nameless), &answer(nameless, Err(Failure::Refused))), None);
    }
}
