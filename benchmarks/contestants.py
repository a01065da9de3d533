"""Contestants that need a process of their own: for their memory, for their threads, or since they may be missing."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

RIVALS = Path(__file__).with_name("rivals.txt")


def installed(package: str) -> bool:
    """Whether a rival is there; says how to get it if not."""
    if importlib.util.find_spec(package):
        return True
    print(f"{package} is not installed, so it does not run: pip install -r {RIVALS.parent.name}/{RIVALS.name}")
    return False


def apart(script: str, name: str, threads: int, *options: str) -> dict[str, Any]:
    """Run ``script`` as one contestant with so many threads; gives the figures that it prints last, as JSON."""
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads), "TOKENIZERS_PARALLELISM": "false"}
    command = [sys.executable, script, "--only", name, "--threads", str(threads), *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, check=True)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures
