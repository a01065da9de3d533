"""Files that hold files: zip and tar. Each member goes to the reader of its kind."""

import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from os.path import splitext
from tarfile import EOFHeaderError, HeaderError  # type: ignore[attr-defined]
from typing import Any

from ibidem.corpus.compression import COMPRESSIONS, find_compression, open_decompressor
from ibidem.corpus.readers.document import (
    Allowance,
    BombError,
    Members,
    Opened,
    ReadDocument,
    UnreadableError,
    explain_failure,
    read_bounded,
)
from ibidem.corpus.readers.packed import MOST_RATIO, is_bomb

_DEEPEST = 3
_MOST_MEMBERS = 1_000_000

_LEAST_ALLOWED = 256 << 20
"""Bytes to which the files of any archive may unpack, those of archives in it included."""

_PIECE = 1 << 20


def read_zip(file: Opened) -> Iterator[ReadDocument]:
    """Read the documents of the files in a zip, in the order of their names; hidden ones are left out.

    Raises:
        UnreadableError: it is damaged, or a file in it cannot be read and ``opened.members`` is not there to note it.
    """
    file = _allow(file)
    try:
        with zipfile.ZipFile(file.stream) as archive:
            members = [entry for entry in archive.infolist() if _is_file(entry) and not is_hidden(entry.filename)]
            _require_bounds(len(members))
            for member in sorted(members, key=lambda entry: entry.filename):
                yield from _read_member(file, member.filename, member.file_size, partial(_unpack, archive, member))
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise UnreadableError(f"damaged zip file ({error})") from error


def _is_file(entry: zipfile.ZipInfo) -> bool:
    """Whether an entry is neither a folder nor a link."""
    kind = stat.S_IFMT(entry.external_attr >> 16)
    return not entry.is_dir() and kind in (0, stat.S_IFREG)


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    if is_bomb(member.file_size, member.compress_size):
        raise UnreadableError("refused as a zip bomb")
    try:
        with archive.open(member) as stream:
            return read_bounded(stream, most)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise UnreadableError(f"damaged in the zip file ({error})") from error
    except (RuntimeError, NotImplementedError) as error:  # a password, or a compression that is not known
        raise UnreadableError(f"cannot be unpacked ({error})") from error


def read_tar(file: Opened) -> Iterator[ReadDocument]:
    """Read the documents of the files in a tar, in its order; links, devices and hidden files are left out.

    Raises:
        UnreadableError: it is damaged, or a file in it cannot be read and ``opened.members`` is not there to note it.
    """
    file = _allow(file)
    try:
        with tarfile.open(fileobj=file.stream, mode="r:*", tarinfo=TarMember) as archive:
            for number, member in enumerate(list_members(archive)):
                _require_bounds(number)
                if member.isfile() and not is_hidden(member.name):
                    yield from _read_member(file, member.name, member.size, partial(_extract, archive, member))
    except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise UnreadableError(f"damaged tar file ({error})") from error


class TarMember(tarfile.TarInfo):
    """A member of a tar that keeps, in its archive, why no header follows the last one."""

    @classmethod
    def fromtarfile(cls, tarfile: Any) -> Any:
        """Read the next header."""
        try:
            return super().fromtarfile(tarfile)
        except HeaderError as error:
            tarfile.ending = error
            raise


def list_members(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members of a tar that is open with ``TarMember``, in its order.

    Raises:
        UnreadableError: it ends before its end is marked, or has more behind it: the library takes both for the end.
    """
    name = ""
    for member in archive:
        name = member.name
        yield member
    if not isinstance(getattr(archive, "ending", None), EOFHeaderError):
        raise UnreadableError(f"cut off or damaged behind {name}: the files after it are lost")
    stream: Any = archive.fileobj
    while piece := stream.read(_PIECE):
        if piece.strip(b"\0"):
            raise UnreadableError(f"files follow behind its end, which is after {name}: unpack it (tar --ignore-zeros)")


def _extract(archive: tarfile.TarFile, member: tarfile.TarInfo, most: int) -> bytes:
    stream = archive.extractfile(member)
    assert stream is not None  # it is a file
    return read_bounded(stream, most)


def is_hidden(name: str) -> bool:
    """Whether a member is no file of its author, but hidden, or what a system put there."""
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


def _allow(file: Opened) -> Opened:
    """The file with an allowance, that of the outermost archive in which it lies."""
    if file.allowance is not None:
        return file
    size = file.stream.seek(0, io.SEEK_END)
    file.stream.seek(0)
    return file._replace(allowance=Allowance(max(_LEAST_ALLOWED, MOST_RATIO * size)))


def _require_bounds(members: int) -> None:
    if members > _MOST_MEMBERS:
        raise UnreadableError(f"more than {_MOST_MEMBERS:,} files in one archive; unpack it")


def _read_member(file: Opened, name: str, size: int, load: Callable[[int], bytes]) -> Iterator[ReadDocument]:
    """Read the documents of one file of an archive, under its name; none of a picture or another file without text."""
    from ibidem.corpus.readers.registry import HEAD, find_kind, find_no_text

    members = file.members
    if members is not None and not members.begin(name):
        return
    with leave_out(members, name):
        if file.depth >= _DEEPEST:
            raise UnreadableError(f"archives lie in archives more than {_DEEPEST} deep")
        if size > file.largest:
            raise UnreadableError(f"more than {file.largest:,} bytes; allow longer ones (--max-line)")
        assert file.allowance is not None
        file.allowance.take(size)
        shown_name, data = _decompress(file, name, load(file.largest))
        if cause := find_no_text(shown_name, data[:HEAD]):
            if members is not None:
                members.pass_over(name, cause)
            return
        inner = None if members is None else _InnerMembers(members, name)
        member = file._replace(stream=io.BytesIO(data), name=name, depth=file.depth + 1, members=inner)
        for document in find_kind(shown_name, data[:HEAD]).read(member):
            yield document._replace(member=f"{name}/{document.member}" if document.member else name)


def _decompress(file: Opened, name: str, data: bytes) -> tuple[str, bytes]:
    """The name of a file of an archive without the suffix of a compression, and its bytes without that."""
    stem, suffix = splitext(name)
    compression = COMPRESSIONS.get(suffix.lower())
    if compression is None or find_compression(data) != compression:
        return name, data
    assert file.allowance is not None
    try:
        with io.BufferedReader(open_decompressor(io.BytesIO(data), compression)) as stream:
            data = read_bounded(stream, min(file.largest, max(0, file.allowance.left)))
    except OSError as error:
        raise UnreadableError(f"damaged or incomplete {compression} file ({error})") from error
    file.allowance.take(len(data))
    return stem, data


@contextmanager
def leave_out(members: Members | None, name: str) -> Iterator[None]:
    """Note a file of an archive that cannot be read, and end the block; without ``members``, raise with its name."""
    try:
        yield
    except (ModuleNotFoundError, tarfile.TarError, BombError):
        raise  # a reader is not installed, or the archive itself is damaged or refused
    except Exception as error:  # whatever a library meets that its authors did not expect
        cause = explain_failure(error)
        if members is None:
            raise type(cause)(f"{name}: {cause}") from error
        members.leave_out(name, cause)


class _InnerMembers:
    """The files of an archive that is a file of another archive, under the names that they have in the outer one."""

    def __init__(self, outer: Members, name: str) -> None:
        self._outer, self._name = outer, name

    def begin(self, name: str) -> bool:
        """Note that the reading of a file begins. Returns whether to read it."""
        return self._outer.begin(f"{self._name}/{name}")

    def pass_over(self, name: str, cause: str) -> None:
        """Note a file that holds no text."""
        self._outer.pass_over(f"{self._name}/{name}", cause)

    def leave_out(self, name: str, error: UnreadableError) -> None:
        """Note a file that cannot be read."""
        self._outer.leave_out(f"{self._name}/{name}", error)
