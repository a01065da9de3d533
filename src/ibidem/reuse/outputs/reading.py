"""Reading the folder that ``ibidem reuse`` wrote, whatever the format of its tables."""

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ibidem.comparison.shares import COUNTS, NO_WORDS, make_columns
from ibidem.corpus.writing.tables import read_safe_cell
from ibidem.errors import CorpusError
from ibidem.reuse.outputs.result import TABLES

if TYPE_CHECKING:
    import pyarrow as pa

_LOCATORS = ("a_locator", "b_locator", "locator", "central_locator")
_NAMES = ("a", "b", "document", "cluster", "central", "source", "kind", "reason", "boilerplate", *_LOCATORS)
_TEXTS = ("a_text", "b_text", "text")
_WHOLE = ("a_start", "a_end", "b_start", "b_end", "start", "end", "source_start", "source_end")
_COUNTS = (
    "size",
    "documents",
    "central_start",
    "central_end",
    "tokens",
    "reused_tokens",
    "common_tokens",
    "pairs",
    "passages",
)
_PAIR = ("a", "a_start", "a_end", "b", "b_start", "b_end", "similarity", "evidence", "kind", "containment")
_COLUMNS = {
    "pairs": _PAIR,
    "left_out": ("reason", *_PAIR),
    "passages": (
        "cluster", "document", "start", "end", "date", "source", "source_start", "source_end", "boilerplate", "chain",
    ),
    "clusters": (
        "cluster", "size", "documents", "weakest", "central", "central_start", "central_end", "boilerplate",
    ),
    "document_pairs": ("a", "b", "passages", "evidence", *make_columns(NO_WORDS, NO_WORDS)),
}  # fmt: skip
"""The columns of a table of JSON lines without a row, which would name them."""

_SIDES = tuple(f"{side}_{name}" for side in "ab" for name in COUNTS)
_REAL = (
    *("similarity", "evidence", "containment", "weakest", "reused"),
    *(f"{side}_{name}_share" for side in "ab" for name in ("identical", "similar")),
)


def is_reuse_folder(path: Path) -> bool:
    """Return whether ``ibidem reuse`` wrote this folder."""
    return path.is_dir() and (path / "summary.json").is_file() and _find_file(path, "pairs") is not None


def read_summary(path: Path) -> dict[str, Any]:
    """The numbers of the work.

    Raises:
        CorpusError: there are none.
    """
    file = path / "summary.json"
    try:
        summary = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CorpusError(f"{file}: cannot be read: {error}; is {path} a folder that ibidem reuse wrote?") from error
    if not isinstance(summary, dict) or not set(TABLES) <= summary.keys():
        raise CorpusError(f"{file}: it is no summary of ibidem reuse")
    return summary


def read_table(path: Path, name: str) -> "pa.Table":
    """A table of the folder; names and texts are strings, places whole numbers, whatever the format.

    Raises:
        CorpusError: it is not there, or no table.
    """
    file = _find_file(path, name)
    if file is None:
        raise CorpusError(
            f"{path}: it has no {name}.parquet, {name}.jsonl or {name}.csv; give a folder of ibidem reuse"
        )
    try:
        return _READERS[file.suffix](file)
    except (OSError, ValueError, KeyError) as error:
        raise CorpusError(f"{file}: cannot be read: {error}") from error


def _find_file(path: Path, name: str) -> Path | None:
    files = (path / f"{name}{suffix}" for suffix in _READERS)
    return next((file for file in files if file.is_file()), None)


def _read_parquet(file: Path) -> "pa.Table":
    import pyarrow.parquet as pq

    return pq.read_table(file)


def _read_jsonl(file: Path) -> "pa.Table":
    with file.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    names = dict.fromkeys(name for row in rows for name in row)
    return _make_table(rows, list(names or _COLUMNS.get(file.stem, ())))


def _read_csv(file: Path) -> "pa.Table":
    with file.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines)
        reader.fieldnames = list(map(read_safe_cell, reader.fieldnames or ()))
        rows = [{name: _parse_cell(name, cell) for name, cell in row.items()} for row in reader]
        return _make_table(rows, list(reader.fieldnames))


def _parse_cell(name: str, cell: str) -> Any:
    """Parse a cell of CSV. An empty one is ``None``, except for a name or a text."""
    cell = read_safe_cell(cell)
    if name in ("a", "b", "document", "cluster", "central", *_TEXTS):
        return cell
    if not cell:
        return None
    if name in (*_WHOLE, *_COUNTS, *_SIDES):
        return int(cell)
    if name in ("chain", "a_quotations", "b_quotations"):
        return json.loads(cell)
    if name == "date":
        return int(cell) if cell.removeprefix("-").isdecimal() else cell
    return float(cell) if name in _REAL else cell


def _make_table(rows: list[dict[str, Any]], columns: list[str]) -> "pa.Table":
    import pyarrow as pa

    kinds = dict.fromkeys((*_NAMES, *_TEXTS), pa.string()) | dict.fromkeys((*_WHOLE, *_COUNTS, *_SIDES), pa.int64())
    kinds |= dict.fromkeys(_REAL, pa.float64())
    cells = {name: [row.get(name) for row in rows] for name in columns}
    try:
        return pa.table({name: pa.array(values, kinds.get(name)) for name, values in cells.items()})
    except pa.ArrowTypeError:  # a column of the input with values of several kinds
        typed_columns = {name: pa.array(values, kinds[name]) for name, values in cells.items() if name in kinds}
        string_columns = {
            name: [None if value is None else str(value) for value in cells[name]] for name in cells.keys() - kinds
        }
        return pa.table(
            typed_columns | {name: pa.array(values, pa.string()) for name, values in string_columns.items()}
        )


_READERS = {".parquet": _read_parquet, ".jsonl": _read_jsonl, ".csv": _read_csv}
