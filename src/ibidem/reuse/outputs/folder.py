"""The result as a folder: a file for each table and ``summary.json``."""

import json
from pathlib import Path

from ibidem.corpus.writing.run_state import FOLDER
from ibidem.corpus.writing.tables import FORMATS, write_table
from ibidem.reuse.outputs.result import TABLES, Reuse


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
