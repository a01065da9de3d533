"""The files of an uploaded archive, zip or tar: their number and sizes are checked before any is unpacked."""

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple, cast

from ibidem.corpus.opening import compression_of, open_stream
from ibidem.corpus.readers.archives import TarMember, is_hidden, list_members
from ibidem.corpus.readers.document import UnreadableError
from ibidem.corpus.readers.packed import is_bomb
from ibidem.corpus.readers.registry import HEAD, KINDS, Kind, find_kind
from ibidem.corpus.sources import Source
from ibidem.web.projects.projects import MOST_FILES, clean_name

UNPACKING_FAILURES = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
)
"""Errors that concern one file of an archive."""

_UNPACKED = 2_000_000_000
"""Bytes that the files of one archive have, at most."""


class Member(NamedTuple):
    """A file of an archive: its name there, and how to open it before the next one is asked for."""

    name: str
    open: Callable[[], IO[bytes]]


def open_archive(path: Path) -> Iterator[Member] | None:
    """The files of a zip or tar, compressed or not, without hidden ones; ``None`` if the file is neither.

    The first member is given out once all are known to be within bounds.

    Raises:
        UnreadableError: it is damaged, it holds too much, or it is a picture or another file without text.
    """
    kind = _find_kind(path)
    if kind is KINDS["zip"] and not compression_of(path.name):
        return _open_zip(path)
    return _open_tar(path) if kind is KINDS["tar"] else None


def _find_kind(path: Path) -> Kind:
    with open_stream(Source(str(path), "file")) as stream:
        return find_kind(path.stem if compression_of(path.name) else path.name, stream.read(HEAD))


def _open_zip(path: Path) -> Iterator[Member]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [entry for entry in archive.infolist() if not entry.is_dir() and _is_shown(entry.filename)]
            members.sort(key=lambda entry: entry.filename)
            _require_bounds([entry.file_size for entry in members])
            for member in members:
                if is_bomb(member.file_size, member.compress_size):
                    raise UnreadableError(f"{member.filename}: refused as a zip bomb")
            for member in members:
                yield Member(member.filename, partial(archive.open, member))
    except (zipfile.BadZipFile, EOFError) as error:
        raise UnreadableError(f"damaged zip file ({error})") from error


def _open_tar(path: Path) -> Iterator[Member]:
    """Read a tar twice: its contents are only known at its end."""
    with _walk_tar(path) as (_, members):
        sizes = [entry.size for entry in members]
    _require_bounds(sizes)
    if is_bomb(sum(sizes), path.stat().st_size):
        raise UnreadableError(f"{sum(sizes):,} bytes are packed into {path.stat().st_size:,}: refused as a tar bomb")
    with _walk_tar(path) as (archive, members):
        for member in members:
            yield Member(member.name, partial(_extract, archive, member))


@contextmanager
def _walk_tar(path: Path) -> Iterator[tuple[tarfile.TarFile, Iterator[tarfile.TarInfo]]]:
    """An open tar and its files; links and devices are none."""
    try:
        with (
            open_stream(Source(str(path), "file")) as stream,
            tarfile.open(fileobj=stream, mode="r|*", tarinfo=TarMember) as archive,
        ):
            yield archive, (entry for entry in list_members(archive) if entry.isfile() and _is_shown(entry.name))
    except (tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError) as error:
        raise UnreadableError(f"damaged tar file ({error})") from error


def _extract(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    return cast(IO[bytes], archive.extractfile(member))  # none is a link or a device


def _is_shown(name: str) -> bool:
    return not is_hidden(clean_name(name))


def _require_bounds(sizes: list[int]) -> None:
    if len(sizes) > MOST_FILES:
        raise UnreadableError(f"it holds {len(sizes):,} files, and a project has {MOST_FILES:,} at most")
    if sum(sizes) > _UNPACKED:
        raise UnreadableError(f"its files have {sum(sizes):,} bytes, and {_UNPACKED:,} are the most")
