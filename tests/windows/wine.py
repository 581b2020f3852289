"""What the programs here share: where things are, what held, and a client of a server under wine."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from language_client import LIMIT, Connection, Ended, Refused

__all__ = ["DRIVE", "HERE", "LIMIT", "Checks", "Client"]

KEPT = Path(os.environ.get("OPERATOR_WINDOWS") or HERE.parent.parent / ".cache/windows")
DRIVE = KEPT / "prefix/drive_c"


class Checks:
    """What held and what did not."""

    def __init__(self):
        self.passed = self.failed = 0

    def that(self, what, holds, seen=""):
        """Takes note of one of them."""
        self.passed += bool(holds)
        self.failed += not holds
        print(f"{'ok' if holds else 'FAILED'}: {what}" + ("" if holds else f"\n  {seen}"))

    def end(self):
        """Says how many of each there are, and ends."""
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(self.failed > 0)


class Client(Connection):
    """A client that takes note of the edits it is sent, and answers whatever else it is asked."""

    def __init__(self, program):
        self.edits, self.diagnostics = [], {}
        self.connect([str(HERE / "inside"), f"exec wine '{program}'"])

    def ask(self, method, params):
        try:
            return super().ask(method, params)
        except (Refused, Ended) as error:
            raise SystemExit(f"{method}: {error}") from None

    def told(self, method, params):
        if method == "textDocument/publishDiagnostics":
            self.diagnostics[params["uri"]] = params["diagnostics"]

    def apply(self, edit):
        self.edits.append(edit)
        return True

    def end(self):
        """Ends the server as an editor does; its exit code."""
        return self.shut_down()
