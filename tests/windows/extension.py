#!/usr/bin/env python3
"""Installs the extension of a `.vsix` for Windows as VS Code does, and runs the server that it would start.

`extension.py VSIX FINDER`: FINDER is the extension's own search for its server, as a module of Node. The last line is
`N passed, N failed`.
"""

import json
import subprocess
import sys
import zipfile

from wine import DRIVE, Checks, Client

# A name with a blank is usual there.
HOME = "users/A Tester"
# Runs the search with the names of Windows; what a path means on the drive is looked up in any case.
FIND = """
const { findServer } = require(process.argv[1]);
const { existsSync } = require('node:fs');
const { drive, ...places } = JSON.parse(process.argv[2]);
const isProgram = file => /^c:/i.test(file) && existsSync(drive + file.slice(2).replaceAll('\\\\', '/'));
try {
    console.log(JSON.stringify(findServer({ ...places, platform: 'win32', isProgram })));
} catch (error) {
    console.log(JSON.stringify({ error: error.message }));
}
"""


def install(vsix):
    """Unpacks the extension where VS Code keeps those of a user; its folder."""
    subprocess.run(["rm", "-rf", DRIVE / HOME], check=True)
    with zipfile.ZipFile(vsix) as packed:
        manifest = json.loads(packed.read("extension/package.json"))
        folder = f"{manifest['publisher']}.{manifest['name']}-{manifest['version']}-win32-x64"
        at = DRIVE / HOME / ".vscode/extensions" / folder
        for name in packed.namelist():
            if name.startswith("extension/") and not name.endswith("/"):
                path = at / name.removeprefix("extension/")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(packed.read(name))
    return at


def on_windows(path):
    """As VS Code writes it: the letter of the drive small."""
    return "c:\\" + str(path.relative_to(DRIVE)).replace("/", "\\")


def found(finder, **places):
    """What the extension finds."""
    asked = {"drive": str(DRIVE), "setting": "", "searchPath": "C:\\windows\\system32;C:\\windows", **places}
    ran = subprocess.run(["node", "-e", FIND, finder, json.dumps(asked)], capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def answers(program, checks, what):
    """Whether the server starts there and ends."""
    client = Client(program)
    started = client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    client.notify("initialized", {})
    checks.that(f"{what}: initialize is answered", started["serverInfo"]["name"] == "operator-lsp", started)
    checks.that(f"{what}: the server ends with 0", client.end() == 0, client.process.returncode)


def main():
    vsix, finder = sys.argv[1:]
    checks = Checks()
    at = install(vsix)
    bundle = on_windows(at / "bin")
    own = {"program": f"{bundle}\\operator-lsp.exe", "origin": "bundle"}
    seen = found(finder, bundle=bundle)
    checks.that("the server is found in the extension", seen == own, seen)
    answers(seen["program"], checks, "from the extension")
    # As somebody sets it by hand: without `.exe`, with the other separator.
    setting = own["program"].removesuffix(".exe").replace("\\", "/").replace("c:", "C:")
    seen = found(finder, bundle="c:\\none", setting=setting)
    checks.that("the setting leads to it", seen == {"program": f"{setting}.exe", "origin": "setting"}, seen)
    answers(seen["program"], checks, "from the setting")
    seen = found(finder, bundle="c:\\none", searchPath=f'C:\\windows;"{bundle}"')
    checks.that("the PATH leads to it", seen == {**own, "origin": "PATH"}, seen)
    answers(seen["program"], checks, "from the PATH")
    seen = found(finder, bundle="c:\\none")
    checks.that("and without it the error says what to do", "operator.server.path" in seen.get("error", ""), seen)
    checks.end()


main()
