"""Judging occurrences: each is a leak, a source, a template, boilerplate, or too little evidence."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ibidem.contamination.detector import Detector, Occurrence
from ibidem.contamination.frequencies import Frequencies, count_frequencies, is_piece
from ibidem.contamination.leak_evidence import STRONG, compute_required_evidence, measure_chance
from ibidem.contamination.parts import PASSAGE, QUESTION
from ibidem.rounding import reaches

KINDS = ("leak", "source", "template", "boilerplate", "similar item", "partial", "chance")

_Key = tuple[int, int]


class JudgedOccurrence(NamedTuple):
    """An occurrence, what it is, and its evidence against chance in this training data.

    ``detail`` is how a template or boilerplate is recognized.
    """

    occurrence: Occurrence
    kind: str
    evidence: float
    detail: str = ""

    @property
    def reason(self) -> str:
        """The kind and its detail."""
        return f"{self.kind} {self.detail}".rstrip()


class _Context(NamedTuple):
    """What else is in the documents.

    Attributes:
        asked: documents and the items whose questions they hold.
        read: documents and the items whose passages they hold.
        answered: documents and the words of questions that they hold with an answer of an item.
    """

    asked: set[tuple[_Key, int]]
    read: set[tuple[_Key, int]]
    answered: set[tuple[_Key, int]]


def judge_occurrences(
    detector: Detector, occurrences: Sequence[Occurrence], tokens: int, threshold: float
) -> list[JudgedOccurrence]:
    """Judge what each occurrence is, of all in training data of so many ``tokens``."""
    chance = measure_chance(tokens)
    context = _find_context(detector, occurrences, threshold)
    frequencies = count_frequencies(occurrences, detector.parts.texts, threshold)
    judgements = []
    for occurrence in occurrences:
        evidence = occurrence.worth - chance
        kind, detail = _judge(detector, occurrence, evidence, threshold, context), ""
        if kind == "leak" and _is_of_template(detector, occurrence, threshold, context):
            kind, detail = "template", "of many items"
        elif kind == "leak":
            kind, detail = _explain(detector, occurrence, frequencies)
        if kind:
            judgements.append(JudgedOccurrence(occurrence, kind, evidence, detail))
    return judgements


def _find_context(detector: Detector, occurrences: Sequence[Occurrence], threshold: float) -> _Context:
    context, parts = _Context(set(), set(), set()), detector.parts
    evident = [each for each in occurrences if not each.rival and _is_distinct(each, threshold)]
    for occurrence in evident:
        if parts.kinds[occurrence.part] == PASSAGE and reaches(occurrence.containment, _most(threshold)):
            items = parts.sharing[parts.texts[occurrence.part]]
            context.read.update((occurrence.document.key, item) for item in items)
    for occurrence in evident:
        part, asked = occurrence.part, (occurrence.document.key, int(parts.items[occurrence.part]))
        if parts.kinds[part] != QUESTION or not reaches(occurrence.containment, threshold):
            continue
        if not parts.common[part] or asked in context.read:
            context.asked.add(asked)
        if occurrence.answer_found:
            context.answered.add((occurrence.document.key, int(parts.questions[part])))
    return context


def _judge(detector: Detector, occurrence: Occurrence, evidence: float, threshold: float, context: _Context) -> str:
    """Judge an occurrence by itself; the kind is empty if it is not to be listed."""
    parts = detector.parts
    if not reaches(occurrence.containment, threshold):
        return "partial" if evidence >= STRONG and not occurrence.rival else ""
    if evidence < compute_required_evidence(occurrence.containment, len(detector.items)):
        return "chance"
    if occurrence.rival:
        return "similar item"
    if parts.kinds[occurrence.part] == PASSAGE:
        items = parts.sharing[parts.texts[occurrence.part]]
        if not any((occurrence.document.key, item) in context.asked for item in items):
            return "source"
    return "leak"


def _is_of_template(detector: Detector, occurrence: Occurrence, threshold: float, context: _Context) -> bool:
    """Determine whether a place lacks what distinguishes an item from others of its evaluation."""
    parts, part, document = detector.parts, occurrence.part, occurrence.document.key
    if not _is_distinct(occurrence, threshold):
        return True
    if parts.kinds[part] != QUESTION:
        return False
    if parts.common[part]:
        return (document, int(parts.items[part])) not in context.read
    return (document, int(parts.questions[part])) in context.answered and not occurrence.answer_found


def _is_distinct(occurrence: Occurrence, threshold: float) -> bool:
    return reaches(occurrence.distinct, _most(threshold))


def _most(threshold: float) -> float:
    """The share of what distinguishes an item that a leak holds: half of what the threshold leaves may be missing.

    A place that has less of it is no nearer to the item than its siblings are.
    """
    return (1 + threshold) / 2


def _explain(detector: Detector, occurrence: Occurrence, frequencies: Frequencies) -> tuple[str, str]:
    """Determine whether other items and documents explain an occurrence: its kind, and how that is known."""
    if occurrence.other_numbers > occurrence.same_numbers:
        return "template", ""
    if occurrence.other_numbers and occurrence.part in frequencies.templates:
        return "template", "of many documents"
    if is_piece(occurrence, len(detector.parts.texts[occurrence.part])) and (
        spread := frequencies.describe_spread(occurrence)
    ):
        return "boilerplate", spread
    return "leak", ""


def list_too_short(detector: Detector, tokens: int) -> list[int]:
    """List the questions that are too short: even whole and with choices, chance explains them in so much text."""
    totals, items = detector.surprise.totals, detector.parts.items
    questions = np.flatnonzero(detector.parts.kinds == QUESTION)
    order = questions[np.lexsort((questions, totals[questions], items[questions]))]
    owners = items[order]
    heaviest = order[np.append(owners[1:] != owners[:-1], True)] if len(order) else order
    is_evident = totals[heaviest] - measure_chance(tokens) >= compute_required_evidence(1.0)
    short_questions: list[int] = heaviest[~is_evident].tolist()
    return short_questions
