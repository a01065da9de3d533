"""Reading the folder that ``ibidem decontaminate`` wrote, whatever the format of its tables."""

import csv
import json
from pathlib import Path
from typing import Any

from ibidem.corpus.writing.tables import read_safe_cell
from ibidem.errors import CorpusError

_NUMBERS = {"start": int, "end": int, "eval_start": int, "eval_end": int}
_SHARES = {"similarity": float, "containment": float, "evidence": float}


def is_contamination_folder(path: Path) -> bool:
    """Determine whether ``ibidem decontaminate`` wrote this folder."""
    return (path / "summary.json").is_file() and any(path.glob("contamination.*"))


def read_rows(path: Path, table: str) -> list[dict[str, Any]]:
    """The rows of ``contamination`` or ``left_out``; of CSV, places and shares are numbers.

    Raises:
        CorpusError: the table is missing or damaged.
    """
    file = next(iter(sorted(path.glob(f"{table}.*"))), None)
    if file is None:
        raise CorpusError(f"{path}: it has no table {table}; is it a folder that ibidem decontaminate wrote?")
    try:
        if file.suffix == ".parquet":
            import pyarrow.parquet as pq

            rows: list[dict[str, Any]] = pq.read_table(file).to_pylist()
            return rows
        with file.open(encoding="utf-8", newline="") as lines:
            if file.suffix == ".jsonl":
                return [json.loads(line) for line in lines]
            return [_convert(row) for row in csv.DictReader(lines)]
    except (OSError, ValueError) as error:
        raise CorpusError(f"{file}: cannot be read: {error}") from error


def _convert(row: dict[str, Any]) -> dict[str, Any]:
    kinds = _NUMBERS | _SHARES
    return {name: (kinds.get(name, read_safe_cell)(value) if value else None) for name, value in row.items()}
