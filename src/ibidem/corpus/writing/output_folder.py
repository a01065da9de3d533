"""The folder for the outputs of files: a new one outside of all inputs, with a file for each of them."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ibidem.corpus.faults import fault
from ibidem.corpus.files import kind_of
from ibidem.corpus.formats import FORMATS, format_of
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.apart import require_apart
from ibidem.errors import CorpusError
from ibidem.remote.storage import is_remote


def require_room(output: Path, files: Sequence[Source], inputs: Sequence[str | os.PathLike[str]]) -> None:
    """Refuse files that cannot be read twice or written in part, and an output that exists or meets the inputs.

    Raises:
        CorpusError: one of this is so.
    """
    require_no_pipes(files)
    require_no_archives(files)
    require_local(output)
    require_apart([output], inputs)
    real = Path(os.path.realpath(output))
    for place in (Path(os.path.realpath(path)) for path in inputs if not is_remote(os.fspath(path))):
        if place in real.parents:
            raise CorpusError(f"{output}: the output would be inside of the input {place}; name a place outside of it")
    require_absent(output)


def require_absent(output: Path) -> None:
    """Refuse a place where no folder can be made.

    Raises:
        CorpusError: ``output`` exists, is a URL, lies in what ibidem wrote, or has no folder to be in.
    """
    require_local(output)
    require_apart([output])
    if os.path.lexists(output):
        raise CorpusError(f"{output}: it exists already; remove it first, or give another folder")
    if not output.absolute().parent.is_dir():
        raise CorpusError(f"{output}: there is no folder {output.parent}")


def require_no_pipes(files: Sequence[Source]) -> None:
    """Refuse files that cannot be read twice.

    Raises:
        CorpusError: names the first.
    """
    for file in files:
        if file.is_pipe:
            raise fault(file.path, "it can be read only once, and is read twice: write it to a file first")


def require_no_archives(files: Sequence[Source]) -> None:
    """Refuse files that hold several documents and are no tables: they are not written in part.

    Raises:
        CorpusError: names the first.
    """
    for file in files:
        format = format_of(file)
        is_archive = format is FORMATS["archive"]
        if is_archive or (format is FORMATS["text"] and _holds_files(file)):
            cause = "an archive, of which no part can be written: unpack it, and name the folder or files instead"
            raise fault(file.path, cause)


def _holds_files(file: Source) -> bool:
    with suppress(CorpusError):  # reading says what is wrong with it
        return kind_of(file).holds_files
    return False


def require_local(output: Path) -> None:
    """Refuse a URL as the place of a result.

    Raises:
        CorpusError: says what writes to one.
    """
    if output.parts and output.parts[0].endswith(":"):  # what a path makes of s3://
        raise CorpusError(f"{output}: a URL; only a plan writes its result to one: ibidem plan ... -o URL")


def names_below(files: Sequence[Source]) -> list[str]:
    """The paths of the files below the folder that holds them all."""
    paths = (f"/{file.path.replace('://', '/')}" if is_remote(file.path) else file.path for file in files)
    absolute_paths = [os.path.abspath(path) for path in paths]
    common_folder = os.path.commonpath([os.path.dirname(path) for path in absolute_paths])
    return [os.path.relpath(path, common_folder) for path in absolute_paths]
