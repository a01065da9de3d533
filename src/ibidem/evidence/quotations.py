"""Quotations: runs of tokens that are beyond chance although they are shorter than windows.

A verse, a phrase of six rare words or the half of a sentence has too few tokens for windows, whose order plays no part.
Here order counts: what follows what in the collection says how surprising a run is, and pieces of its own documents say
how surprising runs of unrelated texts are. A quotation must be so surprising that chance gives few of them in two
documents of these lengths. Chance is not all: documents on one subject share its names and terms, which are no
quotations. So unless a least length is asked for, a quotation is a part of the shorter document that counts, or as long
as passages that windows lead to (decision 55). Where texts are compared with known ones, as answers with a book that
they quote, eight tokens are enough.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.null_model import NullModel
from ibidem.evidence.runs import NO_RUNS, Runs, Spill, find_runs
from ibidem.evidence.seeds import Documents, SeedRule

_PART, _SHORT, _LONG, _KNOWN = 8, 3, 40, 8
"""A quotation has more than the n-th part of the tokens of the shorter document; in any case so many tokens, and never
more than so many, or so many of known text."""

WINDOW = 32
"""Tokens of a window. Where quotations have as many, windows lead to all of them."""

_LEAST = 12.0
"""Nats of the least surprising seed. Every few words of a language begin one of less. Besides, a seed is as surprising
as a quotation must be in documents of usual length, and has half of its tokens."""

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]


class QuotationRule(NamedTuple):
    """Which runs are quotations.

    Attributes:
        expect: how many of them chance may give in two documents.
        min_length: the least length of the longer passage, in tokens; if not given, see above.
        known: whether one side is known text.
    """

    expect: float
    min_length: int | None = None
    known: bool = False

    def choose_shortest(self, lengths: _Ints) -> _Ints:
        """The least length of a quotation, int64 [P], in two documents, the shorter one with ``lengths`` int64 [P]."""
        if self.min_length is not None:
            return np.full_like(lengths, self.min_length)
        return np.minimum(np.maximum(1 + lengths // _PART, _SHORT), _KNOWN if self.known else _LONG)

    def select_short(self, lengths: _Ints) -> npt.NDArray[np.bool_]:
        """Which documents of ``lengths`` int64 [D] are so short that windows do not lead to their quotations."""
        return self.choose_shortest(lengths) < WINDOW

    def choose_seed(self, usual: int) -> int:
        """The tokens of the shortest seed in short documents of this ``usual`` length."""
        return max(2, int(self.choose_shortest(np.array([usual]))[0]) // 2)


class Quotations(NamedTuple):
    """Quotations that documents share.

    Attributes:
        runs: where they are.
        evidence: float64 [R], in nats: chance gives ``m n exp(-evidence)`` of them in ``m`` and ``n`` tokens.
    """

    runs: Runs
    evidence: _Floats


def find_usual(lengths: _Ints) -> int:
    """The length that three of four documents reach, of ``lengths`` int64 [D]."""
    rank = (len(lengths) - 1) // 4
    return int(np.partition(lengths, rank)[rank])


def find_quotations(
    documents: Documents, model: NullModel, rule: QuotationRule, most: int, spill: Spill | None = None
) -> Quotations:
    """The quotations that two documents share, one of which is so short that windows lead to none; none overlap.

    Args:
        documents: their tokens are dense ids of the ``model``.
        model: what they share by chance.
        rule: which runs are quotations.
        most: of a seed in more places, not every pair of places is compared.
        spill: as for ``find_runs``.
    """
    background, chance = model
    lengths = np.maximum(np.diff(documents.bounds), 1)
    is_short = rule.select_short(lengths)
    if not is_short.any():
        return Quotations(NO_RUNS, np.empty(0))
    usual = find_usual(lengths[is_short])
    least = max(_LEAST, chance.surprise_of(2 * math.log(usual) - math.log(rule.expect)))
    asking = documents._replace(asks=documents.asks & is_short)
    runs = find_runs(asking, background, SeedRule(least, rule.choose_seed(usual)), most, spill)
    evidence = chance.weigh(runs.surprise)
    is_beyond = evidence >= np.log(lengths[runs.documents]).sum(axis=1) - math.log(rule.expect)
    longer = np.maximum(runs.ranges[:, 1] - runs.ranges[:, 0], runs.ranges[:, 3] - runs.ranges[:, 2])
    rows = np.flatnonzero(is_beyond & (longer >= rule.choose_shortest(lengths[runs.documents].min(axis=1))))
    return Quotations(runs.take(rows), evidence[rows])
