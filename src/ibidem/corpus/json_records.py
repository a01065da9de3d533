"""The records of a file of JSON: objects one a line, or the elements of one array."""

import json
from collections.abc import Iterator
from itertools import chain
from typing import IO, NamedTuple

from ibidem.corpus.faults import fault
from ibidem.corpus.opening import BYTE_ORDER_MARK, LARGEST_LINE, read_long_lines, remove_mark, suffix_of
from ibidem.corpus.sources import Source

_LOOKED_AT = 1 << 16
"""Bytes at the beginning of a line that show what it is."""


class JsonRecord(NamedTuple):
    """A record: its bytes, or a view of those of a long line, the line on which it begins, and its number.

    The number identifies it.
    """

    data: bytes | memoryview
    line: int
    number: int


def split_records(source: Source, stream: IO[bytes], most: int = LARGEST_LINE) -> Iterator[JsonRecord]:
    """The records of a file of JSON, without byte order marks, which joined files have inside; blank lines hold none.

    Lines are counted from 1, and records from 0.

    Raises:
        CorpusError: an array cannot be read.
    """
    first, elements = read_array(source, stream, most)
    if elements is not None:
        yield from _locate(b"".join(first), elements)
        return
    before = source.lines_before + len(first)
    lines = read_long_lines(source, stream, most, before, skips=source.skips)
    yield from _number_lines(chain(_take_out(first), lines), source.lines_before + 1, source.rows_before)


def _take_out(lines: list[bytes | memoryview]) -> Iterator[bytes | memoryview]:
    """The lines, which are not kept."""
    while lines:
        yield lines.pop(0)


def _number_lines(lines: Iterator[bytes | memoryview], line_number: int, number: int) -> Iterator[JsonRecord]:
    """The lines that are not blank, from these numbers on. Whoever waits for the next keeps none."""
    records: list[JsonRecord] = []
    for line in lines:
        data = remove_mark(line)
        del line
        if data and not is_blank(data):
            records.append(JsonRecord(data, line_number, number))
            del data
            yield records.pop()
            number += 1
        line_number += 1


def is_blank(line: bytes | memoryview) -> bool:
    """Whether a line that is not empty holds white space alone; a long one is hardly ever read to its end."""
    return bytes(line[:_LOOKED_AT]).isspace() and bytes(line).isspace()


def read_array(
    source: Source, stream: IO[bytes], most: int | None = LARGEST_LINE
) -> tuple[list[bytes | memoryview], list[bytes] | None]:
    """The first lines of a file of JSON, up to one that is not blank; or all of it, and the elements of its array.

    An array is looked for in a pipe, and in a file whose name ends in ``.json``. It is read as a whole. A line and an
    array have at most ``most`` bytes, or any number.

    Raises:
        CorpusError: the array is damaged, or too large to be read as a whole.
    """
    first: list[bytes | memoryview] = []
    for line in read_long_lines(source, stream, most, source.lines_before, skips=source.skips):
        first.append(line)
        start = bytes(remove_mark(line)[:_LOOKED_AT]).lstrip()
        if start or not is_blank(line):
            may_be_array = source.is_pipe or suffix_of(source.path) == ".json"
            if not (may_be_array and start.startswith(b"[")):
                break
            data = b"".join([*first, stream.read(-1 if most is None else most + 1)])
            if most is not None and len(data) > most:
                raise fault(source.path, f"an array of more than {most:,} bytes; write one object a line")
            return [data], _split_array(source, data.removeprefix(BYTE_ORDER_MARK))
    return first, None


def _split_array(source: Source, data: bytes) -> list[bytes]:
    import msgspec

    try:
        return [bytes(element) for element in msgspec.json.decode(data, type=list[msgspec.Raw])]
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return _split_slowly(source, data)


def _split_slowly(source: Source, data: bytes) -> list[bytes]:
    """Split an array by Python's own ``json``, which accepts more and says where a fault is."""
    try:
        elements = json.loads(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise fault(source.path, f"invalid UTF-8 ({error.reason}); convert the file to UTF-8", line=line) from error
    except json.JSONDecodeError as error:
        raise fault(
            source.path, f"invalid JSON: {error.msg} at column {error.colno}; mend the array", line=error.lineno
        ) from error
    except (RecursionError, ValueError) as error:
        raise fault(source.path, f"JSON that cannot be read ({error})") from error
    return [json.dumps(element).encode() for element in elements]


def _locate(data: bytes, elements: list[bytes]) -> Iterator[JsonRecord]:
    """Each element with the line of the file on which it begins."""
    position, line = 0, 1
    for number, element in enumerate(elements):
        begin = data.find(element, position)
        if begin >= 0:  # an element that ``json`` wrote again may not occur in the data
            line += data.count(b"\n", position, begin)
            yield JsonRecord(element, line, number)
            line += element.count(b"\n")
            position = begin + len(element)
        else:
            yield JsonRecord(element, line, number)
