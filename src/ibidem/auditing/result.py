"""The result of an audit: what became of each plant, and recall and precision of each form, as tables."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from ibidem.auditing.plants import KINDS, Plant
from ibidem.contamination.items import Evals, Item
from ibidem.corpus.writing.tables import Kinds, make_table
from ibidem.intervals import binomial_interval
from ibidem.rounding import reaches

if TYPE_CHECKING:
    import pyarrow as pa

GRID = tuple(number / 20 for number in range(2, 21))
"""Thresholds at which recall and precision are counted."""

LENGTHS = (("1 to 12", 12), ("13 to 24", 24), ("25 to 49", 49), ("50 to 99", 99), ("100 or more", 1 << 60))
"""Lengths of planted texts, in words: their names, and the most words of each."""

_RATE = float | None

_OF_KINDS: Kinds = {
    "kind": str,
    "words": str,
    "planted": int,
    "found": int,
    "recall": _RATE,
    "recall_low": _RATE,
    "recall_high": _RATE,
    "reported": int,
    "right": int,
    "precision": _RATE,
    "precision_low": _RATE,
    "precision_high": _RATE,
    "threshold_for_target": _RATE,
    "false": int,
    "false_share": _RATE,
    "false_low": _RATE,
    "false_high": _RATE,
}

_CURVE: Kinds = {"kind": str, "threshold": float, "recall": _RATE, "precision": _RATE, "false_share": _RATE}

_MISSED: Kinds = {
    "kind": str,
    "words": int,
    "eval_key": str,
    "eval_instance_index": str,
    "reason": str,
    "text": str,
}

_ItemKey = tuple[str, str, str, str]


class Outcome(NamedTuple):
    """The result of the search for a plant.

    Attributes:
        plant: what was planted.
        containment: the greatest share of a part of the item that was called a leak, or of a passage that was found;
            0 if there is none. Of several documents the least of these.
        reason: why what was found is no leak, if nothing else was found; ``"not found"`` if nothing was.
        wrong: the containment of each item that was called a leak of the document, and is none.
    """

    plant: Plant
    containment: float
    reason: str
    wrong: tuple[float, ...]

    def is_found(self, threshold: float) -> bool:
        """Return whether the plant was found as expected at a threshold; one that is no leak is never found."""
        return self.plant.expected != "no leak" and reaches(self.containment, threshold)

    def is_false(self, threshold: float) -> bool:
        """Return whether an item was wrongly called a leak of the document at a threshold."""
        return any(reaches(wrong, threshold) for wrong in self.wrong)


def judge_plants(
    plants: Sequence[Plant],
    evals: Evals,
    leaks: Iterable[dict[str, Any]],
    left_out: Iterable[dict[str, Any]],
) -> list[Outcome]:
    """Determine the outcome of each plant."""
    leaks, left_out = list(leaks), [row for row in left_out if row["document"] is not None]
    item_of = {_key_of_item(item): item for item in evals.items}
    question_shares = _find_asked(leaks, left_out, item_of)
    shares_found: dict[str, dict[_ItemKey, float]] = defaultdict(lambda: defaultdict(float))
    passages: dict[tuple[str, str], float] = defaultdict(float)
    for row in leaks:
        document, key, containment = row["document"], _key_of(row), row["containment"]
        if row["part"] == "passage":
            text = item_of[key].passage
            passages[document, text] = max(passages[document, text], containment)
            containment = min(containment, question_shares[document, text])
        shares_found[document][key] = max(shares_found[document][key], containment)
    for row in left_out:
        if row["part"] == "passage" and row["reason"] == "source":
            text = item_of[_key_of(row)].passage
            passages[row["document"], text] = max(passages[row["document"], text], row["containment"])
    reasons = {(row["document"], _key_of(row)): row["reason"] for row in left_out}
    outcomes = []
    for plant in plants:
        item = evals.items[plant.item]
        key, is_leak = _key_of_item(item), plant.expected == "leak"
        shares = [
            shares_found[planted_document.id][key]
            if is_leak
            else passages[planted_document.id, item.passage]
            if plant.expected == "source"
            else 0.0
            for planted_document in plant.holders
        ]
        worst = plant.holders[shares.index(min(shares))].id
        wrong: dict[_ItemKey, float] = {}
        for number, planted_document in enumerate((*plant.holders, *plant.templates)):
            for other_key, share in shares_found[planted_document.id].items():
                is_right = is_leak and other_key == key and number < len(plant.holders)
                if share and not is_right:
                    wrong[other_key] = max(wrong.get(other_key, 0.0), share)
        reason = reasons.get((worst, key), "not found")
        outcomes.append(Outcome(plant, min(shares), reason, tuple(wrong.values())))
    return outcomes


def _find_asked(
    leaks: Iterable[dict[str, Any]], left_out: Iterable[dict[str, Any]], item_of: Mapping[_ItemKey, Item]
) -> dict[tuple[str, str], float]:
    """The share of a question about each passage that each document holds, by document and passage."""
    question_shares: dict[tuple[str, str], float] = defaultdict(float)
    for row in chain(leaks, left_out):
        if row["part"] == "question" and row.get("reason") != "similar item":
            place = row["document"], item_of[_key_of(row)].passage
            question_shares[place] = max(question_shares[place], row["containment"])
    return question_shares


def _key_of(row: dict[str, Any]) -> _ItemKey:
    return row["eval_key"], row["config"], row["split"], row["eval_instance_index"]


def _key_of_item(item: Item) -> _ItemKey:
    return item.eval_key, item.config, item.split, str(item.instance)


@dataclass(frozen=True)
class Audit:
    """The results for planted items, as Arrow tables.

    Attributes:
        kinds: a row for each kind, and for each kind and length of the planted text: ``kind, words, planted, found,
            recall, recall_low, recall_high, reported, right, precision, precision_low, precision_high,
            threshold_for_target, false, false_share, false_low, false_high``. Intervals are those of Clopper and
            Pearson, of 95 %. ``threshold_for_target`` is the highest threshold at which the recall would be the target;
            null if it is met at none. ``false`` counts the plants in whose documents an item was called a leak that is
            none. Plants that are no leak have no recall and no precision.
        curve: ``kind, threshold, recall, precision, false_share`` on a grid of thresholds.
        missed: the plants that were not found, or are no leak and were called one: ``kind, words, eval_key,
            eval_instance_index, reason, text``.
        summary: the numbers, and what the sample held of the items already.
    """

    kinds: "pa.Table"
    curve: "pa.Table"
    missed: "pa.Table"
    summary: dict[str, Any] = field(repr=False)

    @classmethod
    def of(cls, outcomes: Sequence[Outcome], evals: Evals, summary: dict[str, Any]) -> "Audit":
        """The results for these plants of items of ``evals``, at the threshold and for the target of the summary."""
        threshold = summary["threshold"]
        return cls(
            kinds=_table_of_kinds(outcomes, threshold, summary["target"]),
            curve=_table_of_curve(outcomes),
            missed=_table_of_missed(outcomes, evals, threshold),
            summary=summary,
        )

    def __repr__(self) -> str:
        rows = [row for row in self.kinds.to_pylist() if row["words"] == "all"]
        lines = [
            f"  {row['kind']}: "
            + (
                f"{row['false']} of {row['planted']} false"
                if row["recall"] is None
                else f"{row['found']} of {row['planted']} found"
            )
            for row in rows
        ]
        return "\n".join([f"Audit: {self.summary['planted']:,} planted", *lines])

    def _repr_html_(self) -> str:
        """The table of kinds under the count; its first rows."""
        from ibidem.comparison.markup import render_rows

        return render_rows(f"Audit: {self.summary['planted']:,} planted", self.kinds)


def _count(outcomes: Sequence[Outcome], threshold: float) -> tuple[int, int]:
    """How many plants were found at a threshold, and how many items were reported of their documents."""
    right = sum(outcome.is_found(threshold) for outcome in outcomes)
    return right, right + sum(reaches(wrong, threshold) for outcome in outcomes for wrong in outcome.wrong)


def _threshold_for(outcomes: Sequence[Outcome], target: float) -> float | None:
    """The highest threshold of the grid with this recall."""
    return max(
        (threshold for threshold in GRID if _count(outcomes, threshold)[0] >= target * len(outcomes)), default=None
    )


def _table_of_kinds(outcomes: Sequence[Outcome], threshold: float, target: float) -> "pa.Table":
    rows = []
    for kind in KINDS:
        kind_outcomes = [outcome for outcome in outcomes if outcome.plant.kind == kind.name]
        parts = [("all", kind_outcomes)]
        least = 0
        for name, most in LENGTHS:
            parts.append((name, [outcome for outcome in kind_outcomes if least < outcome.plant.words <= most]))
            least = most
        rows += [_row(kind.name, words, part, threshold, target) for words, part in parts if part]
    return _make_table(_OF_KINDS, rows)


def _row(kind: str, words: str, outcomes: Sequence[Outcome], threshold: float, target: float) -> dict[str, Any]:
    right, number_reported = _count(outcomes, threshold)
    false = sum(outcome.is_false(threshold) for outcome in outcomes)
    is_leak = outcomes[0].plant.expected != "no leak"
    return {
        "kind": kind,
        "words": words,
        "planted": len(outcomes),
        "found": right,
        **_share_of("recall", "recall", right, len(outcomes) if is_leak else 0),
        "reported": number_reported,
        "right": right,
        **_share_of("precision", "precision", right, number_reported if is_leak else 0),
        "threshold_for_target": _threshold_for(outcomes, target) if is_leak else None,
        "false": false,
        **_share_of("false_share", "false", false, len(outcomes)),
    }


def _share_of(name: str, ends: str, count: int, total: int) -> dict[str, float | None]:
    """A share with the ends of its interval; all are ``None`` if ``total`` is 0."""
    if not total:
        return dict.fromkeys((name, f"{ends}_low", f"{ends}_high"))
    interval = binomial_interval(count, total)
    return {name: count / total, f"{ends}_low": interval.low, f"{ends}_high": interval.high}


def _table_of_curve(outcomes: Sequence[Outcome]) -> "pa.Table":
    rows = []
    for kind in KINDS:
        kind_outcomes = [outcome for outcome in outcomes if outcome.plant.kind == kind.name]
        for threshold in GRID if kind_outcomes else ():
            row = _row(kind.name, "all", kind_outcomes, threshold, 1.0)
            values = {name: row[name] for name in ("recall", "precision", "false_share")}
            rows.append({"kind": kind.name, "threshold": threshold, **values})
    return _make_table(_CURVE, rows)


def _table_of_missed(outcomes: Sequence[Outcome], evals: Evals, threshold: float) -> "pa.Table":
    rows = []
    for outcome in outcomes:
        item, plant = evals.items[outcome.plant.item], outcome.plant
        is_called = plant.expected == "no leak" and outcome.is_false(threshold)
        if is_called or (plant.expected != "no leak" and not outcome.is_found(threshold)):
            reason = "called a leak" if is_called else "partial" if outcome.containment else outcome.reason
            values = (plant.kind, plant.words, item.eval_key, str(item.instance), reason, plant.document.text)
            rows.append(dict(zip(_MISSED, values, strict=True)))
    return _make_table(_MISSED, rows)


def _make_table(kinds: Kinds, rows: list[dict[str, Any]]) -> "pa.Table":
    return make_table(kinds, {name: [row[name] for row in rows] for name in kinds})
