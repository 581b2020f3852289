//! `operator.prompt`: the first message to a model, of the files as the editor has them.

use operator_lsp::workspace::with_slashes;
use serde_json::{Value, json};

use super::client::{Client, Options};
use super::workspace::Workspace;

#[test]
fn the_message_has_open_files_as_they_are_and_says_what_is_left_out() {
    let workspace = Workspace::new(&[("src/a.py", "old\n"), ("b.txt", "b\n"), (".env", "A=1\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let open = workspace.uri("src/a.py");
    client.open(&open, "python", "def new():\n    return 1\n");
    let argument = json!({"paths": [open, "b.txt", ".env"], "ask": "Why?"});
    let answer = client.command("operator.prompt", &argument).unwrap();
    let text = answer["text"].as_str().unwrap();
    assert!(
        text.contains("## src/a.py\n") && text.contains("def new():\n    return 1\n"),
        "{text}"
    );
    assert!(text.contains("<<<<<<< SEARCH") && text.contains("\nWhy?\n"), "{text}");
    assert_eq!(answer["tokens"], text.len().div_ceil(3));
    let files = answer["files"].as_array().unwrap();
    let of = |file: &Value| (file["path"].clone(), file["outline"].clone());
    assert_eq!(
        files.iter().map(of).collect::<Vec<_>>(),
        [(json!("src/a.py"), json!(false)), (json!("b.txt"), json!(false)),]
    );
    let left_out = json!([{"path": ".env", "reason": "files of this name hold secrets"}]);
    assert_eq!(answer["leftOut"], left_out);

    let argument = json!({"paths": ["src"], "dialect": "sham", "outline": true, "tree": true});
    let answer = client.command("operator.prompt", &argument).unwrap();
    let text = answer["text"].as_str().unwrap();
    assert!(text.contains("1-2: def new():\n") && text.contains("b.txt\nsrc/\n  a.py\n"), "{text}");
    assert_eq!(answer["files"][0]["outline"], true);
    let root = workspace.root();
    let path = format!("{}/src/a.py", with_slashes(root.to_str().unwrap()));
    assert_eq!(answer["files"][0]["path"], json!(path));
}

#[test]
fn what_cannot_be_a_message_is_an_error() {
    let workspace = Workspace::new(&[("a.txt", "a\n")]);
    let mut client = Client::new(&workspace.uri(""));
    let mut fails = |argument: Value| client.command("operator.prompt", &argument).unwrap_err();
    let error = fails(json!({"paths": ["gone.txt", "*.rs"]}));
    let says = "`gone.txt` does not exist; `*.rs` matches no file";
    assert_eq!((error.code, error.message.as_str()), (-32803, says));
    assert_eq!(fails(json!({"dialect": "nothing"})).message, "`nothing` is not a dialect");
    assert!(fails(json!({"path": "a.txt"})).message.starts_with("the one argument is {paths, "));
    assert!(client.command("operator.prompt", &Value::Null).is_ok());
}

#[test]
fn without_a_folder_the_directory_of_the_first_file_is_the_workspace() {
    let workspace = Workspace::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let mut client = Client::start(Options::new(&[]));
    let argument = json!({"paths": [workspace.uri("a.txt"), workspace.uri("b.txt")]});
    let answer = client.command("operator.prompt", &argument).unwrap();
    assert_eq!(answer["files"].as_array().unwrap().len(), 2, "{answer}");
}
