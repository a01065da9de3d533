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
    asked_items = {
        (document, int(parts.owners[occurrence.part]))
        for document, occurrence in occurrences
        if parts.kinds[occurrence.part] == QUESTION
        and reaches(occurrence.containment, threshold)
        and not occurrence.rival
    }
    sources = sources or {}
    frequencies = count_frequencies(occurrences, parts.texts, sources, threshold)
    judgements = []
    for document, occurrence in occurrences:
        evidence = occurrence.worth - chance
        kind = _judge(parts, document, occurrence, evidence, threshold, asked_items)
        detail = ""
        if kind == "leak":
            kind, detail = _explain(parts, occurrence, frequencies, sources.get(document, ""))
        if kind:
            judgements.append(JudgedOccurrence(document, occurrence, kind, evidence, detail))
    return judgements


def _judge(
    parts: ItemParts,
    document: int,
    occurrence: Occurrence,
    evidence: float,
    threshold: float,
    asked_items: set[tuple[int, int]],
) -> str:
    """Judge an occurrence by itself; the kind is empty if it is not to be listed."""
    if not reaches(occurrence.containment, threshold):
        return "partial" if evidence >= STRONG and not occurrence.rival else ""
    if evidence < compute_required_evidence(occurrence.containment):
        return "chance"
    if occurrence.rival:
        return "similar item"
    if parts.kinds[occurrence.part] == PASSAGE:
        items = parts.sharing[parts.texts[occurrence.part]]
        if not any((document, item) in asked_items for item in items):
            return "source"
    return "leak"


def _explain(parts: ItemParts, occurrence: Occurrence, frequencies: Frequencies, source: str) -> tuple[str, str]:
    """Determine whether other items and documents explain an occurrence: its kind, and how that is known."""
    if occurrence.other_numbers > occurrence.same_numbers:
        return "template", ""
    if occurrence.other_numbers and occurrence.part in parts.templates:
        return "template", "of many items"
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
