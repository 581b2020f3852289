//! The operations on text inside a structure.

use serde_json::json;

use super::*;

const TWO: &str = "def f():\n    a = 1\n    b = 1\n\ndef g():\n    a = 1\n";

#[test]
fn text_is_looked_for_inside_the_structure_alone() {
    check(
        TWO,
        replace_text("g", "a = 1", "a = 2"),
        "def f():\n    a = 1\n    b = 1\n\ndef g():\n    a = 2\n",
    );
    assert_eq!(
        result(TWO, &replace_text("g", "a = 1", "a = 2\n    c")),
        json!({"affected_lines": [6, 7]})
    );
    let all = replace_all("f", "1", "2", Some(2));
    check(TWO, all.clone(), "def f():\n    a = 2\n    b = 2\n\ndef g():\n    a = 1\n");
    assert_eq!(result(TWO, &all), json!({"total_replacements": 2, "affected_lines": [2, 3]}));
    check(
        TWO,
        replace_text("", "\n\ndef g", "\n\n\ndef g"),
        "def f():\n    a = 1\n    b = 1\n\n\ndef g():\n    a = 1\n",
    );
}

#[test]
fn line_endings_are_those_of_the_file() {
    check(
        "def f():\r\n    a\r\n    b\r\n",
        replace_text("f", "a\n    b", "a\n    c\n    b"),
        "def f():\r\n    a\r\n    c\r\n    b\r\n",
    );
}

#[test]
fn a_text_with_carriage_returns_is_exact_and_is_replaced_as_given() {
    let text = "def f():\r\n    return 1\r\n";
    check(text, replace_text("f", "():\r\n", "(a):\n"), "def f(a):\n    return 1\r\n");
    let all = replace_all("", "\r\n", "\n", Some(2));
    check(text, all, "def f():\n    return 1\n");
    let unix = failure("def f():\n    return 1\n", &replace_text("f", "():\r\n", "(a):\n"));
    assert_eq!(unix.code.as_str(), "TEXT_NOT_FOUND");
}

#[test]
fn what_does_not_fit_is_told() {
    let told = |request: &Request| {
        let failure = failure(TWO, request);
        (failure.code.as_str(), Value::Object(failure.details))
    };
    let (code, details) = told(&replace_text("f", "x", "y"));
    assert_eq!(code, "TEXT_NOT_FOUND");
    assert_eq!(
        details,
        json!({"state": "FILE_UNCHANGED", "structure_lines": [1, 3], "structure_matched": "f"})
    );
    let (code, details) = told(&replace_text("f", "1", "y"));
    assert_eq!(code, "TEXT_AMBIGUOUS");
    assert_eq!(details, json!({"state": "FILE_UNCHANGED", "occurrences": 2, "lines": [2, 3]}));
    let (code, details) = told(&replace_all("f", "1", "y", Some(3)));
    assert_eq!(code, "COUNT_MISMATCH");
    assert_eq!(details, json!({"state": "FILE_UNCHANGED", "expected": 3, "found": 2}));
    assert_eq!(told(&replace_all("f", "x", "y", None)).0, "TEXT_NOT_FOUND");
    assert_eq!(told(&replace_text("f", "", "y")).0, "TEXT_EMPTY");
    assert_eq!(told(&replace_text("f", "1\n\ndef", "y")).0, "TEXT_NOT_FOUND");
    let overlapping = failure("x = 'aaa'\n", &replace_text("x", "aa", "b"));
    assert_eq!(overlapping.code.as_str(), "TEXT_AMBIGUOUS");
}

#[test]
fn a_body_that_loses_its_code_is_told() {
    let found = warnings(TWO, &replace_text("g", "    a = 1", ""));
    assert_eq!(
        found[0],
        ("STRUCTURE_EMPTY".to_owned(), json!({"structure": "g", "lines": [5, 5]}))
    );
}
