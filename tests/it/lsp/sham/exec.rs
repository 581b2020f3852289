//! Programs in an editor: asked about, run beside everything else, ended with the server.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::client::{Capabilities, Client, OnEdit, Options, titles};
use super::super::workspace::Workspace;
use super::{block, results, told};

const RUN: &str = "refactor.rewrite.operator.run";
const LIMIT: Duration = Duration::from_secs(10);

fn bash(workspace: &Workspace, code: &str) -> String {
    block(workspace, "exe", "exec", &[("lang", "bash"), ("code", code)])
}

/// A client in which programs may be run and that says yes.
fn running(workspace: &Workspace, capabilities: Capabilities, text: &str) -> (Client, String) {
    let mut client = Client::start(Options {
        capabilities: capabilities.with("/workspace/configuration", Value::Null),
        settings: json!({"exec": {"enable": true}}),
        initialization_options: true,
        ..Options::new(&[workspace.uri("")])
    });
    client.on_edit = OnEdit::Apply;
    client.choice = Some("Run".to_owned());
    let chat = workspace.uri("chat.md");
    client.open(&chat, "markdown", text);
    (client, chat)
}

/// Waits until a file is there, and gives its text.
fn file(workspace: &Workspace, path: &str) -> String {
    let start = Instant::now();
    while !workspace.root().join(path).exists() || workspace.text(path).is_empty() {
        assert!(start.elapsed() < LIMIT, "{path} does not come");
        std::thread::sleep(Duration::from_millis(10));
    }
    workspace.text(path)
}

/// Waits until a process is gone.
#[cfg(target_os = "linux")]
fn wait_for_end(process: &str) {
    let start = Instant::now();
    while std::path::Path::new("/proc").join(process.trim()).exists() {
        assert!(start.elapsed() < LIMIT, "{process} is still there");
        std::thread::sleep(Duration::from_millis(10));
    }
}

const EVERYTHING: fn() -> Capabilities = Capabilities::everything;

#[test]
fn a_program_is_run_after_a_question_and_its_result_inserted() {
    let workspace = Workspace::new(&[]);
    let code: String = (1..=9).map(|number| format!("echo {number}\n")).collect();
    let (mut client, chat) = running(&workspace, EVERYTHING(), &bash(&workspace, &code));
    let actions = client.block_actions(&chat, 0, &[RUN]);
    assert_eq!(titles(&actions), "Run this bash program and insert its result\n");
    client.take_block_action(&chat, 0, RUN);
    let shown: String = (1..=9).map(|number| format!("{number}: echo {number}\n")).collect();
    let root = workspace.root().display().to_string();
    assert_eq!(
        client.questions,
        [format!("Run this bash program in {root}?\n\n{shown}[Run] [Cancel]")]
    );
    let said = told(client.text(&chat));
    assert!(said.starts_with("exe {\"stdout\":\"1\\n2\\n"), "{said}");
    assert!(client.statuses(&chat).starts_with("0 applied"), "{}", client.statuses(&chat));
    let actions = client.block_actions(&chat, 0, &[RUN]);
    assert_eq!(titles(&actions), "Run this bash program again and insert its result\n");
}

#[test]
fn a_program_is_shown_whole_before_it_is_run() {
    let workspace = Workspace::new(&[]);
    let far = format!("echo far{}; touch made", " ".repeat(200));
    let text = bash(&workspace, &format!("{far}\n# \u{202e}\u{1b}[2J\n"));
    let (mut client, chat) = running(&workspace, EVERYTHING(), &text);
    client.choice = Some("Cancel".to_owned());
    client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap();
    let shown = "\n\n1: echo far⟨200 blanks⟩; touch made\n2: # \\u{202e}\\u{1b}[2J\n[Run] [Cancel]";
    assert!(client.questions[0].ends_with(shown), "{}", client.questions[0]);
}

#[test]
fn nobody_is_asked_about_a_program_that_a_message_cannot_show() {
    for code in ["echo hi\n".repeat(16), format!("echo {}\n:\n", "x".repeat(1_000))] {
        let workspace = Workspace::new(&[]);
        let (mut client, chat) = running(&workspace, EVERYTHING(), &bash(&workspace, &code));
        let actions = titles(&client.block_actions(&chat, 0, &[RUN]));
        assert!(actions.contains("[this program is too long to be shown whole"), "{actions}");
        let argument = json!({"uri": chat, "block": 0});
        let error = client.command("operator.apply", &argument).unwrap_err();
        assert!(error.message.contains("`operator-lsp apply --allow-exec`"), "{error:?}");
        assert!(client.questions.is_empty());
    }
}

#[test]
fn a_program_that_fails_is_told_with_what_it_printed() {
    let workspace = Workspace::new(&[]);
    let text = bash(&workspace, "echo partly\nexit 3\n");
    let (mut client, chat) = running(&workspace, EVERYTHING(), &text);
    client.take_block_action(&chat, 0, RUN);
    let result = &results(client.text(&chat))[0]["results"][0];
    assert_eq!(result["error"], "exec: ended with exit code 3");
    assert_eq!(result["data"]["stdout"], "partly\n");
}

#[test]
fn nothing_is_run_without_a_yes() {
    let workspace = Workspace::new(&[]);
    let text = bash(&workspace, "echo hi > made\n:\n");
    let (mut client, chat) = running(&workspace, EVERYTHING(), &text);
    client.choice = Some("Cancel".to_owned());
    let argument = json!({"uri": chat, "block": 0});
    assert_eq!(client.command("operator.apply", &argument), Ok(json!({"applied": false})));
    assert_eq!(client.text(&chat), text);
    // Neither by everything together, nor by a reply that is merely asked for.
    client.command("operator.applyAll", &json!({"uri": chat})).unwrap_err();
    let reply = client.command("operator.reply", &argument).unwrap();
    assert!(reply.as_str().unwrap().contains("\"executedActions\": 0"), "{reply}");
    assert_eq!(workspace.text("made"), "(not there)");
    assert_eq!(client.questions.len(), 1);
}

#[test]
fn a_client_that_cannot_ask_is_refused() {
    let workspace = Workspace::new(&[]);
    let cannot_ask = EVERYTHING().with("/window/showMessage", Value::Null);
    let (mut client, chat) = running(&workspace, cannot_ask, &bash(&workspace, "echo\n:\n"));
    let actions = titles(&client.block_actions(&chat, 0, &[RUN]));
    assert!(actions.contains("[this editor cannot ask you whether"), "{actions}");
    let error = client.command("operator.apply", &json!({"uri": chat, "block": 0})).unwrap_err();
    assert!(error.message.starts_with("this editor cannot ask you"), "{error:?}");
}

/// The lenses of the one block, and its offers.
fn offered(client: &mut Client, chat: &str) -> (String, Value) {
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": chat}}));
    let titles = lenses.as_array().unwrap().iter().map(|lens| &lens["command"]["title"]);
    let titles: Vec<_> = titles.map(|title| title.as_str().unwrap()).collect();
    (titles.join(" | "), client.proposals(chat)[0]["offers"].clone())
}

#[test]
fn only_a_program_that_can_be_run_is_offered() {
    let workspace = Workspace::new(&[]);
    let text = bash(&workspace, "echo\n:\n");
    let (mut client, chat) = running(&workspace, EVERYTHING(), &text);
    let (lenses, offers) = offered(&mut client, &chat);
    assert!(
        lenses.starts_with("Run this bash program and insert its result | Reject | ready: "),
        "{lenses}"
    );
    assert_eq!(offers, json!(["run", "reject"]));
    let cannot_ask = EVERYTHING().with("/window/showMessage", Value::Null);
    let (mut client, chat) = running(&workspace, cannot_ask, &text);
    let (lenses, offers) = offered(&mut client, &chat);
    assert!(lenses.starts_with("Reject | this editor cannot ask you whether"), "{lenses}");
    assert!(!lenses.contains("insert its result"), "{lenses}");
    assert_eq!(offers, json!(["reject"]));
}

#[test]
fn without_the_setting_it_is_blocked() {
    let workspace = Workspace::new(&[]);
    let (mut client, chat) = super::showing(&workspace, &bash(&workspace, "echo\n:\n"));
    let actions = titles(&client.block_actions(&chat, 0, &[RUN]));
    assert!(actions.contains("[blocked: programs are not run; "), "{actions}");
}

#[test]
fn the_server_answers_and_the_text_may_change_while_a_program_runs() {
    let workspace = Workspace::new(&[]);
    let code = "echo up > up\nwhile [ ! -e go ]; do sleep 0.02; done\necho done\n";
    let (mut client, chat) = running(&workspace, EVERYTHING(), &bash(&workspace, code));
    let params = json!({"command": "operator.apply", "arguments": [{"uri": chat, "block": 0}]});
    let request = client.send_request("workspace/executeCommand", params);
    client.until("the question", |client| (!client.questions.is_empty()).then_some(()));
    file(&workspace, "up");
    assert_eq!(client.proposals(&chat).len(), 1);
    let text = format!("More above.\n{}", client.text(&chat));
    client.change(
        &chat,
        &[json!({
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
            "text": "More above.\n",
        })],
    );
    assert_eq!(client.text(&chat), text);
    workspace.put("go", "go\n");
    assert_eq!(client.wait(request), Ok(json!({"applied": true})));
    assert!(client.text(&chat).starts_with(&format!("{text}{{\n")), "{}", client.text(&chat));
    assert!(told(client.text(&chat)).contains("\"stdout\":\"done\\n\""));
}

#[test]
fn a_program_is_not_run_a_second_time_while_it_runs() {
    let workspace = Workspace::new(&[]);
    let code = "echo up >> up\nwhile [ ! -e go ]; do sleep 0.02; done\n";
    let (mut client, chat) = running(&workspace, EVERYTHING(), &bash(&workspace, code));
    let about = json!({"uri": chat, "block": 0});
    let params = json!({"command": "operator.apply", "arguments": [about]});
    let request = client.send_request("workspace/executeCommand", params);
    client.until("the question", |client| (!client.questions.is_empty()).then_some(()));
    file(&workspace, "up");
    let error = client.command("operator.apply", &about).unwrap_err();
    let running = "the program of this block is running, or you are asked about it already";
    assert_eq!((error.message.as_str(), client.questions.len()), (running, 1));
    workspace.put("go", "go\n");
    assert_eq!(client.wait(request), Ok(json!({"applied": true})));
    assert_eq!(workspace.text("up"), "up\n");
}

#[test]
fn a_result_whose_block_has_changed_is_not_inserted() {
    let workspace = Workspace::new(&[]);
    let code = "while [ ! -e go ]; do sleep 0.02; done\n:\n";
    let (mut client, chat) = running(&workspace, EVERYTHING(), &bash(&workspace, code));
    let params = json!({"command": "operator.apply", "arguments": [{"uri": chat, "block": 0}]});
    let request = client.send_request("workspace/executeCommand", params);
    client.until("the question", |client| (!client.questions.is_empty()).then_some(()));
    client.replace(&chat, "sleep 0.02", "sleep 0.03");
    let text = client.text(&chat).to_owned();
    workspace.put("go", "go\n");
    let error = client.wait(request).unwrap_err();
    assert_eq!(error.message, "the program has run, but its block was changed meanwhile");
    assert_eq!(client.text(&chat), text);
}

#[test]
#[cfg(target_os = "linux")]
fn a_cancelled_command_ends_its_program() {
    let workspace = Workspace::new(&[]);
    let code = "sleep 1000 &\necho $! > child\nwait\n";
    let (mut client, chat) = running(&workspace, EVERYTHING(), &bash(&workspace, code));
    let params = json!({"command": "operator.apply", "arguments": [{"uri": chat, "block": 0}]});
    let request = client.send_request("workspace/executeCommand", params);
    client.until("the question", |client| (!client.questions.is_empty()).then_some(()));
    let child = file(&workspace, "child");
    client.notify("$/cancelRequest", json!({"id": request}));
    assert_eq!(client.wait(request).unwrap_err().code, -32800);
    wait_for_end(&child);
    assert!(client.statuses(&chat).starts_with("0 ready"), "{}", client.statuses(&chat));
}

#[test]
#[cfg(target_os = "linux")]
fn the_end_of_the_server_is_the_end_of_its_programs() {
    for polite in [true, false] {
        let workspace = Workspace::new(&[]);
        let code = "sleep 1000 &\necho $! > child\nwait\n";
        let mut client = Client::start(Options {
            capabilities: EVERYTHING().with("/workspace/configuration", Value::Null),
            settings: json!({"exec": {"enable": true}}),
            initialization_options: true,
            process: true,
            ..Options::new(&[workspace.uri("")])
        });
        client.choice = Some("Run".to_owned());
        let chat = workspace.uri("chat.md");
        client.open(&chat, "markdown", &bash(&workspace, code));
        let params = json!({"command": "operator.apply", "arguments": [{"uri": chat, "block": 0}]});
        let request = client.send_request("workspace/executeCommand", params);
        client.until("the question", |client| (!client.questions.is_empty()).then_some(()));
        let child = file(&workspace, "child");
        // The edit with the result may be asked for once more before the end.
        client.on_edit = OnEdit::Apply;
        match polite {
            true => drop(client.shut_down()),
            false => drop(client.hang_up()),
        }
        client.wait(request).unwrap_err();
        wait_for_end(&child);
    }
}
