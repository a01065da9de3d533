"""What an occurrence is: a leak, or else a source, a template, boilerplate, or too little to tell."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ibidem.contamination.detector import Occurrence
from ibidem.contamination.evidence import STRONG, measure_chance, required_evidence
from ibidem.contamination.item_parts import ItemParts
from ibidem.contamination.parts import PASSAGE, QUESTION

__all__ = ["KINDS", "Judged", "judge_occurrences", "list_too_short"]

KINDS = ("leak", "source", "template", "boilerplate", "similar item", "partial", "chance")

_MANY = 10
"""Documents that share a phrase of many documents."""

_WHOLE = 0.8
"""A containment from which an item is found whole: it is a leak in however many documents it stands."""


class Judged(NamedTuple):
    """An occurrence, the document that has it, what it is, and its evidence against chance in this training data."""

    document: int
    occurrence: Occurrence
    kind: str
    evidence: float


def judge_occurrences(
    parts: ItemParts, found: Sequence[tuple[int, Occurrence]], tokens: int, threshold: float
) -> list[Judged]:
    """What each occurrence is; ``found`` has the number of a document with each, and ``tokens`` were read in all."""
    chance = measure_chance(tokens)
    asked = {
        (document, int(parts.owners[each.part]))
        for document, each in found
        if parts.kinds[each.part] == QUESTION and each.containment >= threshold and not each.rival
    }
    phrases = _count_phrases(found)
    judged = []
    for document, each in found:
        evidence = each.worth - chance
        kind = _judge(parts, document, each, evidence, threshold, asked, phrases)
        if kind:
            judged.append(Judged(document, each, kind, evidence))
    return judged


def _judge(
    parts: ItemParts,
    document: int,
    each: Occurrence,
    evidence: float,
    threshold: float,
    asked: set[tuple[int, int]],
    phrases: Counter[tuple[int, int, int]],
) -> str:
    if each.containment < threshold:
        return "partial" if evidence >= STRONG and not each.rival else ""
    if evidence < required_evidence(each.containment):
        return "chance"
    if each.rival:
        return "similar item"
    if parts.kinds[each.part] == PASSAGE:
        items = parts.sharing[parts.texts[each.part]]
        if not any((document, item) in asked for item in items):
            return "source"
    if each.other_numbers > (0 if each.part in parts.templates else each.same_numbers):
        return "template"
    if each.containment < _WHOLE and phrases[_phrase(each)] >= _MANY:
        return "boilerplate"
    return "leak"


def _phrase(each: Occurrence) -> tuple[int, int, int]:
    """About which stretch of a part was found."""
    return each.part, each.eval_start // 16, each.eval_end // 16


def _count_phrases(found: Sequence[tuple[int, Occurrence]]) -> Counter[tuple[int, int, int]]:
    """In how many documents each stretch of a part stands."""
    return Counter(_phrase(each) for _, each in found)


def list_too_short(parts: ItemParts, tokens: int) -> list[int]:
    """The questions that are too short to tell: even whole, with choices, chance explains them in so much text."""
    best: dict[int, tuple[float, int]] = {}
    for part in np.flatnonzero(parts.kinds == QUESTION).tolist():
        item, worth = int(parts.owners[part]), float(parts.totals[part])
        best[item] = max(best.get(item, (worth, part)), (worth, part))
    return [part for worth, part in best.values() if worth - measure_chance(tokens) < required_evidence(1.0)]
