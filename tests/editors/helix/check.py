"""Reads a `languages.toml` as Helix does, and starts the servers that it names."""

import json
import os
import subprocess
import sys
import tempfile
import tomllib

PROGRAM = os.environ["OPERATOR_LSP"]


def languages_have_their_servers(settings):
    servers = settings["language-server"]
    for language in settings["language"]:
        assert language["language-servers"], f"{language['name']} has no server"
        for server in language["language-servers"]:
            assert server in servers, f"{language['name']} names {server}, which is nowhere described"


def a_language_of_our_own_has_what_helix_wants(settings):
    known = {"markdown"}
    own = [language for language in settings["language"] if language["name"] not in known]
    assert own, "there is no language for files of blocks"
    for language in own:
        for key in ("scope", "file-types"):
            assert key in language, f"{language['name']} lacks {key}"


def the_command_starts_the_server(settings):
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"processId": None, "rootUri": None, "capabilities": {}},
    }
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(PROGRAM), os.path.join(folder, "operator-lsp"))
        for server in settings["language-server"].values():
            request["params"]["initializationOptions"] = server.get("config")
            body = json.dumps(request).encode()
            said = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
            command = [os.path.join(folder, server["command"]), *server.get("args", [])]
            answer = subprocess.run(command, input=said, capture_output=True, timeout=10).stdout
            assert b'"serverInfo"' in answer, f"{server['command']} does not answer: {answer!r}"
            assert b"unknown" not in answer.lower(), f"a setting is refused: {answer!r}"


def main():
    passed = failed = 0
    for test in (
        languages_have_their_servers,
        a_language_of_our_own_has_what_helix_wants,
        the_command_starts_the_server,
    ):
        name = test.__name__.replace("_", " ")
        try:
            with open(sys.argv[1], "rb") as file:
                test(tomllib.load(file))
            passed += 1
            print(f"ok      {name}")
        except Exception as why:
            failed += 1
            print(f"FAILED  {name}\n  {why!r}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
