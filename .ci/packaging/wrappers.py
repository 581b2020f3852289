"""Makes the packages for npm and Python from the archives of a release: `wrappers.py DIST`.

`npm/`: `operator-lsp`, which starts the program, and one package for each platform with the program inside.
`pypi/`: a wheel for each platform, which puts the program among the commands of an environment."""

import base64
import hashlib
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from archive import put
from project import DESCRIPTION, HERE, LICENSE, NAME, PLATFORMS, REPOSITORY, ROOT, VERSION, archive, program

ABOUT = f"""# operator-lsp

{DESCRIPTION} The program is inside: `operator-lsp --help` says what it does, and `operator-lsp prompt` starts a chat.

[The project's page]({REPOSITORY}#readme) says how to install it in editors.
"""


def inside(dist, platform):
    """The program's bytes, from the archive."""
    name = f"{NAME}/bin/{program(platform)}"
    data = (dist / archive(platform)).read_bytes()
    if platform["archive"] == "zip":
        return zipfile.ZipFile(io.BytesIO(data)).read(name)
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return tar.extractfile(name).read()


def npm_manifest(name, description):
    """What every package for npm says."""
    return {
        "name": name,
        "version": VERSION,
        "description": description,
        "license": LICENSE,
        "homepage": f"{REPOSITORY}#readme",
        "bugs": {"url": f"{REPOSITORY}/issues"},
        "repository": {"type": "git", "url": f"git+{REPOSITORY}.git"},
    }


def npm_platform(platform):
    """The manifest of a platform's package."""
    needs = platform["npm"]
    manifest = npm_manifest(f"@{NAME}/{platform['name']}", f"The program of {NAME} for {platform['name']}.")
    manifest |= {"os": [needs["os"]], "cpu": [needs["cpu"]]}
    if "libc" in needs:
        manifest["libc"] = [needs["libc"]]
    return manifest | {"preferUnplugged": True, "files": ["bin"]}


def npm_wrapper(platforms):
    """The manifest of the package that people ask for."""
    return npm_manifest(NAME, DESCRIPTION) | {
        "keywords": ["lsp", "language-server", "llm", "patch", "edit"],
        "bin": {NAME: f"bin/{NAME}.js"},
        "engines": {"node": ">=18"},
        "files": ["bin"],
        "optionalDependencies": {f"@{NAME}/{it['name']}": VERSION for it in platforms},
    }


def npm_pack(out, manifest, files):
    """Packs one package with npm itself."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        files = files | {"package.json": json.dumps(manifest, indent=2).encode() + b"\n", "README.md": ABOUT.encode()}
        files["LICENSE"] = (ROOT / "LICENSE").read_bytes()
        for name, data in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(data)
            (folder / name).chmod(0o755 if name.startswith("bin/") else 0o644)
        subprocess.run(
            ["npm", "pack", "--silent", "--pack-destination", out], cwd=folder, check=True, stdout=subprocess.DEVNULL
        )


def metadata():
    """What a wheel says of itself."""
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", NAME),
        ("Version", VERSION),
        ("Summary", DESCRIPTION),
        ("License-Expression", LICENSE),
        ("License-File", "LICENSE"),
        ("Keywords", "lsp,llm,patch,diff,edit"),
        ("Classifier", "Programming Language :: Rust"),
        ("Classifier", "Topic :: Text Editors"),
        ("Project-URL", f"Repository, {REPOSITORY}"),
        ("Project-URL", f"Changelog, {REPOSITORY}/blob/main/CHANGELOG.md"),
        ("Requires-Python", ">=3.7"),
        ("Description-Content-Type", "text/markdown"),
    ]
    return "".join(f"{name}: {value}\n" for name, value in fields) + "\n" + ABOUT


def record(files):
    """The list of a wheel's files, with the sums of their bytes."""
    lines = []
    for name, (data, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    return "".join(lines)


def wheel(out, platform, data):
    """Packs the wheel of a platform."""
    base = f"{NAME.replace('-', '_')}-{VERSION}"
    tag = f"py3-none-{platform['wheel']}"
    told = f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\nTag: {tag}\n"
    files = {
        f"{base}.data/scripts/{program(platform)}": (data, 0o755),
        f"{base}.dist-info/licenses/LICENSE": ((ROOT / "LICENSE").read_bytes(), 0o644),
        f"{base}.dist-info/METADATA": (metadata().encode(), 0o644),
        f"{base}.dist-info/WHEEL": (told.encode(), 0o644),
    }
    listed = f"{base}.dist-info/RECORD"
    files[listed] = ((record(files) + f"{listed},,\n").encode(), 0o644)
    with zipfile.ZipFile(out / f"{base}-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as packed:
        for name, (bytes_, mode) in files.items():
            put(packed, name, bytes_, mode)


def main(dist):
    """The packages of each platform whose archive is there."""
    npm, pypi = dist / "npm", dist / "pypi"
    for folder in (npm, pypi):
        folder.mkdir(exist_ok=True)
    there = [it for it in PLATFORMS if (dist / archive(it)).exists()]
    for platform in there:
        data = inside(dist, platform)
        npm_pack(npm, npm_platform(platform), {f"bin/{program(platform)}": data})
        wheel(pypi, platform, data)
    npm_pack(npm, npm_wrapper(there), {f"bin/{NAME}.js": (HERE / "npm" / f"{NAME}.js").read_bytes()})


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
