"""Importing this module lets a script of this folder use those of the folder above."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
