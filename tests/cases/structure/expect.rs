//! What a call must give: `result`, `text`, `outline`, `error`, `warnings`.

use serde_json::Value;

use super::call::Call;
use super::{Given, fits};
use crate::check::list;
use crate::parse::Section;
use crate::report::Difference;
use crate::run::Outcome;

impl Outcome {
    /// Compares the blocks of one call, and notes them as they would be right.
    pub(super) fn expect(&mut self, call: &Call, own: &[&Section], given: &Given) {
        let first = |kind: &str| own.iter().copied().find(|it| it.kind == kind);
        let at = own.first().map_or(0, |section| section.call);
        if call.operation == "outline" {
            let old = first("outline");
            let new = Section::of("outline", Vec::new(), given.shown.as_bytes());
            let same = old.is_some_and(|old| fits(&old.body, &new.body));
            if old.is_some() || first("result").is_none() {
                self.part(at, old, new, same);
            }
            if let Some(old) = first("result") {
                self.json(at, old, &given.json);
            }
            return;
        }
        if given.json["ok"] != true {
            return self.failure(at, first("error"), &given.json["error"]);
        }
        if let Some(old) = first("error") {
            // As it is right, there is none.
            let found = given.json.to_string();
            self.differences.push(Difference::new(old.title(), &old.body, &found));
        }
        if let Some(old) = first("result") {
            self.json(at, old, &given.json["result"]);
        }
        let texts: Vec<&Section> = own.iter().copied().filter(|it| it.kind == "text").collect();
        if call.operation == "read" && (!texts.is_empty() || first("result").is_none()) {
            self.texts(at, &texts, list(&given.json["result"]["matches"]));
        }
        self.warnings(at, first("warnings"), list(&given.json["warnings"]));
    }

    fn json(&mut self, at: usize, old: &Section, found: &Value) {
        let expected = parse(&old.body);
        let same = expected.is_ok_and(|expected| json_fits(&expected, found));
        self.part(at, Some(old), Section::of("result", Vec::new(), line(found).as_bytes()), same);
    }

    /// The texts of matches, in order; the lines of each may be after the word.
    fn texts(&mut self, at: usize, old: &[&Section], matches: &[Value]) {
        for (index, one) in matches.iter().enumerate() {
            let text = one["text"].as_str().unwrap_or("?");
            let range = &one["line_range_inclusive"];
            let lines = format!("{}-{}", range[0], range[1]);
            let body = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            let new = Section::of("text", vec![lines.clone()], format!("{text}{body}").as_bytes());
            let old = old.get(index).copied();
            let same = old.is_some_and(|old| {
                let bytes = old.bytes();
                let body = bytes == text.as_bytes() || bytes == format!("{text}\n").as_bytes();
                body && old.args.first().is_none_or(|wanted| *wanted == lines)
            });
            self.part(at, old, new, same);
        }
        if old.len() > matches.len() {
            let message = format!("{} texts are there, not {}", matches.len(), old.len());
            self.differences.push(Difference::complaint(message));
        }
    }

    fn warnings(&mut self, at: usize, old: Option<&Section>, found: &[Value]) {
        let word = |one: &Value, key: &str| one[key].as_str().unwrap_or("?").to_owned();
        let expected: Vec<&str> = old.map_or(Vec::new(), |old| old.body.lines().collect());
        let same = expected.len() == found.len()
            && expected.iter().zip(found).all(|(line, one)| {
                let (kind, part) = line.split_once(' ').unwrap_or((line, ""));
                kind == word(one, "type") && word(one, "message").contains(part)
            });
        self.offered.extend(found.iter().map(|one| word(one, "type")));
        let lines =
            found.iter().map(|it| format!("{} {}\n", word(it, "type"), word(it, "message")));
        let body: String = lines.collect();
        if old.is_some() || !body.is_empty() {
            self.part(at, old, Section::of("warnings", Vec::new(), body.as_bytes()), same);
        }
    }

    fn failure(&mut self, at: usize, old: Option<&Section>, error: &Value) {
        let code = error["error"].as_str().unwrap_or("?");
        let message = error["message"].as_str().unwrap_or("?");
        let holds = |line: &str| match detail(line) {
            Some((key, value)) => json_fits(&value, &error["details"][key]),
            None => message.contains(line),
        };
        let same = old.is_some_and(|old| {
            old.args.first().is_some_and(|it| it == code) && old.body.lines().all(holds)
        });
        let mut body = format!("{message}\n");
        let details = error["details"].as_object().into_iter().flatten();
        for (key, value) in details.filter(|(key, _)| *key != "state") {
            body.push_str(&format!("{key} = {value}\n"));
        }
        self.part(at, old, Section::of("error", vec![code.to_owned()], body.as_bytes()), same);
    }

    fn part(&mut self, call: usize, old: Option<&Section>, new: Section, same: bool) {
        self.compare(old, Section { call, ..new }, same);
    }
}

/// `key = <json>`
fn detail(line: &str) -> Option<(&str, Value)> {
    let (key, value) = line.split_once(" = ")?;
    let is_name = key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_name.then_some(())?;
    Some((key, parse(value).ok()?))
}

/// JSON in which `{{any}}` may be where a value does.
fn parse(text: &str) -> serde_json::Result<Value> {
    let (mut json, mut rest, mut quoted) = (String::new(), text, false);
    while let Some(char) = rest.chars().next() {
        let any = !quoted && rest.starts_with("{{any}}");
        let length = match char {
            _ if any => "{{any}}".len(),
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            char => char.len_utf8(),
        };
        quoted ^= char == '"';
        let (part, more) = rest.split_at(length);
        json.push_str(if any { "\"{{any}}\"" } else { part });
        rest = more;
    }
    serde_json::from_str(&json)
}

/// Whether a value is the one expected; a text `{{any}}` stands for any value, and inside of a text
/// for any text.
fn json_fits(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::String(any), _) if any == "{{any}}" => true,
        (Value::String(pattern), Value::String(text)) => fits(pattern, text),
        (Value::Array(all), Value::Array(found)) => {
            all.len() == found.len() && all.iter().zip(found).all(|(one, it)| json_fits(one, it))
        }
        (Value::Object(all), Value::Object(found)) => {
            all.len() == found.len()
                && all.iter().all(|(key, one)| found.get(key).is_some_and(|it| json_fits(one, it)))
        }
        _ => expected == found,
    }
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}

#[test]
fn any_stands_for_any_value() {
    let fits = |expected: &str, found: &str| {
        json_fits(&parse(expected).unwrap(), &serde_json::from_str(found).unwrap())
    };
    assert!(fits(r#"{"a":{{any}},"b":[1,"x{{any}}"]}"#, r#"{"a":{"c":1},"b":[1,"xyz"]}"#));
    assert!(!fits(r#"{"a":{{any}}}"#, r#"{"a":1,"b":2}"#));
    assert!(!fits("[1,2]", "[1]"));
    assert!(!fits(r#"["x{{any}}"]"#, r#"["yx"]"#));
}
