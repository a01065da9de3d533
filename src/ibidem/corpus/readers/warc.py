"""WARC and WET: the pages of a crawl.

Where a record begins and ends is found here, so that a file that was cut, or whose lengths are false, ends in an error
and not in fewer pages. What a record holds is read by FastWARC.
"""

import io
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple, cast

from ibidem.corpus.compression import MARK_BYTES, find_compression, open_decompressor
from ibidem.corpus.readers.archives import leave_out
from ibidem.corpus.readers.document import NoTextError, Opened, ReadDocument, UnreadableError, read_bounded

_PAGES = re.compile(rb"^WARC-Type:[ \t]*(?:response|conversion|resource)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_LENGTH = re.compile(rb"^Content-Length:[ \t]*([0-9]{1,15})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)

_MOST_HEADER = 1 << 20
_PIECE = 1 << 20


def read(file: Opened) -> Iterator[ReadDocument]:
    """Read the pages of a WARC file, or the texts of a WET file, with their addresses; other records are left out.

    Raises:
        UnreadableError: it is no WARC file, it is cut or a length in it is false, or a record cannot be read and
            ``opened.members`` is not there to note it.
    """
    number = 0
    for record in _split(file):
        if not _PAGES.search(record.header):
            continue
        number += 1
        document = None
        if file.members is None or file.members.begin(f"record {number}"):
            with leave_out(file.members, f"record {number}"):
                document = _read_record(file, record)
        if document is not None:
            yield document._replace(member=str(number))
    if not number:
        raise UnreadableError("no WARC records in it")


class _Record(NamedTuple):
    """A record.

    Attributes:
        header: its header, with the empty line at its end.
        block: what it holds; ``None`` if that is longer than a document may be, or the record is no page.
        length: bytes of the block.
    """

    header: bytes
    block: bytes | None
    length: int


def _split(file: Opened) -> Iterator[_Record]:
    """The records of a file, once it is certain where each ends.

    Raises:
        UnreadableError: the file is cut, or the length of a record is false.
    """
    stream = _decompress(file.stream)
    line, number = _pass_blank(stream), 0
    while line:
        number += 1
        header = _read_header(stream, line, number)
        match = _LENGTH.search(header)
        if match is None:
            raise UnreadableError(f"damaged: record {number} of any kind has no length")
        length = int(match[1])
        is_wanted = length <= file.largest and _PAGES.search(header) is not None
        block = _read_block(stream, length, number, keep=is_wanted)
        line = _pass_blank(stream)
        if line and not line.startswith(b"WARC/"):
            raise UnreadableError(f"damaged: record {number} of any kind does not end where its length says")
        yield _Record(header, block, length)


def _decompress(stream: Any) -> BinaryIO:
    """The stream, decompressed if its name does not say that it is compressed."""
    compression = find_compression(stream.read(MARK_BYTES))
    stream.seek(0)
    opened = stream if compression is None else open_decompressor(stream, compression)
    return cast(BinaryIO, io.BufferedReader(opened, _PIECE) if compression else opened)


def _pass_blank(stream: BinaryIO) -> bytes:
    """The first line that is not empty."""
    while (line := stream.readline(_MOST_HEADER)) in (b"\r\n", b"\n"):
        pass
    return line


def _read_header(stream: BinaryIO, line: bytes, number: int) -> bytes:
    if not line.startswith(b"WARC/"):
        raise UnreadableError("no WARC records in it" if number == 1 else f"damaged at record {number} of any kind")
    header = bytearray(line)
    while line not in (b"\r\n", b"\n"):
        line = stream.readline(_MOST_HEADER)
        header += line
        if not line or len(header) > _MOST_HEADER:
            raise UnreadableError(f"cut off or damaged in the header of record {number} of any kind")
    return bytes(header)


def _read_block(stream: BinaryIO, length: int, number: int, *, keep: bool) -> bytes | None:
    block, left = bytearray(), length
    while left:
        piece = stream.read(min(left, _PIECE))
        if not piece:
            raise UnreadableError(f"cut off in record {number} of any kind: {left:,} of {length:,} bytes are missing")
        left -= len(piece)
        if keep:
            block += piece
    return bytes(block) if keep else None


def _read_record(file: Opened, record: _Record) -> ReadDocument | None:
    """The document of a record; ``None`` if it holds no text that a person would read."""
    from fastwarc.warc import ArchiveIterator

    from ibidem.corpus.readers.encodings import decode
    from ibidem.corpus.readers.html import decode_page, parse_page

    if record.block is None:
        raise UnreadableError(f"{record.length:,} bytes; allow longer ones (--max-line)")
    parsed = next(iter(ArchiveIterator(io.BytesIO(record.header + record.block + b"\r\n\r\n"))), None)
    if parsed is None:
        raise UnreadableError("damaged: a header that cannot be read")
    is_http = parsed.http_headers is not None
    if is_http and not 200 <= (parsed.http_headers.status_code or 0) < 300:
        return None
    kind = (parsed.http_content_type if is_http else parsed.headers.get("Content-Type")) or ""
    data = read_bounded(cast(Any, parsed.reader), file.largest)
    try:
        if "html" in kind:
            document = parse_page(decode_page(data, file.encoding or (parsed.http_charset if is_http else None)))
        elif kind.startswith("text/"):
            document = ReadDocument(decode(data, file.encoding)[0], {}, [])
        else:
            return None
    except NoTextError:
        return None
    headers = {"url": parsed.headers.get("WARC-Target-URI") or "", "date": parsed.headers.get("WARC-Date")}
    return document._replace(metadata={**{key: value for key, value in headers.items() if value}, **document.metadata})
