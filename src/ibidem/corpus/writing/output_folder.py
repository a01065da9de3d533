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
from ibidem.remote.storage import Storage, is_remote

_Path = str | os.PathLike[str]


def require_room(output: _Path, files: Sequence[Source], inputs: Sequence[_Path]) -> None:
    """Refuse files that cannot be read twice or written in part, and an output that meets the inputs.

    Raises:
        CorpusError: one of this is so.
    """
    require_no_pipes(files)
    require_no_archives(files)
    require_apart([output], inputs)
    if not is_remote(os.fspath(output)):
        real = Path(os.path.realpath(output))
        for place in (Path(os.path.realpath(path)) for path in inputs if not is_remote(os.fspath(path))):
            if place in real.parents:
                cause = f"the output would be inside of the input {place}; name a place outside of it"
                raise CorpusError(f"{output}: {cause}")


def require_absent(output: _Path) -> None:
    """Refuse a place where no folder can be made, or a folder of an object store that is not empty.

    Raises:
        CorpusError: ``output`` exists, lies in what ibidem wrote, or has no folder to be in.
        MissingExtraError: what this kind of URL needs is not installed.
        StoreError: the store does not answer.
    """
    require_apart([output])
    if is_remote(os.fspath(output)):
        if Storage(os.fspath(output)).list():
            raise CorpusError(f"{output}: this folder is not empty; remove its objects first, or name another folder")
    elif os.path.lexists(output):
        raise CorpusError(f"{output}: it exists already; remove it first, or give another folder")
    elif not Path(output).absolute().parent.is_dir():
        raise CorpusError(f"{output}: there is no folder {Path(output).parent}")


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


def names_below(files: Sequence[Source]) -> list[str]:
    """The paths of the files below the folder that holds them all."""
    paths = (f"/{file.path.replace('://', '/')}" if is_remote(file.path) else file.path for file in files)
    absolute_paths = [os.path.abspath(path) for path in paths]
    common_folder = os.path.commonpath([os.path.dirname(path) for path in absolute_paths])
    return [os.path.relpath(path, common_folder) for path in absolute_paths]
