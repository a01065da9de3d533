"""The evidence against chance that a leak has.

The evidence of an occurrence is what its alignment is worth, less the logarithm of the number of running tokens: among
so many places, an alignment of this worth is expected by chance.
"""

import math

import numpy as np
import numpy.typing as npt

from ibidem.rounding import SLACK, reaches

_WHOLE = 3.0
"""Nats beyond those expected by chance, for a part that is found whole."""

_LACKING = 20.0
"""Nats more for all of the weight of a part that was not found: there are many ways to find a piece of it. Both were
chosen on 1,000 questions of fewer than 13 words, of novels and of gsm8k's training split, in web pages and novels."""

STRONG = 15.0
"""Nats from which a piece of a part is listed, however small."""


def measure_chance(tokens: int) -> float:
    """Compute what chance alone is worth among so many running tokens, in nats."""
    return math.log(tokens + 1)


def compute_required_evidence(containment: float, items: int = 1) -> float:
    """The least evidence of a leak that holds this share of a part's weight, where so many items are looked for.

    A whole part is there by chance as often as its own weight says. A piece may be one of any of the items.

    >>> compute_required_evidence(1.0, 1000), compute_required_evidence(0.5)
    (3.0, 13.0)
    """
    price = 0.0 if reaches(containment, 1.0) else math.log(items)
    return _WHOLE + _LACKING * (1 - containment) + price


def compute_least_shares(totals: npt.NDArray[np.float64], chance: float) -> npt.NDArray[np.float64]:
    """The least shares at which parts of these weights, float64 [P], are reported.

    No alignment is worth more than the weight that it matches, so less is never enough. Above 1, nothing is.
    """
    leak_shares = (chance + _WHOLE + _LACKING) / (totals + _LACKING)
    piece_shares = (chance + STRONG) / np.maximum(totals, SLACK)
    return np.minimum(leak_shares, piece_shares)
