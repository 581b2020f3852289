//! Nothing that was written or kept secret turns up where it does not belong.

use serde_json::{Value, json};

use super::doors::{Profile, Server, binary, editor, run};
use super::provider::{Provider, completion};
use super::{op, request, with_ops};

/// The mark in everything that must not be seen.
const MARK: &str = "XYZZY";

/// A request with the mark in every text.
fn marked() -> Value {
    let mut request = request();
    request["instruction"] = json!("XYZZY instruction");
    request["conversation"][0]["content"] = json!("XYZZY turn");
    for (name, text) in request["virtual_files"].as_object_mut().unwrap() {
        *text = json!(format!("XYZZY {name}"));
    }
    request
}

/// Models that answer with the mark, each in its own bad way.
fn providers() -> Vec<Provider> {
    let ops = with_ops(&[op("replace", "XYZZY.py", "document", Some("XYZZY"))]);
    let stopped = completion("XYZZY", "XYZZY");
    vec![
        Provider::answers(401, "XYZZY"),
        Provider::answers(302, "XYZZY"),
        Provider::answers(400, "{\"error\": {\"message\": \"XYZZY\"}}"),
        Provider::answers(500, "XYZZY"),
        Provider::answers(200, "XYZZY"),
        Provider::answers(200, stopped),
        Provider::answers(200, "{\"choices\": \"XYZZY\"}"),
        Provider::says("XYZZY"),
        Provider::says("{\"XYZZY\": \"XYZZY\", \"ops\": []}"),
        Provider::says(&ops),
        Provider::stops(&ops, "length"),
        Provider::breaks_off(),
    ]
}

fn profile(provider: &Provider) -> Profile {
    let base_url = format!("{}/XYZZY", provider.base_url());
    let profile = Profile::at(&base_url).with("apiKey", "API_KEY", "XYZZY-key");
    profile.with("model", "MODEL", "XYZZY-model")
}

#[test]
fn no_failure_shows_what_was_written() {
    for provider in providers() {
        let (code, out, err) =
            run(binary(&["edit-ops"], &profile(&provider)), marked().to_string().as_bytes());
        assert_eq!(code, Some(0));
        assert!(!out.contains(MARK) && !err.contains(MARK), "{out}\n{err}");
        let server = Server::start(&[], &profile(&provider));
        let reply = server.ask(&marked());
        server.wait_for_log("an edit-ops request");
        assert!(!reply.body.contains(MARK) && !reply.head.contains(MARK), "{reply:?}");
        assert!(!server.log().contains(MARK), "{}", server.log());
    }
}

#[test]
fn an_editor_does_not_log_or_show_what_was_written() {
    let provider = Provider::answers(500, "XYZZY");
    let mut editor = editor(&profile(&provider));
    let answer = editor.ask("operator/editOps", marked());
    assert!(!answer.to_string().contains(MARK), "{answer:#}");
    editor.drain();
    let said = format!("{:?}{:?}", editor.logged, editor.shown);
    assert!(!said.contains(MARK), "{said}");
}

#[test]
fn a_good_answer_shows_the_model_s_text_and_nothing_else() {
    let ops = [op("replace", "tool.py", "document", Some("answer"))];
    let provider = Provider::says(&with_ops(&ops));
    let server = Server::start(&[], &profile(&provider));
    let reply = server.ask(&marked());
    assert!(
        reply.body.contains("\"content\":\"answer\"") && !reply.body.contains(MARK),
        "{reply:?}"
    );
    server.wait_for_log("outcome=Ok");
    assert!(!server.log().contains(MARK) && !server.log().contains("answer"), "{}", server.log());
    let [heard] = &provider.heard()[..] else { panic!("{:?}", provider.heard()) };
    assert!(heard.head.contains("authorization: Bearer XYZZY-key\n"), "{}", heard.head);
}

#[test]
fn what_is_no_request_is_not_shown() {
    let mut wrong = Vec::new();
    for (pointer, value) in [
        ("tool_id", json!("XYZZY")),
        ("active_file", json!("XYZZY")),
        ("offset_encoding", json!("XYZZY")),
        ("conversation", json!([{"role": "XYZZY", "content": ""}])),
        ("instruction", json!(["XYZZY"])),
        ("cursor", json!({"pos": "XYZZY"})),
    ] {
        let mut request = marked();
        request[pointer] = value;
        wrong.push(request.to_string());
    }
    wrong.push("{\"instruction\": XYZZY}".to_owned());
    wrong.push(marked().to_string().replace('}', "XYZZY"));
    let server = Server::start(&[], &Profile::default());
    for body in wrong {
        let reply = server.post(&[], body.as_bytes());
        assert_eq!(reply.status, 422);
        assert!(!reply.body.contains(MARK), "{reply:?}");
        let (code, out, err) = run(binary(&["edit-ops"], &Profile::default()), body.as_bytes());
        assert_eq!((code, out.as_str()), (Some(2), ""));
        assert!(err.starts_with("error: ") && !err.contains(MARK), "{err}");
    }
    assert!(!server.log().contains(MARK), "{}", server.log());
}

#[test]
fn a_value_of_the_profile_that_cannot_be_used_is_not_shown() {
    let provider = Provider::says("");
    for (setting, variable, value) in [
        ("apiKey", "API_KEY", "XYZZY key"),
        ("baseUrl", "BASE_URL", "http://user:XYZZY@localhost"),
        ("enabled", "ENABLED", "XYZZY"),
        ("temperature", "TEMPERATURE", "XYZZY"),
    ] {
        let profile = profile(&provider).with(setting, variable, value);
        let (_, out, err) = run(binary(&["edit-ops"], &profile), request().to_string().as_bytes());
        assert!(out.starts_with("{\"enabled\":false,") && !out.contains(MARK), "{out}");
        let name = format!("LLM_CHAT_OPS_{variable} must be");
        assert!(err.contains(&name) && !err.contains(MARK), "{err}");
        let server = Server::start(&[], &profile);
        server.wait_for_log(&name);
        assert!(!server.log().contains(MARK), "{}", server.log());
    }
}
