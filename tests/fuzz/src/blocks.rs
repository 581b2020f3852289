//! Blocks of all dialects, made of choices: whole ones, nested ones and damaged ones.

use data_encoding::BASE64;

use crate::choices::Choices;

/// The paths that blocks name.
pub const PATHS: [&str; 12] = [
    "many.txt",
    "a.txt",
    "crlf.txt",
    "mixed.txt",
    "mark.txt",
    "greeter/cli.py",
    "new/deep/b.txt",
    "tool.py",
    "binary",
    "../outside.txt",
    ".git/config",
    "greeter",
];

/// Lines that are in some of the files, or nearly so.
const LINES: [&str; 14] = [
    "one",
    "two",
    "three",
    "four",
    "",
    " two",
    "one two",
    "tw",
    "def main():",
    "    pass",
    "# ... existing code ...",
    "\u{1F600} two",
    "```",
    "one\r",
];

/// Names of structures.
const STRUCTURES: [&str; 4] = ["main", "def main(", "Greeter", "x [2]"];

/// The text of a block, and what it replaces where that is all that it does.
pub struct Block {
    /// The text, with a line ending.
    pub text: String,
    /// What it replaces.
    pub replaces: Option<Replacement>,
}

/// A text in a file that becomes another one.
pub struct Replacement {
    /// The file.
    pub path: &'static str,
    /// What must be there once.
    pub old: String,
    /// What is there afterwards.
    pub new: String,
    /// Whether both are whole lines.
    pub is_of_lines: bool,
}

type Writer = fn(&mut Choices<'_>) -> Block;

/// The eight dialects.
pub const DIALECTS: [(&str, Writer); 8] = [
    ("operator", operator),
    ("sham", sham),
    ("replacer", replacer),
    ("search-replace", search_replace),
    ("apply-patch", apply_patch),
    ("diff", diff),
    ("files", files),
    ("edit-ops", edit_ops),
];

fn block(text: String) -> Block {
    Block { text, replaces: None }
}

/// A path; in half of the cases the first one.
fn path(choices: &mut Choices<'_>) -> &'static str {
    PATHS.get(choices.below(2 * PATHS.len())).unwrap_or(&PATHS[0])
}

/// Some lines, each with its ending.
fn lines(choices: &mut Choices<'_>, most: usize) -> String {
    let count = choices.below(most + 1);
    let mut out = String::new();
    for _ in 0..count {
        match choices.rarely(16) {
            true => out.push_str(&choices.raw(24)),
            false => out.push_str(*choices.pick(&LINES)),
        }
        out.push('\n');
    }
    out
}

/// The same without the last ending.
fn words(choices: &mut Choices<'_>, most: usize) -> String {
    let mut lines = lines(choices, most);
    lines.pop();
    lines
}

fn replacement(
    choices: &mut Choices<'_>,
    is_of_lines: bool,
    write: impl Fn(&Replacement) -> String,
) -> Block {
    let path = path(choices);
    let (old, new) = match is_of_lines {
        true => (lines(choices, 3), lines(choices, 3)),
        false => (words(choices, 3), words(choices, 3)),
    };
    let replaces = Replacement { path, old, new, is_of_lines };
    Block { text: write(&replaces), replaces: Some(replaces) }
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn operator(choices: &mut Choices<'_>) -> Block {
    const ACTIONS: [&str; 16] = [
        "fs.write",
        "fs.patch",
        "fs.delete",
        "fs.move",
        "fs.copy",
        "fs.read",
        "fs.readSlice",
        "fs.search",
        "fs.searchTree",
        "fs.stat",
        "fs.list",
        "fs.outline",
        "fs.replaceStructure",
        "fs.insertAfterStructure",
        "fs.deleteStructure",
        "operator.getInterfaceSpec",
    ];
    let id = *choices.pick(&["a", "b", "c"]);
    let whole = |action: &str, fields: &str| {
        format!("OPERATOR_CMD\nversion: 1\nid: {id}\naction: {action}\n{fields}END_OPERATOR_CMD\n")
    };
    if choices.rarely(2) {
        return replacement(choices, false, |it| {
            let edit = format!(
                "{{\"version\":1,\"edits\":[{{\"op\":\"replaceFirst\",\"find\":{},\"text\":{}}}]}}",
                json(&it.old),
                json(&it.new)
            );
            let edits = BASE64.encode(edit.as_bytes());
            whole("fs.applyEdits", &format!("path: {}\nedits_b64: {edits}\n", it.path))
        });
    }
    let (action, path, to) = (*choices.pick(&ACTIONS), path(choices), path(choices));
    let text = BASE64.encode(lines(choices, 4).as_bytes());
    let target = BASE64.encode(choices.pick(&STRUCTURES).as_bytes());
    let fields = match action {
        "fs.write" => format!("content_b64: {text}\n"),
        "fs.patch" => {
            let hunk = format!("@@ -1,{} +1,1 @@\n-one\n+x\n", choices.below(3));
            format!("patch_b64: {}\n", BASE64.encode(hunk.as_bytes()))
        }
        "fs.move" | "fs.copy" => format!("path_to: {to}\n"),
        "fs.search" | "fs.searchTree" => "query: one\n".to_owned(),
        "fs.deleteStructure" => format!("target_b64: {target}\n"),
        "fs.replaceStructure" | "fs.insertAfterStructure" => {
            format!("target_b64: {target}\ncontent_b64: {text}\n")
        }
        _ => String::new(),
    };
    let path = if action.starts_with("fs.") { format!("path: {path}\n") } else { String::new() };
    block(whole(action, &(path + &fields)))
}

fn sham(choices: &mut Choices<'_>) -> Block {
    const ACTIONS: [&str; 12] = [
        "file_write",
        "file_append",
        "file_replace_all_text",
        "file_replace_text_range",
        "file_replace_lines",
        "file_comment_lines",
        "file_delete",
        "file_move",
        "file_read",
        "files_read_numbered",
        "files_replace_all_text",
        "dir_list",
    ];
    let id = *choices.pick(&["abc", "xyz", "k7"]);
    let whole = |action: &str, fields: &str| {
        format!(
            "#!SHAM [@three-char-SHA-256: {id}]\naction = \"{action}\"\n{fields}#!END_SHAM_{id}\n"
        )
    };
    let long =
        |key: &str, text: &str| format!("{key} = <<'EOT_SHAM_{id}'\n{text}\nEOT_SHAM_{id}\n");
    if choices.rarely(2) {
        return replacement(choices, false, |it| {
            let path = format!("path = \"/{}\"\n", it.path);
            let texts = long("old_text", &it.old) + &long("new_text", &it.new);
            whole("file_replace_text", &(path + &texts))
        });
    }
    let action = *choices.pick(&ACTIONS);
    let (path, to) = (path(choices), path(choices));
    let (old, new) = (words(choices, 2), words(choices, 3));
    let path = match action {
        "file_move" => format!("old_path = \"/{path}\"\nnew_path = \"/{to}\"\n"),
        _ if action.starts_with("files") => long("paths", &format!("/{path}\n/{to}")),
        _ => format!("path = \"/{path}\"\n"),
    };
    let lines = format!("lines = \"{}-{}\"\n", choices.below(4), choices.below(5));
    let fields = match action {
        "file_write" | "file_append" => long("content", &new),
        "file_replace_all_text" | "files_replace_all_text" => {
            long("old_text", &old) + &long("new_text", &new)
        }
        "file_replace_text_range" => {
            long("old_text_beginning", &old) + "old_text_end = \"two\"\n" + &long("new_text", &new)
        }
        "file_replace_lines" => lines + &long("new_content", &new),
        "file_comment_lines" => lines,
        _ => String::new(),
    };
    block(whole(action, &(path + &fields)))
}

fn replacer(choices: &mut Choices<'_>) -> Block {
    if choices.rarely(4) {
        let (path, text) = (path(choices), lines(choices, 4));
        return block(format!("<<<FILE>>>\n{path}\n<<<OVERWRITE>>>\n{text}<<<END>>>\n"));
    }
    let why = if choices.rarely(4) { "<<<EXPLANATION>>>\n\nwhy\n\n" } else { "" };
    let mut block = replacement(choices, false, |it| {
        let Replacement { path, old, new, .. } = it;
        format!("{why}<<<FILE>>>\n{path}\n<<<SEARCH>>>\n{old}\n<<<REPLACE>>>\n{new}\n<<<END>>>\n")
    });
    // Nothing in the place of whole lines takes the lines away, too, which no other dialect does. Blank lines at the
    // beginning and end of a section do not count.
    let is_blank = |line: Option<&str>| line.is_none_or(|line| line.trim().is_empty());
    let is_bare =
        |text: &str| is_blank(text.split('\n').next()) || is_blank(text.rsplit('\n').next());
    block.replaces = block.replaces.filter(|it| !is_bare(&it.old) && !is_bare(&it.new));
    block
}

fn search_replace(choices: &mut Choices<'_>) -> Block {
    replacement(choices, true, |it| {
        let Replacement { path, old, new, .. } = it;
        format!("{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n")
    })
}

fn marked(mark: char, text: &str) -> String {
    text.lines().map(|line| format!("{mark}{line}\n")).collect()
}

fn apply_patch(choices: &mut Choices<'_>) -> Block {
    if !choices.rarely(3) {
        return replacement(choices, true, |it| {
            let chunk = marked('-', &it.old) + &marked('+', &it.new);
            format!("*** Begin Patch\n*** Update File: {}\n@@\n{chunk}*** End Patch\n", it.path)
        });
    }
    let mut files = String::new();
    for _ in 0..=choices.below(3) {
        let path = path(choices);
        files += &match choices.below(3) {
            0 => format!("*** Add File: {path}\n{}", marked('+', &lines(choices, 3))),
            1 => format!("*** Delete File: {path}\n"),
            _ => {
                let to = if choices.rarely(3) { "*** Move to: moved.txt\n" } else { "" };
                let anchor = *choices.pick(&["@@", "@@ one", "@@ def main():"]);
                let context = marked(' ', &lines(choices, 2));
                let end = if choices.rarely(4) { "*** End of File\n" } else { "" };
                let chunk = format!("{anchor}\n{context}-two\n+{}\n{end}", choices.below(9));
                format!("*** Update File: {path}\n{to}{chunk}")
            }
        };
    }
    block(format!("*** Begin Patch\n{files}*** End Patch\n"))
}

fn diff(choices: &mut Choices<'_>) -> Block {
    if !choices.rarely(3) {
        return replacement(choices, true, |it| {
            let hunk = marked('-', &it.old) + &marked('+', &it.new);
            format!("```diff\n--- a/{0}\n+++ b/{0}\n@@\n{hunk}```\n", it.path)
        });
    }
    let (path, to) = (path(choices), path(choices));
    block(match choices.below(4) {
        0 => {
            let text = marked('+', &lines(choices, 3));
            format!("```diff\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,2 @@\n{text}```\n")
        }
        1 => format!(
            "```diff\n--- a/{path}\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n```\n"
        ),
        2 => format!(
            "```diff\ndiff --git a/{path} b/{to}\nrename from {path}\nrename to {to}\n```\n"
        ),
        _ => {
            let (at, context) = (choices.below(5), marked(' ', &lines(choices, 2)));
            let count = choices.below(4);
            format!(
                "```diff\n--- a/{path}\n+++ b/{path}\n@@ -{at},{count} +{at} @@\n{context}-two\n+x\n```\n"
            )
        }
    })
}

fn files(choices: &mut Choices<'_>) -> Block {
    let (path, text) = (path(choices), lines(choices, 5));
    let fence = *choices.pick(&["```", "````", "~~~"]);
    let above = match choices.below(3) {
        0 => format!("`{path}`"),
        1 => format!("New file: `{path}`"),
        _ => path.to_owned(),
    };
    block(format!("{above}\n{fence}\n{text}{fence}\n"))
}

fn edit_ops(choices: &mut Choices<'_>) -> Block {
    let file = *choices.pick(&["tool.py", "entrypoint.txt", "input_schema.json", "a.txt"]);
    let kind = *choices.pick(&["document", "selection", "cursor"]);
    let op = *choices.pick(&["replace", "insert", "delete"]);
    let content = match op {
        "delete" => String::new(),
        _ => format!(", \"content\": {}", json(&lines(choices, 3))),
    };
    let ops = format!(
        "{{\"op\": \"{op}\", \"target_file\": \"{file}\", \"target\": {{\"kind\": \"{kind}\"}}{content}}}"
    );
    block(format!("```json\n{{\"assistant_message\": \"x\", \"ops\": [{ops}]}}\n```\n"))
}

/// Replies, which blocks are followed by.
const REPLIES: [&str; 6] = [
    "OPERATOR_RESULT\nid: a\nok: true\nsummary: done\nEND_OPERATOR_RESULT\n",
    "OPERATOR_RESULT\nid: b\nok: false\nsummary: refused by the user\nEND_OPERATOR_RESULT\n",
    "operator-lsp applied 1 of 1 block.\n\n1. `a.txt` (00000000): applied.\n",
    "{\"success\": true, \"totalBlocks\": 1, \"executedActions\": 1, \"results\": [], \"parseErrors\": []}\n",
    "```json\n{\"applied\": true, \"results\": [{\"op\": 0, \"ok\": true}]}\n```\n",
    "<!-- operator-lsp: off -->\n",
];

/// A block of any dialect.
pub fn any(choices: &mut Choices<'_>) -> Block {
    DIALECTS[choices.below(DIALECTS.len())].1(choices)
}

/// Whole blocks with prose between them, nested and damaged as the choices say.
pub fn transcript(choices: &mut Choices<'_>) -> String {
    let mut text = String::new();
    for _ in 0..=choices.below(5) {
        let mut part = any(choices).text;
        for _ in 0..choices.below(3) {
            part = nested(&part, choices);
        }
        for _ in 0..choices.below(3) {
            part = damaged(&part, choices);
        }
        text += &part;
        match choices.below(6) {
            0 => text += "Some prose.\n\n",
            1 => text += *choices.pick(&REPLIES),
            2 => text += &choices.raw(40),
            _ => {}
        }
    }
    text
}

fn each_line(text: &str, mark: &str) -> String {
    text.split_inclusive('\n').map(|line| format!("{mark}{line}")).collect()
}

/// A text inside of something else.
fn nested(text: &str, choices: &mut Choices<'_>) -> String {
    match choices.below(8) {
        0 => format!("````\n{text}````\n"),
        1 => format!("~~~~ text\n{text}~~~~\n"),
        2 => each_line(text, "> "),
        3 => format!("* {}", each_line(text, "  ").trim_start()),
        4 => format!("<details>\n\n{text}\n</details>\n"),
        5 => format!(
            "#!SHAM [@three-char-SHA-256: abc]\naction = \"file_write\"\npath = \"/in.md\"\n\
             content = <<'EOT_SHAM_abc'\n{text}EOT_SHAM_abc\n#!END_SHAM_abc\n"
        ),
        6 => format!("<<<FILE>>>\nin.md\n<<<OVERWRITE>>>\n{text}<<<END>>>\n"),
        _ => format!("*** Begin Patch\n*** Add File: in.md\n{}*** End Patch\n", marked('+', text)),
    }
}

/// A text with something wrong in it.
fn damaged(text: &str, choices: &mut Choices<'_>) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if lines.is_empty() {
        return String::new();
    }
    let (at, other) = (choices.below(lines.len().min(255)), choices.below(lines.len().min(255)));
    match choices.below(9) {
        0 => _ = lines.remove(at),
        1 => lines.insert(other, lines[at].clone()),
        2 => lines.swap(at, other),
        3 => lines.truncate(at),
        4 => lines[at].insert(0, ' '),
        5 => lines[at] = lines[at].to_lowercase(),
        6 => lines[at] = choices.raw(32) + "\n",
        7 => lines[at] = lines[at].replace('\n', "\r\n"),
        _ => {
            let cut = lines[at].floor_char_boundary(lines[at].len() / 2);
            lines[at].truncate(cut);
        }
    }
    lines.concat()
}
