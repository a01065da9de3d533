"""Files that hold files: zip, tar, WARC and WET. Each member goes to the reader of its kind."""

import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from ibidem.corpus.readers.document import (
    Members,
    NoTextError,
    Opened,
    ReadDocument,
    UnreadableError,
    explain_failure,
    read_bounded,
)
from ibidem.corpus.readers.packed import is_bomb

_DEEPEST = 3
_MOST_MEMBERS = 1_000_000


def read_zip(file: Opened) -> Iterator[ReadDocument]:
    """Read the documents of the files in a zip, in the order of their names; hidden ones are left out.

    Raises:
        UnreadableError: it is damaged, or a file in it cannot be read and ``opened.members`` is not there to note it.
    """
    try:
        with zipfile.ZipFile(file.stream) as archive:
            members = [entry for entry in archive.infolist() if not entry.is_dir() and not is_hidden(entry.filename)]
            _require_bounds(len(members))
            for member in sorted(members, key=lambda entry: entry.filename):
                yield from _read_member(file, member.filename, member.file_size, partial(_unpack, archive, member))
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise UnreadableError(f"damaged zip file ({error})") from error


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
    try:
        with tarfile.open(fileobj=file.stream, mode="r:*") as archive:
            for number, member in enumerate(archive):
                _require_bounds(number)
                if member.isfile() and not is_hidden(member.name):
                    yield from _read_member(file, member.name, member.size, partial(_extract, archive, member))
    except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise UnreadableError(f"damaged tar file ({error})") from error


def _extract(archive: tarfile.TarFile, member: tarfile.TarInfo, most: int) -> bytes:
    stream = archive.extractfile(member)
    assert stream is not None  # it is a file
    return read_bounded(stream, most)


def is_hidden(name: str) -> bool:
    """Whether a member is no file of its author, but hidden, or what a system put there."""
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


def _require_bounds(members: int) -> None:
    if members > _MOST_MEMBERS:
        raise UnreadableError(f"more than {_MOST_MEMBERS:,} files in one archive; unpack it")


def _read_member(file: Opened, name: str, size: int, load: Callable[[int], bytes]) -> Iterator[ReadDocument]:
    """Read the documents of one file of an archive, under its name; none of a picture or another file without text."""
    from ibidem.corpus.readers.registry import HEAD, find_kind, find_no_text

    members = file.members
    if members is not None and not members.begin(name):
        return
    with _leave_out(members, name):
        if file.depth >= _DEEPEST:
            raise UnreadableError(f"archives lie in archives more than {_DEEPEST} deep")
        if size > file.largest:
            raise UnreadableError(f"more than {file.largest:,} bytes; allow longer ones (--max-line)")
        data = load(file.largest)
        if cause := find_no_text(name, data[:HEAD]):
            if members is not None:
                members.pass_over(name, cause)
            return
        inner = None if members is None else _InnerMembers(members, name)
        member = file._replace(stream=io.BytesIO(data), name=name, depth=file.depth + 1, members=inner)
        for document in find_kind(name, data[:HEAD]).read(member):
            yield document._replace(member=f"{name}/{document.member}" if document.member else name)


@contextmanager
def _leave_out(members: Members | None, name: str) -> Iterator[None]:
    """Note a file of an archive that cannot be read, and end the block; without ``members``, raise with its name."""
    try:
        yield
    except (ModuleNotFoundError, tarfile.TarError):
        raise  # a reader is not installed, or the archive itself is damaged
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


def read_warc(file: Opened) -> Iterator[ReadDocument]:
    """Read the pages of a WARC file, or the texts of a WET file, with their addresses; other records are left out.

    Raises:
        UnreadableError: it is no WARC file, or a record cannot be read and ``opened.members`` is not there to note it.
    """
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    kinds = WarcRecordType.response | WarcRecordType.conversion | WarcRecordType.resource
    number = 0
    for record in ArchiveIterator(file.stream, record_types=kinds):
        number += 1
        document = None
        if file.members is None or file.members.begin(f"record {number}"):
            with _leave_out(file.members, f"record {number}"):
                document = _read_record(file, record)
        if document is not None:
            headers = {"url": record.headers.get("WARC-Target-URI") or "", "date": record.headers.get("WARC-Date")}
            metadata = {**{key: value for key, value in headers.items() if value}, **document.metadata}
            yield document._replace(metadata=metadata, member=str(number))
    if not number:
        raise UnreadableError("no WARC records in it")


def _read_record(file: Opened, record: Any) -> ReadDocument | None:
    """Returns the document of a record; ``None`` if it holds no text that a person would read."""
    from ibidem.corpus.readers.encodings import decode
    from ibidem.corpus.readers.html import decode_page, parse_page

    if record.content_length > file.largest:
        raise UnreadableError(f"{record.content_length:,} bytes; allow longer ones (--max-line)")
    is_http = record.http_headers is not None
    if is_http and not 200 <= (record.http_headers.status_code or 0) < 300:
        return None
    kind = (record.http_content_type if is_http else record.headers.get("Content-Type")) or ""
    data = read_bounded(record.reader, file.largest)
    try:
        if "html" in kind:
            return parse_page(decode_page(data, file.encoding or (record.http_charset if is_http else None)))
        if kind.startswith("text/"):
            return ReadDocument(decode(data, file.encoding)[0], {}, [])
    except NoTextError:
        return None
    return None
