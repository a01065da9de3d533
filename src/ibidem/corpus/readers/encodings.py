"""Plain text in any encoding: a byte order mark, then UTF-8, then what the bytes look like."""

import codecs
from collections.abc import Iterator

from ibidem.corpus.readers.document import NoTextError, Opened, ReadDocument, UnreadableError

__all__ = ["decode", "looks_binary", "read"]

_MARKS = [  # the longer first: the mark of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]

_COMMON = ("cp1252", "iso8859_15", "latin_1")  # of encodings that give the same text, the one that people know

_SAMPLE = 1 << 16
_FEW = 8
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"


def read(opened: Opened) -> Iterator[ReadDocument]:
    """The one document of a text file; line ends stay as they are.

    Raises:
        NoTextError: the bytes are no text.
        UnreadableError: they are in no encoding that is known, or not in the one that was named.
    """
    data = opened.read()
    text, encoding = decode(data, opened.encoding)
    yield ReadDocument(text, {} if encoding == "utf-8" else {"encoding": encoding}, [])


def decode(data: bytes, encoding: str | None = None) -> tuple[str, str]:
    """The text that the bytes hold, and its encoding.

    Raises:
        NoTextError: the bytes are no text.
        UnreadableError: they are in no encoding that is known, or not in the one that was named.
    """
    if encoding is not None:
        return _decode_as(data, encoding), encoding
    for mark, marked in _MARKS:
        if data.startswith(mark):
            return _decode_as(data, marked), marked
    if looks_binary(data):
        raise NoTextError("no text, but binary data")
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        if b"\0" in data:
            raise NoTextError("no text, but binary data") from error
        guess = _guess(data)
        return _decode_as(data, guess), guess


def looks_binary(data: bytes) -> bool:
    """Whether the first bytes have as many control characters as no text has.

    Text in UTF-16 or UTF-32 without a byte order mark counts as binary; its encoding must be named.
    """
    if any(data.startswith(mark) for mark, _ in _MARKS):
        return False
    sample = data[:_SAMPLE]
    return len(sample) - len(sample.translate(None, _CONTROLS)) > max(_FEW, len(sample) // 50)


def _decode_as(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except LookupError as error:
        raise UnreadableError(
            f"there is no encoding {encoding!r}; name one that Python knows, such as cp1252"
        ) from error
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableError(f"line {line}, byte {error.start + 1}: not in {encoding}; convert it to UTF-8") from error


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(data).best()
    if best is None:
        raise UnreadableError("the encoding cannot be found out; convert it to UTF-8")
    alike = [best.encoding, *best.could_be_from_charset]
    return next((common for common in _COMMON if common in alike), best.encoding)
