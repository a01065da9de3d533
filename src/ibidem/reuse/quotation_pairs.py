"""Quotations between the documents of a collection (:mod:`ibidem.evidence.quotations`), as pairs of passages."""

import numpy as np
import numpy.typing as npt

from ibidem.evidence.background import learn_background
from ibidem.evidence.chance import estimate_chance
from ibidem.evidence.null_model import NullModel
from ibidem.evidence.quotations import QuotationRule
from ibidem.evidence.quotations import find_quotations as find_between
from ibidem.evidence.runs import Runs, Spill, select_disjoint
from ibidem.evidence.seeds import Documents
from ibidem.reuse.collection import Collection
from ibidem.reuse.pairs import PairRule, Pairs, measure_similarity
from ibidem.reuse.windows import draw_sample
from ibidem.rounding import SLACK

_Flags = npt.NDArray[np.bool_]

_OF_TWO, _OF_ALL = 0.01, 0.1
"""Quotations that chance may give in two documents, for each pair of similar passages that it may give in them, and in
one and all that it is compared with."""


def find_quotations(
    collection: Collection,
    side: npt.NDArray[np.int32],
    rule: PairRule,
    most: int,
    spill: Spill,
) -> Pairs:
    """The quotations in documents that are compared, in the order of their documents and places.

    Args:
        collection: its documents.
        side: int32 [D]; documents of the same one are not compared, of a negative one with all.
        rule: which passages are a pair.
        most: of a seed in more places, not every pair of places is compared.
        spill: where what memory does not hold lies.
    """
    sample = draw_sample(collection)
    share = len(sample.tokens) / max(len(collection.tokens), 1)
    background = learn_background(sample.tokens, sample.bounds, len(collection.vocabulary), share)
    documents = Documents.of(collection.tokens, collection.bounds, side, collection.ranks)
    model = NullModel(background, estimate_chance(documents, background))
    compared = int(np.bincount(side + 1).max(initial=1))
    expect = rule.expect * min(_OF_TWO, _OF_ALL / compared)
    quoted = QuotationRule(expect, rule.min_length, known=bool((side >= 0).all()))
    runs, evidence = find_between(documents, model, quoted, most, spill)
    similarity = measure_similarity(collection, runs.documents, runs.ranges)
    is_similar = similarity >= rule.threshold - SLACK
    return _make_pairs(runs.take(is_similar), similarity[is_similar], evidence[is_similar])


def _make_pairs(runs: Runs, similarity: npt.NDArray[np.float64], evidence: npt.NDArray[np.float64]) -> Pairs:
    order = np.lexsort((*runs.ranges.T[::-1], *runs.documents.T[::-1]))
    runs = runs.take(order)
    nothing = np.full(len(order), np.nan)
    is_summary = np.zeros(len(order), np.bool_)
    return Pairs(runs.documents, runs.ranges, similarity[order], evidence[order], is_summary, nothing)


def select_new(quotations: Pairs, pairs: Pairs) -> _Flags:
    """Which quotations overlap none of ``pairs`` in both documents."""
    taken = pairs.take(~pairs.summary)
    return select_disjoint(*(Runs(each.documents, each.ranges, each.evidence) for each in (quotations, taken)))
