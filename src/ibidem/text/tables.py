"""Documents from tables: a row each, the text and the id from two columns, the others as metadata.

Whatever has ``__arrow_c_stream__`` is a table (polars, pyarrow, DuckDB, pandas 3), and so are a DataFrame of an older
pandas, a LazyFrame of polars, a dataset of ``pyarrow.dataset`` and a ``Dataset`` of Hugging Face. Texts go from the
columns to a batch without becoming Python strings.

Metadata in JSON: dates and times in ISO 8601, decimals as strings, binary in Base64; NaN and infinities become
null, with a warning.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from ibidem.errors import CorpusError
from ibidem.text.batches import Texts
from ibidem.text.documents import DEFAULT_ID, Documents
from ibidem.text.json_values import NullWarning

# The most rows of a batch of documents.
_ROWS = 8192


def is_table(documents: object) -> bool:
    """Whether ``documents`` are a table, whose rows are documents; a column by itself is an iterable of texts."""
    if type(documents).__name__ in ("ChunkedArray", "Series"):
        return False
    return (
        hasattr(documents, "__arrow_c_stream__")
        or any(_is_of(package, documents) for package in ("pandas", "datasets", "polars"))
        or _is_arrow_dataset(documents)
    )


def read_table(documents: Any, text: str, id: str) -> Iterator[Documents]:
    """The rows of a table in batches; without a column ``id`` their ids are their numbers, from 0.

    Raises:
        CorpusError: a column is missing, or a row cannot be used; the message names the row, from 0, and the column.
    """
    first = 0
    warning = NullWarning("later rows")
    for batch in _record_batches(documents):
        _require_columns(batch.schema.names, text, id)
        for batch_start in range(0, batch.num_rows, _ROWS):
            rows = batch.slice(batch_start, _ROWS)
            yield TableRows(rows, text, id, _describe_from(first), warning).documents(_number_from(first))
            first += rows.num_rows


def encode_rows(batch: Any) -> list[bytes]:
    """Each row of a record batch as a JSON object of all of its columns.

    Raises:
        CorpusError: a column has values that JSON cannot hold.
    """
    return TableRows(batch, "", "", _describe_from(0)).encode(batch.schema.names)


class TableRows:
    """A record batch on its way to documents.

    Args:
        batch: the record batch.
        text, id: the columns of texts and ids.
        describe: the error to raise, for a cause, a column and a row of the batch.
        warning: given about numbers that JSON cannot say; by default there is one for this batch.
    """

    def __init__(
        self,
        batch: Any,
        text: str,
        id: str,
        describe: Callable[[str, str | None, int | None], CorpusError],
        warning: NullWarning | None = None,
    ) -> None:
        self._batch, self._text, self._id = batch, text, id
        self._describe = describe
        self._warning = warning or NullWarning("later rows")

    def documents(self, number: Callable[[int], str]) -> Documents:
        """The documents of the rows; ``number`` gives the id of a row where there is no column of ids."""
        texts = self._strings(self._text, "text")
        return Documents(self._ids(number), Texts.from_arrow(texts), self._metadata())

    def _ids(self, number: Callable[[int], str]) -> list[str]:
        if self._id not in self._batch.schema.names:
            return [number(row) for row in range(self._batch.num_rows)]
        ids: list[str] = self._strings(self._id, "id").to_pylist()
        if "" in ids:
            raise self._describe("the id is empty", self._id, ids.index(""))
        return ids

    def _strings(self, column: str, role: str) -> Any:
        """A column as large strings in valid UTF-8 and without nulls."""
        import pyarrow.compute

        values = self._batch[column]
        if not _holds_strings(values.type) and not (role == "id" and pyarrow.types.is_integer(values.type)):
            cause = f"the {role} is of type {values.type}, not a string; name the column that holds the {role}"
            raise self._describe(cause, column, None)
        if values.null_count:
            row = pyarrow.compute.index(pyarrow.compute.is_null(values), True).as_py()
            raise self._describe(f"the {role} is null; mend or remove the row", column, row)
        strings = values.cast(pyarrow.large_string())
        try:
            strings.validate(full=True)
        except pyarrow.ArrowInvalid as error:
            raise self._describe(f"invalid UTF-8 in the {role}", column, _first_invalid(strings)) from error
        return strings

    def _metadata(self) -> list[bytes]:
        """One JSON object a row, of the columns that are neither text nor id."""
        return self.encode([name for name in self._batch.schema.names if name not in (self._text, self._id)])

    def encode(self, names: list[str]) -> list[bytes]:
        """One JSON object a row, of the columns ``names``."""
        if not names:
            return [b"{}"] * self._batch.num_rows
        columns = [self._values(name) for name in names]
        try:
            return [self._encode_row(number, names, row) for number, row in enumerate(zip(*columns, strict=True))]
        except (TypeError, ValueError) as error:
            column = next(name for name, values in zip(names, columns, strict=True) if not _is_json(values))
            raise self._describe(f"values that JSON cannot hold ({error}); leave it out", column, None) from error

    def _encode_row(self, number: int, names: list[str], row: tuple[Any, ...]) -> bytes:
        values = dict(zip(names, row, strict=True))
        json_bytes = msgspec.json.encode(values)
        self._warning.look(json_bytes, values, lambda column: str(self._describe("", column, number)).rstrip(": "))
        return json_bytes

    def _values(self, column: str) -> list[Any]:
        import pyarrow

        try:
            values: list[Any] = _without_nanoseconds(self._batch[column]).to_pylist()
        except OverflowError as error:
            cause = f"a date or time that no calendar has ({error}); mend or remove the row, or leave the column out"
            raise self._describe(cause, column, _first_overflow(self._batch[column])) from error
        except (pyarrow.ArrowException, TypeError, ValueError) as error:
            cause = _explain_zone(self._batch[column].type) or f"values that JSON cannot hold ({error})"
            raise self._describe(f"{cause}; leave it out", column, None) from error
        return values


def _record_batches(documents: Any) -> Iterator[Any]:
    if _is_of("datasets", documents):
        for part in documents.with_format("arrow").iter(batch_size=_ROWS):
            yield from part.to_batches()
    else:
        yield from _open_table(documents)


def _open_table(documents: Any) -> Iterable[Any]:
    import pyarrow

    batches: Iterable[Any]
    try:
        if _is_of("pandas", documents):
            index, columns = documents.index.names, documents.columns
            is_named = all(name is not None and name not in columns for name in index)  # else the numbers of rows
            batches = pyarrow.Table.from_pandas(documents, preserve_index=is_named).to_batches()
        elif _is_arrow_dataset(documents):
            batches = documents.to_batches()
        elif type(documents).__name__ == "LazyFrame":
            batches = pyarrow.RecordBatchReader.from_stream(documents.collect())
        else:
            batches = pyarrow.RecordBatchReader.from_stream(documents)
    except (pyarrow.ArrowException, ValueError) as error:  # such as types nested deeper than Arrow hands over
        raise CorpusError(f"the table cannot be read: {error}") from error
    return batches


def _is_of(package: str, documents: object) -> bool:
    """Whether this is a table of a package that need not be installed."""
    kind = type(documents)
    names = ("DataFrame", "LazyFrame", "Dataset", "IterableDataset")
    return kind.__module__.split(".")[0] == package and kind.__name__ in names


def _is_arrow_dataset(documents: object) -> bool:
    """Whether this is a dataset of ``pyarrow.dataset``, whose files are read as its batches are asked for."""
    return type(documents).__module__ == "pyarrow._dataset" and hasattr(documents, "to_batches")


def _require_columns(names: list[str], text: str, id: str) -> None:
    for role, column in (("text", text), ("id", id)):
        if column not in names and not (role == "id" and column == DEFAULT_ID):
            raise CorpusError(
                f"the table has no column {column!r}; say {role}= with one that it has: {', '.join(map(repr, names))}"
            )
        if names.count(column) > 1:
            raise CorpusError(f"the table has two columns {column!r}; rename one")


def _describe_from(first: int) -> Callable[[str, str | None, int | None], CorpusError]:
    def describe(cause: str, column: str | None, number: int | None) -> CorpusError:
        row = [] if number is None else [f"row {first + number}"]
        place = [*row, *([] if column is None else [f"column {column!r}"])]
        return CorpusError(": ".join(filter(None, [", ".join(place), cause])))

    return describe


def _number_from(first: int) -> Callable[[int], str]:
    return lambda row: str(first + row)


def _is_json(values: list[Any]) -> bool:
    try:
        msgspec.json.encode(values)
    except (TypeError, ValueError):
        return False
    return True


def _holds_strings(type: Any) -> bool:
    from pyarrow import types

    value_type = type.value_type if types.is_dictionary(type) else type
    return bool(types.is_string(value_type) or types.is_large_string(value_type) or types.is_string_view(value_type))


def _without_nanoseconds(values: Any) -> Any:
    """Python's own times end at microseconds: finer ones become ISO 8601 strings already in Arrow, in UTC if zoned."""
    import pyarrow.compute

    if values.type == pyarrow.time64("ns"):
        return values.cast(pyarrow.string())
    if pyarrow.types.is_timestamp(values.type) and values.type.unit == "ns":
        if values.type.tz is None:
            return pyarrow.compute.strftime(values, "%Y-%m-%dT%H:%M:%S")
        return pyarrow.compute.strftime(values.cast(pyarrow.timestamp("ns", "UTC")), "%Y-%m-%dT%H:%M:%SZ")
    return values


def _first_overflow(values: Any) -> int:
    for row in range(len(values)):
        try:
            values.slice(row, 1).to_pylist()
        except OverflowError:
            return row
    return 0


def _explain_zone(type: Any) -> str:
    """Say that a type names no time zone that is known; empty if it does, or has none."""
    import pyarrow

    zones = [each.tz for each in _list_types(type) if pyarrow.types.is_timestamp(each) and each.tz]
    for zone in zones:
        try:
            pyarrow.scalar(0, pyarrow.timestamp("s", zone)).as_py()
        except ValueError:
            return f"there is no time zone {zone!r}"
    return ""


def _list_types(type: Any) -> Iterator[Any]:
    """A type, and those inside of it."""
    yield type
    for number in range(type.num_fields):
        yield from _list_types(type.field(number).type)


def _first_invalid(strings: Any) -> int:
    for row, value in enumerate(strings):
        try:
            value.as_py()
        except UnicodeDecodeError:
            return row
    return 0
