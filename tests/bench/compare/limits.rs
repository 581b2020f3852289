//! Limits that need a process of their own: this program starts itself again and is told which.

use std::process::Command;

use tree_sitter::Parser;

use super::server::resident;

/// The memory that a tree of a text takes by itself.
const TREE: &str = "--tree-of";

/// Whether this process is to measure a limit.
pub fn is_asked_for() -> bool {
    std::env::args().any(|argument| argument == TREE)
}

/// Prints what the limit is.
#[allow(clippy::print_stdout, reason = "the other process reads it")]
pub fn answer(words: &[String]) {
    let text = std::fs::read_to_string(&words[0]).expect("a file of the other process");
    let mut parser = parser("python");
    let before = resident(std::process::id());
    let tree = parser.parse(&text, None);
    println!("{}", resident(std::process::id()) - before);
    drop(tree);
}

/// The bytes of a bare tree of a Python file.
pub fn tree_of(file: &std::path::Path) -> usize {
    let own = std::env::current_exe().expect("this program is a file");
    let output = Command::new(own).arg(TREE).arg(file).output().expect("this program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().expect("it prints a number")
}

/// A parser of a language, and nothing else.
pub fn parser(language: &str) -> Parser {
    let language = operator_grammars::LANGUAGES.iter().find(|known| known.name == language);
    let grammar = language.expect("the language is known").grammar;
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter::Language::new(grammar())).expect("the grammar fits");
    parser
}
