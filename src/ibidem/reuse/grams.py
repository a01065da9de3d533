"""Runs of tokens in place of the tokens of a small alphabet, since single letters are no evidence.

Any two windows of 32 Latin letters have most letters in common. If two running tokens of a collection are the same too
often, each token is replaced by the run of ``n`` tokens that begins there. ``n`` is so large that two runs would agree
once in ten thousand times if tokens were independent. Passages, their similarity and their evidence are then those of
these runs, as with a tokenizer that makes shingles.

A run is a number below 2^20, a hash of its tokens, and weighs what these weigh on the average. Both follow from the
tokens and their weights alone, so they stay the same when the results of a search are updated.
"""

import math
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ibidem.hashing import GOLDEN
from ibidem.reuse.collection import Collection, Rarity
from ibidem.store.files.columns import ColumnWriter
from ibidem.store.format import Column

GRAMS = Column("grams", "<i4", ("n",), "reuse", "")
"""The runs that replace the tokens of a collection, if they do."""

_OFTEN = 0.035
"""The probability that two running tokens are the same, up to which single tokens are compared. For words it is about
0.01, for Latin letters 0.065."""

_SELDOM = 1e-4
"""The probability that two runs are the same by chance, at most."""

_LEAST_TOKENS = 2_000
"""The least number of tokens of a collection whose frequencies are meaningful."""

_BUCKETS = 1 << 20

_CHUNK = 1 << 20
"""Tokens that are numbered at once."""

_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]


def choose_gram_width(rarity: Rarity) -> int:
    """Return how many tokens are a run; 1 where single tokens are compared."""
    total = rarity.frequencies.num_documents
    shares = rarity.frequencies.counts / max(total, 1)
    collision = float((shares**2).sum())
    if total < _LEAST_TOKENS or collision <= _OFTEN:
        return 1
    return math.ceil(math.log(_SELDOM) / math.log(min(collision, 0.5)))


def replace_with_grams(collection: Collection, folder: Path) -> Collection:
    """Replace tokens by runs of tokens, in ``folder``; return the collection itself where single ones are compared."""
    width = choose_gram_width(collection.rarity)
    if width == 1:
        return collection
    tokens = ColumnWriter(folder, GRAMS)
    weights = np.zeros(_BUCKETS)
    for first in range(0, len(collection.tokens), _CHUNK):
        last = min(first + _CHUNK, len(collection.tokens))
        grams, weight = _make_grams(collection, first, last, width)
        tokens.append(grams)
        np.maximum.at(weights, grams, weight)
    vocabulary = np.arange(_BUCKETS, dtype=np.uint32)
    tokens.write_header()
    view = tokens.view()
    return Collection(**{**collection._asdict(), "tokens": view, "vocabulary": vocabulary, "idf": weights})


def _make_grams(collection: Collection, first: int, last: int, width: int) -> tuple[_Ids, _Floats]:
    """The runs at the tokens ``first`` to ``last``, and their weights; at the end of a document they are shorter."""
    documents = np.searchsorted(collection.bounds, np.arange(first, last), side="right")
    ends = collection.bounds[documents]
    states, weight = np.zeros(last - first, np.uint64), np.zeros(last - first)
    for place in range(width):
        positions = np.arange(first, last) + place
        is_inside = positions < ends
        tokens = collection.tokens[positions[is_inside]]
        states[is_inside] = _mix(states[is_inside], collection.vocabulary[tokens])
        weight[is_inside] += collection.idf[tokens]
    return (states % np.uint64(_BUCKETS)).astype(np.int32), weight / width


def _mix(states: npt.NDArray[np.uint64], tokens: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """The hashes of runs that are longer by a token."""
    states = (states ^ tokens.astype(np.uint64)) * GOLDEN
    return states ^ (states >> np.uint64(29))
