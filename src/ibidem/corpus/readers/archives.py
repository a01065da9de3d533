"""Files that hold files: zip, tar, WARC and WET. Each member goes to the reader of its kind."""

import io
import tarfile
import zipfile
from collections.abc import Iterator
from typing import Any

from ibidem.corpus.readers.document import NoTextError, Opened, ReadDocument, UnreadableError, read_bounded
from ibidem.corpus.readers.packed import is_bomb

__all__ = ["is_hidden", "read_tar", "read_warc", "read_zip"]

_DEEPEST = 3
_MOST_MEMBERS = 1_000_000


def read_zip(opened: Opened) -> Iterator[ReadDocument]:
    """The documents of the files in a zip, in the order of their names; hidden ones are left out.

    Raises:
        UnreadableError: it is damaged, needs a password, or is a zip bomb.
    """
    try:
        with zipfile.ZipFile(opened.stream) as packed:
            members = [each for each in packed.infolist() if not each.is_dir() and not is_hidden(each.filename)]
            _require_bounds(len(members))
            for member in sorted(members, key=lambda each: each.filename):
                if is_bomb(member.file_size, member.compress_size):
                    raise UnreadableError(f"{member.filename}: refused as a zip bomb")
                with packed.open(member) as stream:
                    yield from _read_member(opened, member.filename, stream, member.file_size)
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise UnreadableError(f"damaged zip file ({error})") from error
    except RuntimeError as error:
        raise UnreadableError(f"cannot be unpacked ({error})") from error


def read_tar(opened: Opened) -> Iterator[ReadDocument]:
    """The documents of the files in a tar, in its order; links, devices and hidden files are left out.

    Raises:
        UnreadableError: it is damaged.
    """
    try:
        with tarfile.open(fileobj=opened.stream, mode="r:*") as packed:
            for number, member in enumerate(packed):
                _require_bounds(number)
                if member.isfile() and not is_hidden(member.name):
                    stream = packed.extractfile(member)
                    if stream is not None:
                        yield from _read_member(opened, member.name, stream, member.size)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise UnreadableError(f"damaged tar file ({error})") from error


def is_hidden(name: str) -> bool:
    """Whether a member is no file of its author, but hidden, or what a system put there."""
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


def _require_bounds(members: int) -> None:
    if members > _MOST_MEMBERS:
        raise UnreadableError(f"more than {_MOST_MEMBERS:,} files in one archive; unpack it")


def _read_member(opened: Opened, name: str, stream: Any, size: int) -> Iterator[ReadDocument]:
    """The documents of one member, under its name; none of a picture, a program or another file that is no text."""
    from ibidem.corpus.readers.registry import HEAD, find_kind, find_no_text

    if opened.depth >= _DEEPEST:
        raise UnreadableError(f"{name}: archives lie in archives more than {_DEEPEST} deep")
    if size > opened.largest:
        raise UnreadableError(f"{name}: more than {opened.largest:,} bytes; allow longer ones (--max-line)")
    data = read_bounded(stream, opened.largest)
    inner = opened._replace(stream=io.BytesIO(data), name=name, depth=opened.depth + 1)
    if cause := find_no_text(name, data[:HEAD]):
        if opened.passed_over is not None:
            opened.passed_over.append(f"{name} ({cause})")
        return
    try:
        for document in find_kind(name, data[:HEAD]).read(inner):
            member = f"{name}/{document.member}" if document.member else name
            yield document._replace(member=member)
    except UnreadableError as error:
        raise type(error)(f"{name}: {error}") from error


def read_warc(opened: Opened) -> Iterator[ReadDocument]:
    """The pages of a WARC file, or the texts of a WET file, with their addresses; other records are left out.

    Raises:
        UnreadableError: it is no WARC file.
    """
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    kinds = WarcRecordType.response | WarcRecordType.conversion | WarcRecordType.resource
    number = 0
    for record in ArchiveIterator(opened.stream, record_types=kinds):
        number += 1
        document = _read_record(opened, record)
        if document is not None:
            described = {"url": record.headers.get("WARC-Target-URI") or "", "date": record.headers.get("WARC-Date")}
            metadata = {**{key: value for key, value in described.items() if value}, **document.metadata}
            yield document._replace(metadata=metadata, member=str(number))
    if not number:
        raise UnreadableError("no WARC records in it")


def _read_record(opened: Opened, record: Any) -> ReadDocument | None:
    """The document of a record; ``None`` if it holds no text that a person would read."""
    from ibidem.corpus.readers.encodings import decode
    from ibidem.corpus.readers.html import decode_page, parse_page

    if record.content_length > opened.largest:
        raise UnreadableError(f"a record of {record.content_length:,} bytes; allow longer ones (--max-line)")
    is_http = record.http_headers is not None
    if is_http and not 200 <= (record.http_headers.status_code or 0) < 300:
        return None
    kind = (record.http_content_type if is_http else record.headers.get("Content-Type")) or ""
    data = read_bounded(record.reader, opened.largest)
    try:
        if "html" in kind:
            return parse_page(decode_page(data, opened.encoding or (record.http_charset if is_http else None)))
        if kind.startswith("text/"):
            return ReadDocument(decode(data, opened.encoding)[0], {}, [])
    except NoTextError:
        return None
    return None
