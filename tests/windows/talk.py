#!/usr/bin/env python3
"""A short conversation with a server for Windows under wine, and a round on its command line.

`talk.py PROGRAM`: the program as the kept Debian 13 names it. The last line is `N passed, N failed`.
"""

import base64
import json
import subprocess
import sys

from wine import DRIVE, HERE, LIMIT, Checks, Client

# As VS Code writes it: the drive's letter small, its colon encoded.
ROOT = "file:///c%3A/talk/Work%20Space"
CHAT = ROOT + "/chat.md"


def block(name, action, **fields):
    """A block whose fields that end in `_b64` are given in the clear."""
    lines = [f"id: {name}", f"action: {action}"]
    for key, value in fields.items():
        value = base64.b64encode(value.encode()).decode() if key.endswith("_b64") else value
        lines.append(f"{key}: {value}")
    return "\n".join(["OPERATOR_CMD", "version: 1", *lines, "END_OPERATOR_CMD", ""])


def insert(name, path, anchor, text):
    """A block that inserts a text after another one."""
    edits = {"version": 1, "edits": [{"op": "insertAfter", "anchor": anchor, "text": text}]}
    return block(name, "fs.applyEdits", path=path, edits_b64=json.dumps(edits))


# A sham block, whose paths are absolute, as a model writes them.
SHAM = """#!SHAM [@three-char-SHA-256: abc]
action = "replace_text_in_file"
path = "C:/talk/Work Space/sub/LF.txt"
old_text = "one"
new_text = "1"
#!END_SHAM_abc
"""


def transcript():
    """Blocks with both separators, in another case, for a new file, and one that must be refused."""
    return "".join([
        insert("crlf", "sub\\crlf.txt", "one", " and"),
        block("new", "fs.write", path="new/deep.txt", content_b64="x\n"),
        SHAM,
        block("stream", "fs.write", path="sub/lf.txt:stream", content_b64="x"),
        block("dots", "fs.write", path=".git./config", content_b64="x"),
    ])


def lay():
    """The workspace as it is before, its bytes by path."""
    root = DRIVE / "talk/Work Space"
    subprocess.run(["rm", "-rf", DRIVE / "talk"], check=True)
    files = {"sub/crlf.txt": b"one\r\ntwo\r\n", "sub/lf.txt": b"one\n", ".git/config": b"[core]\n"}
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text)
    (root / "chat.md").write_text(transcript(), encoding="utf-8", newline="")
    return root


def uris(edit):
    """Every URI that an edit names."""
    for change in edit.get("documentChanges", []):
        if "textDocument" in change:
            yield change["textDocument"]["uri"]
        for name in ("uri", "oldUri", "newUri"):
            if name in change:
                yield change[name]
    yield from edit.get("changes", {})


def converse(program, checks):
    """What an editor does: opens a chat, reads what is wrong, applies all."""
    client = Client(program)
    operations = {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]}
    capabilities = {"workspace": {"applyEdit": True, "workspaceEdit": operations}}
    started = client.ask("initialize", {
        "processId": None, "rootUri": ROOT, "capabilities": capabilities,
        "workspaceFolders": [{"uri": ROOT, "name": "Work Space"}],
    })
    checks.that("initialize is answered", started["serverInfo"]["name"] == "operator-lsp", started)
    client.notify("initialized", {})
    open_file = {"uri": ROOT + "/sub/crlf.txt", "languageId": "plaintext", "version": 1, "text": "one\r\nmine\r\n"}
    client.notify("textDocument/didOpen", {"textDocument": open_file})
    chat = {"uri": CHAT, "languageId": "markdown", "version": 1, "text": transcript()}
    client.notify("textDocument/didOpen", {"textDocument": chat})
    blocks = client.ask("operator/proposals", {"textDocument": {"uri": CHAT}})
    statuses = [found["status"] for found in blocks]
    expected = ["ready", "ready", "ready", "blocked", "blocked"]
    checks.that("names that mean another file are refused, the rest is ready", statuses == expected, blocks)
    said = json.dumps(client.diagnostics.get(CHAT))
    checks.that("and why is said", "a stream of another file" in said and "dots and blanks" in said, said)
    printed = client.ask("operator/fingerprint", {"uri": ROOT + "/sub/lf.txt"})
    checks.that("a file has a fingerprint", printed["fingerprint"].startswith("sha256:"), printed)
    client.ask("workspace/executeCommand", {"command": "operator.applyAll", "arguments": [{"uri": CHAT}]})
    named = sorted({uri for edit in client.edits for uri in uris(edit)} - {CHAT})
    # An open file has the URI that the editor has given it; another one has the system's letter for the drive.
    expected = [f"file:///{drive}%3A/talk/Work%20Space/{path}" for drive, path in (
        ("C", "new/deep.txt"), ("C", "sub/lf.txt"), ("c", "sub/crlf.txt"))]
    checks.that("edits name files as editors do", named == expected, named)
    text = json.dumps(client.edits)
    checks.that("the unsaved text of an open file counts", "mine" in text or " and" in text, text)
    checks.that("the server ends with 0", client.end() == 0, client.process.returncode)


def command(program, *arguments):
    """Runs the command line in the workspace, as a shell of Windows does."""
    words = " ".join(f"'{word}'" for word in arguments)
    line = f"cd '/kept/prefix/drive_c/talk/Work Space'; exec wine '{program}' {words}"
    ran = subprocess.run([str(HERE / "inside"), line], capture_output=True, timeout=LIMIT, check=False)
    return ran.returncode, (ran.stdout + ran.stderr).decode("utf-8", "replace")


def only(*names):
    """The arguments that choose these blocks."""
    return [word for name in names for word in ("--only", name)]


def at_the_command_line(program, root, checks):
    """Apply and undo on the disk."""
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    code, says = command(program, "apply", "--yes", *only("crlf", "new", "abc"), "chat.md")
    checks.that("apply makes its changes", code == 0, says)
    read = lambda path: (root / path).read_bytes() if (root / path).exists() else None
    after = [read("sub/crlf.txt"), read("sub/lf.txt"), read("new/deep.txt")]
    checks.that("the disk has them", after == [b"one and\r\ntwo\r\n", b"1\n", b"x\n"], after)
    checks.that("no path is said in the system's own form", "\\\\?\\" not in says, says)
    code, says = command(program, "undo")
    now = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    checks.that("undo brings back each byte", code == 0 and now == before, says)
    local = list(DRIVE.glob("users/*/AppData/Local/operator-lsp"))
    checks.that("the journal is where Windows keeps such things", local != [], says)


def main():
    program = sys.argv[1]
    checks = Checks()
    root = lay()
    converse(program, checks)
    at_the_command_line(program, root, checks)
    checks.end()


main()
