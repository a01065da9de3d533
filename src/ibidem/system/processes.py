"""Processes that this one starts."""

import os
import sys


def environment() -> dict[str, str]:
    """The variables of a process that finds modules where this one finds them."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
