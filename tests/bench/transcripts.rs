//! Transcripts of any size, the same every time.

use operator_core::dialect::operator::encode;

const PROSE: &str = "The parser reads the file line by line and keeps what it does not know. A user \
who asks for a change gets a proposal, looks at it, and says yes or no; nothing else is written.\n";

/// A transcript of about `size` bytes in which `share` percent of the text is blocks.
pub fn transcript(size: usize, share: usize) -> String {
    mixed(size, share, block)
}

/// Prose with blocks, each made from its number.
pub fn mixed(size: usize, share: usize, block: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size + 4096);
    let mut number = 0;
    let mut blocks = 0;
    while text.len() < size {
        if blocks * 100 <= text.len() * share {
            number += 1;
            let block = block(number);
            blocks += block.len();
            text.push_str(&block);
        } else {
            text.push_str(PROSE);
        }
    }
    text
}

/// One sound block of about a kilobyte.
fn block(number: usize) -> String {
    let body = "    value = compute(value)  # one line of code that is not very long\n".repeat(9);
    let content = encode(&format!("def step_{number}(value):\n{body}    return value\n"));
    format!(
        "OPERATOR_CMD\nversion: 1\nid: step-{number}\naction: fs.write\npath: src/step_{number}.py\n\
         content_b64: {content}\nEND_OPERATOR_CMD\n"
    )
}
