"""The files of a result: its tables in one of several formats, and the summary."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ibidem.contamination.decon import render_decon
from ibidem.contamination.result import TABLES, Judgement
from ibidem.corpus.writing.tables import write_table

EXPORTS = ("decon",)
"""Formats in which leaks can be written beside the tables."""


def write_tables(judgement: Judgement, summary: Mapping[str, Any], format: str, also: Sequence[str], to: Path) -> None:
    """Write the tables and the summary of a result, and the formats that are asked for ``also``, into a folder."""
    for name in TABLES:
        write_table(getattr(judgement.result, name), to / f"{name}.{format}", format)
    if "decon" in also:
        (to / "decon").mkdir()
        report = render_decon(judgement.items, judgement.occurrences, judgement.origins)
        (to / "decon" / "report.jsonl").write_bytes(report)
    (to / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
