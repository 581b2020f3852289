//! What a client says to the language server, whatever it is: a message on each line.

use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

use crate::runtime;

/// What a client begins with. There is no workspace, and the client answers no question about
/// settings, so that nothing of the machine is read or written.
const BEGIN: [&str; 2] = [
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{"general":{"positionEncodings":["utf-8","utf-16"]},"workspace":{"workspaceEdit":{"documentChanges":true,"resourceOperations":["create","rename","delete"]},"applyEdit":true},"textDocument":{"codeAction":{"codeActionLiteralSupport":{"codeActionKind":{"valueSet":[]}}}}}}}"#,
    r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
];

/// Checks one input.
pub fn run(input: &[u8]) {
    let Ok(input) = str::from_utf8(input) else { return };
    // What would switch programs on or name other folders.
    if input.contains("onfiguration") || input.contains("onfig") {
        return;
    }
    runtime::run(async {
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
        tokio::join!(talk, listen, operator_lsp::lsp::serve(input_end, output_end));
    });
}
