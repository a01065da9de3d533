"""Where projects are kept, and the server that has them open: one at a time, at an address that stays the same."""

import os
import secrets
from pathlib import Path
from typing import IO

from ibidem.errors import LockedError
from ibidem.web.projects.projects import read_json, take_lock, write_json

_ADDRESS, _SECRET = "address.json", "secret.json"


def hold_folder(folder: Path) -> IO[str]:
    """Hold a folder until the process ends.

    Raises:
        LockedError: another server has it open; the error gives its address.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = take_lock(folder / ".lock")
    if lock is None:
        raise LockedError(f"{folder}: another ibidem app has these projects open, at {read_address(folder)}")
    return lock


def read_address(folder: Path) -> str | None:
    """The address of the server that has the folder open, or had it last."""
    return read_json(folder / _ADDRESS, str)


def note_address(folder: Path, address: str) -> None:
    """Record the address of the server, for a second start of the app."""
    _write_for_owner(folder / _ADDRESS, address)


def take_secret(folder: Path) -> str:
    """The secret of the folder, which cannot be guessed; it stays the same, so that an old link opens the page."""
    secret = read_json(folder / _SECRET, str)
    if secret is None:
        secret = secrets.token_urlsafe(24)
        _write_for_owner(folder / _SECRET, secret)
    return secret


def _write_for_owner(path: Path, value: str) -> None:
    """Write a file that only its owner can read."""
    before = os.umask(0o077)
    try:
        write_json(path, value)
    finally:
        os.umask(before)
