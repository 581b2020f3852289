//! What a prompt is made of, and what is left out.

use super::*;
use crate::dialect;
use crate::snapshot::MemorySnapshot;

const CODE: &str = "class Greeter:\n    def greet(self):\n        return \"Hello\"\n";

fn draft(dialect: &str, files: &[(&str, &str)]) -> (Draft, MemorySnapshot) {
    let rules = dialect::written().find(|rules| rules.name == dialect).unwrap();
    let snapshot = MemorySnapshot::of(files.to_vec());
    let file = |(path, text): &(&str, &str)| File {
        path: FilePath::new(0, *path),
        name: (*path).to_owned(),
        content: Content::plain(*text),
    };
    let files = files.iter().map(file).collect();
    let home = Some("/home/me/greeter".to_owned());
    let draft = Draft { rules, home, tree: None, files, outline: false, budget: None, ask: None };
    (draft, snapshot)
}

fn compose((draft, snapshot): &(Draft, MemorySnapshot)) -> Prompt {
    draft.compose(snapshot)
}

#[test]
fn a_prompt_has_the_specification_the_files_and_the_request_in_this_order() {
    let mut all = draft("search-replace", &[("a.py", "a = '```'\n")]);
    all.0.ask = Some(" Rename it. \n".to_owned());
    all.0.tree = Some(["a.py", "b/c/d", "b/c/e", "b/f"].map(str::to_owned).to_vec());
    let prompt = compose(&all);
    let end = "# The workspace\n\nIts name is `greeter`. Paths begin inside it.\n\nIts files:\n\n\
        ```\na.py\nb/\n  c/\n    d\n    e\n  f\n```\n\n# Files\n\n## a.py\n\n\
        {{print}}\n\n````python\na = '```'\n````\n\n# The request\n\nRename it.\n\n";
    let end = end.replace("{{print}}", &Content::plain("a = '```'\n").fingerprint().to_string());
    assert!(prompt.text.contains(&end), "{}", prompt.text);
    assert!(prompt.text.contains("<<<<<<< SEARCH"), "{}", prompt.text);
    assert_eq!(prompt.text.matches("operator-lsp: o").count(), 2, "{}", prompt.text);
    assert_eq!(prompt.tokens, prompt.text.len().div_ceil(3));
}

#[test]
fn the_path_of_the_workspace_is_there_where_paths_are_absolute() {
    let text = |dialect| compose(&draft(dialect, &[])).text;
    assert!(text("sham").contains("It is `/home/me/greeter`."));
    assert!(!text("search-replace").contains("/home/me"));
}

#[test]
fn what_is_over_the_budget_is_an_outline_or_left_out() {
    let long = format!("{CODE}{}", "# more\n".repeat(1_000));
    let files = [("long.py", long.as_str()), ("long.txt", &long), ("short.txt", "short\n")];
    let mut all = draft("files", &files);
    all.0.budget = Some(1_000);
    let prompt = compose(&all);
    let taken: Vec<_> = prompt.files.iter().map(|it| (it.path.as_str(), it.outline)).collect();
    assert_eq!(taken, [("long.py", true), ("short.txt", false)]);
    assert_eq!(prompt.left_out, [LeftOut { path: "long.txt".into(), reason: Reason::Budget }]);
    assert!(prompt.text.contains("1-3: class Greeter:\n2-3:   def greet(self):\n"));
    all.0.budget = Some(0);
    assert_eq!(compose(&all).left_out.len(), 3);
}

#[test]
fn outlines_take_the_place_of_texts_where_there_are_any() {
    let mut all = draft("files", &[("a.py", CODE), ("a.txt", "text\n")]);
    all.0.outline = true;
    let prompt = compose(&all);
    assert_eq!(prompt.files.iter().map(|it| it.outline).collect::<Vec<_>>(), [true, false]);
    assert!(!prompt.text.contains("return \"Hello\"") && prompt.text.contains("text\n"));
}

#[test]
fn secrets_are_seen_and_code_is_not_taken_for_them() {
    let of = |text: &str| secret("a.py", text).map(|it| it.to_string()).unwrap_or_default();
    let digits = "a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8s9t0";
    for (text, says) in [
        ("-----BEGIN RSA PRIVATE KEY-----".to_owned(), "line 1 looks like a private key"),
        (format!("x\nurl = 'https://u:ghp_{digits}@h'"), "line 2 looks like a GitHub token"),
        ("id: AKIAIOSFODNN7EXAMP12".to_owned(), "line 1 looks like an AWS key"),
        (format!("DB_PASSWORD={digits}"), "line 1 looks like a password or a key"),
        (format!("  \"api_key\": \"{digits}\","), "line 1 looks like a password or a key"),
    ] {
        assert_eq!(of(&text), says, "{text}");
    }
    for text in [
        "password = os.environ[\"PASSWORD_1234567890\"]",
        "token = self.next_token(1234567890123456)",
        "password: str = \"correct horse battery staple 123\"",
        "SECRET = \"your-secret-goes-here\"",
        "if token == TOKEN_IDENTIFIER_OF_NAMES:",
        "sk-learn is a package; hf_hub_download is a function",
        "-----BEGIN CERTIFICATE-----",
        "let secret = 12345678901234567890;",
    ] {
        assert_eq!(of(text), "", "{text}");
    }
    let by_name = |path| secret(path, "");
    for path in [".env", "a/.env.local", ".env-prod"] {
        assert_eq!(by_name(path), Some(Reason::SecretName), "{path}");
    }
    assert_eq!(by_name("a/.environment"), None);
    assert_eq!(dependency("web/node_modules/a/b.js"), Some("web/node_modules"));
    assert_eq!(dependency("node_modules.md"), None);
}
