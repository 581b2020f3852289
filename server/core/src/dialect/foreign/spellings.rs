//! How the tools spell their edits, as data.

/// What every line holds that [`named`](super::line::named) names.
pub const NEEDLES: &[&str] = &[
    "<write_to_file",
    "<replace_in_file",
    "<apply_diff",
    "<insert_content",
    "<search_and_replace",
    "<str_replace",
    "<edit_file",
    "<create_file",
    "<write_file",
    "<delete_file",
    "<rename_file",
    "<proposed_file",
    "<old_text",
    "<file",
    "<boltAction",
    "<antArtifact",
    "<lov-",
    "<dyad-",
    "<invoke",
    "<function=",
    "<antml:",
    "\"old",
    "\"file_text",
    "\"code_edit",
    "\"TargetContent",
    "_textdoc",
    "\"*** Begin Patch",
    "apply_patch <<",
    "\"file_path",
    "\"tool\"",
    "\"name\"",
    "default_api.",
    "sed -i",
    "perl -pi",
    "ith:",
    "ith**:",
    "ith this**:",
    "ith this code**:",
    "ith the following**:",
    "ith the following code**:",
    "to this**:",
    "by this**:",
    "ith this:",
    "ith this code:",
    "ith the following:",
    "ith the following code:",
    "to this:",
    "by this:",
    "elete `",
    "emove `",
    "ename `",
    "ove `",
];

/// An element that holds an edit.
pub struct Element {
    /// Its name without a prefix, `write_to_file`.
    pub tag: &'static str,
    /// What its start tag holds besides; empty for most.
    pub holds: &'static str,
    /// What it is, after "this is a".
    pub is: &'static str,
    /// Whether the edit in it is a block of a dialect, as a rule, which is then applied.
    pub around: bool,
}

const fn element(tag: &'static str, is: &'static str) -> Element {
    Element { tag, holds: "", is, around: false }
}

const fn around(tag: &'static str, is: &'static str) -> Element {
    Element { tag, holds: "", is, around: true }
}

const fn call(tag: &'static str, holds: &'static str, is: &'static str) -> Element {
    Element { tag, holds, is, around: false }
}

/// The elements.
pub const ELEMENTS: &[Element] = &[
    element("write_to_file", "`write_to_file` call"),
    around("replace_in_file", "`replace_in_file` call"),
    around("apply_diff", "`apply_diff` call"),
    element("insert_content", "`insert_content` call"),
    element("search_and_replace", "`search_and_replace` call"),
    element("str_replace", "`str_replace` call"),
    element("edit_file", "`edit_file` call"),
    element("create_file", "`create_file` call"),
    element("write_file", "`write_file` call"),
    element("delete_file", "`delete_file` call"),
    element("rename_file", "`rename_file` call"),
    element("proposed_file_replace", "`proposed_file_replace` element"),
    element("proposed_file_replace_substring", "`proposed_file_replace_substring` element"),
    element("file_operation", "`file_operation` element"),
    call("file", " action=\"", "`file` element with an action"),
    element("old_text", "`old_text` element"),
    element("boltAction", "`boltAction` element"),
    element("antArtifact", "`antArtifact` element"),
    element("lov-write", "`lov-write` element"),
    element("lov-line-replace", "`lov-line-replace` element"),
    element("lov-delete", "`lov-delete` element"),
    element("lov-rename", "`lov-rename` element"),
    element("dyad-write", "`dyad-write` element"),
    around("dyad-search-replace", "`dyad-search-replace` element"),
    element("dyad-delete", "`dyad-delete` element"),
    element("dyad-rename", "`dyad-rename` element"),
    call("invoke", "name=\"str_replace", "`str_replace` call"),
    call("invoke", "name=\"Edit\"", "`Edit` call"),
    call("invoke", "name=\"MultiEdit\"", "`MultiEdit` call"),
    call("invoke", "name=\"Write\"", "`Write` call"),
    element("function=str_replace_editor", "`str_replace` call"),
    element("function=edit_file", "`edit_file` call"),
    element("function=write_file", "`write_file` call"),
];

/// What the names of elements may have before them.
pub const PREFIX: &str = "antml:";

/// The keys that the arguments of a tool call in JSON have once, with a string, and what the call
/// is, after "this is a".
pub const KEYS: &[(&str, &str)] = &[
    ("old_str", "`str_replace` call"),
    ("old_string", "tool call with `old_string`"),
    ("oldString", "tool call with `oldString`"),
    ("oldText", "tool call with `oldText`"),
    ("TargetContent", "tool call with `TargetContent`"),
    ("code_edit", "tool call with `code_edit`"),
    ("file_text", "`create` call"),
];

/// The keys that a call which writes a file has in one line, each with a string, and what the call is.
pub const PAIRS: &[((&str, &str), &str)] = &[(("file_path", "content"), "`Write` call")];

/// The tools that a call names with the key `tool`, or with the key `name` beside its arguments.
pub const TOOLS: &[&str] = &[
    "write_file",
    "write_to_file",
    "create_file",
    "edit_file",
    "replace_in_file",
    "str_replace",
    "delete_file",
    "rename_file",
    "apply_patch",
];

/// What the arguments of a call are called whose tool has the key `name`.
pub const ARGUMENTS: &[&str] = &["arguments", "input", "args"];

/// The calls in Python that edit files.
pub const PYTHON: &[&str] =
    &["default_api.replace", "default_api.write_file", "default_api.edit_file"];

/// The commands that edit files in place, as they are typed at a shell.
pub const COMMANDS: &[&str] = &["sed -i", "perl -pi"];

/// What a line begins with that is between two fences: what is in the first one is to be replaced by
/// what is in the second.
pub const REPLACES: &[&str] = &[
    "",
    "replace ",
    "replace it ",
    "replace that ",
    "replace them ",
    "and replace it ",
    "and replace that ",
    "and replace them ",
    "change it ",
    "change that ",
];

/// What such a line goes on with, up to its colon.
pub const BY: &[&str] = &[
    "with",
    "with this",
    "with this code",
    "with the following",
    "with the following code",
    "to this",
    "by this",
];

/// What a string with a patch holds, and the part of it that names it.
pub const PATCHES: &[(&str, &str)] =
    &[("\"*** Begin Patch", "*** Begin Patch"), ("\\n*** Begin Patch", "apply_patch <<")];

/// The calls that write to a canvas.
pub const CANVAS: &[&str] = &["canmore.update_textdoc", "canmore.create_textdoc"];

/// What a heading begins with that asks for a file to be deleted.
pub const DELETE: &[&str] = &["delete ", "remove "];

/// What a heading begins with that asks for a file to be renamed.
pub const RENAME: &[&str] = &["rename ", "move "];

/// What is between its two paths.
pub const TO: &[&str] = &[" to ", " → ", " -> "];
