"""Packs a folder: `archive.py FOLDER OUT`, where OUT ends with `.tar.gz` or `.zip`.

The same files make the same bytes: names are in order, and the time of each is that of the last commit."""

import gzip
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

from project import ROOT


def moment():
    """When the last commit was made, in seconds."""
    told = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True)
    return int(told.stdout)


def files(folder):
    """The files below a folder, in the order of their names."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def mode(path):
    """Who may do what: all that the owner may, but for writing."""
    return 0o755 if path.stat().st_mode & 0o100 else 0o644


def pack_tar(folder, out):
    """A tar, compressed, in which everything belongs to root."""
    with open(out, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for path in files(folder):
                entry = tarfile.TarInfo(str(path.relative_to(folder.parent)))
                entry.size, entry.mtime, entry.mode = path.stat().st_size, moment(), mode(path)
                entry.uname = entry.gname = "root"
                with open(path, "rb") as file:
                    tar.addfile(entry, file)


def pack_zip(folder, out):
    """A zip with the permissions of Unix."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in files(folder):
            put(packed, path.relative_to(folder.parent).as_posix(), path.read_bytes(), mode(path))


def put(packed, name, data, mode=0o644):
    """One file of a zip."""
    entry = zipfile.ZipInfo(name, time.gmtime(moment())[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o100000 | mode) << 16
    packed.writestr(entry, data, compresslevel=9)


if __name__ == "__main__":
    folder, out = Path(sys.argv[1]).resolve(), sys.argv[2]
    (pack_zip if out.endswith(".zip") else pack_tar)(folder, out)
