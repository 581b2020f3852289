"""Code actions: blocks become changes of files, and `u` takes them back."""

from blocks import block, encoded, replace, written


def an_edit_is_applied_to_the_open_file_and_taken_back_with_u(helix):
    helix.write("a.txt", "one\ntwo\nthree\n")
    helix.open(replace("e1", "a.txt", "two", "zwei"))
    helix.take("action:", "Apply fs.applyEdits a.txt")
    helix.hears("applied fs.applyEdits a.txt, not saved yet")
    helix.statuses(["applied: fs.applyEdits a.txt (e1)"])
    helix.edit("a.txt")
    helix.until("the change", lambda: helix.buffer() == ["one", "zwei", "three"])
    assert helix.on_disk("a.txt") == "one\ntwo\nthree\n"
    helix.keys("u")
    helix.until("the text as it was", lambda: helix.buffer() == ["one", "two", "three"])
    helix.keys("U")
    helix.until("the change again", lambda: helix.buffer() == ["one", "zwei", "three"])
    helix.save_all()
    helix.saved("a.txt", "one\nzwei\nthree\n")


def apply_and_reply_inserts_the_reply_under_the_block(helix):
    edit, rest = replace("e1", "a.txt", "one", "eins"), "\nDone.\n"
    helix.write("a.txt", "one\n")
    helix.open(edit + rest)
    helix.take("action:", "Apply fs.applyEdits a.txt and insert the reply")
    helix.sees("END_OPERATOR_RESULT")
    helix.save_all()
    helix.saved("a.txt", "eins\n")
    chat = helix.until("the reply on disk", lambda: "END_OPERATOR_RESULT" in helix.on_disk("chat.md") and helix.on_disk("chat.md"))
    reply = chat.removeprefix(edit).removesuffix(rest)
    assert chat == edit + reply + rest, chat
    begin, end = "OPERATOR_RESULT\nid: e1\nok: true\nsummary: edited a.txt, 1 line, sha256:", "\nEND_OPERATOR_RESULT\n"
    assert reply.startswith(begin) and reply.endswith(end), reply
    assert len(reply) == len(begin) + 64 + len(end), reply


def apply_all_makes_every_change_that_can_be_made(helix):
    blocks = [
        replace("e1", "a.txt", "one", "eins"),
        written("w1", "sub/new.txt", "first\nsecond\n"),
        replace("e2", "missing.txt", "x", "y"),
        replace("e3", "a.txt", "eins", "uno"),
    ]
    helix.write("a.txt", "one\n")
    helix.open("\n".join(blocks))
    helix.take("id: e1", "Apply all changes in this chat (3)")
    helix.hears("applied 3 proposals, not saved yet")
    helix.save_all()
    helix.saved("a.txt", "uno\n")
    helix.saved("sub/new.txt", "first\nsecond\n")
    helix.statuses([
        "applied: fs.applyEdits a.txt (e1)",
        "applied: fs.write sub/new.txt (w1)",
        "blocked: fs.applyEdits missing.txt (e2)",
        "applied: fs.applyEdits a.txt (e3)",
    ])


def files_are_created_moved_and_deleted(helix):
    helix.write("old.txt", "kept\n")
    helix.write("gone.txt", "x\n")
    moved = block("m1", "fs.move", path="old.txt", path_to="moved.txt")
    helix.open(written("w1", "new.txt", "a\n\nb\n") + moved + block("d1", "fs.delete", path="gone.txt"))
    helix.take("id: w1", "Apply fs.write new.txt")
    helix.hears("applied fs.write new.txt, not saved yet")
    helix.take("id: m1", "Apply fs.move old.txt")
    helix.hears("applied fs.move old.txt")
    helix.take("id: d1", "Apply fs.delete gone.txt")
    helix.hears("applied fs.delete gone.txt")
    helix.statuses(["applied: fs.write new.txt (w1)", "applied: fs.move old.txt (m1)", "applied: fs.delete gone.txt (d1)"])
    helix.save_all()
    helix.saved("new.txt", "a\n\nb\n")
    helix.saved("moved.txt", "kept\n")
    assert not helix.has("old.txt") and not helix.has("gone.txt")


def line_endings_stay(helix):
    helix.write("dos.txt", "one\r\ntwo\r\nthree\r\n")
    helix.open(replace("e1", "dos.txt", "two", "zwei"))
    helix.take("action:", "Apply fs.applyEdits dos.txt")
    helix.hears("applied fs.applyEdits dos.txt")
    helix.save_all()
    helix.saved("dos.txt", "one\r\nzwei\r\nthree\r\n")
    helix.statuses(["applied: fs.applyEdits dos.txt (e1)"])


def a_command_that_reads_inserts_what_it_finds(helix):
    helix.write("a.txt", "one\n")
    helix.open(block("r1", "fs.read", path="a.txt"))
    helix.take("action:", "Run fs.read a.txt and insert the reply")
    helix.sees("END_OPERATOR_RESULT")
    helix.save_all()
    helix.until("what was read", lambda: encoded("one\n") in helix.on_disk("chat.md"))


def a_refusal_is_inserted(helix):
    helix.write("a.txt", "one\n")
    helix.open(replace("e1", "a.txt", "one", "eins"))
    helix.take("action:", "Reject fs.applyEdits a.txt and insert the reply")
    helix.sees("summary: refused by the user")
    helix.statuses(["rejected: fs.applyEdits a.txt (e1)"])


def the_last_apply_is_undone_by_a_command(helix):
    helix.write("a.txt", "one\n")
    helix.open(written("w1", "a.txt", "new\n") + block("d1", "fs.delete", path="a.txt"))
    helix.take("id: w1", "Apply fs.write a.txt")
    helix.hears("applied fs.write a.txt")
    helix.run("lsp-workspace-command operator.undo")
    helix.hears("undid fs.write a.txt, not saved yet")
    helix.edit("a.txt")
    helix.until("the text as it was", lambda: helix.buffer() == ["one"])
