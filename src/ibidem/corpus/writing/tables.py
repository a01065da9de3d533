"""Arrow tables as files, in the formats in which results are written.

A spreadsheet runs a text as a formula if it begins with an equals sign or another of a few characters, and texts and
ids come from anywhere. So such a text is written to CSV behind an apostrophe, and without it again when it is read.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ibidem.corpus.delimited import format_row
from ibidem.corpus.formats import FORMATS as INPUT_FORMATS
from ibidem.corpus.formats import format_of
from ibidem.corpus.sources import Source

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("parquet", "jsonl", "csv")

_OF_PROGRAMS = ("jsonl", "parquet", "arrow")
"""The formats of collections beside which a table is Parquet."""

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
