"""Fills the templates with the version and the sums of a release: `fill.py DIST` writes `DIST/manifests`.

`{{name}}` is a value; lines between `{{#PLATFORM}}` and `{{/}}` are there if the release has that platform, and
`{{url}}`, `{{archive}}` and `{{sha256}}` are that platform's. `{{{{` and `}}}}` are braces."""

import re
import shutil
import sys
from pathlib import Path

from project import (
    DESCRIPTION,
    HERE,
    LICENSE,
    NAME,
    PLATFORMS,
    REPOSITORY,
    VERSION,
    archive,
    download,
    platform,
    release_date,
    sums,
)

TEMPLATES = HERE / "templates"
PART = re.compile(r"^\{\{#(\S+)\}\}\n(.*?)^\{\{/\}\}\n", re.M | re.S)
# What makes no sense without these.
NEEDS = {"winget": ["win32-x64"], "scoop": ["win32-x64"], "aur": ["linux-x64", "linux-arm64"]}


def values():
    """What is the same on every platform."""
    return {
        "name": NAME,
        "owner": REPOSITORY.split("/")[-2],
        "version": VERSION,
        "repository": REPOSITORY,
        "license": LICENSE,
        "description": DESCRIPTION,
        "date": release_date(),
    }


def of_platform(name, sha):
    """What is that platform's own."""
    file = archive(platform(name))
    return {"archive": file, "url": download(file), "sha256": sha, "SHA256": sha.upper()}


def put_values(text, known, of):
    """A text with its values; one that is not known is an error."""

    def value(match):
        if not known.get(match[1]):
            raise KeyError(f"{of}: nothing is known of {match[0]}")
        return known[match[1]]

    return re.sub(r"(?<!\{)\{\{(\w+)\}\}(?!\})", value, text)


def filled(text, shas, of):
    """A template with its values, and the parts of the platforms whose sums are there."""

    def part(match):
        sha = shas.get(match[1])
        return put_values(match[2], values() | of_platform(match[1], sha), of) if sha else ""

    text = put_values(PART.sub(part, text), values(), of)
    return text.replace("{{{{", "{{").replace("}}}}", "}}")


def manifests(shas):
    """Each file of `manifests/` with its text; `shas` has the sums of archives by platform."""
    made = {}
    for path in sorted(TEMPLATES.rglob("*.*")) + [TEMPLATES / "aur" / "PKGBUILD", TEMPLATES / "aur" / "SRCINFO"]:
        place = path.relative_to(TEMPLATES)
        if path.is_file() and all(shas.get(it) for it in NEEDS.get(place.parts[0], [])):
            made[place.as_posix()] = filled(path.read_text(), shas, place)
    return made


def main(dist):
    """Writes the manifests of the release in that folder."""
    known = sums(dist)
    shas = {it["name"]: known.get(archive(it)) for it in PLATFORMS}
    out = dist / "manifests"
    shutil.rmtree(out, ignore_errors=True)
    made = manifests(shas)
    for name, text in made.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(text)
    left = {it.name for it in TEMPLATES.iterdir()} - {name.split("/")[0] for name in made}
    if left:
        print(f"left out, since their platforms are not there: {', '.join(sorted(left))}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
