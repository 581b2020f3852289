"""A model of a workspace that is changed through several doors: its files, its operations, and who changed what last."""

import copy

import world


class Block:
    """One change of a transcript: `insert` after a line, `write`, `delete` or `move`."""

    def __init__(self, kind, path, *more):
        self.kind, self.path, self.more = kind, path, more

    def text(self, number):
        if self.kind == "insert":
            return world.insert(number, self.path, *self.more)
        if self.kind == "write":
            return world.block(number, "fs.write", path=self.path, content_b64=self.more[0])
        if self.kind == "move":
            return world.block(number, "fs.move", path=self.path, path_to=self.more[0])
        return world.block(number, "fs.delete", path=self.path)

    def steps(self, files):
        """The changes that it makes, each a path with what is there before and after; `None` where it fits nothing."""
        old = files.get(self.path)
        if self.kind == "write":
            return [(self.path, old, self.more[0])]
        if old is None:
            return None
        if self.kind == "insert":
            anchor, text = self.more
            return [(self.path, old, old.replace(anchor, anchor + text))] if old.count(anchor) == 1 else None
        if self.kind == "move":
            there = self.more[0]
            return None if there in files else [(self.path, old, None), (there, None, old)]
        return [(self.path, old, None)]


class Model:
    """What must be there. A change by hand has no owner."""

    def __init__(self, files):
        self.files = dict(files)
        # Of each path, the owners of the changes that were not undone, the last one last.
        self.owners = {}
        # The steps of each operation, in order; and which blocks it has applied.
        self.operations, self.blocks = {}, {}
        self.undone, self.redoable = set(), []

    def copy(self):
        return copy.deepcopy(self)

    def put(self, path, text):
        if text is None:
            self.files.pop(path, None)
        else:
            self.files[path] = text

    def by_hand(self, path, text):
        self.put(path, text)
        self.owners.setdefault(path, []).append(None)

    def applied(self):
        """The blocks that are applied, each as the transcript's name and the block's number."""
        return {it for number, blocks in self.blocks.items() if number not in self.undone for it in blocks}

    def apply(self, name, blocks, chosen):
        """Applies those blocks that are chosen and not applied yet; `False` where one fits nothing."""
        number = max(self.operations, default=0) + 1
        made, steps = [], []
        for index, block in enumerate(blocks):
            if index not in chosen or (name, index) in self.applied():
                continue
            found = block.steps(self.files)
            if found is None:
                return False
            for path, _, after in found:
                self.put(path, after)
                self.owners.setdefault(path, []).append(number)
            steps += found
            made.append((name, index))
        if steps:
            touched = {path for path, _, _ in steps}
            self.redoable = [it for it in self.redoable if not touched & self.paths(it)]
            self.operations[number], self.blocks[number] = steps, made
        return True

    def fitting(self, name, blocks):
        """The numbers of the blocks that can be applied now, one after the other."""
        trial, chosen = self.copy(), []
        for index in range(len(blocks)):
            before = trial.copy()
            if (name, index) in trial.applied() or trial.apply(name, blocks, {index}):
                chosen.append(index)
            else:
                trial = before
        return chosen

    def paths(self, number):
        return {path for path, _, _ in self.operations[number]}

    def can_undo(self, number):
        for path in self.paths(number):
            owners = self.owners[path]
            if any(it != number for it in owners[owners.index(number):]):
                return False
        return True

    def newest(self, skips):
        """The newest operation that is not undone, or of those whose files are as it left them."""
        there = [it for it in self.operations if it not in self.undone and (not skips or self.can_undo(it))]
        return max(there, default=None)

    def undo(self, number):
        """Whether an operation can be undone; it is, then."""
        if number not in self.operations or number in self.undone or not self.can_undo(number):
            return False
        for path, before, _ in reversed(self.operations[number]):
            self.put(path, before)
            self.owners[path].pop()
        self.undone.add(number)
        self.redoable.append(number)
        return True

    def redo(self):
        """Whether what was undone last can be made again; it is, then."""
        if not self.redoable:
            return False
        number, seen = self.redoable[-1], set()
        for path, before, _ in self.operations[number]:
            if path not in seen and self.files.get(path) != before:
                return False
            seen.add(path)
        for path, _, after in self.operations[number]:
            self.put(path, after)
            self.owners.setdefault(path, []).append(number)
        self.undone.discard(number)
        self.redoable.pop()
        return True
