"""Proves that versions agree, that links lead somewhere, and that manifests are right: `check.py [DIST]`; without network.

Of a release in DIST, sums and manifests are checked too. The last line is `N passed, N failed`."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlparse

import fill
import rules
import wrappers
from project import (
    HERE,
    MANIFEST,
    NAME,
    PLATFORMS,
    REPOSITORY,
    ROOT,
    VERSION,
    archive,
    download,
    release_date,
    sums,
    toml,
)

URL = re.compile(r"https?://[^\s)>\"'`,;|\]\\]+")


def read(path):
    return (ROOT / path).read_text()


def versions():
    """Every place that names the version, with what it says."""
    dependencies = toml("Cargo.toml")["workspace"]["dependencies"]
    lock = json.loads(read("editors/vscode/package-lock.json"))
    told = {f"Cargo.toml, {it}": dependencies[it]["version"] for it in ("operator-core", "operator-grammars")}
    told |= {
        f"Cargo.lock, {it['name']}": it["version"]
        for it in toml("Cargo.lock")["package"]
        if it["name"].startswith("operator-")
    }
    told |= {
        "editors/vscode/package.json": json.loads(read("editors/vscode/package.json"))["version"],
        "editors/vscode/package-lock.json": lock["version"],
        "editors/vscode/package-lock.json, its package": lock["packages"][""]["version"],
        "editors/zed/extension.toml": toml("editors/zed/extension.toml")["version"],
        "editors/zed/Cargo.toml": toml("editors/zed/Cargo.toml")["package"]["version"],
        "editors/emacs/operator-mode.el": re.search(
            r"^;; Version: (.*)$", read("editors/emacs/operator-mode.el"), re.M
        )[1],
    }
    return [f"{place}: {version}, and not {VERSION}" for place, version in told.items() if version != VERSION]


def changelog():
    """The version has a day, and what comes next has its place above."""
    headings = re.findall(r"^## \[(.*?)\](?: - (.*))?$", read("CHANGELOG.md"), re.M)
    problems = [] if headings[:1] == [("Unreleased", "")] else ["the first heading is not [Unreleased]"]
    if headings[1][0] != VERSION or not release_date():
        problems.append(f"the second heading is not [{VERSION}] with a day: {headings[1]}")
    return problems


def addresses():
    """The same repository in every manifest."""
    told = {
        "editors/vscode/package.json": json.loads(read("editors/vscode/package.json"))["repository"][
            "url"
        ].removesuffix(".git"),
        "editors/vscode/scripts/package.mjs": re.search(
            r"REPOSITORY = '(.*)'", read("editors/vscode/scripts/package.mjs")
        )[1],
        "editors/zed/extension.toml": toml("editors/zed/extension.toml")["repository"],
    }
    return [f"{place}: {url}" for place, url in told.items() if url != REPOSITORY]


def binstall():
    """`cargo binstall` asks for what a release has, on each platform."""
    meta = toml("server/Cargo.toml")["package"]["metadata"]["binstall"]
    overrides, problems = dict(meta["overrides"]), []
    for platform in PLATFORMS:
        for triple in platform["triples"]:
            told = overrides.pop(triple, {})
            url = told.get("pkg-url", "").replace("{ repo }", REPOSITORY).replace("{ version }", VERSION)
            if url != download(archive(platform)):
                problems.append(f"{triple}: {url or 'nothing'}")
            form = {"tgz": "tar.gz"}.get(told.get("pkg-fmt", meta["pkg-fmt"]), told.get("pkg-fmt"))
            if form != platform["archive"]:
                problems.append(f"{triple}: pkg-fmt {form}")
    return problems + [f"{triple}: there is no such platform" for triple in overrides]


def platforms():
    """Rust knows what each is built for, macOS included; its name is that of VS Code and npm; a wheel's tag fits."""
    known = subprocess.run(
        ["rustc", "--print", "target-list"], capture_output=True, text=True, check=True
    ).stdout.split()
    cpus = {"x64": ("x86_64", "amd64"), "arm64": ("aarch64", "arm64")}
    problems = []
    for it in PLATFORMS:
        problems += [f"{it['name']}: rustc does not know {triple}" for triple in it["triples"] if triple not in known]
        if it["name"] != f"{it['npm']['os']}-{it['npm']['cpu']}":
            problems.append(f"{it['name']}: npm's is {it['npm']}")
        if not it["wheel"].endswith(cpus[it["npm"]["cpu"]]):
            problems.append(f"{it['name']}: the wheel's is {it['wheel']}")
    return problems


def helix():
    """What Helix is told is what `editors/helix` says, but for files that are Helix's own text."""
    ours, told = toml("editors/helix/languages.toml"), toml(".ci/packaging/templates/helix/languages.toml")
    of = [next(it for it in data["language"] if it["name"] == NAME.split("-")[0]) for data in (ours, told)]
    of[0]["file-types"].remove("txt")
    problems = [] if of[0] == of[1] else [f"{of[0]} and {of[1]}"]
    commands = [data["language-server"][NAME]["command"] for data in (ours, told)]
    return problems + ([] if commands[0] == commands[1] else [f"commands: {commands}"])


def dist_workspace():
    """The same targets for `dist`."""
    told = toml("dist-workspace.toml")
    known = {triple for it in PLATFORMS for triple in it["triples"]}
    targets = told["dist"]["targets"]
    problems = [f"{it}: there is no such platform" for it in targets if it not in known]
    problems += [f"{it['name']} is missing" for it in PLATFORMS if not set(it["triples"]) & set(targets)]
    return problems + rules.missing(told, ["workspace.members", "dist.cargo-dist-version"])


def crates():
    """What the registry of crates wants to know of each."""
    problems = []
    for folder in ("grammars", "server/core", "server"):
        package = toml(f"{folder}/Cargo.toml")["package"]
        for field in ("description", "license", "repository", "readme", "keywords", "categories"):
            value = package.get(field)
            if not (MANIFEST.get(field) if value == {"workspace": True} else value):
                problems.append(f"{package['name']}: {field} is missing")
        if len(package["keywords"]) > 5 or not (ROOT / folder / package["readme"]).exists():
            problems.append(f"{package['name']}: more than five keywords, or no such readme")
    return problems


def links(files):
    """Each address is well formed and in `addresses.txt`; each path leads to a file."""
    allowed = [line for line in (HERE / "addresses.txt").read_text().splitlines() if line and line[0] != "#"]
    problems = []
    for name, text in files.items():
        for url in set(URL.findall(text)):
            url = url.rstrip(".:*")
            if not urlparse(url).hostname or not url.startswith(tuple(allowed)):
                problems.append(f"{name}: {url}")
        if name.endswith(".md"):
            for path in re.findall(r"\]\(([^):#\s]+)(?=[)#\s])", re.sub(r"^(```+).*?^\1", "", text, flags=re.M | re.S)):
                if not (ROOT / name).parent.joinpath(path).exists() and not re.search(
                    rf"`[^`\n]*{re.escape(path)}", text
                ):
                    problems.append(f"{name}: {path} leads nowhere")
    return problems


def pages():
    """The pages and manifests of the repository."""
    wanted = [
        "*.md",
        "LICENSE",
        "Cargo.toml",
        "*/Cargo.toml",
        "dist-workspace.toml",
        "editors/vscode/package.json",
        "editors/zed/extension.toml",
        ":!spec/cases/*/*",
        ":!spec/examples",
        ":!grammars/*/cases",
    ]
    told = subprocess.run(["git", "ls-files", "-z", *wanted], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name: read(name) for name in told.stdout.split("\0")[:-1]}


def manifests(shas):
    """Each manifest, filled with these sums, against its rules."""
    made, problems = fill.manifests(shas), []
    if set(made) - set(rules.RULES):
        problems.append(f"nothing is known of {sorted(set(made) - set(rules.RULES))}")
    for name, text in made.items():
        problems += [f"{name}: {it}" for it in rules.RULES[name](text, [it for it in shas if shas[it]])]
    return problems + links(made)


def packages():
    """The packages for npm and Python."""
    made = [wrappers.npm_platform(it) for it in PLATFORMS] + [wrappers.npm_wrapper(PLATFORMS)]
    problems = [f"{it['name']}: {problem}" for it in made for problem in rules.npm(it)]
    texts = {f"npm, {it['name']}": json.dumps(it) for it in made} | {"wheel": wrappers.metadata()}
    return problems + rules.wheel(wrappers.metadata()) + links(texts)


def release(dist):
    """The files of a release have their sums, and its manifests are those of these sums."""
    problems, known = [], sums(dist)
    for name, sha in known.items():
        if not (dist / name).exists() or hashlib.sha256((dist / name).read_bytes()).hexdigest() != sha:
            problems.append(f"{name} does not have its sum")
    shas = {it["name"]: known.get(archive(it)) for it in PLATFORMS}
    for name, text in fill.manifests(shas).items():
        path = dist / "manifests" / name
        if not path.exists() or path.read_text() != text:
            problems.append(f"manifests/{name} is not that of this release")
    return problems


def main(dist):
    """Runs all checks, and says which hold."""
    all_platforms = {it["name"]: "0123456789abcdef" * 4 for it in PLATFORMS}
    checks = {
        "versions agree": versions,
        "the changelog": changelog,
        "addresses agree": addresses,
        "platforms": platforms,
        "cargo binstall": binstall,
        "Helix": helix,
        "dist-workspace.toml": dist_workspace,
        "what crates say": crates,
        "links": lambda: links(pages()),
    }
    if rules.have_schemas():
        checks["manifests"] = lambda: manifests(all_platforms)
        checks["manifests without macOS"] = lambda: manifests(
            {name: sha for name, sha in all_platforms.items() if not name.startswith("darwin")}
        )
        checks["packages for npm and Python"] = packages
    else:
        print("manifests are left out: the packages with their schemas are not installed")
    if dist:
        checks[f"the release in {dist.name}"] = lambda: release(dist)
    failed = 0
    for name, check in checks.items():
        problems = check()
        failed += bool(problems)
        print(f"{'FAILED ' if problems else 'ok     '} {name}", *(f"\n  {it}" for it in problems), sep="")
    print(f"{len(checks) - failed} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(Path(sys.argv[1]).resolve() if sys.argv[1:] else None)))
