"""The measures of the PAN competitions on text alignment.

Potthast, Stein, Barrón-Cedeño, Rosso, "An Evaluation Framework for Plagiarism Detection", COLING 2010. A case ``s`` and
a detection ``r`` are sets of characters of both of their documents. ``r`` detects ``s`` if they share characters of
both documents; ``s ⊓ r`` is what they share then, and nothing otherwise. Cases and detections are sets, too: one that
is given again counts once.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evaluation.cases import Case, Sides, drop_repeated, split_sides
from ibidem.evaluation.coverage import count_covered
from ibidem.evaluation.positions import Average, Scores, ratio, render_scores

_Ints = npt.NDArray[np.int64]


class PanScores(NamedTuple):
    """Shares from 0 to 1, and in how many pieces a detected case is reported on average, 1 at least."""

    precision: float
    recall: float
    granularity: float

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return Scores(self.precision, self.recall).f1

    @property
    def plagdet(self) -> float:
        """``F1 / log2(1 + granularity)``, by which the competitions rank (Equation 4)."""
        return self.f1 / math.log2(1 + self.granularity)

    def _repr_html_(self) -> str:
        """The scores as a table of one row."""
        return render_scores(**self._asdict(), f1=self.f1, plagdet=self.plagdet)


class _Detections(NamedTuple):
    """Each detection of a case: the case, the detection, and what they share: int64 [D], [D], [D, 2], [D, 2]."""

    case: _Ints
    detection: _Ints
    starts: _Ints
    ends: _Ints


def pan_scores(reported: Sequence[Case], truth: Sequence[Case], *, average: Average = "macro") -> PanScores:
    """Precision, recall, granularity and plagdet of reported cases.

    Args:
        average: ``"macro"``, as the competitions count, is the mean over detections and over cases (Equation 2);
            ``"micro"`` counts the characters of all together, each once for each pair of documents (Equation 1).

    Raises:
        ValueError: no average has this name.

    >>> true = Case(suspicious="x", start=0, end=10, source="y", source_start=0, source_end=10)
    >>> halves = [Case(suspicious="x", start=at, end=at + 5, source="y", source_start=0, source_end=5) for at in (0, 5)]
    >>> found = pan_scores(halves, [true])
    >>> found.precision, found.recall, found.granularity, round(found.plagdet, 3)
    (1.0, 0.75, 2.0, 0.541)
    """
    numbers: dict[tuple[str, str], int] = {}
    reported, truth = drop_repeated(reported), drop_repeated(truth)
    result_sides, truth_sides = split_sides(reported, numbers), split_sides(truth, numbers)
    detections = _detections(result_sides, truth_sides)
    pieces = np.bincount(detections.case, minlength=len(truth))
    granularity = float(pieces.sum() / (pieces > 0).sum()) if len(detections.case) else 1.0
    if average == "macro":
        precision = _mean_share(result_sides, truth_sides, detections.detection, detections)
        recall = _mean_share(truth_sides, result_sides, detections.case, detections)
    elif average == "micro":
        count = len(numbers)
        right = int(_characters(truth_sides.pair[detections.case], detections.starts, detections.ends, count).sum())
        wholes = [
            int(_characters(sides.pair, sides.starts, sides.ends, count).sum()) for sides in (result_sides, truth_sides)
        ]
        precision, recall = ratio(right, wholes[0], wholes[1]), ratio(right, wholes[1], wholes[0])
    else:
        raise ValueError(f"no average is called {average!r}; there are macro, micro")
    return PanScores(precision, recall, granularity)


def _detections(result_sides: Sides, truth_sides: Sides) -> _Detections:
    """Every case with every detection in the same pair of documents that shares characters of both with it."""
    order = np.argsort(truth_sides.pair, kind="stable")
    first = np.searchsorted(truth_sides.pair[order], result_sides.pair, "left")
    count = np.searchsorted(truth_sides.pair[order], result_sides.pair, "right") - first
    detection = np.repeat(np.arange(len(result_sides.pair)), count)
    within = np.arange(len(detection)) - np.repeat(np.cumsum(count) - count, count)
    case = order[first[detection] + within]
    starts = np.maximum(result_sides.starts[detection], truth_sides.starts[case])
    ends = np.minimum(result_sides.ends[detection], truth_sides.ends[case])
    meets = (starts < ends).all(axis=1)
    return _Detections(case[meets], detection[meets], starts[meets], ends[meets])


def _characters(groups: _Ints, starts: _Ints, ends: _Ints, count: int) -> _Ints:
    """Characters of both documents in the union of the passages of each group, int64 [count]."""
    of_sides = [count_covered(groups, starts[:, side], ends[:, side], count) for side in (0, 1)]
    return of_sides[0] + of_sides[1]


def _mean_share(sides: Sides, other_sides: Sides, member: _Ints, detections: _Detections) -> float:
    """The mean share of ``sides``'s members that detections cover; ``member`` [D] is each detection's."""
    if not len(sides.pair):
        return ratio(0, 0, len(other_sides.pair))
    right = _characters(member, detections.starts, detections.ends, len(sides.pair))
    return float((right / (sides.ends - sides.starts).sum(axis=1)).mean())
