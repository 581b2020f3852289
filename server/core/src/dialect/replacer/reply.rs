//! Replies: one line for each block.

use crate::dialect::{Answer, Failure};

/// `ok <path>`, or `error <path>: <message>`, and a newline; the path as the transcript has it.
pub fn render(answer: &Answer) -> String {
    let path = on_one_line(answer.placed.block.parsed.path.as_deref().unwrap_or("-"));
    match &answer.result {
        Ok(_) => format!("ok {path}\n"),
        Err(Failure::Problem { message, .. } | Failure::Noted { message, .. }) => {
            format!("error {path}: {}\n", on_one_line(message))
        }
        Err(Failure::Refused | Failure::Pending) => format!("error {path}: {}\n", answer.summary()),
    }
}

fn on_one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.trim().chars().map(plain).collect()
}
