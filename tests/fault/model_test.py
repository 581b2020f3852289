"""What the model of the disk takes from calls that several threads make at once, as strace writes them down."""

import os
import tempfile
import unittest

import model


class Trace(dict):
    """Gives the names in braces as strace prints them."""

    def __missing__(self, name):
        path = os.path.join(self["."], name)
        return '"' + "".join(f"\\x{byte:02x}" for byte in path.encode()) + '"'


def durable(trace):
    """The files that are surely there after these calls, in the folders `one` and `two`."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("one", "two"):
            os.mkdir(os.path.join(folder, name))
        path = os.path.join(folder, "trace")
        with open(path, "w", encoding="ascii") as file:
            file.write(trace.format_map(Trace({".": folder})))
        folders = [os.path.join(folder, name) for name in ("one", "two")]
        disk = model.Disk(folders)
        for call, given, result in model.calls(path):
            disk.take(call, given, result)
        tree = disk.crash(lambda _: False, lambda node: (b"", node.mode, {}))
        return sorted(os.path.relpath(path, folder) for path in tree if path not in folders)


class Threads(unittest.TestCase):
    def test_a_descriptor_is_anothers_as_soon_as_its_close_has_begun(self):
        trace = """\
1 openat(AT_FDCWD, {one/a}, O_WRONLY|O_CREAT, 0600) = 8
1 openat(AT_FDCWD, {two/b}, O_WRONLY|O_CREAT, 0600) = 9
2 openat(AT_FDCWD, {one}, O_RDONLY) = 10
2 fsync(10) = 0
2 close(10 <unfinished ...>
3 openat(AT_FDCWD, {two}, O_RDONLY) = 10
2 <... close resumed>) = 0
3 fsync(10) = 0
"""
        self.assertEqual(durable(trace), ["one/a", "two/b"])

    def test_a_sync_makes_nothing_durable_that_came_after_its_beginning(self):
        trace = """\
1 openat(AT_FDCWD, {one/early}, O_WRONLY|O_CREAT, 0600) = 8
2 openat(AT_FDCWD, {one}, O_RDONLY) = 10
2 fsync(10 <unfinished ...>
1 openat(AT_FDCWD, {one/late}, O_WRONLY|O_CREAT, 0600) = 9
2 <... fsync resumed>) = 0
"""
        self.assertEqual(durable(trace), ["one/early"])


if __name__ == "__main__":
    unittest.main()
