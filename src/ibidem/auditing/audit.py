"""``audit``: how much of some evals decontamination would miss in some training data, measured on planted items.

Items are planted into a sample of the training data, each once in a round, so that an item is as rare as if it had
leaked once, or in as many documents as its form says. Every round is the job of :func:`ibidem.find_contamination`.
Items that the sample holds already are found first, and documents that hold any are no hosts.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from ibidem.arguments import require_fraction
from ibidem.auditing.plants import KINDS, SOURCE, Plant, make_plants
from ibidem.contamination.evals import AnyEvals, EvalColumns, as_evals
from ibidem.contamination.find import find_contamination
from ibidem.contamination.items import Evals, Item
from ibidem.contamination.judging import THRESHOLD
from ibidem.errors import CorpusError
from ibidem.intervals import binomial_interval
from ibidem.options import Option
from ibidem.resources import Progress
from ibidem.text import Collection, Document, Normalize, TokenizerSpec, as_batches, make_tokenizer

if TYPE_CHECKING:
    import pyarrow as pa

GRID = tuple(number / 20 for number in range(2, 21))
"""Thresholds at which recall and precision are counted."""

LENGTHS = (("1 to 12", 12), ("13 to 24", 24), ("25 to 49", 49), ("50 to 99", 99), ("100 or more", 1 << 60))
"""Lengths of planted texts, in words: their names, and the most words of each."""

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
        return self.plant.expected != "no leak" and self.containment >= threshold

    def is_false(self, threshold: float) -> bool:
        """Return whether an item was wrongly called a leak of the document at a threshold."""
        return any(wrong >= threshold for wrong in self.wrong)


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


def audit(
    train: Collection,
    evals: AnyEvals,
    *,
    question: str | None = None,
    answer: str | None = None,
    passage: str | None = None,
    choices: str | None = None,
    threshold: float = THRESHOLD,
    tokenizer: TokenizerSpec = "words",
    normalize: Normalize = (),
    target: Annotated[float, Option("With --audit, the recall for which a threshold is given.")] = 0.95,
    sample: Annotated[int, Option("With --audit, the documents to draw.", "N")] = 2000,
    plants: Annotated[int, Option("With --audit, about how many plants of each kind.", "N")] = 50,
    seed: Annotated[int, Option("With --audit, the seed of the draws.", "N", least=0)] = 0,
    text: str = "text",
    id: str = "id",
    memory: str | int = "1G",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Measure what :func:`ibidem.find_contamination` finds of items of ``evals`` that are planted into ``train``.

    Each item is planted with its question and correct answer: verbatim, wrapped anew, in documents of 50 to 5,000
    words, with 10 to 40 % of its words replaced, its sentences in another order, its question or answer alone, and as a
    machine misreads it. It is also planted into 12 documents, of one source or of 12, whole, with words replaced, or as
    a piece, and beside documents with other numbers; then it counts as found if it is found in each. Three more forms
    are no leaks: its passage alone, which is to be listed as a source, and its question with other numbers, once and in
    12 documents.

    Args:
        train: the training data; they are read once, and ``sample`` documents drawn from them, all as likely.
        evals, question, answer, passage, choices, tokenizer, normalize: as of ``find_contamination``.
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
    for name, count in (("sample", sample), ("plants", plants)):
        if count < 1:
            raise ValueError(f"{name} must be 1 or more, not {count}")
    items, generator = as_evals(evals, EvalColumns(question, answer, passage, choices)), random.Random(seed)
    documents, documents_read = draw_documents(train, sample, generator, text, id)
    made_tokenizer = make_tokenizer(tokenizer, normalize=normalize)
    find = partial(
        find_contamination,
        evals=items,
        threshold=GRID[0],
        tokenizer=made_tokenizer,
        memory=memory,
        threads=threads,
        source=SOURCE,
    )
    with_items = {
        row["document"]
        for row in find(documents).contamination.to_pylist()
        if row["containment"] >= min(threshold, _HELD)
    }
    hosts = [document.text for document in documents if document.id not in with_items and document.text.strip()]
    if not hosts:
        raise CorpusError("the training data have no document to plant items in: none without an item has a text")
    outcomes: list[Outcome] = []
    rounds = plan_rounds(list(enumerate(items.items)), plants, generator)
    for turn, planted_items in enumerate(rounds):
        new_plants = list(make_plants(planted_items, hosts, turn, generator))
        new = chain.from_iterable((*plant.holders, *plant.templates) for plant in new_plants)
        result = find([*documents, *new])
        outcomes += judge_plants(new_plants, items, result.contamination.to_pylist(), result.left_out.to_pylist())
        if progress is not None:
            progress("auditing", turn + 1, len(rounds))
    summary = {
        "documents_read": documents_read,
        "documents_sampled": len(documents),
        "documents_with_items_already": len(with_items),
        "items": len(items.items),
        "planted": len(outcomes),
        "rounds": len(rounds),
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
    train: Collection, count: int, generator: random.Random, text: str = "text", id: str = "id"
) -> tuple[list[Document], int]:
    """``count`` documents, all as likely as each other, and how many were read (Vitter's algorithm R, 1985)."""
    sample: list[Document] = []
    read = 0
    for batch in as_batches(train, text, id):
        for row in range(len(batch.ids)):
            place = read if read < count else generator.randrange(read + 1)
            read += 1
            if place < count:
                document = Document(f"sampled-{read}", batch.texts[row], {SOURCE: ""})
                sample[place : place + 1] = [document]
    return sample, read


def plan_rounds(
    numbered_items: list[tuple[int, Item]], plants: int, generator: random.Random
) -> list[list[tuple[int, Item]]]:
    """The items that are planted in each round, so that each form has about so many ``plants``."""
    generator.shuffle(numbered_items)
    rounds = min(len(KINDS), -(-plants * len(KINDS) // len(numbered_items)))
    most = max(-(-plants * len(KINDS) // rounds), 1)
    return [numbered_items[:most]] * rounds


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
    return row["eval_key"], row["config"], row["split"], str(row["eval_instance_index"])


def _key_of_item(item: Item) -> _ItemKey:
    return item.eval_key, item.config, item.split, str(item.instance)


def _count(outcomes: Sequence[Outcome], threshold: float) -> tuple[int, int]:
    """How many plants were found at a threshold, and how many items were reported of their documents."""
    right = sum(outcome.is_found(threshold) for outcome in outcomes)
    return right, right + sum(wrong >= threshold for outcome in outcomes for wrong in outcome.wrong)


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
    return _make_table(rows)


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
    return _make_table(rows)


def _table_of_missed(outcomes: Sequence[Outcome], evals: Evals, threshold: float) -> "pa.Table":
    import pyarrow as pa

    columns = ("kind", "words", "eval_key", "eval_instance_index", "reason", "text")
    kinds = (pa.string(), pa.int64(), *[pa.string()] * 4)
    rows = []
    for outcome in outcomes:
        item, plant = evals.items[outcome.plant.item], outcome.plant
        is_called = plant.expected == "no leak" and outcome.is_false(threshold)
        if is_called or (plant.expected != "no leak" and not outcome.is_found(threshold)):
            reason = "called a leak" if is_called else "partial" if outcome.containment else outcome.reason
            values = (plant.kind, plant.words, item.eval_key, str(item.instance), reason, plant.document.text)
            rows.append(dict(zip(columns, values, strict=True)))
    return pa.Table.from_pylist(rows, pa.schema(list(zip(columns, kinds, strict=True))))


def _make_table(rows: list[dict[str, Any]]) -> "pa.Table":
    import pyarrow as pa

    texts, counts = {"kind", "words"}, {"planted", "found", "reported", "right", "false"}
    names = list(rows[0]) if rows else []
    kinds = [pa.string() if name in texts else pa.int64() if name in counts else pa.float64() for name in names]
    return pa.Table.from_pylist(rows, pa.schema(list(zip(names, kinds, strict=True))))
