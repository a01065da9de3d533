"""Long strings, decoded and validated piece by piece: in memory as a whole they take up to six times their bytes."""

from codecs import getincrementaldecoder
from collections.abc import Iterator

import numpy as np
from msgspec.json import decode

from ibidem.text.batches import Texts
from ibidem.text.long_texts.scratch import Scratch

_PIECE = 1 << 20

# Bytes of the longest sign in a JSON string: a surrogate pair, both halves escaped.
_LONGEST_SIGN = 12


def unescape_long(string: memoryview) -> memoryview:
    """The text of a JSON string in UTF-8, in a file.

    Raises:
        ValueError: it is none that msgspec reads.
    """
    inner, position = string[1:-1], 0
    with Scratch(np.uint8) as text:
        while position < len(inner):
            piece, length = _unescape_piece(inner[position : position + _PIECE])
            text.append(piece)
            position += length
        return text.finish().data


def _unescape_piece(data: memoryview) -> tuple[bytes, int]:
    """The text of as much of ``data`` as ends with a sign, and how much that is.

    Where a sign is cut in two there is no string that could be read. So what can be read ends where a sign does.
    """
    failure = ValueError("an empty string")
    for length in range(len(data), max(0, len(data) - _LONGEST_SIGN), -1):
        try:
            return decode(b'"' + data[:length] + b'"', type=str).encode(), length
        except ValueError as error:
            failure = error
    raise failure


def find_invalid_utf8(data: bytes | memoryview) -> UnicodeDecodeError | None:
    """Describe the fault of bytes that are not UTF-8, counted from their beginning; ``None`` if they are."""
    decoder = getincrementaldecoder("utf-8")()
    for first in range(0, len(data), _PIECE):
        piece = bytes(data[first : first + _PIECE])
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(piece, final=first + _PIECE >= len(data))
        except UnicodeDecodeError as error:
            position = first - pending + error.start
            return UnicodeDecodeError("utf-8", b"", position, position + 1, error.reason)
    return None


def split_text(texts: Texts, row: int) -> Iterator[str]:
    """The text of a ``row`` in pieces, each of which ends with a character."""
    first, end = int(texts.bounds[row]), int(texts.bounds[row + 1])
    while first < end:
        piece_end = min(first + _PIECE, end)
        while piece_end < end and texts.data[piece_end] & 0xC0 == 0x80:  # a byte that continues a character
            piece_end += 1
        yield str(texts.data[first:piece_end].data, "utf-8", "surrogatepass")
        first = piece_end
