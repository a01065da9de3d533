"""Judging occurrences: each is a leak, a source, a template, boilerplate, or too little to tell."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ibidem.contamination.detector import Occurrence
from ibidem.contamination.evidence import STRONG, measure_chance, required_evidence
from ibidem.contamination.frequencies import Frequencies, count_frequencies, is_piece
from ibidem.contamination.item_parts import ItemParts
from ibidem.contamination.parts import PASSAGE, QUESTION

KINDS = ("leak", "source", "template", "boilerplate", "similar item", "partial", "chance")


class JudgedOccurrence(NamedTuple):
    """An occurrence, the document that has it, what it is, and its evidence against chance in this training data.

    ``detail`` says of a template or of boilerplate how it is known.
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
    asked = {
        (document, int(parts.owners[each.part]))
        for document, each in occurrences
        if parts.kinds[each.part] == QUESTION and each.containment >= threshold and not each.rival
    }
    sources = sources or {}
    frequencies = count_frequencies(occurrences, parts.texts, sources, threshold)
    judged = []
    for document, each in occurrences:
        evidence = each.worth - chance
        kind = _judge(parts, document, each, evidence, threshold, asked)
        detail = ""
        if kind == "leak":
            kind, detail = _explain(parts, each, frequencies, sources.get(document, ""))
        if kind:
            judged.append(JudgedOccurrence(document, each, kind, evidence, detail))
    return judged


def _judge(
    parts: ItemParts,
    document: int,
    each: Occurrence,
    evidence: float,
    threshold: float,
    asked: set[tuple[int, int]],
) -> str:
    """Judge an occurrence by itself; the kind is empty if it is not to be listed."""
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
    return "leak"


def _explain(parts: ItemParts, each: Occurrence, frequencies: Frequencies, source: str) -> tuple[str, str]:
    """Determine whether other items and documents explain an occurrence: its kind, and how that is known."""
    if each.other_numbers > each.same_numbers:
        return "template", ""
    if each.other_numbers and each.part in parts.templates:
        return "template", "of many items"
    if each.other_numbers and each.part in frequencies.templates:
        return "template", "of many documents"
    if is_piece(each, len(parts.texts[each.part])) and (spread := frequencies.describe_spread(each, source)):
        return "boilerplate", spread
    return "leak", ""


def list_too_short(parts: ItemParts, tokens: int) -> list[int]:
    """List the questions that are too short to tell: even whole, with choices, chance explains them in so much text."""
    questions = np.flatnonzero(parts.kinds == QUESTION)
    order = questions[np.lexsort((questions, parts.totals[questions], parts.owners[questions]))]
    owners = parts.owners[order]
    heaviest = order[np.append(owners[1:] != owners[:-1], True)] if len(order) else order
    enough = parts.totals[heaviest] - measure_chance(tokens) >= required_evidence(1.0)
    short: list[int] = heaviest[~enough].tolist()
    return short
