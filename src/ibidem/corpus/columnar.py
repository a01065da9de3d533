"""Tables in columns: Parquet, and Arrow's own format as a file (Feather) or as a stream, as ``datasets`` saves it.

Texts go from the columns of a file to a batch without becoming Python strings. Batches are bounded by the bytes of
their values, not by those in the file: a dictionary stores a long value once for any number of rows.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from ibidem.corpus.faults import fault
from ibidem.corpus.opening import open_seekable
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ibidem.text import Documents
    from ibidem.text.json_values import NullWarning

_BUFFER_BYTES = 1 << 20
_MOST_ROWS = 8192

_NUMBER_BYTES = 8
"""The most bytes of a value that is the number of one in a dictionary, compressed."""

KINDS = {"parquet": "Parquet", "arrow": "Arrow"}
"""The kind of file of a format."""

BATCH_BYTES = 8 << 20
"""Bytes of a batch of rows that are written again."""


class ColumnarFile(NamedTuple):
    """A file that is open.

    Attributes:
        schema: its columns, with the types that the file states.
        read: gives record batches whose values have at most so many bytes, or are one row. Strings may come as
            dictionaries.
        open_writer: opens a writer of the same format for a stream and a schema; it takes tables.
    """

    schema: Any
    read: Callable[[int], Iterator[Any]]
    open_writer: Callable[[Any, Any], Any]


def read(source: Source, columns: Columns, batch_bytes: int, *, kind: str) -> Iterator["Documents"]:
    """The documents of one file of the kind ``"Parquet"`` or ``"Arrow"``.

    Without an id column the ids are ``name:row``, rows counted from 0.
    """
    import numpy as np

    from ibidem.text.json_values import NullWarning

    warning, first_row = NullWarning("later rows"), 0
    with open_columnar(source, kind) as file:
        columns.check(source, file.schema.names)
        for batch in file.read(batch_bytes):
            numbers = np.arange(first_row, first_row + batch.num_rows)
            first_row += batch.num_rows
            yield from _documents(source, columns, *_set_aside_nulls(source, columns, batch, numbers), warning)


@contextmanager
def open_columnar(source: Source, kind: str) -> Iterator[ColumnarFile]:
    """Open a file of the kind ``"Parquet"`` or ``"Arrow"``.

    Raises:
        CorpusError: it is damaged or of another kind, now or when it is read.
    """
    with open_seekable(source) as stream:
        with _name_damage(source, kind):
            file = _OPENERS[kind](stream)

        def read(batch_bytes: int) -> Iterator[Any]:
            row, batches = 0, file.read(batch_bytes)
            while True:
                with _name_damage(source, kind, row):
                    batch = next(batches, None)
                if batch is None:
                    return
                row += batch.num_rows
                yield batch

        yield file._replace(read=read)


@contextmanager
def _name_damage(source: Source, kind: str, rows: int = 0) -> Iterator[None]:
    """Name the file, and the row behind the ``rows`` that were read, in the errors of Arrow."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        cause = f"damaged, or not {'an' if kind == 'Arrow' else 'a'} {kind} file ({error}); make or fetch it again"
        raise fault(source.path, cause, row=rows or None) from error


def _open_parquet(stream: IO[bytes]) -> ColumnarFile:
    """A Parquet file, of which a batch and one page of each column are in memory at a time, not a row group."""
    import pyarrow.parquet as pq

    # Without a buffer, or with pre_buffer, all of a row group would be in memory at once.
    options = {"buffer_size": _BUFFER_BYTES, "pre_buffer": False}
    plain = pq.ParquetFile(stream, **options)
    metadata = plain.metadata

    def read(batch_bytes: int) -> Iterator[Any]:
        # Each row group has dictionaries of its own, and of nested columns Arrow joins no two.
        for group in range(metadata.num_row_groups):
            dictionaries = _list_dictionaries(metadata.row_group(group))
            file = pq.ParquetFile(stream, metadata=metadata, read_dictionary=dictionaries, **options)
            for batch in file.iter_batches(_rows_per_batch(metadata, batch_bytes), row_groups=[group]):
                yield from _split(batch, batch_bytes)

    def open_writer(out: Any, schema: Any) -> Any:
        has_column = metadata.num_row_groups and metadata.num_columns
        codec = metadata.row_group(0).column(0).compression if has_column else "SNAPPY"
        return pq.ParquetWriter(out, schema, compression="NONE" if codec == "UNCOMPRESSED" else codec)

    return ColumnarFile(plain.schema_arrow, read, open_writer)


def _list_dictionaries(group: Any) -> list[str]:
    """The columns of bytes that have a dictionary in a row group, nested ones among them."""
    chunks = (group.column(number) for number in range(group.num_columns))
    return [chunk.path_in_schema for chunk in chunks if _has_dictionary(chunk)]


def _has_dictionary(chunk: Any) -> bool:
    """Whether the values of a column are numbers of those of a dictionary.

    A writer gives a dictionary up when it becomes too large, as one of texts does, and writes the other values as they
    are. Arrow would make a dictionary of all of them, and keep it until the row group ends.
    """
    encodings = {"RLE_DICTIONARY", "PLAIN_DICTIONARY"} & set(chunk.encodings)
    if chunk.physical_type != "BYTE_ARRAY" or not encodings or not chunk.has_dictionary_page:
        return False
    other_bytes = chunk.total_compressed_size - (chunk.data_page_offset - chunk.dictionary_page_offset)
    return bool(other_bytes <= _NUMBER_BYTES * chunk.num_values)


def _rows_per_batch(metadata: Any, batch_bytes: int) -> int:
    """So many rows as hold about ``batch_bytes``, by the sizes that the file's footer states."""
    total = sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))
    return int(min(max(batch_bytes * metadata.num_rows // max(total, 1), 1), _MOST_ROWS))


def _open_arrow(stream: IO[bytes]) -> ColumnarFile:
    """An Arrow file, whose batches are those that were written."""
    import pyarrow as pa

    is_file = stream.read(len(_ARROW_MARK)) == _ARROW_MARK
    stream.seek(0)
    reader: Any = pa.ipc.open_file(stream) if is_file else pa.ipc.open_stream(stream)

    def read(batch_bytes: int) -> Iterator[Any]:
        batches = map(reader.get_batch, range(reader.num_record_batches)) if is_file else iter(reader)
        for batch in batches:
            yield from _split(batch, batch_bytes)

    return ColumnarFile(reader.schema, read, pa.ipc.new_file if is_file else pa.ipc.new_stream)


_ARROW_MARK = b"ARROW1"

_OPENERS: dict[str, Callable[[IO[bytes]], ColumnarFile]] = {"Parquet": _open_parquet, "Arrow": _open_arrow}


def _split(batch: Any, batch_bytes: int) -> Iterator[Any]:
    """The rows of a record batch in batches of at most so many bytes of values, or of one row."""
    import numpy as np

    ends = np.cumsum(sum((_row_bytes(column) for column in batch.columns), np.zeros(batch.num_rows, np.int64)))
    begin = 0
    while begin < batch.num_rows:
        before = ends[begin - 1] if begin else 0
        most = min(begin + _MOST_ROWS, int(np.searchsorted(ends, before + batch_bytes, side="right")))
        end = max(begin + 1, most)
        yield batch.slice(begin, end - begin)
        begin = end


def _row_bytes(array: Any) -> "NDArray[np.int64]":
    """Bytes of the values of each row, int64 [n], those of a dictionary once for each row."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    kind, types = array.type, pa.types
    sizes: Any
    if types.is_dictionary(kind):
        of_value = np.append(_row_bytes(array.dictionary), 0)
        sizes = of_value[pc.fill_null(array.indices.cast(pa.int64()), len(array.dictionary)).to_numpy()]
    elif types.is_string(kind) or types.is_large_string(kind) or types.is_binary(kind) or types.is_large_binary(kind):
        sizes = np.asarray(pc.fill_null(pc.binary_length(array), 0), np.int64)
    elif types.is_struct(kind):
        sizes = np.sum([np.zeros(len(array), np.int64), *map(_row_bytes, array.flatten())], axis=0)
    elif types.is_map(kind) or types.is_list(kind) or types.is_large_list(kind):
        values = [array.keys, array.items] if types.is_map(kind) else [array.values]
        ends = np.append(0, np.cumsum(np.sum([_row_bytes(each) for each in values], axis=0)))
        sizes = np.diff(ends[np.asarray(array.offsets)])
    else:
        sizes = np.full(len(array), array.nbytes // max(1, len(array)), np.int64)
    return np.asarray(sizes, np.int64)


def restore_types(batch: Any, schema: Any) -> Any:
    """A record batch with the types of a ``schema``, where dictionaries or strings were read for them."""
    arrays = [_cast(column, kind) for column, kind in zip(batch.columns, schema.types, strict=True)]
    return type(batch).from_arrays(arrays, schema=schema)


def _cast(array: Any, kind: Any) -> Any:
    import pyarrow as pa

    if array.type == kind:
        return array
    try:
        return array.cast(kind)
    except pa.ArrowException:
        return pa.array(array.to_pylist(), kind)


def select_rows(batch: Any, is_selected: "NDArray[np.bool_]") -> Any:
    """Some rows of a record batch, also of types whose rows Arrow does not select, such as views of strings."""
    import pyarrow as pa

    try:
        return batch.filter(pa.array(is_selected))
    except pa.ArrowNotImplementedError:
        columns = (zip(column.to_pylist(), is_selected, strict=True) for column in batch.columns)
        arrays = [
            pa.array([value for value, is_row in column if is_row], kind)
            for column, kind in zip(columns, batch.schema.types, strict=True)
        ]
        return pa.record_batch(arrays, schema=batch.schema)


def _set_aside_nulls(
    source: Source, columns: Columns, batch: Any, numbers: "NDArray[np.int64]"
) -> tuple[Any, "NDArray[np.int64]"]:
    """The rows of a record batch whose text is not null, and their ``numbers`` in the file; the others are noted.

    Where null texts are an error, all rows.
    """
    import numpy as np

    texts = batch[columns.text]
    if columns.null == "error" or source.failures is None or not texts.null_count:
        return batch, numbers
    is_null = np.asarray(texts.is_null())
    nulls = select_rows(batch, is_null)
    ids: list[Any] = nulls[columns.id].to_pylist() if columns.id in batch.schema.names else []
    for at, number in enumerate(numbers[is_null].tolist()):
        id = f"{source.name}:{number}" if not ids else None if ids[at] is None else str(ids[at])
        place = f"{source.path}, row {number}"
        source.failures.add_null(source, number, place, id, is_kept=columns.null == "keep")
    return select_rows(batch, ~is_null), numbers[~is_null]


def _documents(
    source: Source, columns: Columns, batch: Any, numbers: "NDArray[np.int64]", warning: "NullWarning"
) -> Iterator["Documents"]:
    """The documents of a record batch; ``numbers`` are those of its rows in the file, from 0.

    If rows are to be left out, the batch is halved until what cannot be used is one row.
    """
    from ibidem.text.tables import TableRows

    if not batch.num_rows:
        return
    is_of_row = False

    def describe(cause: str, column: str | None, row: int | None) -> CorpusError:
        nonlocal is_of_row
        is_of_row = row is not None
        return fault(source.path, cause, row=None if row is None else int(numbers[row]), column=column)

    try:
        rows = TableRows(batch, columns.text, columns.id, describe, warning)
        yield rows.documents(lambda row: f"{source.name}:{numbers[row]}")
    except CorpusError as error:
        if source.failures is None or not source.skips or not is_of_row:
            raise
        if batch.num_rows == 1:
            source.failures.add(source, error, int(numbers[0]))
            return
        half = batch.num_rows // 2
        yield from _documents(source, columns, batch.slice(0, half), numbers[:half], warning)
        yield from _documents(source, columns, batch.slice(half), numbers[half:], warning)
