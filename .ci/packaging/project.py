"""What the other scripts here have to know of the project: its version, its address, its platforms."""

import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / ".ci" / "packaging"
NAME = "operator-lsp"


def toml(path):
    """A TOML file of the project."""
    return tomllib.loads((ROOT / path).read_text())


MANIFEST = toml("Cargo.toml")["workspace"]["package"]
VERSION = MANIFEST["version"]
LICENSE = MANIFEST["license"]
REPOSITORY = MANIFEST["repository"]
DESCRIPTION = toml("server/Cargo.toml")["package"]["description"]
PLATFORMS = json.loads((HERE / "platforms.json").read_text())


def platform(name):
    """The platform of that name."""
    return next(it for it in PLATFORMS if it["name"] == name)


def program(platform):
    """What the program's file is called there."""
    return f"{NAME}.exe" if platform["name"].startswith("win32-") else NAME


def archive(platform):
    """What the archive is called. Without a version: a command that was copied once stays right."""
    return f"{NAME}-{platform['name']}.{platform['archive']}"


def download(name):
    """Where a file of this version's release is."""
    return f"{REPOSITORY}/releases/download/v{VERSION}/{name}"


def release_date():
    """The day of this version, or "" while the changelog does not name one."""
    line = re.search(rf"^## \[{re.escape(VERSION)}\] - (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    return line[1] if line and re.fullmatch(r"\d{4}-\d\d-\d\d", line[1]) else ""


def sums(dist):
    """The sums of a folder's SHA256SUMS, by name."""
    path = dist / "SHA256SUMS"
    lines = path.read_text().splitlines() if path.exists() else []
    return {name: sha for sha, name in (line.split(maxsplit=1) for line in lines)}


if __name__ == "__main__":
    import sys

    # For Bash: `project.py triple linux-x64`, `project.py archive linux-x64`, `project.py version`.
    what, *names = sys.argv[1:]
    if what == "version":
        print(VERSION)
    elif what == "names":
        print(*(it["name"] for it in PLATFORMS))
    elif what == "triple":
        print(platform(names[0])["triples"][0])
    elif what == "archive":
        print(archive(platform(names[0])))
    elif what == "program":
        print(program(platform(names[0])))
    else:
        sys.exit(f"there is no {what}")
