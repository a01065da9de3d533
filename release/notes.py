"""Print what CHANGELOG.md says of one version: ``python release/notes.py 0.1.0``. It is the text of the release."""

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parent.parent / "CHANGELOG.md"


def read_notes(text: str, version: str) -> str:
    """The section of a version, without its heading.

    Raises:
        ValueError: there is none, it is empty, or it has no date yet.
    """
    section = re.search(rf"^## \[{re.escape(version)}\] - ([^\n]+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if section is None or not section[2].strip():
        raise ValueError(f"CHANGELOG.md says nothing of version {version}")
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", section[1].strip()):
        raise ValueError(f"CHANGELOG.md gives version {version} no date but {section[1].strip()!r}")
    return section[2].strip() + "\n"


if __name__ == "__main__":
    try:
        sys.stdout.write(read_notes(CHANGELOG.read_text(encoding="utf-8"), sys.argv[1]))
    except ValueError as error:
        sys.exit(f"notes: {error}")
