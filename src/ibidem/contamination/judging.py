"""Judging occurrences: each is a leak, a source, a template, boilerplate, or too little evidence."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ibidem.contamination.detector import Occurrence
from ibidem.contamination.evidence import STRONG, compute_required_evidence, measure_chance
from ibidem.contamination.frequencies import Frequencies, count_frequencies, is_piece
from ibidem.contamination.item_parts import ItemParts
from ibidem.contamination.parts import PASSAGE, QUESTION
from ibidem.rounding import reaches

KINDS = ("leak", "source", "template", "boilerplate", "similar item", "partial", "chance")


class JudgedOccurrence(NamedTuple):
    """An occurrence, the document that has it, what it is, and its evidence against chance in this training data.

    ``detail`` is how a template or boilerplate is recognized.
    """

    document: int
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

    asked: set[tuple[int, int]]
    read: set[tuple[int, int]]
    answered: set[tuple[int, int]]


def judge_occurrences(
    parts: ItemParts,
    occurrences: Sequence[tuple[int, Occurrence]],
    tokens: int,
    threshold: float,
    sources: Mapping[int, str] | None = None,
) -> list[JudgedOccurrence]:
    """Judge what each occurrence is.

    ``occurrences`` has the number of a document with each, ``sources`` the source of a document if it is known, and
    ``tokens`` were read in all.
    """
    chance = measure_chance(tokens)
    context = _find_context(parts, occurrences, threshold)
    sources = sources or {}
    frequencies = count_frequencies(occurrences, parts.texts, sources, threshold)
    judgements = []
    for document, occurrence in occurrences:
        evidence = occurrence.worth - chance
        kind, detail = _judge(parts, document, occurrence, evidence, threshold, context), ""
        if kind == "leak" and _is_of_template(parts, document, occurrence, threshold, context):
            kind, detail = "template", "of many items"
        elif kind == "leak":
            kind, detail = _explain(parts, occurrence, frequencies, sources.get(document, ""))
        if kind:
            judgements.append(JudgedOccurrence(document, occurrence, kind, evidence, detail))
    return judgements


def _find_context(parts: ItemParts, occurrences: Sequence[tuple[int, Occurrence]], threshold: float) -> _Context:
    context = _Context(set(), set(), set())
    evident = [each for each in occurrences if not each[1].rival and _is_distinct(each[1], threshold)]
    for document, occurrence in evident:
        if parts.kinds[occurrence.part] == PASSAGE and reaches(occurrence.containment, _most(threshold)):
            context.read.update((document, item) for item in parts.sharing[parts.texts[occurrence.part]])
    for document, occurrence in evident:
        part, asked = occurrence.part, (document, int(parts.owners[occurrence.part]))
        if parts.kinds[part] != QUESTION or not reaches(occurrence.containment, threshold):
            continue
        if not parts.common[part] or asked in context.read:
            context.asked.add(asked)
        if occurrence.answer_found:
            context.answered.add((document, int(parts.questions[part])))
    return context


def _judge(
    parts: ItemParts,
    document: int,
    occurrence: Occurrence,
    evidence: float,
    threshold: float,
    context: _Context,
) -> str:
    """Judge an occurrence by itself; the kind is empty if it is not to be listed."""
    if not reaches(occurrence.containment, threshold):
        return "partial" if evidence >= STRONG and not occurrence.rival else ""
    if evidence < compute_required_evidence(occurrence.containment, len(parts.items)):
        return "chance"
    if occurrence.rival:
        return "similar item"
    if parts.kinds[occurrence.part] == PASSAGE:
        items = parts.sharing[parts.texts[occurrence.part]]
        if not any((document, item) in context.asked for item in items):
            return "source"
    return "leak"


def _is_of_template(
    parts: ItemParts, document: int, occurrence: Occurrence, threshold: float, context: _Context
) -> bool:
    """Determine whether a place lacks what distinguishes an item from others of its evaluation."""
    if not _is_distinct(occurrence, threshold):
        return True
    if parts.kinds[occurrence.part] != QUESTION:
        return False
    if parts.common[occurrence.part]:
        return (document, int(parts.owners[occurrence.part])) not in context.read
    answered = (document, int(parts.questions[occurrence.part])) in context.answered
    return answered and not occurrence.answer_found


def _is_distinct(occurrence: Occurrence, threshold: float) -> bool:
    return reaches(occurrence.distinct, _most(threshold))


def _most(threshold: float) -> float:
    """The share of what distinguishes an item that a leak holds: half of what the threshold leaves may be missing.

    A place that has less of it is no nearer to the item than its siblings are.
    """
    return (1 + threshold) / 2


def _explain(parts: ItemParts, occurrence: Occurrence, frequencies: Frequencies, source: str) -> tuple[str, str]:
    """Determine whether other items and documents explain an occurrence: its kind, and how that is known."""
    if occurrence.other_numbers > occurrence.same_numbers:
        return "template", ""
    if occurrence.other_numbers and occurrence.part in frequencies.templates:
        return "template", "of many documents"
    if is_piece(occurrence, len(parts.texts[occurrence.part])) and (
        spread := frequencies.describe_spread(occurrence, source)
    ):
        return "boilerplate", spread
    return "leak", ""


def list_too_short(parts: ItemParts, tokens: int) -> list[int]:
    """List the questions that are too short: even whole and with choices, chance explains them in so much text."""
    questions = np.flatnonzero(parts.kinds == QUESTION)
    order = questions[np.lexsort((questions, parts.totals[questions], parts.owners[questions]))]
    owners = parts.owners[order]
    heaviest = order[np.append(owners[1:] != owners[:-1], True)] if len(order) else order
    is_evident = parts.totals[heaviest] - measure_chance(tokens) >= compute_required_evidence(1.0)
    short_questions: list[int] = heaviest[~is_evident].tolist()
    return short_questions
