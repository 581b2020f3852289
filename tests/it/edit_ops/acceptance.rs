//! What the protocol was accepted by, one test for each criterion.

use serde_json::{Value, json};

use super::doors::{Profile, Server, ask, binary, by_command, run};
use super::provider::Provider;
use super::{op, proposal, request, request_with, with_ops};

const FILES: [&str; 5] = [
    "tool.py",
    "entrypoint.txt",
    "settings_schema.json",
    "input_schema.json",
    "usage_instructions.md",
];

/// What the model was sent for a request.
fn sent(profile: Profile, provider: &Provider, request: &Value) -> Value {
    by_command(&profile, request);
    provider.heard().pop().unwrap().body
}

#[test]
fn the_model_is_asked_for_a_strict_format_json_only() {
    let provider = Provider::says(&proposal());
    let profile = Profile::of(&provider)
        .with("model", "MODEL", "some-model")
        .with("maxTokens", "MAX_TOKENS", 77)
        .with("temperature", "TEMPERATURE", 0.25);
    let body = sent(profile, &provider, &request());
    assert_eq!(body["response_format"], json!({"type": "json_object"}));
    assert_eq!((&body["model"], &body["max_tokens"]), (&json!("some-model"), &json!(77)));
    assert_eq!((&body["temperature"], &body["stream"]), (&json!(0.25), &json!(false)));
    let system = body["messages"][0]["content"].as_str().unwrap();
    for words in ["exactly one JSON object and nothing else", "no Markdown", "no other members"] {
        assert!(system.contains(words), "{words:?} is not said");
    }
    let head = &provider.heard()[0].head;
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1\n"), "{head}");
}

#[test]
fn the_request_has_all_virtual_files_and_the_conversation() {
    let provider = Provider::says(&proposal());
    let request = request_with("selection", json!({"from": 1, "to": 3}));
    let body = sent(Profile::of(&provider), &provider, &request);
    assert_eq!(body["messages"].as_array().unwrap().len(), 2);
    let message = body["messages"][1]["content"].as_str().unwrap();
    let message: Value = serde_json::from_str(message).unwrap();
    assert_eq!(message["files"], request["virtual_files"]);
    assert_eq!(message["conversation"], request["conversation"]);
    assert_eq!(message["instruction"], request["instruction"]);
    assert_eq!(
        (&message["active_file"], &message["selection"]["text"]),
        (&json!("tool.py"), &json!("😀"))
    );
    // The same request is the same prompt.
    assert_eq!(sent(Profile::of(&provider), &provider, &request), body);
    for file in FILES {
        let mut less = request.clone();
        less["virtual_files"].as_object_mut().unwrap().remove(file);
        let (code, out, err) =
            run(binary(&["edit-ops"], &Profile::of(&provider)), less.to_string().as_bytes());
        assert_eq!((code, out.as_str()), (Some(2), ""));
        assert!(err.contains(&format!("/virtual_files/{file}: it is missing")), "{err}");
    }
}

#[test]
fn a_valid_answer_is_given_back_with_its_explicit_targets() {
    let mut ops = vec![
        op("insert", "tool.py", "cursor", Some("hello\r\n")),
        op("delete", "tool.py", "selection", None),
    ];
    for (index, file) in FILES[1..].iter().enumerate() {
        let delete = op("delete", file, "document", None);
        let replace = op("replace", file, "document", Some("\u{feff}é\n"));
        ops.push(if index % 2 == 0 { delete } else { replace });
    }
    let provider = Provider::says(&with_ops(&ops));
    let request = request_with("selection", json!({"from": 5, "to": 10}));
    let mut response = ask(&Profile::of(&provider), &request);
    let fingerprints = response["base_fingerprints"].take();
    assert_eq!(fingerprints.as_object().unwrap().len(), 5);
    let eval = json!({"template_id": "edit-ops-v1.0", "outcome": "ok"});
    let expected = json!({"enabled": true, "assistant_message": "Here it is.", "ops": ops,
                          "base_fingerprints": null, "eval": eval});
    assert_eq!(response, expected);
    let plain = ask(&Profile::of(&provider).with("evalMode", "EVAL_MODE", false), &request);
    let keys: Vec<_> = plain.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["enabled", "assistant_message", "ops", "base_fingerprints"]);
}

#[test]
fn every_response_has_a_base_fingerprint_per_virtual_file() {
    let provider = Provider::says(
        "{\"assistant_message\": \"\", \"ops\": [], \
        \"base_fingerprints\": {\"tool.py\": \"sha256:0000000000000000000000000000000000000000000000000000000000000000\"}}",
    );
    let on = Profile::of(&provider);
    let failed = Provider::answers(500, "");
    for profile in [Profile::default(), on, Profile::of(&failed)] {
        let response = ask(&profile, &request());
        let found = response["base_fingerprints"].as_object().unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), FILES);
        assert!(!found["tool.py"].as_str().unwrap().contains("0000000000"), "the model's own");
    }
}

#[test]
fn a_fingerprint_is_sha256_of_the_exact_utf8_content() {
    // As another implementation has them.
    let texts = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("a", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"),
        ("a\r\nb\r", "464c8c7baee96c964ae5d50b87cbc47ec4b8e8f836d6cb43d412da227eb15c9a"),
        ("\u{feff}é😀\n\n", "72e1859acfbf828bf65689fc478aea259b1c23672445ef544ac32316b4bd0035"),
        (
            " \t\u{0}\u{2028}e\u{301}",
            "c530e674f36aecdc0d47608998bf3a42cc4bfaf67cf1847ab977cf0da1d527e1",
        ),
    ];
    let files: Value = FILES.iter().zip(texts).map(|(file, (text, _))| (*file, text)).collect();
    let response = ask(&Profile::default(), &request_with("virtual_files", files));
    for (file, (text, expected)) in FILES.iter().zip(texts) {
        assert_eq!(response["base_fingerprints"][file], format!("sha256:{expected}"), "{text:?}");
    }
}

#[test]
fn disabled_by_configuration_is_an_empty_answer_with_a_message() {
    let response = ask(&Profile::default(), &request());
    assert_eq!((&response["enabled"], &response["ops"]), (&json!(false), &json!([])));
    let message = response["assistant_message"].as_str().unwrap();
    assert!(message.contains("LLM_CHAT_OPS_ENABLED"), "{message}");
    assert_eq!(response.get("eval"), None);
}

#[test]
fn invalid_json_or_schema_fails_safely() {
    for said in
        ["no", "{\"ops\": [", "[]", "{\"ops\": {}}", "{\"assistant_message\": 1, \"ops\": []}"]
    {
        let provider = Provider::says(said);
        let response = ask(&Profile::of(&provider), &request());
        assert_eq!(response["enabled"], true);
        assert_eq!(
            (&response["ops"], &response["eval"]["outcome"]),
            (&json!([]), &json!("invalid_response"))
        );
    }
}

#[test]
fn a_truncated_answer_gives_no_partial_edits() {
    let provider = Provider::stops(&proposal(), "length");
    let response = ask(&Profile::of(&provider), &request());
    assert_eq!((&response["ops"], &response["eval"]["outcome"]), (&json!([]), &json!("truncated")));
}

#[test]
fn over_budget_is_empty_and_says_so_in_eval_mode_alone() {
    let provider = Provider::says(&proposal());
    let small = Profile::of(&provider).with("contextBudgetTokens", "CONTEXT_BUDGET_TOKENS", 100);
    let response = ask(&small, &request());
    assert_eq!(response["ops"], json!([]));
    assert_eq!(response["eval"], json!({"template_id": "edit-ops-v1.0", "outcome": "over_budget"}));
    let response = ask(&small.with("evalMode", "EVAL_MODE", false), &request());
    assert_eq!((&response["ops"], response.get("eval")), (&json!([]), None));
    assert!(provider.heard().is_empty(), "the model was asked");
}

#[test]
fn the_log_has_metadata_only() {
    let provider = Provider::says(&proposal());
    let server = Server::start(&[], &Profile::of(&provider));
    server.ask(&request());
    server.wait_for_log("an edit-ops request");
    let log = server.log();
    let line = log.lines().last().unwrap();
    let names: Vec<_> = line.split(' ').filter_map(|word| Some(word.split_once('=')?.0)).collect();
    let expected = [
        "tool_id",
        "outcome",
        "milliseconds",
        "instruction_bytes",
        "turns",
        "file_bytes",
        "prompt_tokens",
        "ops",
    ];
    assert_eq!(names, expected, "{line}");
    assert!(line.contains("tool_id=0b9c5b0e-6a0c-4c43-9b8b-6f1e8a2d3c4d outcome=Ok "), "{line}");
}

#[test]
fn the_profile_is_its_own_and_no_other_is_read() {
    let provider = Provider::says(&proposal());
    let other = Provider::says(&proposal());
    let foreign = |command: &mut std::process::Command| {
        for prefix in ["LLM_COMPLETION", "LLM_EDIT", "LLM_CHAT", "OPENAI", "LLM"] {
            command.env(format!("{prefix}_ENABLED"), "true");
            command.env(format!("{prefix}_BASE_URL"), other.base_url());
            command.env(format!("{prefix}_API_KEY"), "FOREIGN");
            command.env(format!("{prefix}_MODEL"), "FOREIGN");
        }
        let proxy = other.base_url();
        for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"] {
            command.env(name, proxy.trim_end_matches("/v1"));
        }
    };
    let mut command = binary(&["edit-ops"], &Profile::of(&provider));
    foreign(&mut command);
    let (_, out, err) = run(command, request().to_string().as_bytes());
    assert!(out.contains("\"outcome\":\"ok\"") && err.is_empty(), "{out}\n{err}");
    let [heard] = &provider.heard()[..] else { panic!("{:?}", provider.heard()) };
    assert!(
        !heard.head.contains("authorization") && !heard.head.contains("FOREIGN"),
        "{}",
        heard.head
    );
    assert!(!heard.body.to_string().contains("FOREIGN"), "{}", heard.body);

    let mut command = binary(&["edit-ops"], &Profile::default());
    foreign(&mut command);
    let (_, out, _) = run(command, request().to_string().as_bytes());
    assert!(out.starts_with("{\"enabled\":false,"), "{out}");
    assert!(other.heard().is_empty(), "another profile was used");
}
