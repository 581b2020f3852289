//! Replies in a transcript, decoded for reading.

use data_encoding::BASE64;

/// Every reply in a text, its details decoded below it.
pub fn replies(text: &str) -> String {
    let mut found = String::new();
    let mut inside = false;
    for line in text.lines() {
        inside |= line == "OPERATOR_RESULT";
        if !inside {
            continue;
        }
        inside = line != "END_OPERATOR_RESULT";
        match line.strip_prefix("details_b64: ") {
            Some(details) => {
                let details = BASE64.decode(details.as_bytes()).unwrap();
                found.push_str("details:\n");
                found.push_str(&String::from_utf8(details).unwrap());
                if !found.ends_with('\n') {
                    found.push('\n');
                }
            }
            None if matches!(line, "OPERATOR_RESULT" | "END_OPERATOR_RESULT") => {}
            None => {
                found.push_str(line);
                found.push('\n');
            }
        }
    }
    found
}
