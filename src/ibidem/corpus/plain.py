"""Plain text: a file is one document, its path the id. Not a byte is changed, so offsets are those of the file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ibidem.corpus.faults import fault
from ibidem.corpus.opening import open_stream, read_whole
from ibidem.corpus.rows import Columns, Row, batch_rows
from ibidem.corpus.sources import Source

if TYPE_CHECKING:
    from ibidem.text import Documents

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read(source: Source, columns: Columns, batch_bytes: int) -> Iterator["Documents"]:
    """The one document of a file of text in UTF-8; line ends and a byte order mark stay in the text."""
    with open_stream(source) as stream:
        content = read_whole(source, stream, columns.max_line)
    yield from batch_rows([Row(source.name, _require_utf8(source, content), b"{}")], batch_bytes)


def _require_utf8(source: Source, content: bytes | memoryview) -> bytes | memoryview:
    from ibidem.text.long_texts.strings import find_invalid_utf8

    if error := find_invalid_utf8(content):
        guess = "looks like UTF-16" if bytes(content[:2]) in _UTF16_MARKS else "another encoding, or not text"
        line = bytes(content[: error.start]).count(b"\n") + 1
        cause = f"invalid UTF-8 at byte {error.start + 1} of the file ({guess}); convert it to UTF-8 or leave it out"
        raise fault(source.path, cause, line=line) from error
    return content
