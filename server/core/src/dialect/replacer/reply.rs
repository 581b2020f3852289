//! Replies: one line for each block.

use crate::dialect::reply::{
    TELL_THE_USER, as_made, is_for_the_user, is_to_be_sent_again, message, nearest_text,
};
use crate::dialect::{Answer, Failure};
use crate::text::Text;

/// What a model does about a block that failed.
const NEXT: &str = "\nsend the corrected block again, whole";

/// `ok <path>`, or `error <path>: <message>`, and a newline; the path as the transcript has it.
pub fn render(transcript: &Text, answer: &Answer) -> String {
    let path = on_one_line(answer.placed.block.parsed.path.as_deref().unwrap_or("-"));
    match &answer.result {
        Ok(outcome) => {
            let part = as_made(outcome).map(|part| format!("  {part}\n"));
            format!("ok {path}\n{}", part.unwrap_or_default())
        }
        Err(Failure::Problem { fault, others }) => {
            let mut text =
                format!("error {path}: {}", on_one_line(&message(transcript, answer, fault)));
            for other in others {
                text += &format!("\nand: {}", on_one_line(&message(transcript, answer, other)));
            }
            text += &nearest_text(&fault.details);
            if is_to_be_sent_again(fault) {
                text += NEXT;
            } else if is_for_the_user(fault) {
                text += &format!("\n{TELL_THE_USER}");
            }
            // What belongs to the block is indented.
            text.replace('\n', "\n  ") + "\n"
        }
        Err(Failure::Noted { message, .. }) => format!("error {path}: {}\n", on_one_line(message)),
        Err(Failure::Refused | Failure::Pending) => format!("error {path}: {}\n", answer.summary()),
    }
}

fn on_one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.trim().chars().map(plain).collect()
}
