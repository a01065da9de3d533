"""The leftovers of a writer that died in the folder of an index: files that no manifest knows.

Nothing but names that the store itself gives is ever taken for a leftover.
"""

import re
from pathlib import Path

from ibidem.store.format import ATTACHMENTS, FREQUENCIES, MANIFEST, PARTIAL, SEGMENTS, TOMBSTONES
from ibidem.store.manifest import Manifest
from ibidem.system import disk

_OWN_NAMES = {
    "": re.compile(rf"{re.escape(MANIFEST + PARTIAL)}|{FREQUENCIES}({re.escape(PARTIAL)})?"),
    SEGMENTS: re.compile(rf"\d{{6,}}({re.escape(PARTIAL)})?"),
    TOMBSTONES: re.compile(r"\d{6,}-\d{6,}\.npy"),
    ATTACHMENTS: re.compile(r"[0-9a-f]{32}"),
}


def require_own_folders(index: Path) -> None:
    """Refuse an index whose folders are links: files would be read and removed elsewhere.

    Raises:
        DamagedError: names the link, or the file in the place of a folder.
    """
    for name in (SEGMENTS, TOMBSTONES, FREQUENCIES, ATTACHMENTS):
        disk.require_folder(index / name)


def find_leftovers(index: Path, *manifests: Manifest) -> list[str]:
    """Files and folders that none of the manifests needs, relative to the index, in order."""
    require_own_folders(index)
    needed_files = set().union(*(manifest.files() for manifest in manifests))
    leftovers = []
    for folder, pattern in _OWN_NAMES.items():
        place = index / folder
        names = [entry.name for entry in place.iterdir() if pattern.fullmatch(entry.name)] if place.is_dir() else []
        leftovers += [f"{folder}/{name}" if folder else name for name in names]
    return sorted(set(leftovers) - needed_files)


def sweep(index: Path, *manifests: Manifest) -> list[str]:
    """Remove what none of the manifests needs.

    Returns what was removed.
    """
    leftovers = find_leftovers(index, *manifests)
    for name in leftovers:
        disk.remove_tree(index / name)
    return leftovers
