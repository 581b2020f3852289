"""Blocks of the dialect `operator`, as a model writes them."""

import base64
import json


def block(id, action, **fields):
    """A block; a field whose name ends in `_b64` is given decoded."""
    lines = ["OPERATOR_CMD", "version: 1", f"id: {id}", f"action: {action}"]
    for key, value in fields.items():
        lines.append(f"{key}: {encoded(value) if key.endswith('_b64') else value}")
    return "\n".join([*lines, "END_OPERATOR_CMD", ""])


def replace(id, path, old, new):
    """A block that replaces the one place of a text in a file."""
    edits = {"version": 1, "edits": [{"op": "replaceFirst", "find": old, "text": new}]}
    return block(id, "fs.applyEdits", path=path, edits_b64=json.dumps(edits))


def written(id, path, content):
    """A block that writes a file."""
    return block(id, "fs.write", path=path, content_b64=content)


def encoded(text):
    return base64.b64encode(text.encode()).decode()
