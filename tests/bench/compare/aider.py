"""Reads the edit blocks of a file with aider's parser: aider.py FOLDER FILE."""

import importlib.util
import sys
import types

folder, file = sys.argv[1:]


class Anything(types.ModuleType):
    """A module that has every name."""

    def __getattr__(self, name):
        return type(name, (), {})


# What the module imports, and the parser does not use.
names = ["aider", "aider.utils", "aider.dump", "aider.coders", "aider.coders.base_coder"]
for name in [*names, "aider.coders.editblock_prompts"]:
    sys.modules[name] = Anything(name)
path = f"{folder}/aider/coders/editblock_coder.py"
spec = importlib.util.spec_from_file_location("aider.coders.editblock_coder", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)

with open(file, encoding="utf-8") as text:
    text = text.read()
try:
    blocks = sum(1 for _ in module.find_original_update_blocks(text))
except ValueError as error:
    # It reads no further than the first one that it takes for malformed.
    sys.exit(f"not read: {error}")
print(blocks)
