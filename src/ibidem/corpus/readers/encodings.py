"""Plain text in any encoding: a byte order mark, then UTF-8, then what the bytes look like."""

import codecs
import unicodedata
from collections.abc import Iterator

from ibidem.corpus.readers.document import NoTextError, Opened, ReadDocument, UnreadableError
from ibidem.corpus.readers.form_feeds import find_pages

_MARKS = [  # the longer first: the mark of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]

_COMMON = ("cp1252", "iso8859_15", "latin_1")  # of encodings that give the same text, the one that people know

_SAMPLE = 1 << 16
_FEW = 8
_WIDE = {"utf-32-le": 4, "utf-32-be": 4, "utf-16-le": 2, "utf-16-be": 2}
_LEAST_WIDE = 8
"""Characters from which on an encoding of wide characters is recognized without a byte order mark."""

_MOST_ODD, _LEAST_BLANKS, _MOST_BLOCKS = 0.002, 0.004, 0.25
"""Of the characters of a text, how many may be unassigned, private or control characters; how many are blanks or line
ends or the full stops of scripts without blanks; and of its distinct characters, how many begin a block of 128,
ideographs and syllables of Hangul being one block each."""

_BLANKS = frozenset(" \t\n\r\u00a0\u3000\u3001\u3002\uff0c")
_NO_LETTERS = frozenset(("Cc", "Cn", "Co", "Cs"))

_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b")) + b"\x7f"


def read(file: Opened) -> Iterator[ReadDocument]:
    """The one document of a text file, with its pages if it has form feeds; line ends stay as they are.

    Raises:
        NoTextError: the bytes are no text.
        UnreadableError: they are in no encoding that is known, or not in the one that was named.
    """
    data = file.read()
    text, encoding = decode(data, file.encoding)
    pages = find_pages(text.encode("utf-8", "surrogatepass")) if "\f" in text else []
    yield ReadDocument(text, {} if encoding == "utf-8" else {"encoding": encoding}, pages)


def decode(data: bytes, encoding: str | None = None) -> tuple[str, str]:
    """The text that the bytes hold, without a byte order mark, and its encoding.

    Raises:
        NoTextError: the bytes are no text.
        UnreadableError: they are in no encoding that is known, or not in the one that was named.
    """
    encoding = encoding or find_mark(data)
    if encoding is not None:
        return _decode_as(data, encoding), encoding
    if looks_binary(data):
        wide = guess_wide(data)
        if wide is None:
            raise NoTextError("no text, but binary data")
        return _decode_as(data, wide), wide
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        wide = guess_wide(data) if b"\0" in data else None
        if b"\0" in data and wide is None:
            raise NoTextError("no text, but binary data") from error
        guess = wide or guess_encoding(data)
        if guess is None:
            raise UnreadableError("the encoding cannot be found out; convert it to UTF-8") from error
        return _decode_as(data, guess), guess


def find_mark(data: bytes) -> str | None:
    """The encoding that a byte order mark names, if there is one."""
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)


def looks_binary(data: bytes) -> bool:
    """Whether the first bytes have as many control characters as no text has whose characters have single bytes."""
    if find_mark(data):
        return False
    sample = data[:_SAMPLE]
    return len(sample) - len(sample.translate(None, _CONTROLS)) > max(_FEW, len(sample) // 50)


def holds_no_text(data: bytes) -> bool:
    """Whether the first bytes are those of no text, wide characters or not."""
    return looks_binary(data) and guess_wide(data) is None


def guess_wide(data: bytes) -> str | None:
    """The encoding of text in UTF-16 or UTF-32 without a byte order mark; ``None`` if it is neither.

    Text has blanks or full stops, hardly a control character, and takes its characters from a few blocks of Unicode.

    >>> guess_wide("In the same place.".encode("utf-16-be")), guess_wide(bytes(range(64)))
    ('utf-16-be', None)
    """
    likeliest = max(_WIDE, key=lambda encoding: _likeness(data[:_SAMPLE], encoding))
    return likeliest if _likeness(data[:_SAMPLE], likeliest) > 0 else None


def _likeness(sample: bytes, encoding: str) -> float:
    """Returns the share of blanks of the bytes in an encoding of wide characters, which is 0 if they are no text."""
    size = len(sample) - len(sample) % _WIDE[encoding]
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample[:size])
    except UnicodeDecodeError:
        return 0.0
    if len(text) < _LEAST_WIDE:
        return 0.0
    distinct = set(text)
    odd = {char for char in distinct if char not in _BLANKS and unicodedata.category(char) in _NO_LETTERS}
    blanks = sum(char in _BLANKS for char in text) / len(text)
    blocks = len({_block(ord(char)) for char in distinct})
    is_odd = sum(char in odd for char in text) > _MOST_ODD * len(text)
    is_wild = blocks > max(4, _MOST_BLOCKS * len(distinct))
    return 0.0 if is_odd or is_wild or blanks < _LEAST_BLANKS else blanks


def _block(point: int) -> int:
    if 0x3400 <= point < 0xA000 or 0x20000 <= point < 0x32000:
        return -1
    return -2 if 0xAC00 <= point < 0xD7B0 else point >> 7


def _decode_as(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except LookupError as error:
        raise UnreadableError(
            f"there is no encoding {encoding!r}; name one that Python knows, such as cp1252"
        ) from error
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableError(f"line {line}, byte {error.start + 1}: not in {encoding}; convert it to UTF-8") from error


def guess_encoding(data: bytes) -> str | None:
    """The encoding of letters of single bytes, or of East Asian ones, that fits the bytes best, if one does."""
    from charset_normalizer import from_bytes

    best = from_bytes(data).best()
    if best is None:
        return None
    alike = [best.encoding, *best.could_be_from_charset]
    return next((encoding for encoding in _COMMON if encoding in alike), best.encoding)
