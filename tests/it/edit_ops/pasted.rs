//! A proposal that the server gave is pasted: the cursor is that of the request.

use super::doors::{Profile, editor_in};
use super::provider::Provider;
use super::{proposal, request};
use crate::lsp::workspace::Workspace;

#[test]
fn a_pasted_proposal_is_applied_where_the_cursor_was() {
    let asked = request();
    let text = asked["virtual_files"]["tool.py"].as_str().unwrap();
    let workspace = Workspace::new(&[("tool.py", text)]);
    let provider = Provider::says(&proposal());
    let mut editor = editor_in(&[workspace.uri("")], &Profile::of(&provider));
    let answer = editor.ask("operator/editOps", asked.clone());
    let chat = workspace.uri("chat.md");
    editor.open(&chat, "markdown", &format!("```json\n{answer}\n```\n"));
    let proposals = editor.proposals(&chat);
    assert_eq!(proposals[0]["status"], "ready", "{proposals:#?}");
    editor.take_block_action(&chat, 0, "refactor.rewrite.operator.apply");
    assert_eq!(workspace.text("tool.py"), "a😀hello\r\n\r\nprint()\r\n");
}
