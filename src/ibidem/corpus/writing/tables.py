"""Tables of results: made by the types of their columns, written as files in one of three formats, and read back.

A spreadsheet runs a text as a formula if it begins with an equals sign or another of a few characters, and texts and
ids come from anywhere. So such a text is written to CSV behind an apostrophe, and without it again when it is read.
"""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from ibidem.corpus.delimited import format_row
from ibidem.corpus.formats import FORMATS as INPUT_FORMATS
from ibidem.corpus.formats import format_of
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError
from ibidem.text.json_values import encode_json, replace_surrogates

if TYPE_CHECKING:
    import pyarrow as pa

Kinds = Mapping[str, Any]
"""The columns of a table: of each its name and the type of its values, such as ``float | None``."""

FORMATS = ("parquet", "jsonl", "csv")

_OF_PROGRAMS = ("jsonl", "parquet", "arrow")
"""The formats of collections beside which a table is Parquet."""

SUMMARY = "summary.json"
"""The file with the counts of a result, beside its tables."""

_FORMULA = re.compile(r"'*(?!-\d+(?:\.\d+)?\Z)[=+\-@\t\r]")
"""How a text begins that is written behind an apostrophe: as a formula that is no number, or as what became of one."""


def format_safe_row(values: Iterable[Any]) -> str:
    """A row of CSV without its line end, in which no text is a formula.

    >>> format_safe_row(["=1+1", "'=1+1", "one", -1, None])
    "'=1+1,''=1+1,one,-1,"
    """
    return format_row("" if value is None else _guard(value) for value in values)


def _guard(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def read_safe_cell(cell: str) -> str:
    """The text that was written to a cell of a safe row.

    >>> read_safe_cell("'=1+1"), read_safe_cell("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def choose_format(files: Iterable[Source]) -> Literal["parquet", "csv"]:
    """The format of tables about some files: Parquet of rows for programs, or CSV, which opens in any spreadsheet.

    >>> choose_format([Source("a.txt", "a.txt")]), choose_format([Source("a.txt", "a.txt"), Source("b.jsonl", "b")])
    ('csv', 'parquet')
    """
    formats = [INPUT_FORMATS[name] for name in _OF_PROGRAMS]
    return "parquet" if any(format_of(file) in formats for file in files) else "csv"


def make_schema(kinds: Kinds) -> "pa.Schema":
    """The Arrow schema of a table with columns of these kinds."""
    import pyarrow as pa

    return pa.schema(
        [pa.field(name, _arrow_type(kind), nullable=NoneType in get_args(kind)) for name, kind in kinds.items()]
    )


def make_table(kinds: Kinds, columns: Mapping[str, Any]) -> "pa.Table":
    """A table with columns of these kinds, in their order, of values or arrays by their names.

    A dictionary becomes JSON text, and NaN in a column that may lack values is null. A lone surrogate, which Arrow has
    no UTF-8 for, becomes U+FFFD.
    """
    import pyarrow as pa

    schema = make_schema(kinds)
    return pa.table([_make_column(columns[field.name], field.type, field.nullable) for field in schema], schema=schema)


def _make_column(values: Any, kind: "pa.DataType", nullable: bool) -> "pa.Array":
    import pyarrow as pa

    if kind == pa.string():
        return pa.array(map(_format_text, values), kind, size=len(values))
    return pa.array(values, kind, from_pandas=nullable)


def _format_text(value: Any) -> str | None:
    if isinstance(value, dict):
        value = encode_json(value).decode()
    return None if value is None else replace_surrogates(value)


def _arrow_type(kind: Any) -> "pa.DataType":
    """The Arrow type of values of a type of Python; tuples with names are structs, and pairs of numbers are lists."""
    import pyarrow as pa

    if NoneType in get_args(kind):
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
    origin = get_origin(kind)
    if origin is tuple:
        return pa.list_(pa.int64(), 2)
    if origin is list:
        return pa.list_(_arrow_type(get_args(kind)[0]))
    if hasattr(kind, "_fields"):
        return pa.struct([(name, _arrow_type(hint)) for name, hint in get_type_hints(kind).items()])
    types = {bool: pa.bool_(), int: pa.int64(), float: pa.float64(), str: pa.string(), dict: pa.string()}
    return types[str if origin is Literal else origin or kind]


def write_table(table: "pa.Table", path: Path, format: str) -> None:
    """Write a table to a new file in one of ``FORMATS``."""
    write_tables(table.schema, [table], path, format)


def write_tables(schema: "pa.Schema", tables: Iterable["pa.Table"], path: Path, format: str) -> None:
    """Write a table that comes in parts, which need not be in memory together, to a new file in one of ``FORMATS``."""
    _WRITERS[format](schema, tables, path)


def _write_parquet(schema: "pa.Schema", tables: Iterable["pa.Table"], path: Path) -> None:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(path, schema) as file:
        for table in tables:
            file.write_table(table)


def _write_jsonl(schema: "pa.Schema", tables: Iterable["pa.Table"], path: Path) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        for row in _read_rows(tables):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _write_csv(schema: "pa.Schema", tables: Iterable["pa.Table"], path: Path) -> None:
    with path.open("x", encoding="utf-8", newline="") as file:
        file.write(format_safe_row(schema.names) + "\n")
        for row in _read_rows(tables):
            file.write(format_safe_row(map(_format_cell, row.values())) + "\n")


def _format_cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, bool | list | dict) else value


def _read_rows(tables: Iterable["pa.Table"]) -> Iterator[dict[str, Any]]:
    for table in tables:
        for batch in table.to_batches(max_chunksize=1 << 14):
            yield from batch.to_pylist()


_WRITERS = {"parquet": _write_parquet, "jsonl": _write_jsonl, "csv": _write_csv}


def write_result(tables: Mapping[str, "pa.Table"], summary: Mapping[str, Any], folder: Path, format: str) -> None:
    """Write each table of a result into a folder, as ``pairs.parquet`` and so on, and the summary.

    Raises:
        ValueError: the format is none of ``FORMATS``.
    """
    if format not in FORMATS:
        raise ValueError(f"a format is one of {', '.join(FORMATS)}, not {format!r}")
    for name, table in tables.items():
        write_table(table, folder / f"{name}.{format}", format)
    write_summary(summary, folder)


def write_summary(summary: Mapping[str, Any], folder: Path) -> None:
    """Write the counts of a result into its folder."""
    (folder / SUMMARY).write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")


def holds_result(folder: Path, table: str) -> bool:
    """Return whether a folder has a summary and a table of this name."""
    return (folder / SUMMARY).is_file() and _find_file(folder, table) is not None


def read_summary(folder: Path, names: Iterable[str], command: str) -> dict[str, Any]:
    """The counts of a result, which ``command`` wrote, with entries of these ``names``.

    Raises:
        CorpusError: there are none.
    """
    file = folder / SUMMARY
    try:
        summary = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CorpusError(f"{file}: cannot be read: {error}; is {folder} a folder that {command} wrote?") from error
    if not isinstance(summary, dict) or not set(names) <= summary.keys():
        raise CorpusError(f"{file}: it is no summary of {command}")
    return summary


def read_table(folder: Path, name: str, kinds: Kinds) -> "pa.Table":
    """A table of a result, whatever its format; columns that ``kinds`` does not have are texts where it was CSV.

    Raises:
        CorpusError: it is not there, or no table.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = _find_file(folder, name)
    if file is None:
        raise CorpusError(f"{folder}: it has no {' or '.join(f'{name}.{format}' for format in FORMATS)}")
    try:
        if file.suffix == ".parquet":
            return pq.read_table(file)
        with file.open(encoding="utf-8", newline="") as lines:
            rows = list(map(json.loads, lines) if file.suffix == ".jsonl" else _parse_rows(lines, kinds))
        types = {name: _arrow_type(kind) for name, kind in kinds.items()}
        names = dict.fromkeys(name for row in rows for name in row) or types
        return pa.table({name: pa.array([row.get(name) for row in rows], types.get(name)) for name in names})
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise CorpusError(f"{file}: cannot be read: {error}") from error


def _find_file(folder: Path, table: str) -> Path | None:
    files = (folder / f"{table}.{format}" for format in FORMATS)
    return next((file for file in files if file.is_file()), None)


def _parse_rows(lines: Iterable[str], kinds: Kinds) -> Iterator[dict[str, Any]]:
    """The rows of a table in CSV: an empty cell is ``None``, but for a text that is always there."""
    reader = csv.reader(lines)
    names = [read_safe_cell(cell) for cell in next(reader, [])]
    parsers = [_choose_parser(kinds.get(name, str | None)) for name in names]
    for cells in reader:
        yield {name: parse(cell) for name, parse, cell in zip(names, parsers, cells, strict=True)}


def _choose_parser(kind: Any) -> Callable[[str], Any]:
    import pyarrow as pa

    type = _arrow_type(kind)
    parse: Callable[[str], Any] = json.loads
    if type in (pa.string(), pa.float64()):
        parse = read_safe_cell if type == pa.string() else float
    return (lambda cell: parse(cell) if cell else None) if NoneType in get_args(kind) else parse
