"""JSON: one object a line, or one array of objects.

Only the id and the text are decoded; the other columns are passed on as they are.

msgspec reads each record. Values that it refuses but Python's own ``json`` writes (half of a surrogate pair, ``NaN``,
integers of any length) are read again by ``json``, with ``NaN`` and infinities as null; if both refuse, it is an error.
"""

import json
import warnings
from collections.abc import Iterator
from functools import partial
from itertools import count, islice, starmap
from typing import TYPE_CHECKING, Any, BinaryIO

from ibidem.corpus.failures import Failures, leave_out
from ibidem.corpus.faults import fault, missing_column
from ibidem.corpus.json_records import JsonRecord, split_records
from ibidem.corpus.opening import OverlongLine, open_stream, until_fault
from ibidem.corpus.rows import Columns, Row, batch_rows
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError

if TYPE_CHECKING:
    from ibidem.text import Documents


def read(source: Source, columns: Columns, batch_bytes: int) -> Iterator["Documents"]:
    """The documents of one file of JSON lines, or of one array.

    Lines end at ``\\n`` alone (a ``\\r`` before it is white space to JSON), and blank lines hold no document. The first
    record of a file decides whether the file has ids, also where a piece of the file is read; if it has none, the ids
    are ``name:row``, records counted from 0.
    """
    records = _Records(source, columns)
    if source.lines_before:
        records.look_at_first()
    with open_stream(source) as stream:
        yield from batch_rows(until_fault(source, _rows(records, stream)), batch_bytes)


def _rows(records: "_Records", stream: BinaryIO) -> Iterator[Row]:
    json_records = split_records(records.source, stream, records.columns.max_line)
    if records.source.failures is None:
        return starmap(records.row, json_records)
    rows = map(partial(_row_or_none, records, records.source), count(), json_records)
    return filter(lambda row: row is not None, rows)  # type: ignore[arg-type]


def _row_or_none(records: "_Records", source: Source, number: int, record: JsonRecord) -> Row | None:
    """The document of a record; if there is none, the failures of the ``source`` have the reason."""
    with leave_out(source, number):
        try:
            return records.row(*record)
        except _NullTextError as error:
            if records.columns.null == "error" or source.failures is None:
                raise
            place, is_kept = f"{source.path}, line {record.line}", records.columns.null == "keep"
            source.failures.add_null(source, number, place, error.id, is_kept=is_kept)
    return None


class _NullTextError(CorpusError):
    """The text of a record is null.

    Attributes:
        id: of the document that it would be.
    """

    def __init__(self, error: CorpusError, id: str) -> None:
        super().__init__(str(error))
        self.id = id


def find_line(source: Source, row: int) -> int:
    """The line on which a record of a file begins, counted from 1; ``row`` counts the records from 0."""
    with open_stream(source) as stream:
        return next(islice((record.line for record in split_records(source, stream)), row, None))


class _Records:
    """The decoder of one file's lines, which remembers whether the file has ids."""

    def __init__(self, source: Source, columns: Columns) -> None:
        import msgspec

        from ibidem.text.json_values import find_unreadable, has_surrogate

        self.source = source
        self._find_unreadable = find_unreadable
        self._has_surrogate = has_surrogate
        self.columns = columns
        self.numbered: bool | None = None
        self._own_number = 0
        self._warned = False
        self._raw_values = msgspec.json.Decoder(dict[str, msgspec.Raw])
        self._string = msgspec.json.Decoder(str)
        self._encode = msgspec.json.encode

    def look_at_first(self) -> None:
        """Learn from the first record of the file whether the file has ids; from the next, if that is left out."""
        failures = None if self.source.failures is None else Failures(skips=self.source.skips)
        file = self.source._replace(piece=None, progress=None, failures=failures)
        with open_stream(file) as stream:
            for number, record in enumerate(split_records(file, stream, self.columns.max_line)):
                _row_or_none(self, file, number, record)
                if self.numbered is not None:
                    return

    def row(self, line: bytes, number: int, own_number: int) -> Row:
        """The document on a line; a line that is unusual in any way goes to ``_slow_row``, which finds the cause.

        A document without an id is named by its ``own_number``.
        """
        self._own_number = own_number
        try:
            values = self._raw_values.decode(line)
            text = self._string.decode(values.pop(self.columns.text)).encode()
            id = self._raw_id(values, number)
            metadata = b"{%b}" % b",".join([b"%b:%b" % (self._encode(key), raw) for key, raw in values.items()])
            if not metadata.isascii():
                metadata.decode()
        except (ValueError, KeyError, RecursionError):
            if isinstance(line, OverlongLine):
                raise fault(self.source.path, line.decode(), line=number) from None
            return self._slow_row(line, number)
        return Row(id, text, self._require_readable(metadata, number))

    def _require_readable(self, metadata: bytes, number: int) -> bytes:
        """Refuse what is JSON and could not be read back when a search finds the document."""
        if cause := self._find_unreadable(metadata):
            raise fault(self.source.path, f"{cause}; mend or remove the line", line=number)
        return metadata

    def _raw_id(self, values: dict[str, Any], number: int) -> str:
        if self.columns.id not in values and self.numbered is not False and self.columns.id_is_optional:
            self.numbered = True
            return f"{self.source.name}:{self._own_number}"
        raw = bytes(values.pop(self.columns.id))
        id = self._string.decode(raw) if raw.startswith(b'"') else str(int(raw))
        if self.numbered or not id:
            raise ValueError("an id where there should be none, or an empty one")
        self.numbered = False
        return id

    def _slow_row(self, line: bytes, number: int) -> Row:
        constants: list[str] = []
        values = parse_object(self.source.path, line, number, constants)
        if constants and not self._warned:
            self._warned = True
            cause = f"line {number}: {constants[0]}, which JSON cannot say, is read as null, here and in later lines"
            warnings.warn(f"{self.source.path}, {cause}", stacklevel=2)
        text = self._text(values, number)
        id = self._id(values, number)
        others = {key: value for key, value in values.items() if key not in (self.columns.text, self.columns.id)}
        try:
            metadata = json.dumps(others, allow_nan=False).encode()
        except ValueError as error:
            raise fault(self.source.path, f"a number is out of range ({error})", line=number) from error
        return Row(id, text.encode("utf-8", "surrogatepass"), self._require_readable(metadata, number))

    def _text(self, values: dict[str, Any], number: int) -> str:
        column = self.columns.text
        if column not in values:
            raise missing_column(self.source.path, "text", column, values, line=number)
        text = values[column]
        if not isinstance(text, str):
            cause = f"the text is {_type_name(text)}, not a string; mend or remove the line, or name another column"
            error = fault(self.source.path, cause, line=number, column=column)
            raise error if text is not None else _NullTextError(error, self._id(values, number))
        return text

    def _id(self, values: dict[str, Any], number: int) -> str:
        column = self.columns.id
        if column not in values and self.columns.id_is_optional and self.numbered is not False:
            self.numbered = True
            return f"{self.source.name}:{self._own_number}"
        if column not in values and self.numbered is False:
            raise fault(self.source.path, "no id, though the records before have one", line=number, column=column)
        if column not in values:
            raise missing_column(self.source.path, "id", column, values, line=number)
        if self.numbered:
            raise fault(self.source.path, "an id, though the records before have none", line=number, column=column)
        self.numbered = False
        return self._validate_id(values[column], number)

    def _validate_id(self, id: object, number: int) -> str:
        if isinstance(id, int) and not isinstance(id, bool):
            return str(id)
        if isinstance(id, str) and id and not self._has_surrogate(id):
            return id
        if isinstance(id, str):
            cause = "the id is not valid Unicode (half of a surrogate pair)" if id else "the id is empty"
        else:
            cause = f"the id is {_type_name(id)}, neither a string nor an integer"
        raise fault(self.source.path, cause, line=number, column=self.columns.id)


def parse_object(path: str, line: bytes, number: int, constants: list[str] | None = None) -> dict[str, Any]:
    """The object on a line, read by ``json``; ``NaN`` and infinities are null, and added to ``constants``."""
    read = [] if constants is None else constants
    try:
        values = json.loads(line.decode(), parse_constant=read.append)
    except UnicodeDecodeError as error:
        cause = f"invalid UTF-8 at byte {error.start + 1} of the line ({error.reason}); convert the file to UTF-8"
        raise fault(path, cause, line=number) from error
    except json.JSONDecodeError as error:
        advice = "" if line.endswith(b"\n") else " (the last line of the file, which may be cut short)"
        cause = f"invalid JSON: {error.msg} at column {error.colno}{advice}; each line must be one whole JSON object"
        raise fault(path, cause, line=number) from error
    except (RecursionError, ValueError) as error:
        raise fault(path, f"JSON that cannot be read ({error})", line=number) from error
    if not isinstance(values, dict):
        cause = f"{_type_name(values)} where an object should be; each line must be one whole JSON object"
        raise fault(path, cause, line=number)
    return values


def _type_name(value: object) -> str:
    """Return JSON's name for the type of the value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, list):
        return "an array"
    return "an object" if isinstance(value, dict) else "a string"
