"""How surprising runs are that unrelated texts of a collection share, estimated from pieces of its own documents.

Texts repeat themselves more than a background of pairs of tokens says, each kind of text in its own measure. The most
surprising run of two unrelated texts of ``m`` and ``n`` tokens follows an extreme-value law: the expected number of
runs of a surprise of ``S`` nats is ``K m n exp(-λ S)`` (Karlin and Altschul, Methods for assessing the statistical
significance of molecular sequence features, PNAS 87, 1990). Most pieces of a collection are unrelated. So ``λ`` and
``K`` are read off the surprises that a few and very few of the pairs of pieces reach.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.background import Background
from ibidem.evidence.runs import find_runs
from ibidem.evidence.seeds import Documents, SeedRule

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

_PIECES, _LENGTH = 64, 512
"""The most pieces of documents of a side, and their tokens."""

_LEAST = 8.0
"""Nats from which on runs are found in pieces."""

_OFTEN, _SELDOM = 0.1, 0.02
"""The shares of the pairs of pieces with the two surprises that are read off; a few that are related change little."""

_ENOUGH = 100
"""Pairs of pieces; fewer show nothing."""

_SLOPES = 0.2, 1.0
"""The range of ``λ``: 1 if all that tokens foretell were known, and less the more it is that nobody knows."""

_UNKNOWN = 0.25
"""``λ`` where there is too little text to estimate it."""


class Chance(NamedTuple):
    """The law of runs in unrelated texts.

    Attributes:
        slope: ``λ``.
        level: the logarithm of ``K``.
    """

    slope: float
    level: float

    def weigh(self, surprise: _Floats) -> _Floats:
        """The evidence of runs, in nats: two texts of ``m`` and ``n`` tokens share ``m n exp(-evidence)`` by chance."""
        evidence: _Floats = self.slope * surprise - self.level
        return evidence

    def surprise_of(self, evidence: float) -> float:
        """The surprise of a run that is so much evidence, in nats."""
        return (evidence + self.level) / self.slope


def estimate_chance(documents: Documents, background: Background) -> Chance:
    """The law of runs in documents that are compared, from pieces of them.

    The documents of each side are evenly spread in the order of their ranks. What those of one side share, as chapters
    of a scripture do, says nothing of what they share with those of the other.
    """
    pieces, owners = _cut_pieces(documents)
    lengths = np.diff(pieces.bounds).astype(np.float64)
    a, b = np.triu_indices(len(lengths), 1)
    is_compared = (owners[a] != owners[b]) & ((pieces.side[a] < 0) | (pieces.side[a] != pieces.side[b]))
    a, b = a[is_compared], b[is_compared]
    if len(a) < _ENOUGH:
        return Chance(_UNKNOWN, 0.0)
    most = np.zeros((len(lengths), len(lengths)))
    runs = find_runs(pieces, background, SeedRule(_LEAST), len(lengths) ** 2)
    np.maximum.at(most, (runs.documents[:, 0], runs.documents[:, 1]), runs.surprise)
    surprises = np.sort(np.maximum(most[a, b], _LEAST))[::-1]
    often, seldom = (float(surprises[int(share * len(surprises))]) for share in (_OFTEN, _SELDOM))
    slope = math.log(_OFTEN / _SELDOM) / max(seldom - often, np.finfo(float).tiny)
    slope = min(max(slope, _SLOPES[0]), _SLOPES[1])
    return Chance(slope, math.log(_SELDOM) + slope * seldom - math.log((lengths[a] * lengths[b]).mean()))


def _cut_pieces(documents: Documents) -> tuple[Documents, _Ints]:
    """Pieces of documents of each side, and the document of each."""
    ranges, owners = [], []
    for side in np.unique(documents.side).tolist():
        rows = np.flatnonzero(documents.side == side)
        rows = rows[np.argsort(documents.ranks[rows], kind="stable")]
        chosen = rows[np.unique(np.linspace(0, len(rows) - 1, min(_PIECES, len(rows))).astype(np.int64))]
        for document in chosen.tolist():
            first, last = documents.bounds[document : document + 2].tolist()
            cut = _cut_document(first, last, _PIECES // len(chosen))
            ranges += cut
            owners += [document] * len(cut)
    tokens = np.concatenate([np.empty(0, np.int32), *(documents.tokens[first:last] for first, last in ranges)])
    tokens.flags.writeable = documents.tokens.flags.writeable  # kernels are compiled for the one or the other
    sizes = np.array([last - first for first, last in ranges], np.int64)
    bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    pieces = Documents.of(tokens, bounds, documents.side[owners])
    return pieces, np.array(owners, np.int64)


def _cut_document(first: int, last: int, most: int) -> list[tuple[int, int]]:
    """Up to ``most`` pieces of the tokens ``first`` to ``last`` of a document that do not overlap, evenly spread."""
    pieces: list[tuple[int, int]] = []
    for place in np.linspace(first, max(last - _LENGTH, first), most).astype(np.int64).tolist():
        if last - place > 1 and (not pieces or place >= pieces[-1][1]):
            pieces.append((place, min(place + _LENGTH, last)))
    return pieces
