"""Writes what the program of a platform is made of, as CycloneDX has it: `sbom.py PLATFORM OUT`.

These are the crates that cargo builds for it, tests left out, each with the sum that `Cargo.lock` has and its licence."""

import json
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

from archive import moment
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL
from project import NAME, ROOT, platform, toml


def metadata(triple):
    """What cargo resolves for a platform, as `Cargo.lock` has it."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", triple]
    return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)


def needed(nodes, root):
    """The crates that the program needs, each with those that it needs itself; what tests alone need is left out."""
    found, todo = {}, [root]
    while todo:
        crate = todo.pop()
        if crate not in found:
            needs = nodes[crate]["deps"]
            found[crate] = [it["pkg"] for it in needs if any(kind["kind"] != "dev" for kind in it["dep_kinds"])]
            todo += found[crate]
    return found


def component(package, sums):
    """A crate."""
    purl = PackageURL("cargo", None, package["name"], package["version"])
    sha = sums.get((package["name"], package["version"]))
    # What crates wrote before there were expressions.
    licence = (package["license"] or "").replace(" / ", "/").replace("/", " OR ")
    return Component(
        type=ComponentType.APPLICATION if package["name"] == NAME else ComponentType.LIBRARY,
        name=package["name"],
        version=package["version"],
        purl=purl,
        bom_ref=str(purl),
        licenses=[LicenseExpression(licence)] if licence else [],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=sha)] if sha else [],
    )


def bom(triple):
    """The list of a platform."""
    told = metadata(triple)
    sums = {(it["name"], it["version"]): it.get("checksum") for it in toml("Cargo.lock")["package"]}
    packages = {it["id"]: it for it in told["packages"]}
    root = next(it["id"] for it in told["packages"] if it["name"] == NAME)
    crates = needed({it["id"]: it for it in told["resolve"]["nodes"]}, root)
    made = {crate: component(packages[crate], sums) for crate in crates}
    result = Bom(components=[it for crate, it in made.items() if crate != root])
    result.metadata.component = made[root]
    result.metadata.timestamp = datetime.fromtimestamp(moment(), timezone.utc)
    # The same each time.
    result.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, f"{triple} {(ROOT / 'Cargo.lock').read_text()}")
    for crate, needs in crates.items():
        result.register_dependency(made[crate], [made[it] for it in needs])
    return result


if __name__ == "__main__":
    text = make_outputter(bom(platform(sys.argv[1])["triples"][0]), OutputFormat.JSON, SchemaVersion.V1_5)
    Path(sys.argv[2]).write_text(text.output_as_string(indent=2) + "\n")
