"""``audit``: what decontamination would miss in these training data of these evals, measured on planted items.

Items are planted into a sample of the training data, each once in a round, so that an item is as rare as if it had
leaked once. Every round is the job of :func:`ibidem.find_contamination`. What the sample holds of the items already
is found first, and documents that hold any are no hosts.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ibidem.arguments import require_fraction
from ibidem.auditing.plants import KINDS, Plant, make_plants
from ibidem.contamination.evals import AnyEvals, EvalColumns, as_evals
from ibidem.contamination.find import find_contamination
from ibidem.contamination.items import Evals
from ibidem.errors import CorpusError
from ibidem.resources import Progress
from ibidem.sketches.estimates import binomial_interval
from ibidem.text import Collection, Document, TokenizerSpec, as_batches

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["GRID", "Audit", "audit"]

GRID = tuple(number / 20 for number in range(2, 21))
"""Thresholds at which recall and precision are counted."""

LENGTHS = (("1 to 12", 12), ("13 to 24", 24), ("25 to 49", 49), ("50 to 99", 99), ("100 or more", 1 << 60))
"""Lengths of planted texts, in words: their names, and the most words of each."""

_ItemKey = tuple[str, str, str, str]


class Outcome(NamedTuple):
    """What was found of a plant.

    Attributes:
        plant: what was planted.
        containment: the greatest share of a part of the item that was called a leak; 0 if there is none.
        reason: why what was found is no leak, if nothing else was found; ``"not found"`` if nothing was.
        wrong: the containment of each other item that was called a leak of the document.
    """

    plant: Plant
    containment: float
    reason: str
    wrong: tuple[float, ...]


@dataclass(frozen=True)
class Audit:
    """What was found of planted items, as Arrow tables.

    Attributes:
        kinds: a row for each kind, and for each kind and length of the planted text: ``kind, words, planted, found,
            recall, recall_low, recall_high, reported, right, precision, precision_low, precision_high,
            threshold_for_target``. Intervals are those of Clopper and Pearson, of 95 %. The last column is the highest
            threshold at which the recall would be the target; null if it is met at none.
        curve: ``kind, threshold, recall, precision`` on a grid of thresholds.
        missed: the plants that were not found: ``kind, words, eval_key, eval_instance_index, reason, text``.
        summary: the numbers, and what the sample held of the items already.
    """

    kinds: "pa.Table"
    curve: "pa.Table"
    missed: "pa.Table"
    summary: dict[str, Any] = field(repr=False)

    def __repr__(self) -> str:
        whole = [row for row in self.kinds.to_pylist() if row["words"] == "all"]
        lines = [f"  {row['kind']}: {row['found']} of {row['planted']} found" for row in whole]
        return "\n".join([f"Audit: {self.summary['planted']:,} planted", *lines])


def audit(
    train: Collection,
    evals: AnyEvals,
    *,
    threshold: float = 0.5,
    target: float = 0.95,
    sample: int = 2000,
    plants: int = 50,
    seed: int = 0,
    question: str | None = None,
    answer: str | None = None,
    passage: str | None = None,
    choices: str | None = None,
    tokenizer: TokenizerSpec = "words",
    text: str = "text",
    id: str = "id",
    memory: str | int = "1G",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Measure what :func:`ibidem.find_contamination` finds of items of ``evals`` that are planted into ``train``.

    Each item is planted with its question and correct answer: verbatim, wrapped anew, in documents of 50 to 5,000
    words, with 10 to 40 % of its words replaced, its sentences in another order, its question or answer alone, and as
    a machine misreads it. Passages that a question is about are not planted.

    Args:
        train: the training data; they are read once, and ``sample`` documents drawn from them, all as likely.
        evals, question, answer, passage, choices: as of ``find_contamination``.
        threshold: that at which leaks are counted.
        target: the recall for which a threshold is looked for.
        plants: about how many plants of each kind.
        seed: names the draws; the same seed gives the same result.

    Raises:
        ValueError: an argument is out of its range.
        CorpusError: a document or an item cannot be used, or the training data have no words.

    >>> evals = [{"question": "Which river flows through Grahamstown in the Eastern Cape?", "answer": "None"}]
    >>> found = audit([f"the weather of day {n} was fine and dry" for n in range(30)], evals, plants=1)
    >>> found.kinds.select(["kind", "planted", "found"]).slice(0, 1).to_pylist()
    [{'kind': 'verbatim', 'planted': 1, 'found': 1}]
    """
    require_fraction("threshold", threshold)
    require_fraction("target", target)
    for name, value in (("sample", sample), ("plants", plants)):
        if value < 1:
            raise ValueError(f"{name} must be 1 or more, not {value}")
    items, drawn = as_evals(evals, EvalColumns(question, answer, passage, choices)), random.Random(seed)
    documents, read = draw_documents(train, sample, drawn, text, id)
    job: dict[str, Any] = {"threshold": GRID[0], "tokenizer": tokenizer, "memory": memory, "threads": threads}
    before = find_contamination(documents, items, **job)
    held = {row["document"] for row in before.contamination.to_pylist() if row["containment"] >= min(threshold, _HELD)}
    hosts = [document.text for document in documents if document.id not in held and document.text.strip()]
    if not hosts:
        raise CorpusError("the training data have no document to plant items in: none without an item has a text")
    numbered = list(enumerate(items.items))
    drawn.shuffle(numbered)
    rounds = min(len(KINDS), -(-plants * len(KINDS) // len(numbered)))
    numbered = numbered[: max(-(-plants * len(KINDS) // rounds), 1)]
    outcomes: list[Outcome] = []
    for turn in range(rounds):
        planted = list(make_plants(numbered, hosts, turn, drawn))
        found = find_contamination([*documents, *(plant.document for plant in planted)], items, **job)
        outcomes += judge_plants(planted, items, found.contamination.to_pylist(), found.left_out.to_pylist())
        if progress is not None:
            progress("auditing", turn + 1, rounds)
    summary = {
        "documents_read": read,
        "documents_sampled": len(documents),
        "documents_with_items_already": len(held),
        "items": len(items.items),
        "planted": len(outcomes),
        "rounds": rounds,
        "threshold": threshold,
        "target": target,
        "seed": seed,
        "recognized": list(items.recognized),
    }
    return Audit(
        kinds=_table_of_kinds(outcomes, threshold, target),
        curve=_table_of_curve(outcomes),
        missed=_table_of_missed(outcomes, items, threshold),
        summary=summary,
    )


_HELD = 0.5
"""A document of the sample that holds so much of an item is no host."""


def draw_documents(
    train: Collection, count: int, drawn: random.Random, text: str = "text", id: str = "id"
) -> tuple[list[Document], int]:
    """``count`` documents, all as likely as each other, and how many were read (Vitter's algorithm R, 1985)."""
    kept: list[Document] = []
    read = 0
    for batch in as_batches(train, text, id):
        for row in range(len(batch.ids)):
            place = read if read < count else drawn.randrange(read + 1)
            read += 1
            if place < count:
                document = Document(f"sampled-{read}", batch.texts[row])
                kept[place : place + 1] = [document]
    return kept, read


def judge_plants(
    plants: Sequence[Plant],
    evals: Evals,
    leaks: Iterable[dict[str, Any]],
    left_out: Iterable[dict[str, Any]],
) -> list[Outcome]:
    """What was found of each plant."""
    reported: dict[str, list[tuple[_ItemKey, float]]] = defaultdict(list)
    for row in leaks:
        reported[row["document"]].append((_key_of(row), row["containment"]))
    reasons = {(row["document"], _key_of(row)): row["reason"] for row in left_out if row["document"] is not None}
    outcomes = []
    for plant in plants:
        item = evals.items[plant.item]
        key = (item.eval_key, item.config, item.split, str(item.instance))
        found = reported[plant.document.id]
        best: dict[_ItemKey, float] = defaultdict(float)
        for other, containment in found:
            best[other] = max(best[other], containment)
        reason = reasons.get((plant.document.id, key), "not found")
        wrong = tuple(containment for other, containment in best.items() if other != key)
        outcomes.append(Outcome(plant, best[key], reason, wrong))
    return outcomes


def _key_of(row: dict[str, Any]) -> _ItemKey:
    return row["eval_key"], row["config"], row["split"], str(row["eval_instance_index"])


def _count(outcomes: Sequence[Outcome], threshold: float) -> tuple[int, int]:
    """How many plants were found at a threshold, and how many items were reported of their documents."""
    found = sum(outcome.containment >= threshold for outcome in outcomes)
    return found, found + sum(wrong >= threshold for outcome in outcomes for wrong in outcome.wrong)


def _threshold_for(outcomes: Sequence[Outcome], target: float) -> float | None:
    """The highest threshold of the grid with this recall."""
    return max((each for each in GRID if _count(outcomes, each)[0] >= target * len(outcomes)), default=None)


def _table_of_kinds(outcomes: Sequence[Outcome], threshold: float, target: float) -> "pa.Table":
    rows = []
    for kind in KINDS:
        own = [outcome for outcome in outcomes if outcome.plant.kind == kind.name]
        parts = [("all", own)]
        least = 0
        for name, most in LENGTHS:
            parts.append((name, [each for each in own if least < each.plant.words <= most]))
            least = most
        rows += [_row(kind.name, words, part, threshold, target) for words, part in parts if part]
    return _make_table(rows)


def _row(kind: str, words: str, outcomes: Sequence[Outcome], threshold: float, target: float) -> dict[str, Any]:
    found, reported = _count(outcomes, threshold)
    recall, precision = binomial_interval(found, len(outcomes)), binomial_interval(found, reported)
    return {
        "kind": kind,
        "words": words,
        "planted": len(outcomes),
        "found": found,
        "recall": found / len(outcomes),
        "recall_low": recall.low,
        "recall_high": recall.high,
        "reported": reported,
        "right": found,
        "precision": found / reported if reported else None,
        "precision_low": precision.low if reported else None,
        "precision_high": precision.high if reported else None,
        "threshold_for_target": _threshold_for(outcomes, target),
    }


def _table_of_curve(outcomes: Sequence[Outcome]) -> "pa.Table":
    rows = []
    for kind in KINDS:
        own = [outcome for outcome in outcomes if outcome.plant.kind == kind.name]
        for threshold in GRID if own else ():
            found, reported = _count(own, threshold)
            precision = found / reported if reported else None
            rows.append({"kind": kind.name, "threshold": threshold, "recall": found / len(own), "precision": precision})
    return _make_table(rows)


def _table_of_missed(outcomes: Sequence[Outcome], evals: Evals, threshold: float) -> "pa.Table":
    import pyarrow as pa

    columns = ("kind", "words", "eval_key", "eval_instance_index", "reason", "text")
    kinds = (pa.string(), pa.int64(), *[pa.string()] * 4)
    rows = []
    for outcome in outcomes:
        if outcome.containment < threshold:
            item, plant = evals.items[outcome.plant.item], outcome.plant
            reason = "partial" if outcome.containment else outcome.reason
            values = (plant.kind, plant.words, item.eval_key, str(item.instance), reason, plant.document.text)
            rows.append(dict(zip(columns, values, strict=True)))
    return pa.Table.from_pylist(rows, pa.schema(list(zip(columns, kinds, strict=True))))


def _make_table(rows: list[dict[str, Any]]) -> "pa.Table":
    import pyarrow as pa

    texts, counts = {"kind", "words"}, {"planted", "found", "reported", "right"}
    names = list(rows[0]) if rows else []
    kinds = [pa.string() if name in texts else pa.int64() if name in counts else pa.float64() for name in names]
    return pa.Table.from_pylist(rows, pa.schema(list(zip(names, kinds, strict=True))))
