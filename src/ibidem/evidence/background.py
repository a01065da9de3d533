"""The background: how surprising a token is behind the one before it, learnt from a sample of the collection.

An idiom, a formula or a line of code is long and says little: each of its tokens follows from the last. So the surprise
of a run of tokens is that of its first one by itself, and of each other one behind the token before it. How often one
token follows another is counted in a sample; where the sample says little, the frequency of the token alone counts
(a Dirichlet prior: MacKay and Peto, A hierarchical Dirichlet language model, Natural Language Engineering 1, 1995).
What two passages share must not foretell itself: their own two occurrences are taken out of what the sample has, and
of a run that was copied from document to document, one copy counts.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import inlined, kernel

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

_PRIOR = 5.0
"""Occurrences that are added to those of a token; behind them, any token is as frequent as elsewhere."""

_LEAST_BITS, _MOST_BITS = 10, 21
"""Of the number of cells in which bigrams are counted: about two for each token of the sample."""

_MOST = np.iinfo(np.uint16).max

_COPIED = 12
"""Tokens in a row that occur again only where they were copied."""


class Background(NamedTuple):
    """The surprise of tokens, and the counts of a sample from which that behind another one follows.

    Attributes:
        alone: float64 [V], the surprise of each token by itself, in nats.
        chances: float64 [V], the probability of each, times the prior.
        before: float64 [V], how often each occurs in the sample, but for the two passages.
        contexts: float64 [V], the logarithm of that and the prior together.
        bigrams: uint16 [2^b], how often a token follows another, by a hash of both. Two bigrams in one cell count
            together, so they are more expected than they should be: evidence is never too high for this.
        own: how many occurrences of two passages are in the sample, about: 2, or less if it is a part of the texts.
        names: uint32 [V], what tokens are called in the hashes of bigrams.
        unseen: the probability of a token that the sample does not have.
    """

    alone: _Floats
    chances: _Floats
    before: _Floats
    contexts: _Floats
    bigrams: npt.NDArray[np.uint16]
    own: float
    names: npt.NDArray[np.uint32]
    unseen: float

    def renumber(self, names: npt.NDArray[np.uint32]) -> "Background":
        """The same for texts whose dense ids have these ``names`` [W]; those of this background ascend."""
        before, places = np.zeros(len(names)), np.searchsorted(self.names, names)
        known = np.flatnonzero(places < len(self.names))
        known = known[self.names[places[known]] == names[known]]
        before[known] = self.before[places[known]]
        return _make_background(before, self.bigrams, self.own, names.copy(), self.unseen)


def learn_background(
    tokens: _Ids,
    bounds: _Ints,
    vocabulary: int,
    share: float = 1.0,
    names: npt.NDArray[np.uint32] | None = None,
) -> Background:
    """The background of pieces of texts.

    Args:
        tokens: int32 [n], those of the pieces, one after the other; dense ids below ``vocabulary``.
        bounds: int64 [P + 1], where each piece begins.
        share: the part of all texts that the pieces are.
        names: uint32 [V], what the ids stand for; if given, others can be put in their place.
    """
    bits = min(max((2 * len(tokens)).bit_length(), _LEAST_BITS), _MOST_BITS)
    bigrams, own = np.zeros(1 << bits, np.uint16), 2.0 * min(share, 1.0)
    names = np.arange(vocabulary, dtype=np.uint32) if names is None else names.copy()
    counts = _count_tokens(tokens, bounds, names, bigrams)
    before = np.maximum(counts - own, 0.0)
    return _make_background(before, bigrams, own, names, 1.0 / max(int(counts.sum()) + vocabulary, 1))


def _make_background(
    before: _Floats, bigrams: npt.NDArray[np.uint16], own: float, names: npt.NDArray[np.uint32], unseen: float
) -> Background:
    chances = (before + 1.0) * unseen
    return Background(-np.log(chances), _PRIOR * chances, before, np.log(before + _PRIOR), bigrams, own, names, unseen)


@inlined
def _find_cell(before: np.uint32, token: np.uint32, cells: int) -> np.int64:
    """The cell in which a bigram is counted."""
    return np.int64(mix64(np.uint64(before) << np.uint64(32) | np.uint64(token)) & np.uint64(cells - 1))


@kernel
def _count_tokens(tokens: _Ids, bounds: _Ints, names: npt.NDArray[np.uint32], bigrams: npt.NDArray[np.uint16]) -> _Ints:
    """How often each token occurs, int64 [V]; how often each two do is counted in ``bigrams`` uint16 [2^b].

    The last token of ``_COPIED`` that occurred in this order before, but for chance in their hashes, is not counted.
    """
    counts, cells = np.zeros(names.shape[0], np.int64), 8 * bigrams.shape[0]
    known, leaving = np.zeros(cells, np.bool_), np.uint64(1)
    for _ in range(_COPIED):
        leaving *= GOLDEN
    for piece in range(bounds.shape[0] - 1):
        state = np.uint64(0)
        for p in range(bounds[piece], bounds[piece + 1]):
            state = state * GOLDEN + np.uint64(names[tokens[p]])
            if p - bounds[piece] >= _COPIED:
                state -= leaving * np.uint64(names[tokens[p - _COPIED]])
            if p - bounds[piece] >= _COPIED - 1:
                cell = np.int64(mix64(state) & np.uint64(cells - 1))
                if known[cell]:
                    continue
                known[cell] = True
            counts[tokens[p]] += 1
            if p > bounds[piece]:
                cell = _find_cell(names[tokens[p - 1]], names[tokens[p]], bigrams.shape[0])
                if bigrams[cell] < _MOST:
                    bigrams[cell] += 1
    return counts


@kernel
def weigh_behind(background: Background, tokens: _Ids, behind: _Floats) -> None:
    """Set the surprise of each of ``tokens`` int32 [n] behind the one before it, float64 [n]; alone for the first."""
    bigrams, names = background.bigrams, background.names
    for p in range(tokens.shape[0]):
        token = tokens[p]
        behind[p] = background.alone[token]
        if p > 0:
            last = tokens[p - 1]
            cell = _find_cell(names[last], names[token], bigrams.shape[0])
            both = min(bigrams[cell] - background.own, background.before[last])
            behind[p] = background.contexts[last] - np.log(max(both, 0.0) + background.chances[token])
