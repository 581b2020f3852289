//! What is said of proposals, and that it is what the schema and the types say.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const HEX: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// What is said of a text: each problem, its place, and what its fixes make of that.
fn said(text: &str) -> Vec<String> {
    let one = |problem: &Problem| {
        let fix = |fix: &crate::problem::Fix| {
            let mut fixed = text.to_owned();
            for edit in fix.edits.iter().rev() {
                fixed.replace_range(edit.span.clone(), &edit.text);
            }
            let sound = read(&fixed).problems.len();
            format!(" [{}{}: {sound} left]", fix.title, if fix.preferred { "!" } else { "" })
        };
        let fixes: String = problem.fixes.iter().map(fix).collect();
        let (code, place) = (problem.code.as_str(), &text[problem.span.clone()]);
        format!("{} {} <{place}>{fixes}", code.trim_start_matches("edit-ops/"), problem.message)
    };
    read(text).problems.iter().map(one).collect()
}

/// A proposal of one op.
fn op(fields: &str) -> String {
    format!(r#"{{"ops":[{{{fields}}}]}}"#)
}

#[test]
fn a_proposal_of_every_op_is_sound() {
    let text = format!(
        r#"{{"enabled":true,"assistant_message":"","ops":[
        {{"op":"insert","target_file":"tool.py","target":{{"kind":"cursor"}},"content":"x"}},
        {{"op":"replace","target_file":"input_schema.json","target":{{"kind":"document"}},"content":"{{}}"}},
        {{"op":"replace","target_file":"tool.py","target":{{"kind":"selection"}},"content":"y"}},
        {{"op":"delete","target_file":"entrypoint.txt","target":{{"kind":"document"}}}},
        {{"op":"delete","target_file":"usage_instructions.md","target":{{"kind":"selection"}}}}],
        "base_fingerprints":{{"tool.py":"{HEX}"}},"eval":{{"template_id":"t","outcome":"ok"}}}}"#
    );
    let read = read(&text);
    assert_eq!(read.problems, []);
    let places: Vec<_> = read.ops.iter().map(|op| &text[op.file.clone().unwrap()]).collect();
    assert_eq!(places[1], "\"input_schema.json\"");
    let proposal = read.proposal.expect("a proposal");
    assert_eq!(proposal.ops.len(), 5);
    assert_eq!(
        serde_json::to_value(&proposal).unwrap(),
        serde_json::from_str::<Value>(&text).unwrap()
    );
}

#[test]
fn what_is_wrong_is_said_at_its_place() {
    let file = r#""target_file":"tool.py""#;
    let cases: Vec<(String, &[&str])> = vec![
        ("[]".into(), &["schema a proposal is an object <[]>"]),
        ("{}".into(), &["schema a proposal has `ops`, a list; it may be empty <{}>"]),
        (r#"{"ops":{}}"#.into(), &["schema /ops: this must be a list of ops <{}>"]),
        (r#"{"ops":[3]}"#.into(), &["schema /ops/0: an op is an object <3>"]),
        (
            r#"{"ops":[],"message":"x"}"#.into(),
            &[
                r#"schema /message: `message` is not known here; there are enabled, assistant_message, ops, base_fingerprints, eval <"message"> [Remove `message`: 0 left]"#,
            ],
        ),
        (
            r#"{"enabled":"yes","ops":[],"ops":[]}"#.into(),
            &[
                r#"schema /enabled: this must be true or false <"yes">"#,
                r#"schema /ops: `ops` is in this object twice; nothing says which one counts <"ops">"#,
            ],
        ),
        (
            format!(r#"{{"ops":[],"base_fingerprints":{{"tool.py":"e3b0","tool.rb":"{HEX}"}}}}"#),
            &[
                r#"schema /base_fingerprints/tool.py: a fingerprint is sha256: and 64 lower-case hexadecimal digits <"e3b0">"#,
                r#"unknown-file /base_fingerprints/tool.rb: `tool.rb` is not a virtual file; the files are tool.py, entrypoint.txt, settings_schema.json, input_schema.json, usage_instructions.md <"tool.rb">"#,
            ],
        ),
        (
            op(&format!(r#""op":"Insert",{file},"target":{{"kind":"cursor"}},"content":"x""#)),
            &[
                r#"schema /ops/0/op: this is one of insert, replace, delete <"Insert"> [Write insert!: 0 left]"#,
            ],
        ),
        (
            op(&format!(r#""op":"replace",{file},"target":"document","content":"x""#)),
            &[
                r#"schema /ops/0/target: a target is an object with a `kind` <"document"> [Write it as an object!: 0 left]"#,
            ],
        ),
        (
            op(&format!(r#""op":"insert",{file},"target":{{"kind":"document"}},"content":"x""#)),
            &[r#"schema /ops/0/target/kind: `insert` puts text at the `cursor` <"document">"#],
        ),
        (
            op(&format!(r#""op":"delete",{file},"target":{{"kind":"cursor"}}"#)),
            &[
                r#"schema /ops/0/target/kind: `delete` is about a `selection` or the `document` <"cursor">"#,
            ],
        ),
        (
            op(&format!(r#""op":"replace",{file},"target":{{"kind":"selection"}},"content":"""#)),
            &[
                r#"schema /ops/0/content: `replace` needs a text; `delete` is what takes text away <"">"#,
            ],
        ),
        (
            op(&format!(r#""op":"delete",{file},"target":{{"kind":"document"}},"content":null"#)),
            &[
                r#"schema /ops/0/content: `delete` has no `content`: it takes text away and puts nothing there <null> [Remove `content`!: 0 left]"#,
            ],
        ),
        (
            op(&format!(r#""op":"insert",{file}"#)),
            &[
                r#"schema /ops/0: `target` is missing <{"op":"insert","target_file":"tool.py"}>"#,
                r#"schema /ops/0: `insert` needs `content`, the text that it puts there <{"op":"insert","target_file":"tool.py"}>"#,
            ],
        ),
        (
            op(r#""op":"delete","target_file":7,"target":{"kind":"document","from":3}"#),
            &[
                r#"schema /ops/0/target_file: this must be the id of a file <7>"#,
                r#"schema /ops/0/target/from: `from` is not known here; there are kind <"from"> [Remove `from`: 1 left]"#,
            ],
        ),
        (
            r#"{"ops":[],"eval":{"outcome":"fine"}}"#.into(),
            &[
                r#"schema /eval: `template_id` is missing <{"outcome":"fine"}>"#,
                r#"schema /eval/outcome: this must be one of the outcomes that the specification lists <"fine">"#,
            ],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(said(&text), expected, "{text}");
    }
}

/// JSON that is nearly a proposal.
fn nearly() -> impl Strategy<Value = Value> {
    let odd = || {
        prop_oneof![
            Just(json!(null)),
            Just(json!(1)),
            Just(json!("")),
            Just(json!([])),
            Just(json!({})),
            Just(json!({"kind": 1})),
        ]
    };
    let mostly = |known: Vec<Value>| prop_oneof![9 => prop::sample::select(known), 1 => odd()];
    let member = |value: BoxedStrategy<Value>| prop::option::weighted(0.93, value);
    let texts = |texts: &[&str]| texts.iter().map(|text| json!(text)).collect::<Vec<_>>();
    let kinds = ["cursor", "document", "selection"].map(|kind| json!({"kind": kind})).to_vec();
    let op = (
        member(mostly(texts(&["insert", "replace", "delete"])).boxed()),
        member(mostly(texts(&["tool.py", "entrypoint.txt", "other.py"])).boxed()),
        member(mostly(kinds).boxed()),
        prop::option::of(mostly(texts(&["x", "y"]))),
        prop::option::weighted(0.03, odd()),
    );
    let op = op.prop_map(|(op, file, target, content, other)| {
        let members = [
            ("op", op),
            ("target_file", file),
            ("target", target),
            ("content", content),
            ("other", other),
        ];
        object(members)
    });
    let ops = prop_oneof![
        9 => prop::collection::vec(op, 0..3).prop_map(Value::Array),
        1 => odd(),
    ];
    let bases =
        vec![json!({}), json!({"tool.py": HEX}), json!({"tool.py": "x"}), json!({"x": HEX})];
    let evals =
        vec![json!({"template_id": "t", "outcome": "over_budget"}), json!({"outcome": "ok"})];
    let all = (
        prop::option::of(mostly(vec![json!(true), json!(false)])),
        prop::option::of(mostly(texts(&["", "m"]))),
        member(ops.boxed()),
        prop::option::of(mostly(bases)),
        prop::option::weighted(0.2, mostly(evals)),
    );
    all.prop_map(|(enabled, message, ops, bases, eval)| {
        object([
            ("enabled", enabled),
            ("assistant_message", message),
            ("ops", ops),
            ("base_fingerprints", bases),
            ("eval", eval),
        ])
    })
}

static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    jsonschema::validator_for(&crate::command::edit_ops::schema().to_value()).expect("a schema")
});

fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let given = members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(given.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// The walk, which says what is wrong, and the schema and the types, which do not say it well,
    /// admit the same.
    #[test]
    fn the_walk_the_schema_and_the_types_agree(value in nearly()) {
        let read = read(&value.to_string());
        prop_assert_eq!(read.proposal.is_some(), SCHEMA.is_valid(&value), "{}", value);
        let typed = serde_json::from_value::<Proposal>(value.clone());
        // Types alone do not know empty texts.
        prop_assert!(read.proposal.is_none() || typed.is_ok(), "{}", value);
        prop_assert_eq!(read.proposal.is_some(), read.problems.is_empty());
    }

    #[test]
    fn any_text_is_read(text in "[\\[\\]{}\":,a-z0-9 \n😀\\\\]{0,40}") {
        let read = read(&text);
        for problem in &read.problems {
            prop_assert!(text.get(problem.span.clone()).is_some());
        }
    }
}
