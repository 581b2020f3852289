"""The command line: `python -m greeter.cli NAME`."""

import argparse
import json
import sys
from pathlib import Path

from greeter import farewell, greet

DEFAULTS = {"language": "en", "punctuation": "!"}


def load_config(path):
    """Read the settings; without a file they are the defaults."""
    if not path.exists():
        return dict(DEFAULTS)
    return json.loads(path.read_text(encoding="utf-8"))


def main(argv=None):
    parser = argparse.ArgumentParser(prog="greeter", description="Greet somebody.")
    parser.add_argument("name")
    parser.add_argument("--bye", action="store_true", help="say goodbye instead")
    parser.add_argument("--config", type=Path, default=Path("greeter.json"))
    args = parser.parse_args(argv)

    config = load_config(args.config)
    say = farewell if args.bye else greet
    print(say(args.name, config["language"], config["punctuation"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
