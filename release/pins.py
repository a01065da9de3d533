"""Print the pins of a file with hashes as plain constraints: ``python release/pins.py constraints.txt``."""

import re
import sys
from pathlib import Path


def read_pins(path: Path) -> list[str]:
    """The lines ``name==version ; marker`` of the file, without hashes."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [re.sub(r"\s*\\$", "", line) for line in lines if line[:1].isalnum()]


if __name__ == "__main__":
    print("\n".join(read_pins(Path(sys.argv[1]))))
