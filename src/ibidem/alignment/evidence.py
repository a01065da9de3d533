"""How surprising it is that two passages share so much: the evidence against chance.

With ``part`` the weight of what both passages have, ``whole`` the weight of what one or the other has,
``s = part / whole`` their similarity and ``c`` that of passages that have nothing to do with each other, the evidence
is the logarithm of a likelihood ratio, in nats::

    whole * (s * ln(s / c) + (1 - s) * ln((1 - s) / (1 - c)))

This is Kulldorff's scan statistic (A spatial scan statistic, Communications in Statistics 26, 1997) for Bernoulli
trials of which ``c`` succeed by chance. It grows with similarity and with length.

The kernels of this room call the formula, so this file is one of those whose kernels other files may call. An edit
here needs an edit there, or an empty cache of Numba.
"""

import math

from ibidem._jit import kernel
from ibidem.rounding import SLACK

__all__ = ["CHANCE", "SLACK", "evidence"]

CHANCE = 0.1
"""Similarity of passages that have nothing to do with each other, by words weighted by their rarity."""


@kernel
def evidence(part: float, whole: float, chance: float) -> float:
    """The evidence, in nats, of sharing ``part`` of ``whole`` where the share ``chance`` is expected.

    Negative where less is shared than expected; 0 where ``chance`` is no probability between 0 and 1.
    """
    if whole <= SLACK or chance <= 0.0 or chance >= 1.0:
        return 0.0
    share = min(max(part / whole, 0.0), 1.0)
    surprise = 0.0
    if share > 0.0:
        surprise += share * math.log(share / chance)
    if share < 1.0:
        surprise += (1.0 - share) * math.log((1.0 - share) / (1.0 - chance))
    return whole * surprise if share > chance else -whole * surprise
