//! The conversations among the examples: an answer, the reply to it, the answer to that, and so on.

use std::path::{Path, PathBuf};

/// A conversation of two rounds.
pub struct Conversation {
    /// What the model answers first, with what the user asked above it.
    pub first: String,
    /// The reply to that.
    pub reply: String,
    /// What the model answers then.
    pub second: String,
    /// The reply to that.
    pub second_reply: String,
}

impl Conversation {
    /// The conversation of an example.
    pub fn new(example: &str) -> Conversation {
        let text = std::fs::read_to_string(spec("examples").join(example)).unwrap();
        let [first, reply, second, second_reply] = parts(&text).map(str::to_owned);
        Conversation { first, reply, second, second_reply }
    }

    /// The transcript as it is when the second answer has come.
    pub fn of_two(&self) -> String {
        [&*self.first, &self.reply, &self.second].concat()
    }

    /// The whole transcript.
    pub fn whole(&self) -> String {
        self.of_two() + &self.second_reply
    }
}

fn parts(text: &str) -> [&str; 4] {
    let (first, rest) = text.split_at(text.find("operator-lsp applied").unwrap());
    let (reply, rest) = rest.split_at(rest.find("\n**Model:**").unwrap());
    let (second, second_reply) = rest.split_at(rest.find("operator-lsp applied").unwrap());
    [first, reply, second, second_reply]
}

/// A page of the specification, or one of its folders.
pub fn spec(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec").join(path)
}

/// Copies the workspace of the examples.
pub fn copy_workspace(to: &Path) {
    copy(&spec("examples/workspace"), to);
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
