//! Chats of any size with the blocks that most models know, the same every time.

use super::transcripts::mixed;

/// A chat of about `size` bytes in which `share` percent of the text is search-replace blocks in
/// fences, patches, and whole files.
pub fn chat(size: usize, share: usize) -> String {
    mixed(size, share, |number| match number % 3 {
        0 => patch(number),
        1 => pair(number),
        _ => whole(number),
    })
}

/// One search-replace block of about a kilobyte, in a fence below its path.
fn pair(number: usize) -> String {
    let lines = |verb: &str| format!("    value = {verb}(value)  # one line of code\n").repeat(12);
    format!(
        "src/step_{number}.py\n```python\n<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n```\n\n",
        lines("compute"),
        lines("improve")
    )
}

/// One patch of about a kilobyte.
fn patch(number: usize) -> String {
    let lines = |sign: char, verb: &str| {
        format!("{sign}    value = {verb}(value)  # one line of code\n").repeat(6)
    };
    let chunk = format!("@@ def one():\n{}{}", lines('-', "compute"), lines('+', "improve"));
    format!(
        "```\n*** Begin Patch\n*** Update File: src/step_{number}.py\n{chunk}{chunk}*** End Patch\n```\n\n"
    )
}

/// One file of about a kilobyte in a fence, with marks for what stays.
fn whole(number: usize) -> String {
    let lines = "    value = compute(value)  # one line of code\n".repeat(22);
    let mark = "# ... existing code ...\n";
    format!("src/step_{number}.py\n```python\n{mark}\ndef one():\n{lines}\n{mark}```\n\n")
}
