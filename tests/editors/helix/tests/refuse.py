"""Nothing newer is overwritten, saved or not, and a person sees why."""

from blocks import block, replace, written


def a_target_that_changes_while_the_menu_is_open_is_refused(helix):
    helix.write("a.txt", "one\ntwo\n")
    helix.open(replace("e1", "a.txt", "two", "zwei"))
    helix.go_to("action:")
    helix.menu()
    helix.write("a.txt", "changed\n")
    helix.expect("a target has changed since this was offered")
    helix.choose("Apply fs.applyEdits a.txt")
    helix.hears("a target has changed since this was offered")
    helix.run("write-all")
    assert helix.on_disk("a.txt") == "changed\n"


def a_whole_file_write_is_refused_once_the_buffer_has_changed(helix):
    helix.write("a.txt", "one\n")
    helix.open(written("w1", "a.txt", "new\n"))
    helix.edit("a.txt")
    helix.insert("o", "typed")
    helix.edit("chat.md")
    helix.statuses(["stale: fs.write a.txt (w1)"])
    helix.go_to("action:")
    titles = helix.menu()
    assert titles == ["Take the current content as the base", "Reject fs.write a.txt and insert the reply"], titles
    helix.close("Reject")
    helix.go_to("a.txt")
    helix.sees("(plan/stale)")
    helix.edit("a.txt")
    helix.until("what was typed", lambda: helix.buffer() == ["one", "typed"])


def what_is_typed_in_a_source_file_is_kept(helix):
    helix.write("src/b.py", "def f():\n    pass\n")
    helix.open(replace("e1", "src/b.py", "pass", "return 1"))
    helix.edit("src/b.py")
    helix.insert("O", "# typed")
    helix.edit("chat.md")
    helix.take("action:", "Apply fs.applyEdits src/b.py")
    helix.hears("applied fs.applyEdits src/b.py, not saved yet")
    helix.edit("src/b.py")
    helix.until("both changes", lambda: helix.buffer() == ["# typed", "def f():", "    return 1"])
    helix.keys("u")
    helix.until("what was typed", lambda: helix.buffer() == ["# typed", "def f():", "    pass"])


def what_is_typed_where_the_server_is_not_shown_it_is_kept(helix):
    helix.write("c.zig", "one\ntwo\n")
    helix.open(replace("e1", "c.zig", "two", "zwei"))
    helix.edit("c.zig")
    helix.insert("O", "// typed")
    helix.edit("chat.md")
    helix.expect("outdated workspace edit")
    helix.expect("edits in c.zig are not seen by the server: save and close it, then try again")
    helix.take("action:", "Apply fs.applyEdits c.zig")
    helix.hears("edits in c.zig are not seen by the server: save and close it, then try again")
    helix.edit("c.zig")
    helix.until("what was typed", lambda: helix.buffer() == ["// typed", "one", "two"])
    helix.run("write")
    helix.sees_no("[+]")
    helix.run("buffer-close")
    helix.in_file("chat.md")
    helix.take("action:", "Apply fs.applyEdits c.zig")
    helix.hears("applied fs.applyEdits c.zig, not saved yet")
    helix.save_all()
    helix.saved("c.zig", "// typed\none\nzwei\n")


def a_file_that_is_typed_before_it_is_created_is_kept(helix):
    helix.open(written("w1", "new.zig", "from the block\n"))
    helix.edit("new.zig")
    helix.insert("i", "typed")
    helix.edit("chat.md")
    helix.expect("outdated workspace edit")
    helix.expect("edits in new.zig are not seen by the server")
    helix.take("action:", "Apply fs.write new.zig")
    helix.hears("edits in new.zig are not seen by the server")
    helix.edit("new.zig")
    helix.until("what was typed", lambda: helix.buffer()[0] == "typed")


def what_is_typed_in_a_file_that_is_deleted_stays_in_its_buffer(helix):
    helix.write("c.zig", "one\n")
    helix.open(block("d1", "fs.delete", path="c.zig"))
    helix.edit("c.zig")
    helix.insert("o", "typed")
    helix.edit("chat.md")
    helix.take("action:", "Apply fs.delete c.zig")
    helix.hears("applied fs.delete c.zig")
    assert not helix.has("c.zig")
    helix.edit("c.zig")
    helix.until("what was typed", lambda: helix.buffer() == ["one", "typed"])


def apply_all_ends_at_a_file_whose_text_is_not_known(helix):
    helix.write("a.txt", "one\n")
    helix.write("c.zig", "one\n")
    helix.write("d.txt", "one\n")
    helix.open("".join(replace(id, path, "one", "eins") for id, path in (("e1", "a.txt"), ("e2", "c.zig"), ("e3", "d.txt"))))
    helix.edit("c.zig")
    helix.insert("O", "// typed")
    helix.edit("chat.md")
    helix.expect("outdated workspace edit")
    helix.expect("edits in c.zig are not seen by the server")
    helix.take("id: e1", "Apply all changes in this chat (3)")
    helix.hears("document has changed (edits in c.zig are not seen by the server: save and close it, then try again)")
    helix.statuses([
        "applied: fs.applyEdits a.txt (e1)",
        "ready: fs.applyEdits c.zig (e2)",
        "ready: fs.applyEdits d.txt (e3)",
    ])
    helix.edit("c.zig")
    helix.until("what was typed", lambda: helix.buffer() == ["// typed", "one"])
    helix.edit("a.txt")
    helix.keys("u")
    helix.until("the text as it was", lambda: helix.buffer() == ["one"])
