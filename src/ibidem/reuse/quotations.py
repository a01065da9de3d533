"""Quotations: runs of tokens that are beyond chance although they are shorter than the windows that are joined.

A verse, a phrase of six rare words or the half of a sentence has too few tokens for windows, whose order plays no part.
Here order counts (:mod:`ibidem.evidence`): what follows what in the collection says how surprising a run is, and pieces
of its own documents say how surprising runs of unrelated texts are. A quotation must be so surprising that chance gives
``_EXPECT`` in two documents of these lengths. Chance is not all: documents on one subject share its names and terms,
which are no quotations. So unless a least length is asked for, a quotation is a part of the shorter document that
counts, or as long as passages that windows lead to (decision 55). Where documents are compared with known ones alone,
as answers with a book that they quote, eight tokens are enough.
"""

import math

import numpy as np
import numpy.typing as npt

from ibidem.evidence.background import learn_background
from ibidem.evidence.chance import Chance, estimate_chance
from ibidem.evidence.runs import Documents, Runs, SeedRule, find_runs, select_disjoint
from ibidem.reuse.collection import Collection
from ibidem.reuse.pairs import Pairs, measure_similarity
from ibidem.reuse.windows import draw_sample
from ibidem.rounding import SLACK

_Flags = npt.NDArray[np.bool_]
_Ints = npt.NDArray[np.int64]

_EXPECT = 1e-3
"""Quotations that chance may give in two documents. Texts that are unrelated are most pairs of a collection."""

_PART, _SHORT, _LONG, _KNOWN = 8, 3, 40, 8
"""A quotation has more than the n-th part of the tokens of the shorter document; in any case so many tokens, and never
more than so many, or so many where documents are compared with known ones."""

_LEAST = 12.0
"""Nats of the least surprising seed. Every few words of a language begin one of less. Besides, a seed is as surprising
as a quotation must be in documents of usual length, and has half of its tokens."""


def find_quotations(
    collection: Collection, side: npt.NDArray[np.int32], threshold: float, min_pair_length: int | None, most: int
) -> Pairs:
    """The quotations in documents that are compared, in the order of their documents and places.

    Args:
        collection: its tokens must not overlap each other, as shingles do.
        side: int32 [D]; documents of the same one are not compared, of a negative one with all.
        threshold: the least similarity.
        min_pair_length: the least length of the longer passage, in tokens; see above if not given.
        most: of a seed in more places, not every pair of places is compared.
    """
    sample = draw_sample(collection)
    share = len(sample.tokens) / max(len(collection.tokens), 1)
    background = learn_background(sample.tokens, sample.bounds, len(collection.vocabulary), share)
    documents = Documents(collection.tokens, collection.bounds, side, collection.ranks)
    chance = estimate_chance(documents, background)
    lengths, long = np.maximum(np.diff(collection.bounds), 1), _KNOWN if (side >= 0).all() else _LONG
    usual = float(np.quantile(lengths, 0.25)) if len(lengths) else 1.0
    least = max(_LEAST, chance.surprise_of(2 * math.log(usual) - math.log(_EXPECT)))
    rule = SeedRule(least, max(2, (min_pair_length or min(int(usual) // _PART, long)) // 2))
    runs = find_runs(documents, background, rule, most)
    evidence = chance.weigh(runs.surprise)
    is_beyond = evidence >= np.log(lengths[runs.documents]).sum(axis=1) - math.log(_EXPECT)
    longer = np.maximum(runs.ranges[:, 1] - runs.ranges[:, 0], runs.ranges[:, 3] - runs.ranges[:, 2])
    shortest = choose_shortest(lengths[runs.documents], min_pair_length, long)
    rows = np.flatnonzero(is_beyond & (longer >= shortest))
    similarity = measure_similarity(collection, runs.documents[rows], runs.ranges[rows])
    rows, similarity = rows[similarity >= threshold - SLACK], similarity[similarity >= threshold - SLACK]
    return _make_pairs(runs.take(rows), similarity, chance)


def choose_shortest(lengths: _Ints, min_pair_length: int | None, long: int = _LONG) -> _Ints:
    """The least tokens of the longer passage in documents of ``lengths`` int64 [P, 2], at most ``long``, int64 [P]."""
    shortest = np.clip(1 + lengths.min(axis=1) // _PART, _SHORT, long)
    return np.full_like(shortest, min_pair_length) if min_pair_length else shortest


def _make_pairs(runs: Runs, similarity: npt.NDArray[np.float64], chance: Chance) -> Pairs:
    order = np.lexsort((*runs.ranges.T[::-1], *runs.documents.T[::-1]))
    runs = runs.take(order)
    nothing = np.full(len(order), np.nan)
    is_summary = np.zeros(len(order), np.bool_)
    return Pairs(runs.documents, runs.ranges, similarity[order], chance.weigh(runs.surprise), is_summary, nothing)


def select_new(quotations: Pairs, pairs: Pairs) -> _Flags:
    """Which quotations overlap none of ``pairs`` in both documents."""
    taken = pairs.take(~pairs.summary)
    return select_disjoint(*(Runs(each.documents, each.ranges, each.evidence) for each in (quotations, taken)))
