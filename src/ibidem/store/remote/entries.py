"""What an index consists of, read without opening its segments."""

import os
from pathlib import Path

from ibidem.remote.storage import Storage, is_remote
from ibidem.store.manifest import SegmentEntry, read_manifest
from ibidem.store.remote.replica import read_remote_manifest

__all__ = ["read_entries"]


def read_entries(path: str | os.PathLike[str]) -> list[SegmentEntry]:
    """The segments of the last committed generation of the index at a path or a URL.

    Raises:
        NotAnIndexError, FormatVersionError, DamagedError: what stands there cannot be read.
    """
    given = os.fspath(path)
    manifest = read_remote_manifest(Storage(given)) if is_remote(given) else read_manifest(Path(given))
    return manifest.segments
