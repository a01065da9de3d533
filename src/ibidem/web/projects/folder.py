"""Where projects are kept, and the server that has them open: one at a time."""

import os
from pathlib import Path
from typing import IO

from ibidem.errors import LockedError
from ibidem.web.projects.projects import read_json, take_lock, write_json

_ADDRESS = "address.json"


def hold_folder(folder: Path) -> IO[str]:
    """Hold a folder until the process ends.

    Raises:
        LockedError: another server has it open; the error gives its address.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = take_lock(folder / ".lock")
    if lock is None:
        address = read_json(folder / _ADDRESS, str)
        raise LockedError(f"{folder}: another ibidem app has these projects open, at {address}")
    return lock


def note_address(folder: Path, address: str) -> None:
    """Record the address of the server, for a second start of the app; only the owner can read it."""
    path = folder / _ADDRESS
    before = os.umask(0o077)
    try:
        write_json(path, address)
    finally:
        os.umask(before)
