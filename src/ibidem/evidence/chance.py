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
from ibidem.evidence.runs import Documents, SeedRule, find_runs

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

_PIECES, _LENGTH = 64, 512
"""The most pieces that are compared, and their tokens."""

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
    """The law of runs in a collection, from pieces of documents that are evenly spread in the order of their ranks."""
    pieces, owners = _cut_pieces(documents)
    lengths = np.diff(pieces.bounds).astype(np.float64)
    a, b = np.triu_indices(len(lengths), 1)
    a, b = (side[owners[a] != owners[b]] for side in (a, b))
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
    """Pieces of documents, all to be compared, and the document of each."""
    bounds = documents.bounds
    order = np.argsort(documents.ranks, kind="stable")
    chosen = order[np.unique(np.linspace(0, len(order) - 1, min(_PIECES, len(order))).astype(np.int64))]
    each = max(_PIECES // max(len(chosen), 1), 1)
    starts: list[int] = []
    ends: list[int] = []
    owners: list[int] = []
    for document in chosen.tolist():
        first, last = bounds[document : document + 2].tolist()
        for place in np.linspace(first, max(last - _LENGTH, first), each).astype(np.int64).tolist():
            if not starts or place >= ends[-1] or owners[-1] != document:
                starts.append(place)
                ends.append(min(place + _LENGTH, last))
                owners.append(document)
    sizes = np.array(ends, np.int64) - np.array(starts, np.int64)
    kept = np.flatnonzero(sizes > 1)
    parts = [documents.tokens[starts[row] : ends[row]] for row in kept.tolist()]
    tokens = np.concatenate([np.empty(0, np.int32), *parts])
    tokens.flags.writeable = documents.tokens.flags.writeable  # kernels are compiled for the one or the other
    pieces = Documents(
        tokens,
        np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64),
        np.full(len(kept), -1, np.int32),
        np.arange(len(kept), dtype=np.int32),
    )
    return pieces, np.array(owners, np.int64)[kept]
