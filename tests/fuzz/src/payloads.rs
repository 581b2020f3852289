//! What is in base64 in a block: patches, edits and texts. The first byte says which.

use data_encoding::BASE64;

use crate::transcript::check;

const FILES: [&str; 5] = ["a.txt", "crlf.txt", "mixed.txt", "mark.txt", "greeter/cli.py"];

/// Checks one input.
pub fn run(input: &[u8]) {
    let Some((kind, payload)) = input.split_first() else { return };
    let file = FILES[usize::from(kind >> 2) % FILES.len()];
    let (action, field) = match kind & 3 {
        0 => ("fs.write", "content_b64"),
        1 => ("fs.applyEdits", "edits_b64"),
        _ => ("fs.patch", "patch_b64"),
    };
    let block = format!(
        "OPERATOR_CMD\nversion: 1\nid: a\naction: {action}\npath: {file}\n{field}: {}\nEND_OPERATOR_CMD\n",
        BASE64.encode(payload)
    );
    check(&block, &[]);
}
