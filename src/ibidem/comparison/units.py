"""Corresponding units of two texts: lines, sentences, paragraphs, or named ranges such as verses."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from ibidem.comparison.correspondence import correspond
from ibidem.comparison.global_alignment import ALONE
from ibidem.comparison.model import Locator
from ibidem.comparison.tokenized import TokenizedPair, token_evidence, tokenize_pair, word_tokenizer
from ibidem.similarity import jaccard
from ibidem.spans import Alignment
from ibidem.text import TokenizerSpec, make_tokenizer
from ibidem.weights import Weighting

Units = str | Sequence[Sequence[Any]]

UNITS = ("line", "sentence", "paragraph")
"""Units that are found in a text by themselves."""

_PATTERNS = {
    "line": re.compile(r"[^\r\n]+"),
    "paragraph": re.compile(r"\S[^\r\n]*(?:\r?\n|\r)?(?:[ \t]*\S[^\r\n]*(?:\r?\n|\r)?)*"),
    # A sentence ends with its marks and what closes it, before white space; in CJK no white space is needed.
    "sentence": re.compile(r"\S.*?(?:[.!?…؟۔।]+[\"'’”»)\]]*(?=\s|\Z)|[。！？]+[」』”’）]*|(?=\n\s*\n)|\Z)", re.DOTALL),
}


class UnitPair(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of one text and a unit of another that correspond.

    Attributes:
        a_unit, b_unit: their labels: the user's own, or numbers from 1.
        a_start, a_end, b_start, b_end: code points of the two texts.
        similarity: exact similarity of the two units.
    """

    a_unit: str
    b_unit: str
    a_start: int
    a_end: int
    b_start: int
    b_end: int
    similarity: float


class _Links(NamedTuple):
    """Evidence that pairs of units share, sparse: rows ``a`` and ``b`` int64 [K], ``weight`` float64 [K]."""

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    weight: NDArray[np.float64]


def cut_units(text: str, units: Units) -> list[Locator]:
    """The units of a text, in order.

    Args:
        units: ``"line"``, ``"sentence"`` or ``"paragraph"``, numbered from 1; or ranges ``(start, end)`` or
            ``(start, end, label)`` in code points.

    Raises:
        ValueError: the name is unknown, or a range does not lie in the text.

    >>> [unit.label + text[unit.start : unit.end] for text in ["One. Two!"] for unit in cut_units(text, "sentence")]
    ['1One.', '2Two!']
    """
    if isinstance(units, str):
        if units not in _PATTERNS:
            raise ValueError(f"no unit is called {units!r}; there are {', '.join(UNITS)}, and ranges of your own")
        return _matches(text, units)
    ranges = [
        Locator(int(each[0]), int(each[1]), str(each[2] if len(each) > 2 else k)) for k, each in enumerate(units, 1)
    ]
    for each in ranges:
        if not 0 <= each.start <= each.end <= len(text):
            raise ValueError(
                f"the unit {each.label!r}, {each.start} to {each.end}, lies outside of a text of {len(text)}"
            )
    return sorted(ranges, key=lambda each: (each.start, each.end))


def _matches(text: str, units: str) -> list[Locator]:
    stripped = ((match, match[0].rstrip()) for match in _PATTERNS[units].finditer(text) if match[0].strip())
    ranges = ((match.start(), match.start() + len(line)) for match, line in stripped)
    if units == "line":  # lines keep the numbers that an editor gives them
        return [Locator(*each, str(text.count("\n", 0, each[0]) + 1)) for each in ranges]
    return [Locator(*each, str(number)) for number, each in enumerate(ranges, 1)]


def align_units(
    a: str,
    b: str,
    units: Units | tuple[Units, Units],
    pair: Alignment | None = None,
    *,
    tokenizer: TokenizerSpec = "words",
    weighting: Weighting | None = None,
) -> list[UnitPair]:
    """Find the corresponding units of two texts, in the order of the first.

    The words of the texts are aligned. Two units correspond if each shares more with the other than with any
    third, or if one has more than half of its weight in the other: a verse that was cut in two has two partners. A unit
    without a partner is in no pair.

    Args:
        units: as :func:`cut_units` takes them, for both texts or one for each. Units of a text do not overlap.
        pair: a result of :func:`ibidem.align` on the two texts. If given, only units that lie in it by half or more are
            aligned.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        weighting: of the similarity; if not given, that of :func:`ibidem.align`: words weigh by their rarity in the two
            texts, and each repetition adds less than the one before.

    Raises:
        ValueError: the name of a unit is unknown, or a range does not lie in its text.

    >>> verses = align_units("One day it rained. He left.", "He went out. One day it rained.", "sentence")
    >>> [(verse.a_unit, verse.b_unit, verse.similarity) for verse in verses]
    [('1', '2', 1.0)]
    """
    for_a, for_b = units if isinstance(units, tuple) else (units, units)
    passages = (None, None) if pair is None else ((pair.a_start, pair.a_end), (pair.b_start, pair.b_end))
    sides = _Side.of(a, for_a, passages[0]), _Side.of(b, for_b, passages[1])
    tokens = tokenize_pair(sides[0].text, sides[1].text, word_tokenizer(make_tokenizer(tokenizer)))
    frequencies_of_tokens = tokens.count_frequencies()
    evidence = token_evidence(tokens.vocabulary, frequencies_of_tokens)
    unit_of = sides[0].units_of(tokens.a_places), sides[1].units_of(tokens.b_places)
    links = _link(correspond(tokens.a, tokens.b, evidence).partners, unit_of, evidence[tokens.a])
    totals = (
        _weigh(of, evidence[ids], len(side.units))
        for of, ids, side in zip(unit_of, (tokens.a, tokens.b), sides, strict=True)
    )
    weighting = weighting or Weighting.of("weighted", tf="logarithmic", idf="smooth", frequencies=frequencies_of_tokens)
    return [
        _pair(sides[0].units[i], sides[1].units[j], _similarity(tokens, unit_of, (i, j), weighting))
        for i, j in _choose(links, *totals)
    ]


class _Side(NamedTuple):
    """The units of a text to align, and the text from the first to the last of them."""

    text: str
    start: int
    units: list[Locator]

    @classmethod
    def of(cls, whole: str, units: Units, passage: tuple[int, int] | None) -> Self:
        start, end = passage or (0, len(whole))
        chosen = [
            unit
            for unit in cut_units(whole, units)
            if 2 * (min(unit.end, end) - max(unit.start, start)) >= unit.end - unit.start
        ]
        if not chosen:
            return cls("", 0, [])
        return cls(whole[chosen[0].start : chosen[-1].end], chosen[0].start, chosen)

    def units_of(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The unit int64 [n] in which each token begins, or -1."""
        starts = np.array([unit.start - self.start for unit in self.units], np.int64)
        ends = np.array([unit.end - self.start for unit in self.units], np.int64)
        at = np.searchsorted(starts, places[:, 0], "right") - 1
        return np.where((at >= 0) & (places[:, 0] < ends[at]), at, -1) if len(starts) else np.full(len(places), -1)


def _link(
    partners: NDArray[np.int64], unit_of: tuple[NDArray[np.int64], NDArray[np.int64]], weights: NDArray[np.float64]
) -> _Links:
    paired = np.flatnonzero(partners != ALONE)
    pairs = np.stack([unit_of[0][paired], unit_of[1][partners[paired]]], axis=1)
    within = (pairs >= 0).all(axis=1)
    distinct, row = np.unique(pairs[within], axis=0, return_inverse=True)
    summed = np.bincount(row.ravel(), weights[paired][within], minlength=len(distinct)).astype(np.float64)
    return _Links(distinct[:, 0], distinct[:, 1], summed)


def _weigh(unit_of: NDArray[np.int64], weights: NDArray[np.float64], units: int) -> NDArray[np.float64]:
    """Evidence float64 [U] of all the tokens of each unit."""
    return np.bincount(unit_of[unit_of >= 0], weights[unit_of >= 0], minlength=units).astype(np.float64)


def _choose(links: _Links, of_a: NDArray[np.float64], of_b: NDArray[np.float64]) -> list[tuple[int, int]]:
    best_a, best_b = np.zeros(len(of_a)), np.zeros(len(of_b))
    np.maximum.at(best_a, links.a, links.weight)
    np.maximum.at(best_b, links.b, links.weight)
    mutual = (links.weight == best_a[links.a]) & (links.weight == best_b[links.b])
    most = links.weight > 0.5 * np.minimum(of_a[links.a], of_b[links.b])
    chosen = mutual | most
    return list(zip(links.a[chosen].tolist(), links.b[chosen].tolist(), strict=True))


def _similarity(
    tokens: TokenizedPair,
    unit_of: tuple[NDArray[np.int64], NDArray[np.int64]],
    pair: tuple[int, int],
    weighting: Weighting,
) -> float:
    a, b = tokens.a[unit_of[0] == pair[0]], tokens.b[unit_of[1] == pair[1]]
    return jaccard(tokens.vocabulary[a], tokens.vocabulary[b], weighting)


def _pair(a: Locator, b: Locator, similarity: float) -> UnitPair:
    return UnitPair(
        a_unit=a.label,
        b_unit=b.label,
        a_start=a.start,
        a_end=a.end,
        b_start=b.start,
        b_end=b.end,
        similarity=similarity,
    )
