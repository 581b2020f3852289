"""Tries each file of a release in a clean folder, with an empty environment and a new home: `try.py DIST`.

What cannot be run here is told. The last line is `N passed, N failed`."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from places import Wine, place
from project import NAME, PLATFORMS, ROOT, VERSION, archive, program

GLIBC = (2, 28)
UV_PLATFORM = {
    "linux-x64": "x86_64-manylinux_2_28",
    "linux-arm64": "aarch64-manylinux_2_28",
    "win32-x64": "x86_64-pc-windows-msvc",
    "darwin-x64": "x86_64-apple-darwin",
    "darwin-arm64": "aarch64-apple-darwin",
}


def require(holds, said):
    """Ends a trial, with what was seen."""
    if not holds:
        raise AssertionError(str(said)[-1500:])


class Trial:
    """The files of one platform."""

    def __init__(self, dist, platform, where):
        self.dist, self.platform, self.where, self.home = dist, platform, where, where.home
        self.program = self.home / ".local/share" / NAME / "bin" / program(platform)
        self.greeter = self.home / "greeter"
        self.own = not where.before and not isinstance(where, Wine)

    def readme(self):
        """The README's section "Install", word for word, but for the platform's name and the archive's form."""
        section = re.search(r"^## Install$(.*?)^## ", (ROOT / "README.md").read_text(), re.M | re.S)[1]
        lines = "".join(re.findall(r"^```sh\n(.*?)^```$", section, re.M | re.S))
        require("linux-x64" in lines and "code --install-extension" in lines, lines)
        lines = lines.replace("linux-x64", self.platform["name"])
        if self.platform["archive"] == "zip":
            unpack = f"{sys.executable} -m zipfile -e {archive(self.platform)} ~/.local/share"
            lines = re.sub(r"^tar -xzf .*$", unpack, lines, flags=re.M)
        stand_in = self.where.bin / "code"
        stand_in.write_text(
            f'#!/bin/sh\ntest "$1" = --install-extension && {sys.executable} -m zipfile -e "$2" ~/extension\n'
        )
        stand_in.chmod(0o755)
        ended, said = self.where.native("bash", "-euo", "pipefail", "-c", lines, cwd=self.dist)
        require(ended == 0 and self.program.exists(), said)

    def version(self):
        ended, said = self.where.run(self.program, "--version")
        require(ended == 0 and said.strip() == f"{NAME} {VERSION}", said)

    def first_use(self):
        """Check, look, apply, undo: the files are then as they were."""
        before = {path: path.read_bytes() for path in self.greeter.rglob("*.py")}
        for args, wanted in [
            (["check", "chat.md"], "ready"),
            (["apply", "chat.md", "--dry-run"], "+"),
            (["apply", "chat.md", "--yes"], ""),
        ]:
            ended, said = self.where.run(self.program, *args, cwd=self.greeter)
            require(ended == 0 and wanted in said, f"{args}: exit {ended}\n{said}")
        require(any(path.read_bytes() != data for path, data in before.items()), f"apply changed nothing:\n{said}")
        ended, said = self.where.run(self.program, "undo", cwd=self.greeter)
        require(ended == 0 and all(path.read_bytes() == data for path, data in before.items()), said)

    def server(self):
        """A language server's first and last words."""
        asked = [
            {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}},
            {"method": "initialized", "params": {}},
            {"id": 2, "method": "shutdown"},
            {"method": "exit"},
        ]
        texts = [json.dumps({"jsonrpc": "2.0"} | it) for it in asked]
        ended, said = self.where.run(
            self.program, stdin="".join(f"Content-Length: {len(it)}\r\n\r\n{it}" for it in texts)
        )
        require(ended == 0 and '"hoverProvider":true' in said and '"id":2' in said, f"exit {ended}\n{said}")

    def extension(self):
        """The same program is in the extension, which is for that platform alone."""
        package = zipfile.ZipFile(self.dist / f"{NAME}-{self.platform['name']}.vsix")
        name = f"extension/bin/{program(self.platform)}"
        require(package.read(name) == self.program.read_bytes(), "the program is another one")
        require(
            package.getinfo(name).external_attr >> 16 & 0o111 or self.platform["archive"] == "zip", "it may not be run"
        )
        manifest = package.read("extension.vsixmanifest").decode()
        require(
            f'TargetPlatform="{self.platform["name"]}"' in manifest and f'Version="{VERSION}"' in manifest, manifest
        )
        there = self.home / "extension" / name
        require(there.read_bytes() == package.read(name), "VS Code's stand-in has not unpacked it")
        there.chmod(0o755)
        ended, said = self.where.run(there, "--version")
        require(ended == 0 and VERSION in said, said)

    def needs(self):
        """It asks for nothing newer than it says, and names no folder of this machine."""
        data = self.program.read_bytes()
        for folder in {str(ROOT), str(Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")))}:
            require(folder.encode() not in data, f"it has {folder} in it")
        if self.platform["name"].startswith("linux-") and shutil.which("readelf"):
            told = subprocess.run(
                ["readelf", "--version-info", "--wide", self.program], capture_output=True, text=True, check=True
            )
            found = {tuple(map(int, it.split("."))) for it in re.findall(r"GLIBC_([\d.]+)", told.stdout)}
            require(found and max(found) <= GLIBC, f"glibc {max(found, default='?')}")
        if self.platform["archive"] == "zip" and shutil.which("objdump"):
            told = subprocess.run(["objdump", "-p", self.program], capture_output=True, text=True, check=True)
            names = re.findall(r"DLL Name: (\S+)", told.stdout)
            others = [it for it in names if re.match(r"lib|vcruntime|msvcp", it, re.I)]
            require(names and not others, f"it needs {others} of {names}")

    def sbom(self):
        """By the schema of CycloneDX, with the program and what it is made of."""
        from cyclonedx.schema import OutputFormat, SchemaVersion
        from cyclonedx.validation import make_schemabased_validator

        text = (self.dist / f"{NAME}-{self.platform['name']}.cdx.json").read_text()
        wrong = make_schemabased_validator(OutputFormat.JSON, SchemaVersion.V1_5).validate_str(text)
        require(wrong is None, wrong)
        told = json.loads(text)
        names = {it["name"] for it in told["components"]}
        require(
            told["metadata"]["component"]["version"] == VERSION and {"tokio", "tree-sitter"} <= names, sorted(names)
        )
        require(
            ("win32job" in names) == self.platform["name"].startswith("win32-"),
            "the parts are those of another platform",
        )
        require(str(ROOT) not in text, "it names a folder of this machine")

    def npm(self):
        """Installed from the files alone; `npx` runs it where this machine is the platform."""
        folder = self.home / "npm"
        folder.mkdir()
        files = [
            self.dist / "npm" / f"{NAME}-{VERSION}.tgz",
            self.dist / "npm" / f"{NAME}-{self.platform['name']}-{VERSION}.tgz",
        ]
        node = {"PATH": f"{Path(shutil.which('node')).parent}:/usr/bin:/bin"}
        command = ["npm", "install", "--offline", "--ignore-scripts", "--no-update-notifier", *map(str, files)]
        # npm refuses what is for another platform; only the wrapper, whose dependencies are optional, gets along.
        if not self.own:
            ended, said = self.where.native(*command, cwd=folder, more=node)
            require(ended != 0 and "EBADPLATFORM" in said, said)
            command.append("--force")
        ended, said = self.where.native(*command, cwd=folder, more=node)
        require(ended == 0, said)
        there = folder / "node_modules" / f"@{NAME}" / self.platform["name"] / "bin" / program(self.platform)
        ended, said = self.where.run(there, "--version")
        require(ended == 0 and VERSION in said, said)
        if self.own:
            for args in (["--version"], ["check", str(self.greeter / "chat.md"), "--root", str(self.greeter)]):
                ended, said = self.where.native("npx", "--offline", "--no-install", NAME, *args, cwd=folder, more=node)
                require(ended == 0 and (VERSION in said or "ready" in said), said)

    def python(self):
        """Installed from the wheel alone; `uvx` runs it where this machine is the platform."""
        uv, folder = Path(sys.executable).parent / "uv", self.home / "python"
        common = ["--offline", "--no-index", "--find-links", str(self.dist / "pypi"), "--python", sys.executable]
        ended, said = self.where.native(
            str(uv),
            "pip",
            "install",
            *common,
            "--target",
            str(folder),
            "--python-platform",
            UV_PLATFORM[self.platform["name"]],
            NAME,
        )
        require(ended == 0, said)
        ended, said = self.where.run(next(folder.rglob(program(self.platform))), "--version")
        require(ended == 0 and VERSION in said, said)
        if self.own:
            for args in (["--version"], ["check", str(self.greeter / "chat.md"), "--root", str(self.greeter)]):
                ended, said = self.where.native(str(uv), "tool", "run", *common, "--from", NAME, NAME, *args)
                require(ended == 0 and (VERSION in said or "ready" in said), said)


STEPS = {
    "the README's section Install": Trial.readme,
    "--version": Trial.version,
    "check, apply, undo": Trial.first_use,
    "the language server": Trial.server,
    "the extension": Trial.extension,
    "what the program needs": Trial.needs,
    "the SBOM": Trial.sbom,
    "npm": Trial.npm,
    "Python": Trial.python,
}


def main(dist):
    """Tries each platform whose archive is there."""
    passed = failed = 0
    for platform in (it for it in PLATFORMS if (dist / archive(it)).exists()):
        where, why = place(platform["name"])
        if where is None:
            print(f"{platform['name']} is built, and not tried: {why}")
            continue
        trial = Trial(dist, platform, where)
        for name, step in STEPS.items():
            try:
                step(trial)
                passed += 1
                print(f"ok      {platform['name']}: {name}")
            except (AssertionError, OSError, KeyError, StopIteration, subprocess.SubprocessError) as error:
                failed += 1
                print(f"FAILED  {platform['name']}: {name}\n  " + str(error).replace("\n", "\n  "))
        where.close()
    print(f"{passed} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(Path(sys.argv[1]).resolve())))
