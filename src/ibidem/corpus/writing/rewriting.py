"""Writing files with other texts: each in its own format and compression, with all its rows and columns.

Rows whose text stays are copied unchanged, byte for byte, from JSON lines, CSV, TSV and plain text. Of a row whose text
changes nothing else does: in JSON lines only the bytes of the text are replaced, wherever their place is certain, and a
Parquet file keeps its schema, metadata and codec. The changed text of a PDF, a Word file and the like is written as
plain text, in a file beside the place of the original.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ibidem.corpus import delimited
from ibidem.corpus.formats import read_source
from ibidem.corpus.opening import compression_of, open_rows, open_stream, remove_mark
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.filtering import (
    Change,
    RawRow,
    RowWriters,
    copy_columns,
    copy_pages,
    split_delimited,
    split_lines,
    write_rows,
)
from ibidem.corpus.writing.output_file import create_file
from ibidem.errors import CorpusError

if TYPE_CHECKING:
    import pyarrow as pa

Edit = Callable[[str], str]
"""From the text of a row to the text that takes its place."""

_Edits = Mapping[int, Edit]


def write_edited(source: Source, column: str, edits: _Edits, rows: int, target: Path) -> None:
    """Write ``source`` with other texts to ``target``, which has the same suffixes.

    Args:
        column: the column that holds the text.
        edits: the rows whose text changes, counted from 0.
        rows: how many rows the file had when it was read.

    Raises:
        CorpusError: the file does not have that many rows: it was changed in the meantime.
    """
    _WRITERS.write(source, target, column, edits, rows=rows)


def _write_lines(source: Source, column: str, edits: _Edits, target: Path) -> int:
    with open_stream(source) as stream:
        return write_rows(
            split_lines(source, stream), _edit(edits, lambda row, edit: _edit_object(row, column, edit)), target
        )


def _write_delimited(source: Source, column: str, edits: _Edits, target: Path, *, delimiter: str) -> int:
    place = -1

    def find_column(parts: Iterator[RawRow]) -> Iterator[RawRow]:
        nonlocal place
        for part in parts:
            if part.is_header:
                place = delimited.split_row(part.data, delimiter).index(column)
            yield part

    with open_rows(source) as stream:
        parts = find_column(split_delimited(source, stream, delimiter))
        return write_rows(parts, _edit(edits, lambda row, edit: _edit_fields(row, place, edit, delimiter)), target)


def _write_text(source: Source, column: str, edits: _Edits, target: Path) -> int:
    """A file whose text is not its bytes is copied if the text stays; else the text is written, as ``NAME.txt``."""
    content: bytes | None = None
    if not source.pages:
        with open_stream(source) as stream:
            content = stream.read()
    if edits:
        texts = [
            text
            for batch in read_source(source, Columns(column, "", sys.maxsize, source.encoding), 1)
            for text in batch.texts
        ]
        if len(texts) != 1:
            return len(texts)  # another file than the one that was read
        if content is None or texts[0].encode("utf-8", "surrogatepass") != remove_mark(content):
            with create_file(_name_text_beside(target), None) as out:
                out.write(edits[0](texts[0]).encode("utf-8", "surrogatepass"))
            return 1
    if content is None:
        copy_pages(source, target)
        return 1
    text = remove_mark(content)
    parts = iter([RawRow(content[: len(content) - len(text)], is_row=False), RawRow(text, is_row=True)])
    return write_rows(parts, _edit(edits, lambda row, edit: edit(row.decode()).encode()), target)


def _name_text_beside(target: Path) -> Path:
    """The file that takes the cut text of one whose text is not its bytes, such as ``essay.pdf.txt``."""
    name = target.stem if compression_of(target.name) else target.name
    beside = target.with_name(f"{name}.txt")
    if beside.exists():
        raise CorpusError(f"{beside}: another input has this name, which the text of {target.name} takes: rename it")
    return beside


def _edit(edits: _Edits, change: Callable[[bytes, Edit], bytes]) -> Change:
    """Change the rows that have an edit."""
    return lambda row, data: change(bytes(data), edits[row]) if row in edits else data


def _edit_object(line: bytes, column: str, edit: Edit) -> bytes:
    """A line of JSON with another text."""
    try:
        values = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
        raw = bytes(values[column])
        new = msgspec.json.encode(edit(msgspec.json.decode(raw, type=str)))
    except (msgspec.DecodeError, UnicodeError, RecursionError):  # what the reader reads with ``json``, too
        others = json.loads(line)
        return json.dumps(others | {column: edit(others[column])}).encode() + _ending(line)
    if line.count(raw) == 1:
        return line.replace(raw, new)
    pairs = (msgspec.json.encode(name) + b":" + (new if name == column else bytes(values[name])) for name in values)
    return b"{" + b",".join(pairs) + b"}" + _ending(line)


def _ending(line: bytes) -> bytes:
    return line[len(line.rstrip(b"\r\n")) :]


def _edit_fields(row: bytes, place: int, edit: Edit, delimiter: str) -> bytes:
    """A row of CSV or TSV with another text."""
    fields = delimited.split_row(row, delimiter)
    fields[place] = edit(fields[place])
    return delimited.format_row(fields, delimiter).encode() + _ending(row)


def _write_columns(source: Source, column: str, edits: _Edits, target: Path, *, kind: str) -> int:
    return copy_columns(source, kind, lambda batch, first: _edit_batch(batch, column, edits, first), target)


def _edit_batch(batch: "pa.RecordBatch", column: str, edits: _Edits, first: int) -> "pa.RecordBatch":
    """The rows of a batch, the first of which is the row ``first`` of its file."""
    import pyarrow as pa

    edited_rows = [row for row in range(batch.num_rows) if first + row in edits]
    if not edited_rows:
        return batch
    texts: list[Any] = batch[column].to_pylist()
    for row in edited_rows:
        texts[row] = edits[first + row](texts[row])
    return batch.set_column(batch.schema.get_field_index(column), column, pa.array(texts, pa.large_string()))


_WRITERS = RowWriters(_write_lines, _write_delimited, _write_columns, _write_text)
