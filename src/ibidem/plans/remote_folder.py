"""A result that is a folder of files in an object store: ``summary.json`` is written last, and says that all is there.

Ranks of one plan write the same bytes, so a killed one is followed by any other. A file of its own keeps two plans from
writing to one folder.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ibidem.errors import CorpusError
from ibidem.remote.storage import ChangedError, Storage

__all__ = ["upload_result"]

SUMMARY, MARK = "summary.json", "unfinished"

_TRANSFERS = 8


def upload_result(url: str, checksum: str, made: Path) -> None:
    """Upload the files of the folder ``made``, which holds a summary, to the folder ``url``.

    Args:
        checksum: of the plan, by which another plan that writes to this folder is told from this one.

    Raises:
        CorpusError: something else stands there, or another plan writes there.
        StoreError: the store does not answer.
    """
    storage, files = Storage(url), _list_files(made)
    summary = files.pop(SUMMARY).read_bytes()
    if not _is_complete(storage, files, summary):
        _claim(storage, checksum)
        with ThreadPoolExecutor(_TRANSFERS) as pool:
            list(pool.map(lambda name: storage.upload(files[name], name), files))
        try:
            storage.create(SUMMARY, summary)
        except ChangedError:
            raise _describe_standing(url) from None
    storage.remove([MARK])


def _is_complete(storage: Storage, files: dict[str, Path], summary: bytes) -> bool:
    """Whether a rank that was killed has come to the end; anything else with a summary is an error."""
    stored = {name: file.size for name, file in storage.list().items() if name != MARK}
    if SUMMARY not in stored:
        return False
    expected = {name: file.stat().st_size for name, file in files.items()} | {SUMMARY: len(summary)}
    if stored != expected or storage.read(SUMMARY) != summary:
        raise _describe_standing(storage.url)
    return True


def _claim(storage: Storage, checksum: str) -> None:
    try:
        storage.create(MARK, f"{checksum}\n".encode())
    except ChangedError:
        raise CorpusError(
            f"{storage.url}: another plan writes there, or was given up; remove the folder, or plan with another output"
        ) from None


def _describe_standing(url: str) -> CorpusError:
    return CorpusError(f"{url}: something else stands there; remove it, or plan with another output")


def _list_files(folder: Path) -> dict[str, Path]:
    """The files below a folder, by their names with slashes."""
    paths = sorted(Path(place) / name for place, _, names in os.walk(folder) for name in names)
    return {path.relative_to(folder).as_posix(): path for path in paths}
