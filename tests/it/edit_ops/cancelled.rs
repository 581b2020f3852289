//! A request that nobody waits for any more is not worked on any more.

use serde_json::json;

use super::doors::{Profile, Server, editor};
use super::provider::Provider;
use super::{proposal, request, request_with};

#[test]
fn a_client_that_goes_away_takes_its_request_with_it() {
    let provider = Provider::hangs();
    let server = Server::start(&["--max-concurrent", "1"], &Profile::of(&provider));
    let stream = server.begin(&request());
    provider.wait_for(1);
    assert_eq!(server.ask(&request()).status, 503);
    drop(stream);
    provider.wait_until_gone(1);
    server.wait_for_log("outcome=Cancelled");
    // There is room again.
    let _stream = server.begin(&request());
    provider.wait_for(2);
}

#[test]
fn an_editor_that_cancels_ends_the_request_to_the_model() {
    let provider = Provider::hangs();
    let mut editor = editor(&Profile::of(&provider));
    let id = editor.send_request("operator/editOps", request());
    provider.wait_for(1);
    editor.notify("$/cancelRequest", json!({ "id": id }));
    assert_eq!(editor.wait(id).unwrap_err().code, -32800);
    provider.wait_until_gone(1);
}

#[test]
fn an_editor_that_shuts_down_is_answered_at_once() {
    let provider = Provider::hangs();
    let mut editor = editor(&Profile::of(&provider));
    let id = editor.send_request("operator/editOps", request());
    provider.wait_for(1);
    let shutdown = editor.send_request("shutdown", serde_json::Value::Null);
    assert_eq!(editor.wait(id).unwrap()["eval"]["outcome"], "cancelled");
    editor.wait(shutdown).unwrap();
    provider.wait_until_gone(1);
    editor.exit();
}

#[test]
fn an_editor_goes_on_while_the_model_thinks() {
    let provider = Provider::slow(&proposal(), std::time::Duration::from_millis(700));
    let mut editor = editor(&Profile::of(&provider));
    let ids: Vec<_> = (0..4).map(|_| editor.send_request("operator/editOps", request())).collect();
    editor.open("file:///w/chat.md", "markdown", "");
    assert_eq!(editor.proposals("file:///w/chat.md").len(), 0);
    for id in ids {
        assert_eq!(editor.wait(id).unwrap()["eval"]["outcome"], "ok");
    }
}

#[test]
fn an_editor_is_told_what_is_no_request() {
    let mut editor = editor(&Profile::default());
    let mut progress = request_with("workDoneToken", json!("t"));
    progress["partialResultToken"] = json!(1);
    assert_eq!(editor.ask("operator/editOps", progress)["enabled"], false);
    for (params, says) in [
        (request_with("active_file", json!("MARK")), "/active_file: one of tool.py"),
        (json!([1]), "an object is expected"),
        (json!({}), "/instruction: it is missing"),
    ] {
        let error = editor.fail("operator/editOps", params);
        assert_eq!(error.code, -32602, "{error:?}");
        assert!(error.message.contains(says) && !error.message.contains("MARK"), "{error:?}");
    }
    assert_eq!(editor.fail("operator/editOps", serde_json::Value::Null).code, -32602);
}
