"""The result as a folder: a file for each table and ``summary.json``, whole or not there at all."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ibidem.corpus.delimited import format_row
from ibidem.corpus.writing.output_folder import require_absent
from ibidem.engine.earlier import FOLDER
from ibidem.engine.workplace import finish_aside, make_aside
from ibidem.reuse.outputs.result import TABLES, Reuse
from ibidem.system import disk

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("parquet", "jsonl", "csv")


@contextmanager
def open_new_folder(output: Path) -> Iterator[Path]:
    """A folder to write to, which is named ``output`` once all is written, and is gone if that fails.

    Raises:
        CorpusError: ``output`` exists, or the folder that should hold it does not.
    """
    require_absent(output)
    folder = make_aside(output)
    try:
        yield folder
        require_absent(output)
        finish_aside(folder, output)
    except BaseException:
        disk.remove_tree(folder)
        raise


def write_reuse(reuse: Reuse, folder: Path, format: str = "parquet") -> None:
    """Write each table into ``folder``, as ``pairs.parquet`` and so on, and the numbers as ``summary.json``.

    The state that a later run needs to update this one goes into ``state``.

    Raises:
        ValueError: the format is none of ``FORMATS``.
    """
    if format not in FORMATS:
        raise ValueError(f"a format is one of {', '.join(FORMATS)}, not {format!r}")
    for name in TABLES:
        write_table(getattr(reuse, name), folder / f"{name}.{format}", format)
    if reuse.run is not None:
        reuse.run.write(folder / FOLDER)
    (folder / "summary.json").write_text(json.dumps(reuse.summary, indent=2) + "\n", encoding="utf-8")


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
