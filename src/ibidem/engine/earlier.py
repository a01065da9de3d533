"""The state that a run keeps beside its tables, from which a later run of the same settings updates it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ibidem.errors import ConfigurationError, CorpusError, FormatVersionError

FOLDER = "state"
"""The folder of the state, in that of the result."""

_FILE = "run.json"


def write_facts(folder: Path, version: int, settings: Mapping[str, Any], **facts: Any) -> None:
    """Write the settings of a run, and other facts about it, into the folder of its state, with the version of that."""
    text = json.dumps({"version": version, "settings": settings, **facts}, indent=2)
    (folder / _FILE).write_text(text + "\n", encoding="utf-8")


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
    if not (folder / _FILE).is_file():
        raise CorpusError(f"{folder.parent}: no folder of a run that can be updated; name one that {command} made")
    damage: tuple[type[Exception], ...] = (OSError, ValueError, KeyError, TypeError, *faults)
    try:
        facts = json.loads((folder / _FILE).read_bytes())
        if facts["version"] != version:
            age = "a newer" if facts["version"] > version else "an older"
            raise FormatVersionError(f"{folder}: made by {age} ibidem, in format {facts['version']}; run anew")
        yield facts
    except damage as error:
        raise CorpusError(f"{folder}: damaged ({error}); run anew") from error


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
