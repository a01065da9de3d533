"""What an occurrence is: a leak, or else a source, a template, boilerplate, or too little to tell."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ibidem.contamination.detector import Detector, Occurrence
from ibidem.contamination.parts import PASSAGE, QUESTION

__all__ = ["KINDS", "LEAST_EVIDENCE", "Judged", "judge_occurrences", "list_too_short"]

KINDS = ("leak", "source", "template", "boilerplate", "similar item", "partial", "chance")

LEAST_EVIDENCE = 3.0
"""Nats beyond what chance gives in so much text, for a part that is found whole."""

_LACKING = 20.0
"""Nats more for all of the weight of a part that was not found: there are many ways to find a piece of it. Both were
chosen on 1,000 questions of fewer than 13 words, of novels and of gsm8k's training split, in web pages and novels."""

_STRONG = 15.0
"""Nats from which a part of a part is listed."""

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
    detector: Detector, found: Sequence[tuple[int, Occurrence]], tokens: int, threshold: float
) -> list[Judged]:
    """What each occurrence is; ``found`` has the number of a document with each, and ``tokens`` were read in all."""
    chance = math.log(tokens + 1)
    asked = {
        (document, int(detector.parts.items[each.part]))
        for document, each in found
        if detector.parts.kinds[each.part] == QUESTION and each.containment >= threshold and not each.rival
    }
    phrases = _count_phrases(found)
    judged = []
    for document, each in found:
        evidence = each.worth - chance
        kind = _judge(detector, document, each, evidence, threshold, asked, phrases)
        if kind:
            judged.append(Judged(document, each, kind, evidence))
    return judged


def _judge(
    detector: Detector,
    document: int,
    each: Occurrence,
    evidence: float,
    threshold: float,
    asked: set[tuple[int, int]],
    phrases: Counter[tuple[int, int, int]],
) -> str:
    if each.containment < threshold:
        return "partial" if evidence >= _STRONG and not each.rival else ""
    if evidence < LEAST_EVIDENCE + _LACKING * (1 - each.containment):
        return "chance"
    if each.rival:
        return "similar item"
    if detector.parts.kinds[each.part] == PASSAGE:
        items = detector.sharing[detector.parts.texts[each.part]]
        if not any((document, item) in asked for item in items):
            return "source"
    if each.other_numbers > each.same_numbers:
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


def list_too_short(detector: Detector, tokens: int) -> list[int]:
    """The questions that are too short to tell: even whole, with choices, chance explains them in so much text."""
    best: dict[int, tuple[float, int]] = {}
    for part in np.flatnonzero(detector.parts.kinds == QUESTION).tolist():
        item, worth = int(detector.parts.items[part]), float(detector.surprise.totals[part])
        best[item] = max(best.get(item, (worth, part)), (worth, part))
    return [part for worth, part in best.values() if worth - math.log(tokens + 1) < LEAST_EVIDENCE]
