"""Lays out the crates as they are published, and packs them: `crates.py OUT`.

In the repository the crates read the specifications from `spec/`, outside of their folders. Here each has its own copy,
the sources name it, and `publish = false` is gone. What is left out has tests alone."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from project import ROOT, VERSION

# In the order in which they depend on each other.
CRATES = {"operator-grammars": "grammars", "operator-core": "server/core", "operator-lsp": "server"}
OUTSIDE = re.compile(r'(include_str!\("(?:\.\./)*?)((?:\.\./)*)(spec/[^"]+)')


def inner(text, file, crate):
    """A source in which the paths to `spec/` lead to the crate's own; and the files that it names."""
    wanted = set()

    def lead(match):
        wanted.add(match[3])
        up = "../" * (len(file.relative_to(crate).parts) - 1)
        return f'include_str!("{up}{match[3]}'

    return OUTSIDE.sub(lead, text), wanted


def lay_out(stage):
    """Copies the workspace's crates, each with what it includes."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "Cargo.*", "grammars", "server", "README.md", "LICENSE"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.split("\0")[:-1]:
        (stage / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, stage / name)
    for folder in CRATES.values():
        crate = stage / folder
        nested = stage / "server" / "core"
        for file in crate.rglob("*.rs"):
            if crate != nested and nested in file.parents:
                continue
            text, wanted = inner(file.read_text(), file, crate)
            file.write_text(text)
            for name in wanted:
                (crate / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, crate / name)
        require_included(crate)
        shutil.copyfile(ROOT / "LICENSE", crate / "LICENSE")
        publish(crate / "Cargo.toml")
    publish(stage / "Cargo.toml")


def require_included(crate):
    """Every file that a source includes is inside of its crate: else the build of whoever installs it would fail.

    Only tests, which nobody builds there, may name others."""
    for file in (it for it in crate.rglob("*.rs") if not {"tests", "tests.rs"} & set(it.parts)):
        for path in re.findall(r'include_(?:str|bytes)!\("([^"]+)"\)', file.read_text()):
            there = (file.parent / path).resolve()
            if not there.is_file() or crate not in there.parents:
                sys.exit(f"{file.relative_to(crate)} includes {path}, which its crate does not have")


def publish(manifest):
    """Drops what keeps a crate from being published."""
    text = re.sub(r"^(# What is published .*\n)?publish(\.workspace)? = .*\n", "", manifest.read_text(), flags=re.M)
    manifest.write_text(text)


def main(out):
    """Packs all crates; their builds are tried by whoever calls `cargo check` in `OUT/stage`."""
    shutil.rmtree(out, ignore_errors=True)
    stage = out / "stage"
    lay_out(stage)
    subprocess.run(
        [
            "cargo",
            "package",
            "--quiet",
            "--workspace",
            "--no-verify",
            "--allow-dirty",
            "--target-dir",
            str(out / "target"),
        ],
        cwd=stage,
        check=True,
    )
    for name in CRATES:
        shutil.move(out / "target" / "package" / f"{name}-{VERSION}.crate", out)
    shutil.rmtree(out / "target")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
