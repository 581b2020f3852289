"""Runs every test of the folder `tests`, or those whose names hold a word that is given."""

import importlib
import sys
import traceback
from pathlib import Path

from helix import Helix

MODULES = sorted(Path(__file__).with_name("tests").glob("[a-z]*.py"))


def tests():
    for path in MODULES:
        module = importlib.import_module(f"tests.{path.stem}")
        for name, value in vars(module).items():
            # What is imported from elsewhere is not a test.
            if callable(value) and getattr(value, "__module__", "") == module.__name__ and not name.startswith("_"):
                yield name.replace("_", " "), value


def run(name, test):
    """Runs a test with an editor of its own; gives what went wrong."""
    helix = Helix(name.replace(" ", "-"))
    wrong = None
    try:
        test(helix)
        helix.check_log()
        helix.quit()
    except Exception as why:
        place = traceback.extract_tb(why.__traceback__)[1]
        wrong = f"{why or type(why).__name__}\n{Path(place.filename).name}:{place.lineno}: {place.line}"
    finally:
        helix.end()
    return wrong


def main(words):
    passed = failed = 0
    for name, test in tests():
        if words and not any(word in name for word in words):
            continue
        wrong = run(name, test)
        passed, failed = passed + (wrong is None), failed + (wrong is not None)
        print(f"{'FAILED' if wrong else 'ok    '}  {name}", flush=True)
        if wrong:
            print("  " + wrong.replace("\n", "\n  "), flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main(sys.argv[1:]))
