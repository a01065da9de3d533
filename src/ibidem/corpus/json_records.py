"""The records of a file of JSON: objects one a line, or the elements of one array."""

import json
from collections.abc import Iterator
from itertools import chain
from typing import IO, NamedTuple

from ibidem.corpus.faults import fault
from ibidem.corpus.opening import BYTE_ORDER_MARK, LARGEST_LINE, read_lines, remove_mark, suffix_of
from ibidem.corpus.sources import Source


class JsonRecord(NamedTuple):
    """A record: its bytes, the line on which it begins, and its number, which identifies it."""

    data: bytes
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
    before, number = source.lines_before, source.rows_before
    others = read_lines(source, stream, most, before + len(first), skips=source.skips)
    for line_number, line in enumerate(chain(first, others), before + 1):
        data = remove_mark(line)
        if data and not data.isspace():
            yield JsonRecord(data, line_number, number)
            number += 1


def read_array(
    source: Source, stream: IO[bytes], most: int | None = LARGEST_LINE
) -> tuple[list[bytes], list[bytes] | None]:
    """The first lines of a file of JSON, up to one that is not blank; or all of it, and the elements of its array.

    An array is looked for in a pipe, and in a file whose name ends in ``.json``. It is read as a whole. A line and an
    array have at most ``most`` bytes, or any number.

    Raises:
        CorpusError: the array is damaged, or too large to be read as a whole.
    """
    first: list[bytes] = []
    for line in read_lines(source, stream, most, source.lines_before, skips=source.skips):
        first.append(line)
        start = remove_mark(line).lstrip()
        if start:
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
