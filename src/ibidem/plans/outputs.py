"""Where a plan and its result go: the result to a folder of a file system, or of an object store."""

import os
from collections.abc import Iterable
from pathlib import Path

from ibidem.corpus.writing.apart import require_apart
from ibidem.errors import CorpusError
from ibidem.plans.plan import require_new_folder
from ibidem.remote.storage import Storage, is_remote

__all__ = ["is_gone", "list_apart", "name_output", "require_empty"]


def name_output(output: str | os.PathLike[str]) -> str:
    """The output as a plan says it: a URL, or an absolute path."""
    given = os.fspath(output)
    return given.rstrip("/") if is_remote(given) else str(Path(given).absolute())


def list_apart(
    inputs: Iterable[str], folder: str | os.PathLike[str], output: str | os.PathLike[str], others: Iterable[str] = ()
) -> tuple[list[str], list[str]]:
    """The inputs, and the others, with which neither the folder of a plan nor its output collides.

    Raises:
        PlanError: something stands at ``folder``, or it is a URL.
        CorpusError: one is an input, or lies in the other, an index, a plan or a result.
    """
    require_new_folder(folder)
    read, against = ([paths] if isinstance(paths, str) else list(paths) for paths in (inputs, others))
    require_apart([folder, output], [*read, *against])
    return read, against


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
