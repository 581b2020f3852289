"""A disk that forgets: what a run has written, and what of it is surely there after the power was cut.

The rules are those that POSIX gives, not what one file system does: the bytes of a file are durable after a sync of
the file, and its name after a sync of the directory. What is not synced may be there or not, each by itself, but for
two things that every file system with a journal keeps: a rename is one change, and changes of one directory are
made durable in their order.
"""

import os
import re
import stat

# What strace is to report; what fails and what only reads has no effect.
CALLS = """openat openat2 open creat close dup dup2 dup3 fcntl write pwrite64 writev fsync fdatasync sync syncfs
rename renameat renameat2 unlink unlinkat rmdir mkdir mkdirat link linkat symlink symlinkat truncate ftruncate
fallocate fchmod fchmodat chmod fsetxattr fremovexattr lseek copy_file_range sendfile""".split()


class Node:
    """A file, a directory or a link, as it is now and as it surely is after a power cut."""

    def __init__(self, kind, mode, data=b""):
        self.kind, self.mode, self.data = kind, mode, data
        self.extended = {}
        # Of a directory: names and nodes. `kept` is what is durable.
        self.names, self.kept = {}, {}
        self.synced = None

    def settle(self):
        """Takes the content and the attributes as durable."""
        self.synced = (self.data, self.mode, dict(self.extended))


class Handle:
    """An open file; copies of a descriptor share it."""

    def __init__(self, node, appends):
        self.node, self.appends, self.at = node, appends, 0


class Disk:
    """Some folders, by their absolute paths, and what is open in them."""

    def __init__(self, folders):
        self.root = Node("directory", 0o755)
        self.open = {}
        # Syncs that have begun, by their descriptors: what was there then.
        self.syncing = {}
        # Changes of names that are not durable, the oldest first: each a list of directory, name and node.
        self.pending = []
        for folder in folders:
            at = self.root
            for name in folder.strip("/").split("/")[:-1]:
                at = at.names.setdefault(name, Node("directory", 0o755))
                at.outside = True
            at.names[os.path.basename(folder)] = load(folder)
        keep_all(self.root)

    def begin(self):
        """Another program begins: nothing is open."""
        self.open, self.syncing = {}, {}

    def node_at(self, at, path, follows=True):
        """The directory and the name that a path leads to; `None` outside of the folders."""
        start = None if path.startswith("/") else self.directory(at)
        here = self.root if path.startswith("/") else start
        names = [it for it in path.split("/") if it not in ("", ".")]
        if here is None:
            return None
        if not names:
            return here, "."
        for name in names[:-1]:
            here = here.names.get(name)
            if here is None or here.kind != "directory":
                return None
        target = here.names.get(names[-1])
        if follows and target is not None and target.kind == "link":
            raise SystemExit(f"the model follows no link: {path}")
        return here, names[-1]

    def directory(self, descriptor):
        handle = self.open.get(descriptor)
        return handle.node if handle else None

    def change(self, *changes):
        """Changes names: one change, although it may be of several directories."""
        for directory, name, node in changes:
            if node is None:
                directory.names.pop(name, None)
            else:
                directory.names[name] = node
        self.pending.append(list(changes))

    def sync_names(self, directory, made):
        """Makes the names of a directory durable, as far as they were changed by then, with what must come before
        or together with them."""
        dirs, wanted, made = {id(directory)}, set(), {id(it) for it in made}
        # Backwards: of another directory of a rename only what came before it is needed.
        for number in reversed(range(len(self.pending))):
            touched = {id(it) for it, _, _ in self.pending[number]}
            if touched & dirs and id(self.pending[number]) in made:
                dirs |= touched
                wanted.add(number)
        for number in sorted(wanted):
            for it, name, node in self.pending[number]:
                put(it.kept, name, node)
        self.pending = [it for number, it in enumerate(self.pending) if number not in wanted]

    def survivals(self):
        """Which pending changes may survive together, each possibility once."""
        def from_on(number, lost):
            if number == len(self.pending):
                yield ()
                return
            touched = {id(it) for it, _, _ in self.pending[number]}
            if not touched & lost:
                yield from ((True, *rest) for rest in from_on(number + 1, lost))
            yield from ((False, *rest) for rest in from_on(number + 1, lost | touched))
        return from_on(0, frozenset())

    def unsynced(self):
        """The files of which not all is durable."""
        found, ahead = {}, [self.root]
        while ahead:
            node = ahead.pop()
            below = [*node.names.values(), *node.kept.values()]
            ahead += {id(it): it for it in below if it.kind == "directory"}.values()
            for it in below:
                if it.kind == "file" and it.synced != (it.data, it.mode, it.extended):
                    found[id(it)] = it
        return list(found.values())

    def crash(self, survives, content):
        """The trees that are left: `survives` says which pending changes are, `content` which bytes a file has."""
        names, lost = {}, set()
        for number, changes in enumerate(self.pending):
            # Changes of one directory are in order: after one that is lost, all are.
            if not survives(number) or any(id(it) in lost for it, _, _ in changes):
                lost |= {id(it) for it, _, _ in changes}
                continue
            for it, name, node in changes:
                put(names.setdefault(id(it), dict(it.kept)), name, node)
        return self.seen(self.root, "", names, content, {})

    def seen(self, directory, path, names, content, found):
        for name, node in names.get(id(directory), directory.kept).items():
            below = f"{path}/{name}"
            if node.kind == "directory":
                if not getattr(node, "outside", False):
                    found[below] = ("directory", node.mode)
                self.seen(node, below, names, content, found)
            elif node.kind == "link":
                found[below] = ("link", node.data)
            else:
                found[below] = ("file", *content(node))
        return found

    def now(self):
        """What a running system sees."""
        names, ahead = {}, [self.root]
        while ahead:
            node = ahead.pop()
            names[id(node)] = node.names
            ahead.extend(it for it in node.names.values() if it.kind == "directory")
        return self.seen(self.root, "", names, lambda node: (node.data, node.mode, node.extended), {})

    def take(self, call, given, result):
        """Takes a call in that has succeeded; whether it changes what is there after a power cut."""
        act = getattr(self, f"do_{call}", None)
        if act is None:
            raise SystemExit(f"the model does not know {call}")
        return act(given, result)

    def do_openat(self, given, result):
        at, path, flags = given[0], given[1], given[2] if len(given) > 2 else ""
        mode = int(given[3], 8) if len(given) > 3 else 0
        return self.opened(at, path, flags, mode, result)

    def do_openat2(self, given, result):
        flags = re.search(r"flags=([^,}]*)", given[2]).group(1)
        mode = re.search(r"mode=([^,}]*)", given[2])
        return self.opened(given[0], given[1], flags, int(mode.group(1), 8) if mode else 0, result)

    def do_open(self, given, result):
        return self.do_openat(["AT_FDCWD", *given], result)

    def opened(self, at, path, flags, mode, result):
        self.open.pop(result, None)
        flags = flags.split("|")
        found = self.node_at(at, path, follows=False)
        if found is None:
            return False
        directory, name = found
        node = directory if name == "." else directory.names.get(name)
        changes = False
        if node is None:
            if "O_CREAT" not in flags:
                return False
            node = Node("file", mode & ~UMASK)
            # Of what was never synced the name may be there, and no byte.
            node.first = mode & ~UMASK
            self.change((directory, name, node))
            changes = True
        elif node.kind == "link" and "O_PATH" not in flags:
            raise SystemExit(f"the model follows no link: {path}")
        if "O_TRUNC" in flags and node.data:
            node.data, changes = b"", True
        self.open[result] = Handle(node, "O_APPEND" in flags)
        return changes

    def do_close(self, given, _):
        self.open.pop(given[0], None)

    def do_dup(self, given, result):
        if given[0] in self.open:
            self.open[result] = self.open[given[0]]

    do_dup2 = do_dup3 = do_dup

    def do_fcntl(self, given, result):
        if given[1].startswith("F_DUPFD"):
            self.do_dup(given, result)

    def do_lseek(self, given, result):
        if given[0] in self.open:
            self.open[given[0]].at = int(result)

    def write_at(self, handle, at, data):
        old = handle.node.data.ljust(at, b"\0")
        handle.node.data = old[:at] + data + old[at + len(data):]

    def do_write(self, given, result):
        handle = self.open.get(given[0])
        if handle is None:
            return False
        data = given[1][:int(result)]
        at = len(handle.node.data) if handle.appends else handle.at
        self.write_at(handle, at, data)
        handle.at = at + len(data)
        return True

    def do_writev(self, given, result):
        parts = re.findall(r'iov_base="((?:\\x..)*)"', given[1])
        return self.do_write([given[0], b"".join(map(unhex, parts))], result)

    def do_pwrite64(self, given, result):
        handle = self.open.get(given[0])
        if handle:
            self.write_at(handle, int(given[3]), given[1][:int(result)])
        return handle is not None

    def do_ftruncate(self, given, _):
        handle = self.open.get(given[0])
        if handle:
            length = int(given[1])
            handle.node.data = handle.node.data[:length].ljust(length, b"\0")
        return handle is not None

    def do_copy_file_range(self, given, result):
        return self.copied(given[2], given[0], result)

    def do_sendfile(self, given, result):
        return self.copied(given[0], given[1], result)

    def copied(self, target, source, result):
        if target not in self.open:
            return False
        source = self.open[source]
        data = source.node.data[source.at:source.at + int(result)]
        source.at += len(data)
        return self.do_write([target, data], result)

    def do_begin_sync(self, given, _):
        handle = self.open.get(given[0])
        if handle:
            self.syncing[given[0]] = self.to_be_synced(handle.node)

    def to_be_synced(self, node):
        """What a sync makes durable that begins now: what comes later may have to wait for the next one."""
        return (node.data, node.mode, dict(node.extended)), node.synced, list(self.pending)

    def do_fsync(self, given, _, with_mode=True):
        handle = self.open.get(given[0])
        if handle is None:
            return False
        node = handle.node
        (data, mode, extended), before, pending = self.syncing.pop(given[0], None) or self.to_be_synced(node)
        if node.kind == "directory":
            self.sync_names(node, pending)
        elif node.synced is before:
            if not with_mode:
                _, mode, extended = node.synced or (b"", node.first, {})
            node.synced = (data, mode, extended)
        return True

    def do_fdatasync(self, given, result):
        return self.do_fsync(given, result, with_mode=False)

    def do_fchmod(self, given, _):
        handle = self.open.get(given[0])
        if handle:
            handle.node.mode = int(given[1], 8)
        return handle is not None

    def do_fsetxattr(self, given, _):
        handle = self.open.get(given[0])
        if handle:
            handle.node.extended = {**handle.node.extended, given[1]: given[2]}
        return handle is not None

    def do_fremovexattr(self, given, _):
        handle = self.open.get(given[0])
        if handle:
            handle.node.extended = {name: it for name, it in handle.node.extended.items() if name != given[1]}
        return handle is not None

    def do_renameat2(self, given, _):
        source, target = self.node_at(given[0], given[1], False), self.node_at(given[2], given[3], False)
        if source is None and target is None:
            return False
        one, other = source[0].names[source[1]], target[0].names.get(target[1])
        exchanged = other if "RENAME_EXCHANGE" in given[4:] else None
        self.change((*source, exchanged), (*target, one))
        return True

    def do_renameat(self, given, result):
        return self.do_renameat2(given, result)

    def do_rename(self, given, result):
        return self.do_renameat2(["AT_FDCWD", given[0], "AT_FDCWD", given[1]], result)

    def do_unlinkat(self, given, _):
        found = self.node_at(given[0], given[1], False)
        if found:
            self.change((*found, None))
        return found is not None

    def do_unlink(self, given, result):
        return self.do_unlinkat(["AT_FDCWD", *given], result)

    do_rmdir = do_unlink

    def do_mkdirat(self, given, _):
        found = self.node_at(given[0], given[1], False)
        if found:
            self.change((*found, Node("directory", int(given[2], 8) & ~UMASK)))
        return found is not None

    def do_mkdir(self, given, result):
        return self.do_mkdirat(["AT_FDCWD", *given], result)

    def do_symlinkat(self, given, _):
        found = self.node_at(given[1], given[2], False)
        if found:
            self.change((*found, Node("link", 0o777, given[0])))
        return found is not None


UMASK = os.umask(0)
os.umask(UMASK)


def put(names, name, node):
    if node is None:
        names.pop(name, None)
    else:
        names[name] = node


def load(path):
    """A file or folder as it is on the disk."""
    data = os.lstat(path)
    if stat.S_ISLNK(data.st_mode):
        return Node("link", 0o777, os.readlink(path))
    if stat.S_ISDIR(data.st_mode):
        node = Node("directory", stat.S_IMODE(data.st_mode))
        node.names = {name: load(os.path.join(path, name)) for name in os.listdir(path)}
        return node
    with open(path, "rb") as file:
        node = Node("file", stat.S_IMODE(data.st_mode), file.read())
    node.extended = extended(path)
    return node


def extended(path):
    try:
        return {name: os.getxattr(path, name) for name in os.listxattr(path)}
    except OSError:
        return {}


def keep_all(node):
    """Takes all that is there as durable."""
    node.kept = dict(node.names)
    node.settle()
    for below in node.names.values():
        keep_all(below)


def unhex(text):
    return bytes.fromhex(text.replace("\\x", ""))


def arguments(text, binary):
    """The arguments of a call as strace prints them; strings are in hexadecimal."""
    given, depth, start = [], 0, 0
    for number, char in enumerate(text + ","):
        depth += (char in "{[") - (char in "}]")
        if char == "," and depth == 0:
            given.append(text[start:number].strip())
            start = number + 1
    def value(number, word):
        if not word.startswith('"'):
            return word
        if word.endswith("..."):
            raise SystemExit("strace has cut a string short")
        data = unhex(word.strip('"'))
        return data if number in binary else os.fsdecode(data)
    return [value(number, word) for number, word in enumerate(given)]


# The arguments that are bytes, not names.
BINARY = {"write": {1}, "pwrite64": {1}, "fsetxattr": {2}}


def calls(trace):
    """The calls of a trace that have succeeded, in their order: name, arguments, result.

    Another thread may go on while a call lasts. A descriptor is free as soon as its close has begun: by the end of
    the close it may be another file's. A sync tells when it begins, since it makes only that durable which was there
    by then.
    """
    begun = {}
    with open(trace, encoding="ascii", errors="replace") as file:
        for line in file:
            thread, _, text = line.rstrip("\n").partition(" ")
            text = text.strip()
            if text.endswith("<unfinished ...>"):
                text = begun[thread] = text[:-len("<unfinished ...>")]
                early = re.fullmatch(r"(close|fsync|fdatasync)\((\d+)\)?\s*", text)
                if early:
                    yield "close" if early[1] == "close" else "begin_sync", [early[2]], "0"
                continue
            resumed = re.match(r"<\.\.\. (\w+) resumed>", text)
            if resumed:
                text = begun.pop(thread) + text[resumed.end():]
                if resumed[1] == "close":
                    continue
            found = re.fullmatch(r"(\w+)\((.*)\)\s+= (\w+)(?: .*)?", text)
            if found and found[3].isdecimal():
                yield found[1], arguments(found[2].strip(), BINARY.get(found[1], set())), found[3]
