"""Writing a file again in its own format and compression: without some rows, with other texts, or with one more column.

What stays is copied unchanged, byte for byte, from JSON lines, CSV, TSV and plain text, with its line ends; a Parquet
or Arrow file keeps its schema, metadata and codec. Of a row whose text changes nothing else does: in JSON lines only
the bytes of the text are replaced, wherever their place is certain. The changed text of a PDF, a Word file and the like
is written as plain text, in a file beside the place of the original.

The values of a new column are lists of objects with the same names: a list of structs in Parquet, an array in JSON
lines, and in CSV and TSV the same array as text. A file of plain text has no columns, and gets none.
"""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import msgspec

from ibidem.corpus.columnar import KINDS
from ibidem.corpus.delimited import format_row, split_row
from ibidem.corpus.dialects import DELIMITERS, find_dialect
from ibidem.corpus.faults import fault
from ibidem.corpus.formats import FORMATS, format_of, read_source
from ibidem.corpus.opening import compression_of, open_rows, open_stored, open_stream, read_whole, remove_mark
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.changes import Changes, Dropped, Edit, FileRows
from ibidem.corpus.writing.output_file import create_file
from ibidem.corpus.writing.raw_rows import RawRow, split_delimited, split_lines
from ibidem.errors import CorpusError
from ibidem.text.json_values import encode_json

if TYPE_CHECKING:
    from ibidem.text import Documents


def rewrite_file(source: Source, changes: Changes, target: Path, dropped: Dropped | None = None) -> None:
    """Write ``source`` with ``changes`` to ``target``, which has the same suffixes.

    Rows that the reader has left out are not written, except for those that it keeps as they are.

    Args:
        dropped: receives the documents that are not kept.

    Raises:
        CorpusError: the file does not have as many documents, since it was changed in the meantime; or it has a column
            of the name of the new one.
    """
    rows = FileRows(source, changes, dropped)
    failures = source.failures
    if failures is not None and failures.lacks_rest(source):
        with suppress(CorpusError):  # where the reader stopped, too
            _write(source, rows, target)
        return
    count = _write(source, rows, target)
    if count != len(rows.keep):
        raise fault(source.path, f"it had {len(rows.keep)} documents when it was read first, and has {count} now")


def _write(source: Source, rows: FileRows, target: Path) -> int:
    """Write a file; return how many rows ``source`` has."""
    name = next(name for name, file_format in FORMATS.items() if file_format == format_of(source))
    if name == "jsonl":
        return _write_lines(source, rows, target)
    if name in DELIMITERS:
        return _write_delimited(source, rows, target, name)
    if name in KINDS:
        from ibidem.corpus.writing.rewriting_columns import write_columns

        return write_columns(source, rows, target, KINDS[name])
    return _write_text(source, rows, target)


_Change = Callable[[int, bytes], bytes | None]
"""Returns what is written in the place of a row, by its number and its bytes; ``None`` if it is dropped."""


def _write_rows(parts: Iterator[RawRow], change: _Change, target: Path) -> int:
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


def _write_lines(source: Source, rows: FileRows, target: Path) -> int:
    text, column = rows.changes.text, rows.changes.column

    def change(row: int, line: bytes) -> bytes | None:
        if not rows.keeps(row):
            rows.drop(row, lambda: line)
            return None
        if (edit := rows.find_edit(row)) is not None:
            line = _edit_object(line, text, edit)
        if column is not None:
            column.require_new(source, list(json.loads(line)))
            fields, brace, ending = line.rpartition(b"}")
            value = json.dumps(column.name) + ": " + column.describe(int(rows.documents[row]))
            line = fields.rstrip() + b", " + value.encode() + brace + ending
        return line

    with open_stream(source) as stream:
        return _write_rows(split_lines(source, stream), change, target)


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


def _write_delimited(source: Source, rows: FileRows, target: Path, format: str) -> int:
    dialect = find_dialect(source, format)
    delimiter, column, names = dialect.delimiter, rows.changes.column, list[str]()

    def extend(row: bytes, value: str) -> bytes:
        ending = _ending(row)
        return row[: len(row) - len(ending)] + (delimiter + format_row([value], delimiter)).encode() + ending

    def learn_names(parts: Iterator[RawRow]) -> Iterator[RawRow]:
        for part in parts:
            if part.is_header:
                names.extend(split_row(part.data, delimiter))
                if column is not None:
                    column.require_new(source, names)
                    part = part._replace(data=extend(part.data, column.name))
            yield part

    def change(row: int, data: bytes) -> bytes | None:
        if not rows.keeps(row):
            rows.drop(row, lambda: encode_json(dict(zip(names, split_row(data, delimiter), strict=True))))
            return None
        if (edit := rows.find_edit(row)) is not None:
            fields, place = split_row(data, delimiter), names.index(rows.changes.text)
            fields[place] = edit(fields[place])
            data = format_row(fields, delimiter).encode() + _ending(data)
        return data if column is None else extend(data, column.describe(int(rows.documents[row])))

    with open_rows(source._replace(encoding=dialect.encoding)) as stream:
        return _write_rows(learn_names(split_delimited(source, stream, delimiter)), change, target)


def _write_text(source: Source, rows: FileRows, target: Path) -> int:
    """A file whose text is not its bytes is copied if the text stays; else the text is written, as ``NAME.txt``."""
    column, edit = rows.changes.text, rows.changes.edits.get(0)
    if len(rows.keep) != 1:
        return 1
    documents = Columns(column, "", sys.maxsize, source.encoding)  # what it holds was read before
    if not rows.keep[0]:
        rows.drop(0, lambda: _encode_document(next(read_source(source, documents, 1)), column))
        return 1
    content = None
    if not source.pages:
        with open_stream(source) as stream:
            content = read_whole(source, stream, sys.maxsize)
    if edit is not None:
        texts = [text for batch in read_source(source, documents, 1) for text in batch.texts]
        if len(texts) != 1:
            return len(texts)  # another file than the one that was read
        edited = edit(texts[0]).encode("utf-8", "surrogatepass")
        if content is None or texts[0].encode("utf-8", "surrogatepass") != remove_mark(content):
            with create_file(_name_text_beside(target), None) as out:
                out.write(edited)
            return 1
        content = content[: len(content) - len(remove_mark(content))] + edited
    if content is None:
        _copy_pages(source, target)
        return 1
    with create_file(target, compression_of(str(target))) as out:
        out.write(content)
    return 1


def _encode_document(batch: "Documents", column: str) -> bytes:
    """The document of a file of prose as a JSON object of its text and its metadata."""
    text = {column: batch.texts[0]}
    return encode_json(text | json.loads(batch.metadata[0]) | text)


def _name_text_beside(target: Path) -> Path:
    """The file that takes the cut text of one whose text is not its bytes, such as ``essay.pdf.txt``."""
    name = target.stem if compression_of(target.name) else target.name
    beside = target.with_name(f"{name}.txt")
    if beside.exists():
        raise CorpusError(f"{beside}: another input has this name, which the text of {target.name} takes: rename it")
    return beside


def _copy_pages(source: Source, target: Path) -> None:
    """Copy the files that are the pages of a document into a new folder."""
    target.mkdir()
    for page in source.pages:
        with open_stored(page) as stream, create_file(target / PurePath(page.path).name) as out:
            shutil.copyfileobj(stream, out)
