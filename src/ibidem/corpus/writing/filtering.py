"""Writing a part of a collection: the rows of a file that are wanted, in the file's own format and compression.

Rows are copied unchanged, byte for byte, from JSON lines, CSV and TSV, with their line ends; a Parquet or Arrow file
keeps its schema, metadata and codec. The reader makes one document of each row, so flags for the documents of a file,
in their order, are flags for its rows.
"""

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar

from ibidem.corpus.columnar import BATCH_BYTES, KINDS, open_columnar, restore_types
from ibidem.corpus.delimited import names_delimiter
from ibidem.corpus.delimited_rows import split_rows
from ibidem.corpus.dialects import DELIMITERS, find_dialect
from ibidem.corpus.faults import fault
from ibidem.corpus.formats import FORMATS, format_of, read_source
from ibidem.corpus.json_records import is_blank, read_array
from ibidem.corpus.opening import (
    BYTE_ORDER_MARK,
    compression_of,
    open_rows,
    open_stored,
    open_stream,
    read_long_lines,
    read_whole,
)
from ibidem.corpus.rows import Columns, join_small_batches
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.output_file import create_file
from ibidem.errors import CorpusError
from ibidem.system import disk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ibidem.text import Documents


_Note = TypeVar("_Note")


class CountedDocuments:
    """The documents of some files, as ``read`` gives them, and how many each file had.

    Attributes:
        counts: documents of each file that was read to its end.
    """

    def __init__(self, files: list[Source], columns: Columns, batch_bytes: int = 8 << 20) -> None:
        self.files, self.columns, self.batch_bytes = files, columns, batch_bytes
        self.counts: list[int] = []

    def __iter__(self) -> Iterator["Documents"]:
        self.counts = []
        return join_small_batches(self._batches(), self.batch_bytes)

    def _batches(self) -> Iterator["Documents"]:
        for file in self.files:
            count = 0
            for batch in read_source(file, self.columns, self.batch_bytes):
                count += len(batch.ids)
                yield batch
            self.counts.append(count)


_GROUP_ROWS, _GROUP_BYTES = 1 << 16, 32 << 20
"""Rows of a row group that is written, and the bytes at which it ends before."""

LeftOut = Callable[[int, bytes | memoryview], None]
"""Takes a row that is not kept, by its number and its bytes."""


def write_filtered(source: Source, keep: "NDArray[np.bool_]", target: Path, left_out: LeftOut | None = None) -> None:
    """Write the rows of ``source`` that are ``keep``, bool [rows], to ``target``, which has the same suffixes.

    Args:
        left_out: receives the other rows of a file of JSON lines.

    Raises:
        CorpusError: the file does not have that many rows: it was changed in the meantime.
    """
    lines = partial(_write_lines, left_out=left_out)
    writers = RowWriters(lines, _write_delimited, _write_columns, _write_text)
    writers.write(source, target, _with_left_out(source, keep), rows=len(keep))


class ReadableFile(NamedTuple):
    """A file of which every row can be read.

    Attributes:
        rows: how many there are.
        numbers: int64 [n], the row of each document; the others are kept as they are.
    """

    source: Source
    rows: int
    numbers: "NDArray[np.int64]"

    def by_row(self, notes: Mapping[int, _Note]) -> dict[int, _Note]:
        """The notes on some documents by their rows."""
        return {int(self.numbers[document]): note for document, note in notes.items()}


def keep_readable(source: Source, documents: int, folder: Path) -> ReadableFile:
    """The source, or a copy without the rows that were left out of it; the copy takes the place of the last."""
    import numpy as np

    failures = source.failures
    if failures is None or not (failures.lacks_rest(source) or len(failures.rows_of(source))):
        return ReadableFile(source, documents, np.arange(documents))
    copy = disk.make_empty(folder) / PurePath(source.name).name
    write_filtered(source, np.ones(documents, np.bool_), copy)
    numbers = _number_documents(failures.rows_of(source), documents)
    kept = np.union1d(numbers, failures.kept_rows_of(source))
    pages = tuple(page._replace(path=str(copy / PurePath(page.path).name)) for page in source.pages)
    readable = Source(str(copy), source.name, delimiter=source.delimiter, pages=pages)
    return ReadableFile(readable, len(kept), np.searchsorted(kept, numbers))


def _number_documents(others: "NDArray[np.int64]", documents: int) -> "NDArray[np.int64]":
    """The rows of so many documents, behind and between the ``others``."""
    import numpy as np

    return np.delete(np.arange(documents + len(others)), others)


def _with_left_out(source: Source, keep: "NDArray[np.bool_]") -> "NDArray[np.bool_]":
    """The flags of all rows; of those that are no documents, some are kept as they are, and none else is wanted."""
    import numpy as np

    if source.failures is None:
        return keep
    rows = source.failures.rows_of(source)
    flags = np.zeros(len(keep) + len(rows), np.bool_)
    flags[_number_documents(rows, len(keep))] = keep
    flags[source.failures.kept_rows_of(source)] = True
    return flags


class RowWriters(NamedTuple):
    """The functions that write the rows of a file, by the format of the file.

    Each takes the source, what is to be done with its rows, and the target, and gives how many rows the source has;
    ``delimited`` takes the ``delimiter`` too, and ``columns`` the ``kind``.
    """

    lines: Callable[..., int]
    delimited: Callable[..., int]
    columns: Callable[..., int]
    text: Callable[..., int]

    def write(self, source: Source, target: Path, *arguments: Any, rows: int) -> None:
        """Write a file; ``rows`` are those that it had when it was read.

        Raises:
            CorpusError: the file does not have that many rows: it was changed in the meantime.
        """
        writers: dict[str, Callable[..., int]] = {
            "jsonl": self.lines,
            **{name: partial(self.columns, kind=kind) for name, kind in KINDS.items()},
            "text": self.text,
        }
        name = next(name for name, file_format in FORMATS.items() if file_format == format_of(source))
        if name in DELIMITERS:
            dialect = find_dialect(source, name)
            source = source._replace(encoding=dialect.encoding)
            writers[name] = partial(self.delimited, delimiter=dialect.delimiter)
        failures = source.failures
        if failures is not None and failures.lacks_rest(source):
            with suppress(CorpusError):  # where the reader stopped, too
                writers[name](source, *arguments, target)
            return
        rows += 0 if failures is None else len(failures.rows_of(source))
        rows_read = writers[name](source, *arguments, target)
        if rows_read != rows:
            raise fault(source.path, f"it had {rows} documents when it was read first, and has {rows_read} now")


Change = Callable[[int, bytes | memoryview], bytes | memoryview | None]
"""Returns what is written in the place of a row, by its number and its bytes; ``None`` if it is left out."""


class RawRow(NamedTuple):
    """An unchanged part of a file: a row, or a part outside of all rows, such as a header.

    Attributes:
        data: its bytes; of a long line of JSON, a view of the file in which it lies.
        separator: the bytes between the row and the one before it.
        is_header: whether it has the names of the columns.
    """

    data: bytes | memoryview
    is_row: bool
    separator: bytes = b""
    is_header: bool = False


def _write_lines(source: Source, keep: "NDArray[np.bool_]", target: Path, *, left_out: LeftOut | None) -> int:
    with open_stream(source) as stream:
        return write_rows(split_lines(source, stream), _choose(keep, left_out), target)


def _write_delimited(source: Source, keep: "NDArray[np.bool_]", target: Path, *, delimiter: str) -> int:
    with open_rows(source) as stream:
        return write_rows(split_delimited(source, stream, delimiter), _choose(keep), target)


def _write_text(source: Source, keep: "NDArray[np.bool_]", target: Path) -> int:
    if source.pages and (len(keep) != 1 or keep[0]):
        copy_pages(source, target)
    elif len(keep) != 1 or keep[0]:
        with open_stream(source) as stream:
            content = read_whole(source, stream, sys.maxsize)  # it was read before
            return write_rows(iter([RawRow(content, is_row=True)]), _choose(keep), target)
    return 1


def copy_pages(source: Source, target: Path) -> None:
    """Copy the files that are the pages of a document into a new folder."""
    target.mkdir()
    for page in source.pages:
        with open_stored(page) as stream, create_file(target / PurePath(page.path).name) as out:
            shutil.copyfileobj(stream, out)


def _choose(keep: "NDArray[np.bool_]", left_out: LeftOut | None = None) -> Change:
    def choose(row: int, data: bytes | memoryview) -> bytes | memoryview | None:
        if row < len(keep) and keep[row]:
            return data
        if left_out is not None:
            left_out(row, data)
        return None

    return choose


def write_rows(parts: Iterator[RawRow], change: Change, target: Path) -> int:
    """Write the parts of a file, of each row what ``change`` makes of it; return how many rows there are."""
    row = rows_written = 0
    with create_file(target, compression_of(str(target))) as out:
        for data, is_row, separator, _ in parts:
            new_data = change(row, data) if is_row else data
            if new_data is not None:
                if rows_written and separator:
                    out.write(separator)
                out.write(new_data)
                rows_written += is_row
            row += is_row
    return row


def split_lines(source: Source, stream: IO[bytes]) -> Iterator[RawRow]:
    """The rows of JSON lines, or of an array; a byte order mark stays at the beginning of the file alone."""
    first, elements = read_array(source, stream, None)  # what it holds was read before
    if elements is not None:
        yield RawRow(b"[\n", is_row=False)
        yield from (RawRow(element, is_row=True, separator=b",\n") for element in elements)
        yield RawRow(b"\n]\n", is_row=False)
        return
    lines = chain(first, read_long_lines(source, stream, None))
    for number, line in enumerate(lines, source.lines_before + 1):
        if line[: len(BYTE_ORDER_MARK)] == BYTE_ORDER_MARK:
            if number == 1:
                yield RawRow(BYTE_ORDER_MARK, is_row=False)
            line = line[len(BYTE_ORDER_MARK) :]
        if line and not is_blank(line):
            yield RawRow(_end_long_line(line), is_row=True)


def _end_long_line(line: bytes | memoryview) -> bytes | memoryview:
    """As ``end_line``; a view of a line that has its end is not copied."""
    return line if line[-1:] == b"\n" else end_line(bytes(line))


def split_delimited(source: Source, stream: BinaryIO, delimiter: str) -> Iterator[RawRow]:
    """The rows of CSV or TSV behind the header, before which a line may name the delimiter."""
    header_at = 0
    for number, row in enumerate(split_rows(source, stream, delimiter, None)):  # what it holds was read before
        data = row.parts[0] if len(row.parts) == 1 else b"".join(row.parts)
        if number == 0 and names_delimiter(row):
            header_at = 1
        yield RawRow(_end_long_line(data), is_row=number > header_at, is_header=number == header_at)


def end_line(row: bytes) -> bytes:
    """The row with the end of line that the last of a file may lack: another may come after it."""
    return row if row.endswith(b"\n") else row + b"\n"


def _write_columns(source: Source, keep: "NDArray[np.bool_]", target: Path, *, kind: str) -> int:
    import pyarrow as pa

    def choose(batch: Any, row: int) -> Any:
        flags = keep[row : row + batch.num_rows]
        return batch.filter(pa.array(flags)) if len(flags) == batch.num_rows and flags.any() else None

    return copy_columns(source, kind, choose, target)


def copy_columns(
    source: Source, kind: str, change: Callable[[Any, int], Any], target: Path, fields: Sequence[Any] = ()
) -> int:
    """Copy a Parquet or Arrow file batch by batch; return how many rows it has.

    ``change`` takes a batch and the number of its first row, and gives the batch to be written, or ``None`` for none;
    batches have the columns of the file, and then the new ``fields``.
    """
    row = 0
    with open_columnar(source, kind) as file:
        schema = file.schema
        for field in fields:
            schema = schema.append(field)
        with (
            create_file(target, compression_of(str(target))) as out,
            file.open_writer(out, schema) as writer,
            _RowGroups(writer) as groups,
        ):
            for batch in file.read(BATCH_BYTES):
                new_batch = change(batch, row)
                row += batch.num_rows
                if new_batch is not None:
                    groups.add(restore_types(new_batch, schema))
    return row


class _RowGroups:
    """Batches on their way to a file, some of them in each row group."""

    def __init__(self, writer: Any) -> None:
        self._writer, self._batches = writer, list[Any]()

    def __enter__(self) -> "_RowGroups":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._write()

    def add(self, batch: Any) -> None:
        """Take a batch; write those that were taken if they are a row group."""
        self._batches.append(batch)
        rows, size = sum(each.num_rows for each in self._batches), sum(each.nbytes for each in self._batches)
        if rows >= _GROUP_ROWS or size >= _GROUP_BYTES:
            self._write()

    def _write(self) -> None:
        import pyarrow as pa

        if self._batches:
            self._writer.write_table(pa.Table.from_batches(self._batches))
            self._batches.clear()
