"""Where the result of a plan goes: a folder of a file system, or of an object store."""

import os
from pathlib import Path

from ibidem.errors import CorpusError
from ibidem.remote.storage import Storage, is_remote

__all__ = ["is_gone", "name_output", "require_empty"]


def name_output(output: str | os.PathLike[str]) -> str:
    """The output as a plan says it: a URL, or an absolute path."""
    given = os.fspath(output)
    return given.rstrip("/") if is_remote(given) else str(Path(given).absolute())


def require_empty(url: str) -> None:
    """Refuse a folder of an object store in which something stands.

    Raises:
        CorpusError: something does.
        MissingExtraError: what this kind of URL needs is not installed.
        StoreError: the store does not answer.
    """
    if Storage(url).list():
        raise CorpusError(f"{url}: something stands there; remove it first, or give another folder")


def is_gone(output: str) -> bool:
    """Whether nothing stands at the output of a plan; a store is not asked."""
    return not is_remote(output) and not Path(output).exists()
