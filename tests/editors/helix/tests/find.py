"""What is wrong is shown at the very characters, and what there is can be looked at."""

import json

from blocks import block, replace


def a_damaged_block_is_marked_at_its_damage(helix):
    helix.open("# Chat\n\n" + block("e1", "fs.aplyEdits", path="a.txt"))
    helix.until("the mark", lambda: helix.marks() == [(6, "fs.aplyEdits")])
    helix.go_to("fs.aplyEdits")
    helix.sees("unknown action `fs.aplyEdits`; did you mean `fs.applyEdits`?")
    helix.sees("(operator/unknown-action)")


def columns_hold_after_an_emoji(helix):
    lines = [
        "#!SHAM [@three-char-SHA-256: k7m]",
        'action = "file_read"',
        'path = "/tmp/\U0001f600/x" stray',
        "#!END_SHAM_k7m",
    ]
    helix.open("\n".join(lines) + "\n")
    helix.until("the mark", lambda: (3, "stray") in helix.marks())


def the_fix_of_a_problem_is_in_the_menu_and_u_takes_it_back(helix):
    damaged = block("e1", "fs.reed", path="a.txt")
    helix.write("a.txt", "one\n")
    helix.open(damaged)
    helix.until("the mark", lambda: helix.marks() == [(4, "fs.reed")])
    helix.take("fs.reed", "Use `fs.read`")
    helix.sees("action: fs.read")
    helix.until("the end of the mark", lambda: helix.marks() == [])
    helix.save_all()
    helix.saved("chat.md", damaged.replace("fs.reed", "fs.read"))
    helix.keys("u")
    helix.until("the mark again", lambda: helix.marks() == [(4, "fs.reed")])


def a_payload_is_decoded_under_the_cursor(helix):
    helix.write("a.txt", "one\ntwo\n")
    helix.open(replace("e1", "a.txt", "two", "zwei"))
    helix.go_to("eyJ")
    helix.keys(" k")
    helix.sees("| 1 | replace | two | zwei |")
    helix.sees("-two")
    helix.sees("+zwei")
    helix.close("+zwei")
    helix.go_to("END_OPERATOR_CMD")
    helix.keys(" k")
    helix.sees("fs.applyEdits a.txt — ready")
    helix.sees("+zwei")


def blocks_and_problems_are_listed(helix):
    helix.write("a.txt", "one\n")
    helix.open(replace("e1", "a.txt", "one", "eins") + block("e2", "fs.reed", path="a.txt"))
    blocks = ["ready: fs.applyEdits a.txt (e1)", "invalid: fs.reed a.txt (e2)"]
    helix.statuses(blocks)
    helix.keys(" d")
    helix.sees("operator/unknown-action")
    helix.close("┌")
    helix.keys(" S")
    helix.sees("┌")
    # Helix asks once something is typed.
    helix.keys("reed")
    helix.until("the block", lambda: "invalid: fs.reed a.txt (e2) chat.md" in [name for _, name in helix.picked()])
    helix.close("┌")


def a_path_leads_to_its_file(helix):
    helix.write("src/b.py", "def f():\n    pass\n")
    helix.open(replace("e1", "src/b.py", "pass", "return 1"))
    helix.go_to("src/b.py")
    helix.keys("gd")
    helix.in_file("src/b.py")
    helix.sees("def f():")


def a_proposal_that_is_a_json_file_is_a_transcript(helix):
    proposal = {
        "assistant_message": "Done.",
        "ops": [{"op": "replace", "target_file": "tool.py", "target": {"kind": "document"}, "content": "print(1)\n"}],
    }
    helix.write("tool.py", "print(0)\n")
    helix.open(json.dumps(proposal), "proposal.json")
    helix.statuses(["ready: edit-ops.proposal tool.py"])
