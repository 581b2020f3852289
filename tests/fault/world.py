"""The workspace and the transcript that faults are tried on."""

import base64
import json
import os
import stat

BOM = "\ufeff"


def block(number, action, **fields):
    lines = [f"id: b{number}", f"action: {action}"]
    for name, value in fields.items():
        if name.endswith("_b64"):
            value = base64.b64encode(value.encode()).decode()
        lines.append(f"{name}: {value}")
    return "\n".join(["OPERATOR_CMD", "version: 1", *lines, "END_OPERATOR_CMD", ""])


def insert(number, path, anchor, text):
    edit = {"op": "insertAfter", "anchor": anchor, "text": text}
    edits = json.dumps({"version": 1, "edits": [edit]})
    return block(number, "fs.applyEdits", path=path, edits_b64=edits)


def files():
    """The files of the workspace: path, content, mode."""
    made = [(f"src/f{n}.py", f"import os\n# {n}\n", 0o644) for n in range(10)]
    made += [
        ("bom.txt", f"{BOM}one\r\ntwo\r\n", 0o644),
        ("crlf.txt", "one\r\ntwo\r\n", 0o600),
        ("run.sh", "#!/bin/sh\n", 0o755),
        ("real/target.txt", "one\n", 0o640),
        ("move/a.txt", "a\n", 0o644),
        ("move/b.txt", "b\n", 0o600),
        ("movedir/x.txt", "x\n", 0o644),
        ("movedir/deep/y.txt", "y\n", 0o600),
        ("gone.txt", "gone\n", 0o640),
        ("gonedir/p.txt", "p\n", 0o600),
        ("gonedir/deep/q.txt", "q\n", 0o644),
        ("copy/me.sh", "#!/bin/sh\n", 0o750),
        ("shapes/a.py", "def one():\n    return 1\n\n\ndef two():\n    return 2\n", 0o644),
        ("shapes/b.py", "def three():\n    return 3\n", 0o600),
    ]
    return made


def make(root):
    for path, content, mode in files():
        path = os.path.join(root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", newline="", encoding="utf-8") as file:
            file.write(content)
        os.chmod(path, mode)
        # A file that was just written is looked at once more, so how many calls there are would depend on the clock.
        os.utime(path, (0, 1_700_000_000))
    os.symlink("real/target.txt", os.path.join(root, "link.txt"))
    os.symlink("../real/target.txt", os.path.join(root, "gonedir/link"))
    os.mkdir(os.path.join(root, "gonedir/empty"))
    for path in ("src/f0.py", "crlf.txt", "gonedir/p.txt"):
        try:
            os.setxattr(os.path.join(root, path), "user.note", b"kept")
        except OSError:
            pass


def transcript():
    """30 blocks, with the paths that each of them changes."""
    blocks = []

    def add(paths, text):
        blocks.append((paths, text))

    for n in range(8):
        path = f"src/f{n}.py"
        add([path], insert(len(blocks), path, "import os\n", "import sys\n"))
    for path in ("bom.txt", "crlf.txt"):
        add([path], insert(len(blocks), path, "one\n", "more\n"))
    add(["real/target.txt"], insert(len(blocks), "link.txt", "one\n", "more\n"))
    add(["run.sh"], insert(len(blocks), "run.sh", "#!/bin/sh\n", "true\n"))
    for path in ("new.txt", "new/one.txt", "new/two.txt", "other/deep/new.txt"):
        add([path], block(len(blocks), "fs.write", path=path, content_b64=f"{path}\n"))
    add(["src/f8.py"], block(len(blocks), "fs.write", path="src/f8.py", content_b64="whole\n"))
    moves = [
        ("move/a.txt", "moved/a.txt"),
        ("move/b.txt", "move/c.txt"),
        ("movedir", "movedir2"),
        ("src/f9.py", "src/g9.py"),
    ]
    for source, target in moves:
        add([source, target], block(len(blocks), "fs.move", path=source, path_to=target))
    add(["movedir2/x.txt"], insert(len(blocks), "movedir2/x.txt", "x\n", "more\n"))
    add(["src/g9.py"], insert(len(blocks), "src/g9.py", "import os\n", "import sys\n"))
    for source, target in [("copy/me.sh", "copy/me2.sh"), ("copy", "copy2"), ("run.sh", "run2.sh")]:
        add([target], block(len(blocks), "fs.copy", path=source, path_to=target))
    for path in ("gone.txt", "gonedir"):
        add([path], block(len(blocks), "fs.delete", path=path))
    add(["gonedir/again.txt"],
        block(len(blocks), "fs.write", path="gonedir/again.txt", content_b64="again\n"))
    add(["last.txt"], block(len(blocks), "fs.write", path="last.txt", content_b64="last\n"))
    assert len(blocks) == 30, len(blocks)
    return blocks


def look(root):
    """Every file, link and directory of a tree with all that must be kept."""
    seen = {}
    for folder, names, leaves in os.walk(root):
        for name in names + leaves:
            path = os.path.join(folder, name)
            data = os.lstat(path)
            short = os.path.relpath(path, root)
            if stat.S_ISLNK(data.st_mode):
                seen[short] = ("link", os.readlink(path))
            elif stat.S_ISDIR(data.st_mode):
                seen[short] = ("directory", stat.S_IMODE(data.st_mode))
            else:
                with open(path, "rb") as file:
                    content = file.read()
                try:
                    more = {it: os.getxattr(path, it) for it in os.listxattr(path)}
                except OSError:
                    more = {}
                seen[short] = ("file", stat.S_IMODE(data.st_mode), content, repr(sorted(more.items())))
    return seen
