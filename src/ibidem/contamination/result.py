"""The result: the items that occur in training documents, and the items that are clean, as Arrow tables."""

import warnings
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ibidem.contamination.detector import Occurrence
from ibidem.contamination.findings import FileFindings
from ibidem.contamination.item_parts import ItemParts
from ibidem.contamination.judging import JudgedOccurrence, judge_occurrences, list_too_short
from ibidem.contamination.parts import KINDS as PARTS
from ibidem.contamination.parts import QUESTION
from ibidem.contamination.rounds import Rounds
from ibidem.text.json_values import replace_surrogates

if TYPE_CHECKING:
    import pyarrow as pa

TABLES = ("contamination", "items", "left_out")

_DIGITS = 6


class Origin(NamedTuple):
    """The origin of a document: its file, its row there from 0, its id, and its source."""

    file: str | None
    row: int | None
    id: str
    source: str = ""


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
    """The judged occurrences in all documents.

    Attributes:
        items: what was looked for.
        occurrences: and the number of the document of each, from 0 in all files.
        origins: of the documents with an occurrence.
        homes: of each of these documents the number of its file, and its own in that file.
        result: the same as tables.
    """

    items: ItemParts
    occurrences: Sequence[JudgedOccurrence]
    origins: Mapping[int, Origin]
    homes: Mapping[int, tuple[int, int]]
    result: Contamination


def judge_findings(
    rounds: Rounds,
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
    origins: dict[int, Origin] = {}
    homes: dict[int, tuple[int, int]] = {}
    occurrences: list[tuple[int, Occurrence]] = []
    documents = 0
    for number, (name, findings) in enumerate(files):
        for place, occurrence in findings.occurrences:
            document = documents + place.number
            origins[document] = Origin(name or None, place.row if name else None, place.id, place.source)
            homes[document] = number, place.number
            occurrences.append((document, occurrence))
        documents += findings.documents
    tokens = sum(findings.tokens for _, findings in files)
    sources = {document: origin.source for document, origin in origins.items()}
    rivals = rounds.find_rivals(occurrences)
    judged = judge_occurrences(rounds.items, rivals, max(tokens, least_tokens), threshold, sources)
    result = make_result(rounds.items, judged, origins, (documents, tokens), recognized, least_tokens)
    return Judgement(rounds.items, judged, origins, homes, result)


def make_result(
    parts: ItemParts,
    occurrences: Sequence[JudgedOccurrence],
    origins: dict[int, Origin],
    counts: tuple[int, int],
    recognized: Sequence[str],
    least_tokens: int = 0,
) -> Contamination:
    """Make the tables of judged occurrences; ``counts`` are the documents and running tokens that were read.

    ``least_tokens`` are those of the training data to which the documents belong.
    """
    documents, tokens = counts
    leaks = [occurrence for occurrence in occurrences if occurrence.kind == "leak"]
    other_occurrences = [occurrence for occurrence in occurrences if occurrence.kind != "leak"]
    too_short = list_too_short(parts, max(tokens, least_tokens))
    items = _make_items_table(parts, leaks, origins, {int(parts.owners[part]) for part in too_short})
    left_out = _make_table(
        parts, other_occurrences, origins, [occurrence.reason for occurrence in other_occurrences], too_short
    )
    by_eval: dict[str, Counter[str]] = defaultdict(Counter)
    statuses = items["status"].to_pylist()
    for item, status in zip(parts.items, statuses, strict=True):
        by_eval[item.eval_key][status] += 1
    summary = {
        "documents": documents,
        "tokens": tokens,
        "items": len(parts.items),
        "contaminated_items": sum(status.startswith("input") for status in statuses),
        "contaminated_documents": len({occurrence.document for occurrence in leaks}),
        "by_eval": {name: dict(sorted(counter.items())) for name, counter in sorted(by_eval.items())},
        "by_source": _count_sources(leaks, origins),
        "by_kind": dict(sorted(Counter(occurrence.kind for occurrence in occurrences).items())),
        "too_short": len(too_short),
        "recognized": list(recognized),
    }
    return Contamination(_make_table(parts, leaks, origins), items, left_out, summary, recognized)


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


def _count_sources(leaks: Sequence[JudgedOccurrence], origins: dict[int, Origin]) -> dict[str, int]:
    """Contaminated documents of each source."""
    return dict(sorted(Counter(origins[document].source for document in {leak.document for leak in leaks}).items()))


def _make_table(
    parts: ItemParts,
    occurrences: Sequence[JudgedOccurrence],
    origins: dict[int, Origin],
    reasons: Sequence[str] | None = None,
    too_short: Sequence[int] = (),
) -> "pa.Table":
    import pyarrow as pa

    rows = [describe_occurrence(parts, occurrence, origins[occurrence.document]) for occurrence in occurrences]
    rows += [_make_empty_row(parts, part) for part in too_short]
    kinds = {
        "training_file": pa.string(),
        "training_line": pa.int64(),
        "document": pa.string(),
        "start": pa.int64(),
        "end": pa.int64(),
        "eval_key": pa.string(),
        "config": pa.string(),
        "split": pa.string(),
        "eval_instance_index": pa.string(),
        "part": pa.string(),
        "eval_start": pa.int64(),
        "eval_end": pa.int64(),
        "similarity": pa.float64(),
        "containment": pa.float64(),
        "evidence": pa.float64(),
        "kind": pa.string(),
        "answer_found": pa.bool_(),
        "is_correct": pa.bool_(),
        "text": pa.string(),
        "eval_text": pa.string(),
    }
    table = pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in kinds.items()})
    if reasons is None:
        return table
    return table.add_column(0, "reason", pa.array([*reasons, *["too short"] * len(too_short)], pa.string()))


def _describe_item(parts: ItemParts, item: int) -> dict[str, Any]:
    names = parts.items[item]
    return {
        "eval_key": names.eval_key,
        "config": names.config,
        "split": names.split,
        "eval_instance_index": str(names.instance),
    }


def describe_occurrence(parts: ItemParts, judgement: JudgedOccurrence, origin: Origin) -> dict[str, Any]:
    """The row of an occurrence, with the columns of ``Contamination.contamination``."""
    occurrence = judgement.occurrence
    text = parts.texts[occurrence.part][occurrence.eval_start : occurrence.eval_end]
    return {
        "training_file": origin.file,
        "training_line": origin.row,
        "document": origin.id,
        **_describe_item(parts, int(parts.owners[occurrence.part])),
        "start": occurrence.start,
        "end": occurrence.end,
        "part": PARTS[int(parts.kinds[occurrence.part])],
        "eval_start": occurrence.eval_start,
        "eval_end": occurrence.eval_end,
        "similarity": round(occurrence.similarity, _DIGITS),
        "containment": round(occurrence.containment, _DIGITS),
        "evidence": round(judgement.evidence, _DIGITS),
        "kind": judgement.kind,
        "answer_found": occurrence.answer_found,
        "is_correct": occurrence.is_correct,
        "text": replace_surrogates(occurrence.text),
        "eval_text": replace_surrogates(text),
    }


def _make_empty_row(parts: ItemParts, part: int) -> dict[str, Any]:
    """The row of an item that is too short to tell."""
    row: dict[str, Any] = defaultdict(lambda: None)
    row |= _describe_item(parts, int(parts.owners[part]))
    row |= {"part": PARTS[int(parts.kinds[part])], "eval_text": parts.texts[part]}
    return row


def _make_items_table(
    parts: ItemParts, leaks: Sequence[JudgedOccurrence], origins: dict[int, Origin], too_short: set[int]
) -> "pa.Table":
    import pyarrow as pa

    documents: dict[int, dict[str, None]] = defaultdict(dict)
    labelled_items: set[int] = set()
    for leak in leaks:
        part = leak.occurrence.part
        item = int(parts.owners[part])
        documents[item][origins[leak.document].id] = None
        if parts.kinds[part] != QUESTION or leak.occurrence.is_correct:
            labelled_items.add(item)
    statuses = []
    for number in range(len(parts.items)):
        status = "input_and_label" if number in labelled_items else "input" if number in documents else "clean"
        statuses.append("too short" if status == "clean" and number in too_short else status)
    items = parts.items
    columns = {
        "eval_key": pa.array([item.eval_key for item in items], pa.string()),
        "config": pa.array([item.config for item in items], pa.string()),
        "split": pa.array([item.split for item in items], pa.string()),
        "eval_instance_index": pa.array([str(item.instance) for item in items], pa.string()),
        "status": pa.array(statuses, pa.string()),
        "documents": pa.array([list(documents.get(n, ())) for n in range(len(items))], pa.list_(pa.string())),
    }
    return pa.table(columns)
