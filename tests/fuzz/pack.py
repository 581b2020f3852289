"""Many small inputs in one file: pack.py pack|unpack FILE FOLDER. Each is a length of four bytes and so many bytes."""

import hashlib
import pathlib
import struct
import sys

# A target's inputs that are kept are not more than this together; the shortest ones come first.
MOST = 300_000


def unpack(file, folder):
    folder.mkdir(parents=True, exist_ok=True)
    pack = file.read_bytes() if file.exists() else b""
    at = 0
    while at < len(pack):
        (length,) = struct.unpack_from("<I", pack, at)
        content = pack[at + 4 : at + 4 + length]
        (folder / hashlib.sha1(content).hexdigest()).write_bytes(content)
        at += 4 + length


def pack(file, folder):
    contents = sorted((path.read_bytes() for path in folder.iterdir()), key=lambda it: (len(it), it))
    kept, size = [], 0
    for content in contents:
        size += 4 + len(content)
        if size > MOST:
            break
        kept.append(struct.pack("<I", len(content)) + content)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"".join(kept))
    print(f"{file.name}: {len(kept)} of {len(contents)} inputs, {sum(map(len, kept))} bytes")


what, file, folder = sys.argv[1:]
{"pack": pack, "unpack": unpack}[what](pathlib.Path(file), pathlib.Path(folder))
