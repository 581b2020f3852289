//! What no client should send: it is answered with an error, and the server goes on.

use serde_json::{Value, json};

use super::client::{Capabilities, Client, Options, frame};
use super::workspace::{Workspace, block};

fn lives(client: &mut Client) {
    let uri = "untitled:alive";
    client.open(uri, "markdown", &block("1", "operator.getInterfaceSpec", &[]));
    assert_eq!(client.statuses(uri), "0 ready: operator.getInterfaceSpec\n");
    client.close(uri);
}

fn client() -> Client {
    Client::start(Options { capabilities: Capabilities::bare(), ..Options::new(&[]) })
}

#[test]
fn what_is_no_json() {
    let mut client = client();
    client.send_bytes(b"Content-Length: 9\r\n\r\n{\"id\": 1,".to_vec());
    assert_eq!(client.answer_without_id().code, -32700);
    client.send_bytes(b"Content-Length: 3\r\n\r\n\"\xff\"".to_vec());
    assert_eq!(client.answer_without_id().code, -32700);
    lives(&mut client);
}

#[test]
fn what_is_json_and_no_message() {
    let mut client = client();
    for strange in [json!({}), json!("x"), json!([]), json!({"jsonrpc": "2.0", "method": 3})] {
        client.send_bytes(frame(&strange));
        assert_eq!(client.answer_without_id().code, -32600, "{strange}");
    }
    lives(&mut client);
}

#[test]
fn unreadable_messages_in_a_row_and_before_initialize() {
    let mut client = Client::connect(Options::new(&[]));
    for index in 0..10 {
        client.send_bytes(b"Content-Length: 2\r\n\r\n{xContent-Length: 2\r\n\r\n{}".to_vec());
        assert_eq!(client.answer_without_id().code, -32700, "{index}");
        assert_eq!(client.answer_without_id().code, -32600, "{index}");
        if index == 4 {
            client.initialize(&[], Value::Null);
        }
    }
    lives(&mut client);
}

#[test]
fn headers_without_the_right_length() {
    let mut client = client();
    client.send_bytes(b"Content-Type: x\r\n\r\n".to_vec());
    assert_eq!(client.answer_without_id().code, -32700);
    client.send_bytes(b"Content-Length: 4\r\n\r\n{\"a\": \"too short\"}".to_vec());
    assert_eq!(client.answer_without_id().code, -32700);
    lives(&mut client);
}

#[test]
fn requests_before_initialize_and_after_shutdown() {
    let mut client = Client::connect(Options::new(&[]));
    let params = json!({"textDocument": {"uri": "untitled:a"}});
    for method in ["textDocument/documentSymbol", "no/method", "$/no", "shutdown"] {
        assert_eq!(client.fail(method, params.clone()).code, -32002, "{method}");
    }
    client.initialize(&[], Value::Null);
    assert_eq!(client.fail("initialize", json!({"capabilities": {}})).code, -32600);
    lives(&mut client);
    client.ask("shutdown", Value::Null);
    assert_eq!(client.fail("textDocument/documentSymbol", params).code, -32600);
    assert_eq!(client.exit(), 0);
}

#[test]
fn all_in_one_write_is_answered_before_the_end() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let frame = |message: Value| {
        let body = message.to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    };
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ];
    let mut server = Command::new(env!("CARGO_BIN_EXE_operator-lsp"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input: String = messages.into_iter().map(frame).collect();
    server.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let ended = server.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(0), "{said}");
    let (first, second) = (said.find("\"capabilities\""), said.find("\"result\":null"));
    assert!(first.is_some() && first < second, "{said}");
}

#[test]
fn unknown_methods() {
    let mut client = client();
    assert_eq!(client.fail("operator/nothing", json!({})).code, -32601);
    assert_eq!(client.fail("$/nothing", json!({})).code, -32601);
    client.notify("operator/nothing", json!({}));
    client.notify("$/nothing", json!({}));
    lives(&mut client);
}

const METHODS: &[&str] = &[
    "textDocument/diagnostic",
    "textDocument/codeAction",
    "codeAction/resolve",
    "textDocument/codeLens",
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/documentLink",
    "textDocument/documentSymbol",
    "workspace/symbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/inlayHint",
    "workspace/executeCommand",
    "operator/proposals",
    "operator/preview",
    "operator/fingerprint",
    "operator/structure",
];

const NOTIFICATIONS: &[&str] = &[
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
];

#[test]
fn wrong_parameters_for_every_method() {
    let mut client = client();
    let wrong = [
        json!([]),
        json!({"textDocument": 3}),
        json!({"textDocument": {"uri": 7}, "block": -1, "uri": {}, "query": 3, "command": []}),
        json!({"textDocument": {"uri": "not a uri \\"}, "uri": "::", "query": [], "command": {}}),
    ];
    for method in METHODS {
        for params in &wrong {
            let error = client.fail(method, params.clone());
            assert_eq!(error.code, -32602, "{method} {params}: {error:?}");
        }
    }
    for method in NOTIFICATIONS.iter().filter(|name| !name.ends_with("Configuration")) {
        wrong.iter().for_each(|params| client.notify(method, params.clone()));
    }
    lives(&mut client);
}

#[test]
fn requests_about_what_is_not_open() {
    let mut client = client();
    let at = json!({"line": 0, "character": 0});
    let params = json!({
        "textDocument": {"uri": "file:///none.md"}, "position": at,
        "range": {"start": at, "end": at}, "context": {"diagnostics": [], "triggerKind": 1},
    });
    for method in METHODS.iter().filter(|method| method.starts_with("textDocument/")) {
        let answer = client.ask(method, params.clone());
        let empty = answer.is_null() || answer["items"] == json!([]);
        assert!(empty, "{method}: {answer}");
    }
    let params = json!({"textDocument": {"uri": "file:///none.md"}, "block": 0});
    assert_eq!(client.fail("operator/proposals", params.clone()).code, -32602);
    assert_eq!(client.fail("operator/preview", params).code, -32602);
}

#[test]
fn inverted_ranges_and_blocks_that_are_not_there() {
    let workspace = Workspace::new(&[]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", &block("1", "fs.list", &[("path", ".")]));
    let range = json!({"start": {"line": 3, "character": 0}, "end": {"line": 1, "character": 0}});
    let id = json!({"uri": chat});
    let params = json!({"textDocument": id, "range": range, "context": {"diagnostics": []}});
    for method in
        ["textDocument/codeAction", "textDocument/inlayHint", "textDocument/semanticTokens/range"]
    {
        assert_eq!(client.fail(method, params.clone()).code, -32602, "{method}");
    }
    let params = json!({"textDocument": id, "block": 1});
    let error = client.fail("operator/preview", params);
    assert_eq!(error.message, "block 1 does not exist; the transcript has 1");
    let error = client.command("operator.reply", &json!({"uri": chat, "block": 9})).unwrap_err();
    assert_eq!(error.code, -32602);
    for command in ["operator.apply", "operator.applyAll", "operator.reject", "operator.nothing"] {
        let error = client.command(command, &json!("x")).unwrap_err();
        assert_eq!(error.code, -32602, "{command}");
    }
}

#[test]
fn positions_beyond_the_end_are_the_end() {
    let workspace = Workspace::new(&[]);
    let mut client = Client::new(&workspace.uri(""));
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", "one\ntwo");
    let far = json!({"line": 900_000, "character": 900_000});
    let beside = json!({"line": 0, "character": 900_000});
    client.change(&chat, &[json!({"range": {"start": far, "end": far}, "text": "!"})]);
    client.change(&chat, &[json!({"range": {"start": beside, "end": far}, "text": "?\n"})]);
    assert_eq!(client.text(&chat), "one?\n");
    let of = |text: &str| operator_core::fingerprint::Fingerprint::of(text.as_bytes()).to_string();
    assert_eq!(client.fingerprint(&chat), of("one?\n"));
    let id = json!({"uri": chat});
    let params = json!({"textDocument": id, "position": far});
    client.ask("textDocument/hover", params.clone());
    client.ask("textDocument/completion", params.clone());
    client.ask("textDocument/definition", params);
}

/// Reads what is said of settings up to the last: other ones are wrong after them.
fn read_all_shown(client: &mut Client) {
    let section = json!({"settings": {"operator": {"last": 1}}});
    client.notify("workspace/didChangeConfiguration", section);
    while !client.next_shown().contains("operator.last") {}
}

#[test]
fn any_json_as_settings() {
    let strange = [
        json!(3),
        json!("x"),
        json!([1, {"a": null}]),
        json!({"transcripts": 7}),
        json!({"transcripts": ["markdown", "[", "{a"]}),
        json!({"limits": {"blocks": "many", "fileBytes": -1, "contentBytes": 1e99}}),
        json!({"limits": {"": {"": {"": {"": {"": {"": {}}}}}}}}),
        json!({"confirm": true}),
        json!({"protectedPaths": ["[", 3]}),
        json!({"protectedPaths": ["["]}),
        json!({"allowedRoots": ["relative", "/none/such"]}),
        json!({"dialects": ["cobol"]}),
        json!({"\u{0}": "\u{10ffff}", "a": [[[[[[[[[[]]]]]]]]]]}),
    ];
    let mut client = client();
    for settings in &strange {
        let section = json!({"settings": {"operator": settings}});
        client.notify("workspace/didChangeConfiguration", section);
        let shown = client.next_shown();
        assert!(shown.starts_with("settings/"), "{settings}: {shown}");
        lives(&mut client);
        client.drain();
        client.shown.clear();
        // The same may be wrong with the next ones, and is told anew after sound ones.
        client.notify("workspace/didChangeConfiguration", json!({"settings": {"operator": {}}}));
    }
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    lives(&mut client);
    read_all_shown(&mut client);
    drop(client);
    for settings in strange {
        let mut client = Client::start(Options {
            capabilities: Capabilities::bare(),
            settings: settings.clone(),
            initialization_options: true,
            ..Options::new(&[])
        });
        let shown = client.next_shown();
        assert!(shown.starts_with("settings/"), "{settings}: {shown}");
        lives(&mut client);
        read_all_shown(&mut client);
    }
}

#[test]
fn what_a_strange_client_answers_is_survived() {
    let mut client = Client::start(Options::new(&[]));
    client.set_up();
    client.settings = json!("nonsense");
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    let shown = client.next_shown();
    assert!(shown.starts_with("settings/"), "{shown}");
    // An answer to nothing, and one that is not an answer.
    client.send(&json!({"jsonrpc": "2.0", "id": 4711, "result": null}));
    client.send(&json!({"jsonrpc": "2.0", "id": "x", "error": {"code": 1, "message": "no"}}));
    lives(&mut client);
}
