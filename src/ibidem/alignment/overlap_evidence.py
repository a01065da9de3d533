"""How surprising it is that two passages share so much: the evidence against chance.

With ``part`` the weight of what both passages have, ``whole`` the weight of what one or the other has,
``s = part / whole`` their similarity and ``c`` that of passages that have nothing to do with each other, the evidence
is the logarithm of a likelihood ratio, in nats::

    whole * (s * ln(s / c) + (1 - s) * ln((1 - s) / (1 - c)))

This is Kulldorff's scan statistic (A spatial scan statistic, Communications in Statistics 26, 1997) for Bernoulli
trials of which ``c`` succeed by chance. It grows with similarity and with length.

Where places are compared by the tokens that they hold, the evidence of each token depends on its rarity
(``weigh_presence``).

The kernels of this room call the formula, so this file is one of those whose kernels other files may call. An edit
here needs an edit there, or an empty cache of Numba.
"""

import math

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel
from ibidem.rounding import SLACK

_Floats = npt.NDArray[np.float64]

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


def weigh_presence(chances: _Floats, similar: float) -> tuple[_Floats, _Floats]:
    """Return the evidence of tokens that a place holds by chance with the probabilities ``chances`` [V], in nats.

    The likelihood ratio of a pair of places compares belonging to passages whose similarity is ``similar`` with being
    unrelated. In such passages, half of either place, a token of one place occurs in the other with a probability of
    ``similar / (1 + similar)``. The first array [V] is the evidence that a place which holds the token has more than
    one which lacks it, the second [V] that of one which lacks it; both are 0 for a token that chance gives as often.
    """
    share = similar / (1.0 + similar)
    telling = np.minimum(chances, share)
    absence = np.log((1.0 - share) / (1.0 - telling))
    return np.log(share / telling) - absence, absence
