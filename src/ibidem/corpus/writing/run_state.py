"""The state that a run keeps beside its tables, from which a later run of the same settings updates it.

A later run trusts what it reads there: positions become indexes of arrays, counts say what need not be looked for. So
the record of a state has a checksum of each of its files, and one of itself, and nothing is read before these agree.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import xxhash

from ibidem.errors import ConfigurationError, CorpusError, FormatVersionError

FOLDER = "state"
"""The folder of the state, in that of the result."""

RECORD = "run.json"
"""The file of the state that has the settings of the run, and the checksums of the other files."""

_BLOCK = 1 << 20


def seal_state(folder: Path, version: int, settings: Mapping[str, Any], **facts: Any) -> None:
    """Write the record of a state into its folder, which holds all other files of it.

    Args:
        version: of the format in which the command writes its state.
        settings: of the run, as JSON has them.
        facts: more about the run.
    """
    files = {file.name: _compute_checksum(file) for file in sorted(folder.iterdir())}
    record = {"version": version, "settings": settings, **facts, "files": files}
    text = json.dumps(record | {"checksum": _digest_record(record)}, indent=2)
    (folder / RECORD).write_text(text + "\n", encoding="utf-8")


@contextmanager
def open_state(folder: Path, version: int, command: str, *faults: type[Exception]) -> Iterator[dict[str, Any]]:
    """The facts about a run, for the block that reads the rest of its state.

    Args:
        version: of the format in which the command writes its state.
        command: that makes such runs.
        faults: what the block raises of a damaged file, besides the usual errors of Python.

    Raises:
        CorpusError: there is no state, or it is damaged.
        FormatVersionError: it was written by another version of ibidem.
    """
    if not (folder / RECORD).is_file():
        raise CorpusError(f"{folder.parent}: no folder of a run that can be updated; name one that {command} made")
    damage: tuple[type[Exception], ...] = (OSError, ValueError, KeyError, TypeError, *faults)
    try:
        record = json.loads((folder / RECORD).read_bytes())
        if record["version"] != version:
            age = "a newer" if record["version"] > version else "an older"
            raise FormatVersionError(f"{folder}: made by {age} ibidem, in format {record['version']}; run anew")
        _require_whole(folder, record)
        yield record
    except damage as error:
        raise CorpusError(f"{folder}: damaged ({error}); run anew") from error


def _require_whole(folder: Path, record: dict[str, Any]) -> None:
    """Raise a ``ValueError`` that names the first file whose bytes are not those that were written."""
    if record.pop("checksum") != _digest_record(record):
        raise ValueError(f"{RECORD} was changed")
    for name, checksum in record["files"].items():
        if _compute_checksum(folder / name) != checksum:
            raise ValueError(f"{name} was changed")


def _digest_record(record: Mapping[str, Any]) -> str:
    """The checksum of a record, whatever white space is between its values."""
    return xxhash.xxh3_128_hexdigest(json.dumps(record, sort_keys=True).encode())


def _compute_checksum(file: Path) -> str:
    checksum = xxhash.xxh3_128()
    with file.open("rb") as stream:
        while block := stream.read(_BLOCK):
            checksum.update(block)
    return checksum.hexdigest()


def read_checksum(folder: Path) -> str:
    """The checksum of a state, which names all that is in it."""
    return str(json.loads((folder / RECORD).read_bytes())["checksum"])


def require_same(earlier: Mapping[str, Any], settings: Mapping[str, Any], names: Iterable[str]) -> None:
    """Refuse to update a run that was made with other settings of these ``names``.

    Raises:
        ConfigurationError: names the first one that differs.
    """
    for name in names:
        before, now = earlier.get(name), settings.get(name)
        if before != now:
            raise ConfigurationError(
                f"the run to be updated was made with {name} {before!r:.200}, not {now!r:.200}: "
                "ask for the same, or run anew"
            )
