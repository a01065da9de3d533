"""The dialect of a file of separated values: its delimiter and its encoding, found out where nobody names them.

Excel writes semicolons where the comma divides decimals, tabs in UTF-16 as "Unicode text", the code page of the machine
where "CSV" is chosen, and a first line ``sep=;`` if a macro asks for it. All of them end in ``.csv`` or ``.txt``.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from ibidem.corpus.opening import open_stream
from ibidem.corpus.sources import Source

DELIMITERS = {"csv": ",", "tsv": "\t"}
"""The delimiter of a format, if it fits."""

_CANDIDATES = ",;\t|"

_NAMES = {"tab": "\t", r"\t": "\t"}

_SAMPLE_BYTES = 1 << 20
"""Bytes at the beginning of a file that show its encoding."""

_SAMPLE_CHARACTERS = 1 << 16
"""Characters at the beginning of a file that show its delimiter."""

_FEW = 2
"""Bytes that are not UTF-8 from which on they are taken for another encoding; fewer are damage."""

_HIGH = bytes(range(128, 256))

_SEPARATOR = re.compile(r'"?sep=(.)"?', re.IGNORECASE)


class Dialect(NamedTuple):
    """How separated values are written.

    Attributes:
        delimiter: a character of ASCII.
        encoding: ``None`` for UTF-8, with a byte order mark or without.
        is_guess: whether the encoding was found out from bytes that could be in another one.
    """

    delimiter: str
    encoding: str | None
    is_guess: bool = False


def parse_delimiter(name: str | None) -> str | None:
    """The delimiter that a user names: a character, or ``tab``.

    Raises:
        ValueError: it is none.
    """
    if name is None:
        return None
    delimiter = _NAMES.get(name.lower(), name)
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter.isalnum() or delimiter in '"\r\n':
        raise ValueError(f"a delimiter is a sign such as ; or |, or tab, not {name!r}")
    return delimiter


def find_dialect(source: Source, format: str) -> Dialect:
    """The dialect of a file of the format ``"csv"`` or ``"tsv"``: what the source names, else what its beginning shows.

    Raises:
        CorpusError: the file cannot be read.
    """
    with open_stream(source._replace(progress=None)) as stream:
        head = stream.read(_SAMPLE_BYTES)
    encoding, is_guess = (source.encoding, False) if source.encoding else _find_encoding(head)
    if source.delimiter is not None:
        return Dialect(source.delimiter, encoding, is_guess)
    text = codecs.getincrementaldecoder(encoding or "utf-8-sig")("replace").decode(head)
    is_whole = len(head) < _SAMPLE_BYTES and len(text) <= _SAMPLE_CHARACTERS
    delimiter = _find_delimiter(text[:_SAMPLE_CHARACTERS], DELIMITERS[format], is_whole=is_whole)
    return Dialect(delimiter, encoding, is_guess)


def read_separator(line: str) -> str | None:
    """The delimiter that a first line such as ``sep=;`` names; ``None`` if it is a row."""
    match = _SEPARATOR.fullmatch(line.strip("\ufeff\r\n"))
    return str(match[1]) if match else None


def _find_encoding(head: bytes) -> tuple[str | None, bool]:
    """The encoding of the bytes, and whether that is a guess."""
    from ibidem.corpus.readers.encodings import find_mark, guess_encoding, guess_wide

    if (marked := find_mark(head)) is not None:
        return (None, False) if marked == "utf-8" else (marked, False)
    if head.isascii() and b"\0" not in head:
        return None, False
    if b"\0" in head and (wide := guess_wide(head)) is not None:
        return wide, True
    valid = codecs.getincrementaldecoder("utf-8")("ignore").decode(head).encode()
    foreign = _count_high(head) - _count_high(valid)
    if foreign < max(_FEW, 4 * _count_high(valid)):
        return None, False  # UTF-8, perhaps with damage, which its rows say
    lines = b"\n".join(line for line in head.split(b"\n") if not line.isascii())
    with suppress(ModuleNotFoundError, ValueError):
        if (guess := guess_encoding(lines[:_SAMPLE_CHARACTERS])) is not None:
            return guess, True
    return None, False


def _count_high(data: bytes) -> int:
    return len(data) - len(data.translate(None, _HIGH))


def _find_delimiter(text: str, usual: str, *, is_whole: bool) -> str:
    """The delimiter that splits the header into most fields and each row into as many; the ``usual`` one if none does.

    The last row does not count unless the text ``is_whole``: it may be cut off.
    """
    if (named := read_separator(text.partition("\n")[0])) is not None:
        return named
    rows = {delimiter: list(_split(text, delimiter)) for delimiter in (usual, *_CANDIDATES)}
    columns = {delimiter: len(split[0]) if split else 0 for delimiter, split in rows.items()}
    fitting = [
        delimiter
        for delimiter, split in rows.items()
        if columns[delimiter] > 1 and all(len(row) == columns[delimiter] for row in split[1 : None if is_whole else -1])
    ]
    likely: list[str] = fitting or [usual, *([] if columns[usual] > 1 else _CANDIDATES)]
    return max(likely, key=lambda delimiter: columns[delimiter])


def _split(text: str, delimiter: str) -> Iterator[list[str]]:
    """The rows of the beginning of a file that are not blank, up to one that is not valid."""
    with suppress(csv.Error):
        yield from filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
