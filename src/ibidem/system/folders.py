"""The folder that a system names for the data of programs."""

import os
import sys
from pathlib import Path


def data_folder() -> Path:
    """The folder for what a user keeps in ibidem; it need not exist."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "ibidem"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "ibidem"
