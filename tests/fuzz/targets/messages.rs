//! What a client says to the language server: a message on each line.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

/// What a client begins with. There is no workspace, and the client answers no question about
/// settings, so that nothing of the machine is read or written.
const BEGIN: [&str; 2] = [
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{"general":{"positionEncodings":["utf-8","utf-16"]},"workspace":{"workspaceEdit":{"documentChanges":true,"resourceOperations":["create","rename","delete"]},"applyEdit":true},"textDocument":{"codeAction":{"codeActionLiteralSupport":{"codeActionKind":{"valueSet":[]}}}}}}}"#,
    r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
];

/// How long the server may take to end after the last message.
const PATIENCE: Duration = Duration::from_secs(5);

fuzz_target!(|input: &str| {
    // What would switch programs on or name other folders.
    if input.contains("onfiguration") || input.contains("onfig") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime can be had");
    runtime.block_on(async {
        let (mut client, input_end) = duplex(1 << 20);
        let (output_end, mut said) = duplex(1 << 20);
        let talk = async {
            for message in BEGIN.into_iter().chain(input.lines()) {
                let frame = format!("Content-Length: {}\r\n\r\n{message}", message.len());
                if client.write_all(frame.as_bytes()).await.is_err() {
                    break;
                }
            }
            drop(client);
        };
        let listen = async {
            let mut heard = Vec::new();
            let _ = said.read_to_end(&mut heard).await;
        };
        let serve = operator_lsp::lsp::serve(input_end, output_end);
        let all = async { tokio::join!(talk, listen, serve) };
        tokio::time::timeout(PATIENCE, all)
            .await
            .expect("the server ends when its client has left");
    });
});
