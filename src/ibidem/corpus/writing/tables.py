"""Arrow tables as files, in the formats in which results are written."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ibidem.corpus.delimited import format_row

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("parquet", "jsonl", "csv")


def write_table(table: "pa.Table", path: Path, format: str) -> None:
    """Write a table to a new file in one of ``FORMATS``."""
    _WRITERS[format](table, path)


def _write_parquet(table: "pa.Table", path: Path) -> None:
    import pyarrow.parquet as pq

    pq.write_table(table, path)


def _write_jsonl(table: "pa.Table", path: Path) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        for row in _read_rows(table):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _write_csv(table: "pa.Table", path: Path) -> None:
    with path.open("x", encoding="utf-8", newline="") as file:
        file.write(format_row(table.column_names) + "\n")
        for row in _read_rows(table):
            file.write(format_row("" if value is None else _format_cell(value) for value in row.values()) + "\n")


def _format_cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _read_rows(table: "pa.Table") -> Iterator[dict[str, Any]]:
    for batch in table.to_batches(max_chunksize=1 << 14):
        yield from batch.to_pylist()


_WRITERS = {"parquet": _write_parquet, "jsonl": _write_jsonl, "csv": _write_csv}
