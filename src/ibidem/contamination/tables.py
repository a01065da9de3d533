"""The files of a result: its tables in one of several formats, the summary, and leaks in the fields of decon's reports.

decon (https://github.com/allenai/decon) numbers lines from 0. Fields that count its own runs of five tokens have no
counterpart and are left out; its readers take them as unknown.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ibidem.contamination.item_parts import ItemParts
from ibidem.contamination.judging import JudgedOccurrence
from ibidem.contamination.result import TABLES, Judgement, Origin
from ibidem.corpus.writing.tables import write_table
from ibidem.text.json_values import replace_surrogates

_DIGITS = 6

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


def render_decon(parts: ItemParts, occurrences: Sequence[JudgedOccurrence], origins: Mapping[int, Origin]) -> bytes:
    """A line of JSON for each leak."""
    leaks = (leak for leak in occurrences if leak.kind == "leak")
    rows = (describe_for_decon(parts, leak, origins[leak.document]) for leak in leaks)
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def describe_for_decon(parts: ItemParts, leak: JudgedOccurrence, origin: Origin) -> dict[str, Any]:
    """The fields of a report for one leak; what is unknown is left out."""
    occurrence, part = leak.occurrence, leak.occurrence.part
    item, kind = parts.items[int(parts.owners[part])], int(parts.kinds[part])
    score = round(occurrence.containment, _DIGITS)
    reference, _, place = item.place.rpartition(", ")
    number = place.split(" ")[-1]
    fields = {
        "training_file": origin.file or "",
        "training_line": origin.row or 0,
        "eval_dataset": item.eval_key,
        "eval_key": item.eval_key,
        "eval_line": int(number) - place.startswith("line") if number.isdigit() else 0,
        "eval_instance_index": item.instance if isinstance(item.instance, int) else None,
        "split": item.split or None,
        "method": "ibidem",
        "contamination_score": score,
        ("idf_overlap", "answer_idf_overlap", "passage_idf_overlap")[kind]: score,
        "training_overlap_text": replace_surrogates(occurrence.text),
        "eval_overlap_text": replace_surrogates(parts.texts[part][occurrence.eval_start : occurrence.eval_end]),
        "eval_question_text": replace_surrogates(item.question),
        "eval_answer_text": _choose_answer(item.answers, item.correct),
        "eval_passage_text": replace_surrogates(item.passage) or None,
        "is_correct": occurrence.is_correct,
        "reference_file": reference or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _choose_answer(answers: Sequence[str], correct: int | None) -> str | None:
    """The correct answer, or the first if that is not known."""
    return replace_surrogates(answers[correct or 0]) if answers else None
