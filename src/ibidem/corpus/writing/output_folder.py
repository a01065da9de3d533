"""Where what becomes of files is written: a new folder outside of all inputs, with a file for each of them."""

import os
from pathlib import Path

from ibidem.corpus.faults import fault
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.apart import require_apart
from ibidem.errors import CorpusError
from ibidem.remote.storage import is_remote

__all__ = ["names_below", "require_local", "require_room"]


def require_room(output: Path, files: list[Source], given: list[str | os.PathLike[str]]) -> None:
    """Refuse files that cannot be read twice, and an output that exists, or that meets the inputs as ``given``.

    Raises:
        CorpusError: one of this is so.
    """
    for file in files:
        if file.is_pipe:
            raise fault(file.path, "it can be read only once, and is read twice: write it to a file first")
    require_local(output)
    require_apart([output], given)
    real = Path(os.path.realpath(output))
    for place in (Path(os.path.realpath(path)) for path in given if not is_remote(os.fspath(path))):
        if place in real.parents:
            raise CorpusError(f"{output}: the output would stand in the input {place}; give it a place outside")
    if os.path.lexists(output):
        raise CorpusError(f"{output}: it exists already; remove it first, or give another folder")
    if not output.absolute().parent.is_dir():
        raise CorpusError(f"{output}: there is no folder {output.parent}")


def require_local(output: Path) -> None:
    """Refuse a URL as the place of a result.

    Raises:
        CorpusError: says what writes to one.
    """
    if output.parts and output.parts[0].endswith(":"):  # what a path makes of s3://
        raise CorpusError(f"{output}: a URL; only a plan writes its result to one: ibidem plan ... --to URL")


def names_below(files: list[Source]) -> list[str]:
    """The paths of the files below the folder that holds them all."""
    paths = (f"/{file.path.replace('://', '/')}" if is_remote(file.path) else file.path for file in files)
    whole = [os.path.abspath(path) for path in paths]
    shared = os.path.commonpath([os.path.dirname(path) for path in whole])
    return [os.path.relpath(path, shared) for path in whole]
