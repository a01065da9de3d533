"""The result: the items that occur in training documents, and the items that are clean, as Arrow tables."""

import warnings
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ibidem.contamination.detector import Detector
from ibidem.contamination.findings import FileFindings
from ibidem.contamination.items import Item
from ibidem.contamination.judging import JudgedOccurrence, judge_occurrences, list_too_short
from ibidem.contamination.parts import KINDS, QUESTION
from ibidem.corpus.writing.tables import Kinds, make_table
from ibidem.text.json_values import replace_surrogates

if TYPE_CHECKING:
    import pyarrow as pa

_OCCURRENCES: Kinds = {
    "training_file": str | None,
    "training_line": int | None,
    "document": str | None,
    "start": int | None,
    "end": int | None,
    "eval_key": str,
    "config": str,
    "split": str,
    "eval_instance_index": str,
    "part": str,
    "eval_start": int | None,
    "eval_end": int | None,
    "similarity": float | None,
    "containment": float | None,
    "evidence": float | None,
    "kind": str | None,
    "answer_found": bool | None,
    "is_correct": bool | None,
    "text": str | None,
    "eval_text": str,
}
"""An item that is too short to tell has a row without a place."""

_ITEMS: Kinds = {
    "eval_key": str,
    "config": str,
    "split": str,
    "eval_instance_index": str,
    "status": str,
    "documents": list[str],
}

TABLES: Mapping[str, Kinds] = {
    "contamination": _OCCURRENCES,
    "items": _ITEMS,
    "left_out": {"reason": str, **_OCCURRENCES},
}
"""The tables, and their columns."""

_DIGITS = 6


@dataclass(frozen=True)
class Contamination:
    """The items of evaluations that occur in training data, as Arrow tables; places count code points, half open.

    Attributes:
        contamination: the leaks, a row for each document and part of an item: ``training_file, training_line,
            document, start, end, eval_key, config, split, eval_instance_index, part, eval_start, eval_end, similarity,
            containment, evidence, kind, answer_found, is_correct, text, eval_text``.
        items: each item with ``status``, ``"clean"``, ``"input"``, ``"input_and_label"`` or ``"too short"``, and the
            ids of the ``documents`` that hold it.
        left_out: the other occurrences, with the columns of ``contamination`` and the ``reason``: the kind, and of
            templates and boilerplate how that is known.
        summary: the numbers.
        recognized: what each file of evals was taken for.
    """

    contamination: "pa.Table"
    items: "pa.Table"
    left_out: "pa.Table"
    summary: dict[str, Any]
    recognized: Sequence[str] = field(default=(), repr=False)

    def __repr__(self) -> str:
        counts = ", ".join(f"{getattr(self, name).num_rows} {name.replace('_', ' ')}" for name in TABLES)
        return f"Contamination({counts})"

    def _repr_html_(self) -> str:
        """The leaks under the counts; the first rows."""
        from ibidem.comparison.markup import render_rows

        return render_rows(repr(self), self.contamination)


class Judgement(NamedTuple):
    """The leaks in all documents, and the tables of these and of all other occurrences."""

    leaks: Sequence[JudgedOccurrence]
    result: Contamination


def judge_findings(
    detector: Detector,
    files: Sequence[tuple[str, FileFindings]],
    threshold: float,
    recognized: Sequence[str],
    least_tokens: int = 0,
) -> Judgement:
    """Judge what was found in all files: the frequencies of phrases among all documents are known.

    Args:
        files: what each file holds, and its name, which is empty for documents of no file.
        threshold: the least share of a part of an item in a leak.
        recognized: what each file of evals was taken for.
        least_tokens: running tokens of the training data that the documents belong to, if these are more.
    """
    occurrences = [
        each._replace(document=each.document._replace(file=number))
        for number, (_, findings) in enumerate(files)
        for each in findings.occurrences
    ]
    tokens = sum(findings.tokens for _, findings in files)
    judged = judge_occurrences(detector, occurrences, max(tokens, least_tokens), threshold)
    leaks = [each for each in judged if each.kind == "leak"]
    others = [each for each in judged if each.kind != "leak"]
    too_short = list_too_short(detector, max(tokens, least_tokens))
    names = [name for name, _ in files]
    rows = [describe_occurrence(detector, each, names) for each in leaks]
    rows_left_out = [{"reason": each.reason, **describe_occurrence(detector, each, names)} for each in others]
    rows_left_out += [{"reason": "too short", **_describe_part(detector, part)} for part in too_short]
    statuses = _find_statuses(detector, leaks, {int(detector.parts.items[part]) for part in too_short})
    summary = {
        "documents": sum(findings.documents for _, findings in files),
        "tokens": tokens,
        **_count_items(detector.items, statuses),
        "contaminated_documents": len({leak.occurrence.document.key for leak in leaks}),
        "by_eval": _count_by_eval(detector.items, statuses),
        "by_source": _count_by_source(leaks),
        "by_kind": dict(sorted(Counter(each.kind for each in judged).items())),
        "too_short": len(too_short),
        "recognized": list(recognized),
    }
    tables = {
        "contamination": _tabulate("contamination", rows),
        "items": _tabulate("items", _describe_items(detector, leaks, statuses)),
        "left_out": _tabulate("left_out", rows_left_out),
    }
    return Judgement(leaks, Contamination(**tables, summary=summary, recognized=recognized))


def _tabulate(table: str, rows: Sequence[Mapping[str, Any]]) -> "pa.Table":
    kinds = TABLES[table]
    return make_table(kinds, {name: [row.get(name) for row in rows] for name in kinds})


def warn_of_nothing(summary: Mapping[str, Any]) -> None:
    """Warn whoever called the caller if nothing can be found, for one reason."""
    counts = Counter[str]()
    for by_status in summary["by_eval"].values():
        counts.update(by_status)
    if summary["documents"] and not summary["tokens"]:
        warnings.warn("no document of the training data has a token to compare", stacklevel=3)
    elif set(counts) == {"too short"}:
        warnings.warn(
            f"every item is too short to be found in so much text: {counts.total():,} of {counts.total():,}",
            stacklevel=3,
        )


def _count_items(items: Sequence[Item], statuses: Sequence[str]) -> dict[str, int]:
    return {"items": len(items), "contaminated_items": sum(status.startswith("input") for status in statuses)}


def _count_by_eval(items: Sequence[Item], statuses: Sequence[str]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for item, status in zip(items, statuses, strict=True):
        counts[item.eval_key][status] += 1
    return {name: dict(sorted(counter.items())) for name, counter in sorted(counts.items())}


def _count_by_source(leaks: Sequence[JudgedOccurrence]) -> dict[str, int]:
    """Contaminated documents of each source."""
    sources = {leak.occurrence.document.key: leak.occurrence.document.source for leak in leaks}
    return dict(sorted(Counter(sources.values()).items()))


def describe_item(item: Item) -> dict[str, str]:
    """The names of an item, as tables and notes have them."""
    return {
        "eval_key": item.eval_key,
        "config": item.config,
        "split": item.split,
        "eval_instance_index": str(item.instance),
    }


def _describe_part(detector: Detector, part: int) -> dict[str, Any]:
    """The names of a part and its text."""
    names = describe_item(detector.items[int(detector.parts.items[part])])
    return {**names, "part": KINDS[int(detector.parts.kinds[part])], "eval_text": detector.parts.texts[part]}


def describe_occurrence(
    detector: Detector, judgement: JudgedOccurrence, files: Sequence[str] | None = None
) -> dict[str, Any]:
    """The row of an occurrence, with the columns of ``Contamination.contamination``.

    ``files`` are the names of the files of the documents, an empty one of documents of no file; those of none if not
    given.
    """
    occurrence = judgement.occurrence
    part, file = _describe_part(detector, occurrence.part), files[occurrence.document.file] if files else ""
    return part | {
        "training_file": file or None,
        "training_line": occurrence.document.row if file else None,
        "document": occurrence.document.id,
        "start": occurrence.start,
        "end": occurrence.end,
        "eval_start": occurrence.eval_start,
        "eval_end": occurrence.eval_end,
        "similarity": round(occurrence.similarity, _DIGITS),
        "containment": round(occurrence.containment, _DIGITS),
        "evidence": round(judgement.evidence, _DIGITS),
        "kind": judgement.kind,
        "answer_found": occurrence.answer_found,
        "is_correct": occurrence.is_correct,
        "text": occurrence.text,
        "eval_text": replace_surrogates(part["eval_text"][occurrence.eval_start : occurrence.eval_end]),
    }


def _find_statuses(detector: Detector, leaks: Sequence[JudgedOccurrence], too_short: set[int]) -> list[str]:
    """The status of each item."""
    statuses = ["too short" if number in too_short else "clean" for number in range(len(detector.items))]
    for leak in leaks:
        part = leak.occurrence.part
        item = int(detector.parts.items[part])
        is_labelled = detector.parts.kinds[part] != QUESTION or leak.occurrence.is_correct
        if is_labelled or statuses[item] != "input_and_label":
            statuses[item] = "input_and_label" if is_labelled else "input"
    return statuses


def _describe_items(
    detector: Detector, leaks: Sequence[JudgedOccurrence], statuses: Sequence[str]
) -> list[dict[str, Any]]:
    """The rows of the items, each with the ids of the documents that hold it."""
    documents: dict[int, dict[str, None]] = defaultdict(dict)
    for leak in leaks:
        documents[int(detector.parts.items[leak.occurrence.part])][leak.occurrence.document.id] = None
    return [
        {**describe_item(item), "status": status, "documents": list(documents.get(number, ()))}
        for number, (item, status) in enumerate(zip(detector.items, statuses, strict=True))
    ]
