"""Where a platform's program can be run from here: on this machine, under qemu, or under wine in the kept Debian 13."""

import os
import platform as machine
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from project import ROOT

# Debian's `qemu-user-static` and `libc6-arm64-cross`, as `.ci/release` has unpacked them.
ARM64 = ROOT / ".cache/release/arm64"
SECONDS = 180


class Here:
    """A clean folder on this machine; `before` is what runs programs of another one."""

    def __init__(self, before=()):
        self.before = list(before)
        # Not below the repository, whose folder would be the workspace of all that is in it.
        self.home = Path(tempfile.mkdtemp(prefix="operator-release-"))
        self.bin = self.home / "stand-ins"
        self.bin.mkdir()

    def environment(self):
        """What a new user has."""
        return {"HOME": str(self.home), "PATH": f"{self.bin}:/usr/bin:/bin", "TERM": "dumb", "LANG": "C.UTF-8"}

    def run(self, program, *args, cwd=None, stdin=""):
        """Runs a platform's program: what it printed, and how it ended."""
        return self.native(*self.before, str(program), *args, cwd=cwd, stdin=stdin)

    def native(self, *command, cwd=None, stdin="", more=()):
        """Runs a program of this machine there."""
        done = subprocess.run(
            command,
            cwd=cwd or self.home,
            env=self.environment() | dict(more),
            input=stdin.encode(),
            capture_output=True,
            timeout=SECONDS,
        )
        return done.returncode, done.stdout.decode() + done.stderr.decode()

    def close(self):
        """Removes the folder."""
        shutil.rmtree(self.home, ignore_errors=True)


class Wine(Here):
    """A clean folder in the kept Debian 13, where wine runs programs for Windows."""

    def __init__(self, kept):
        super().__init__()
        self.close()
        self.kept = kept
        self.home = Path(tempfile.mkdtemp(prefix="release-", dir=kept))
        self.bin = self.home / "stand-ins"
        self.bin.mkdir()

    def run(self, program, *args, cwd=None, stdin=""):
        inner = [self.inside(it) if str(it).startswith(str(self.kept)) else str(it) for it in (program, *args)]
        script = f"cd {shlex.quote(self.inside(cwd or self.home))} && exec wine {shlex.join(inner)}"
        done = subprocess.run(
            [ROOT / "tests/windows/inside", script],
            input=stdin.encode(),
            capture_output=True,
            timeout=SECONDS,
            env=os.environ | {"OPERATOR_WINDOWS": str(self.kept)},
        )
        return done.returncode, (done.stdout + done.stderr).decode().replace("\r\n", "\n")

    def inside(self, path):
        """The same path there."""
        return f"/kept/{Path(path).relative_to(self.kept).as_posix()}"


def place(name):
    """Where that platform's program can be run, or why it cannot."""
    own = {
        "Linux-x86_64": "linux-x64",
        "Linux-aarch64": "linux-arm64",
        "Darwin-x86_64": "darwin-x64",
        "Darwin-arm64": "darwin-arm64",
    }.get(f"{machine.system()}-{machine.machine()}")
    kept = Path(os.environ.get("OPERATOR_WINDOWS", ROOT / ".cache/windows"))
    if name == own:
        return Here(), ""
    if name == "linux-arm64":
        if (ARM64 / "ready").exists():
            return Here([str(ARM64 / "usr/bin/qemu-aarch64-static"), "-L", str(ARM64 / "usr/aarch64-linux-gnu")]), ""
        return None, "Debian's qemu-user-static and libc6-arm64-cross cannot be had"
    if name == "win32-x64":
        return (
            (Wine(kept), "")
            if (kept / "made" / "prefix").exists()
            else (None, "tests/windows/run has not been run here")
        )
    return None, f"it runs on {name} alone"
