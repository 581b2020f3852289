"""Writes what a target begins with, made of the examples and the cases: seeds.py TARGET FOLDER."""

import base64
import json
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def transcripts():
    for path in sorted((ROOT / "spec/examples").glob("*.md")):
        yield path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "spec/cases").rglob("*.md")):
        yield from re.split(r"(?m)^(?=## )", path.read_text(encoding="utf-8"))


def payloads():
    kinds = {"content_b64": 0, "edits_b64": 1, "patch_b64": 2}
    for text in transcripts():
        for field, payload in re.findall(r"(?m)^(content_b64|edits_b64|patch_b64): (\S+)$", text):
            try:
                yield bytes([kinds[field]]) + base64.b64decode(payload)
            except ValueError:
                pass


def structures():
    for number, folder in enumerate(sorted(path.parent for path in (ROOT / "grammars").glob("*/profile.rs"))):
        for path in sorted(folder.rglob("*.md")) + sorted((ROOT / "spec/cases/structure").rglob(f"{folder.name}*")):
            for text in re.findall(r"(?ms)^[~`]{3,}[^\n]*\n(.*?)^[~`]{3,}$", path.read_text(encoding="utf-8")):
                yield f"{chr(number)}{text}\0main\0x\0\5\2y"


def requests():
    files = dict.fromkeys(["tool.py", "entrypoint.txt", "args.txt", "stdin.txt", "config.json"], "one\n")
    yield json.dumps({"instruction": "fix it", "files": files, "conversation": []})
    yield (ROOT / "spec/edit-ops.md").read_text(encoding="utf-8")


def messages():
    chat = "file:///nowhere/chat.md"
    document = {"uri": chat}
    place = {"line": 3, "character": 2}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 90, "character": 0}}
    for text in list(transcripts())[:40]:
        asked = [
            ("textDocument/codeAction", {"range": whole, "context": {"diagnostics": []}}),
            ("textDocument/hover", {"position": place}),
            ("textDocument/completion", {"position": place}),
            ("textDocument/definition", {"position": place}),
            ("textDocument/documentSymbol", {}),
            ("textDocument/codeLens", {}),
            ("textDocument/foldingRange", {}),
            ("textDocument/inlayHint", {"range": whole}),
            ("textDocument/semanticTokens/full", {}),
            ("textDocument/diagnostic", {}),
            ("operator/proposals", {}),
        ]
        lines = [
            ("textDocument/didOpen", {"textDocument": document | {"languageId": "markdown", "version": 1, "text": text}}),
            ("textDocument/didChange", {
                "textDocument": document | {"version": 2},
                "contentChanges": [{"range": {"start": place, "end": place}, "text": "x"}],
            }),
        ]
        said = [{"jsonrpc": "2.0", "method": method, "params": params} for method, params in lines]
        for number, (method, params) in enumerate(asked, 1):
            params = {"textDocument": document} | params
            said.append({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        for number, command in enumerate(["operator.applyAll", "operator.copyReplies"], 50):
            params = {"command": command, "arguments": [{"uri": chat, "version": 2}]}
            said.append({"jsonrpc": "2.0", "id": number, "method": "workspace/executeCommand", "params": params})
        yield "\n".join(json.dumps(message, ensure_ascii=False) for message in said)


def choices():
    """What is read as choices: any bytes will do."""
    numbers = random.Random(20261122)
    for length in [*range(1, 60), *[100] * 20, *[200] * 20, *[400] * 20]:
        yield numbers.randbytes(length)


def cost():
    yield from choices()
    for text in transcripts():
        for part in re.split(r"(?m)^````+\n", text):
            if len(part) < 800:
                yield b"\0\0" + part.encode("utf-8")
    for line in re.findall(r'(?m)^"(.*)"$', (ROOT / "tests/fuzz/words.dict").read_text(encoding="utf-8")):
        yield b"\0\0" + line.encode("utf-8").decode("unicode_escape").encode("utf-8")


target, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
made = {"transcript": transcripts, "payloads": payloads, "structures": structures, "requests": requests, "messages": messages, "cost": cost}
for number, seed in enumerate(made.get(target, choices)()):
    (folder / f"{number:04}").write_bytes(seed if isinstance(seed, bytes) else seed.encode("utf-8"))
