"""Precision, recall and F1 of the positions that passages cover, each position once.

This is the measure of Exp-8 of the paper on one permutation hashing: of the union of the reported passages, the share
that lies in the union of the true ones, and the other way round. A position is a character or a token, whatever the
ranges count.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evaluation.cases import Case, Sides, split_sides
from ibidem.evaluation.coverage import count_shared

_Ints = npt.NDArray[np.int64]
_Flat = tuple[_Ints, _Ints, _Ints]
Range = tuple[int, int]
Average = Literal["micro", "macro"]
Counted = Literal["suspicious", "source", "both"]


class Scores(NamedTuple):
    """Shares from 0 to 1."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def _repr_html_(self) -> str:
        """The scores as a table of one row."""
        return render_scores(precision=self.precision, recall=self.recall, f1=self.f1)


def render_scores(**scores: float) -> str:
    """Scores for a notebook, under their names."""
    from ibidem.comparison.markup import render_page, render_table

    return render_page("Scores", [render_table(scores, [[f"{value:.3f}" for value in scores.values()]])], 0)


def ratio(part: float, whole: float, other: float) -> float:
    """``part / whole``; a share of nothing is 1 if ``other`` is nothing too, and else 0.

    >>> ratio(1, 2, 5), ratio(0, 0, 5), ratio(0, 0, 0)
    (0.5, 0.0, 1.0)
    """
    return float(part / whole) if whole else float(not other)


def position_scores(
    reported: Sequence[Iterable[Range]], truth: Sequence[Iterable[Range]], *, average: Average = "micro"
) -> Scores:
    """Scores of the passages reported in several texts; each item of either sequence is the passages of one text.

    Args:
        average: ``"micro"`` counts the positions of all texts together; ``"macro"`` is the mean of the precisions of
            the texts in which something was reported, and of the recalls of those in which there is something to find.

    Raises:
        ValueError: there are more texts on one side, or no average has this name.

    >>> position_scores([[(0, 4), (2, 6)]], [[(3, 8)]])  # 3, 4 and 5 are right, of 6 reported and 5 true ones
    Scores(precision=0.5, recall=0.6)
    """
    if len(reported) != len(truth):
        raise ValueError(f"{len(reported)} texts were reported on, and the truth is about {len(truth)}")
    return _scores(_flat(reported), _flat(truth), len(truth), average)


def case_scores(
    reported: Sequence[Case],
    truth: Sequence[Case],
    *,
    side: Counted = "both",
    average: Average = "micro",
) -> Scores:
    """Scores of the characters of reported cases, each pair of documents by itself.

    Args:
        side: count the characters of the ``"suspicious"`` document, of the ``"source"``, or of ``"both"``.
        average: as of ``position_scores``; the two sides of a pair are two texts.
    """
    sides = {"suspicious": [0], "source": [1], "both": [0, 1]}
    if side not in sides:
        raise ValueError(f"no side is called {side!r}; there are {', '.join(sides)}")
    numbers: dict[tuple[str, str], int] = {}
    result_positions, truth_positions = (
        _flat_sides(split_sides(cases, numbers), sides[side]) for cases in (reported, truth)
    )
    return _scores(result_positions, truth_positions, 2 * len(numbers), average)


def _flat(passages: Sequence[Iterable[Range]]) -> _Flat:
    rows = [(number, start, end) for number, ranges in enumerate(passages) for start, end in ranges]
    groups, starts, ends = np.array(rows, np.int64).reshape(-1, 3).T
    return groups, starts, ends


def _flat_sides(cases: Sides, sides: list[int]) -> _Flat:
    columns = [(2 * cases.pair + side, cases.starts[:, side], cases.ends[:, side]) for side in sides]
    groups, starts, ends = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    return groups, starts, ends


def _scores(reported: _Flat, truth: _Flat, count: int, average: Average) -> Scores:
    right, in_reported, in_truth = count_shared(reported, truth, count)
    if average == "micro":
        wholes = int(in_reported.sum()), int(in_truth.sum())
        return Scores(*(ratio(int(right.sum()), *pair) for pair in (wholes, wholes[::-1])))
    if average == "macro":
        return Scores(_mean(right, in_reported, in_truth), _mean(right, in_truth, in_reported))
    raise ValueError(f"no average is called {average!r}; there are micro, macro")


def _mean(right: _Ints, sizes: _Ints, other_sizes: _Ints) -> float:
    is_present = sizes > 0
    return float((right[is_present] / sizes[is_present]).mean()) if is_present.any() else float(not other_sizes.any())


def tokens_in(ranges: Iterable[Range], starts: npt.NDArray[np.uint32], ends: npt.NDArray[np.uint32]) -> list[Range]:
    """Ranges of characters as ranges of the tokens that they meet; one that meets none is left out.

    ``starts`` and ``ends`` [n] are the places of the tokens in the text, as of :class:`ibidem.text.Tokens`.

    >>> tokens_in([(0, 5), (7, 9)], np.array([0, 4, 10]), np.array([3, 7, 12]))
    [(0, 2)]
    """
    places = (
        (int(np.searchsorted(ends, first, "right")), int(np.searchsorted(starts, last))) for first, last in ranges
    )
    return [(first, stop) for first, stop in places if first < stop]
