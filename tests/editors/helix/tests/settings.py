"""What `languages.toml` says, what Helix makes of it, and what Helix says of itself."""

import re
import subprocess
import tomllib

from blocks import block, replace
from helix import LIMIT, PROGRAM, REPOSITORY, RESULTS, SERVER, SETTINGS


def languages_have_their_servers(helix):
    settings = tomllib.loads(SETTINGS.read_text())
    for language in settings["language"]:
        assert "operator-lsp" in _servers(language), f"{language['name']} lacks operator-lsp"
    own = [language for language in settings["language"] if "file-types" in language]
    assert [language["name"] for language in own] == ["operator"]
    assert own[0]["scope"], "Helix wants a scope"


def languages_keep_the_servers_that_helix_has_for_them(helix):
    with_ours = helix.environment()
    without = with_ours | {"HOME": str(RESULTS / "homes/nobody")}
    for language in tomllib.loads(SETTINGS.read_text())["language"]:
        before, after = _healthy(language["name"], without), _healthy(language["name"], with_ours)
        assert after - before == {"operator-lsp"}, f"{language['name']}: {after} instead of {before}"
        assert before <= after, f"{language['name']} loses {before - after}"


def the_command_starts_the_server(helix):
    helix.open(block("r1", "fs.read", path="a.txt"))
    helix.run("lsp-workspace-command")
    helix.sees("operator.applyAll")
    helix.close("operator.applyAll")
    assert '"serverInfo":{"name":"operator-lsp"' in helix.said()


def an_unknown_setting_is_said(helix):
    _project_settings(helix, 'confirmm = "always"')
    helix.open(block("r1", "fs.read", path="a.txt"))
    helix.hears("confirmm")


def an_apply_is_committed_where_the_project_asks_for_it(helix):
    _project_settings(helix, '"git.commit" = true')
    helix.git("config", "user.name", "A")
    helix.git("config", "user.email", "a@example.org")
    helix.write("a.txt", "one\n")
    helix.git("add", "--all")
    helix.git("commit", "--quiet", "--message", "first")
    helix.open(replace("e1", "a.txt", "one", "eins"))
    helix.take("action:", "Apply fs.applyEdits a.txt")
    helix.hears("applied fs.applyEdits a.txt, not saved yet")
    helix.save_all()
    helix.until("the commit", lambda: "AI: edit a.txt" in helix.git("log", "--format=%s"))
    assert helix.git("show", "HEAD:a.txt") == "eins\n"


def a_folder_without_a_repository_is_a_workspace(helix):
    helix.leave_repository()
    helix.write("a.txt", "one\n")
    helix.open(replace("e1", "a.txt", "one", "eins") + replace("e2", "../a.txt", "one", "eins"))
    helix.statuses(["ready: fs.applyEdits a.txt (e1)", "blocked: fs.applyEdits ../a.txt (e2)"])


def the_recorded_initialize_request_is_what_this_helix_sends(helix):
    recorded = RESULTS / "initialize.json"
    kept = REPOSITORY / "tests/it/clients/helix.json"
    helix.serve(f'exec "{REPOSITORY}/tests/editors/record" "{recorded}" "{SERVER}"')
    helix.open(block("r1", "fs.read", path="a.txt"))
    same = kept.exists() and recorded.read_text() == kept.read_text()
    assert same, f"it is another one by now; if that is right: cp {recorded} {kept}"


def _servers(language):
    return [server if isinstance(server, str) else server["name"] for server in language["language-servers"]]


def _healthy(language, environment):
    """The programs of the servers that Helix would start for a language."""
    command = [PROGRAM, "--health", language]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT).stdout
    return set(re.findall(r"[✘✓]\S* ([^\s:]+):", re.sub(r"\x1b\[[0-9;]*m", "", said).split("Configured debug")[0]))


def _project_settings(helix, line):
    helix.write(".helix/languages.toml", f"[language-server.operator-lsp.config]\n{line}\n")
