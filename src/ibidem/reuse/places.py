"""How much evidence against chance it is that two places of a collection share the tokens that they share.

Where that is enough, weak similarity counts, too (:mod:`ibidem.reuse.evident`). Kernels of several files call this one,
so ``tests/test_structure.py`` freezes this file: after a change, the cached machine code of these has to go.
"""

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel
from ibidem.reuse.collection import Comparable

_Ids = npt.NDArray[np.int32]

PLACE = 64
"""Tokens of a place whose evidence counts."""


@kernel
def weigh_places(comparable: Comparable, documents: tuple[int, int], middles: tuple[int, int], numbers: _Ids) -> int:
    """The evidence against chance of what the places around two tokens of two documents share.

    Of the evidence that tokens are not shared, that of the place with more of it counts. ``numbers`` int32 [V] are -1
    before and after.
    """
    tokens, bounds, (d, e) = comparable.tokens, comparable.bounds, documents
    first, end = max(middles[0] - PLACE // 2, bounds[d]), min(middles[0] + PLACE // 2, bounds[d + 1])
    other_first, other_end = max(middles[1] - PLACE // 2, bounds[e]), min(middles[1] + PLACE // 2, bounds[e + 1])
    presence, absence, other_absence = 0, 0, 0
    for p in range(first, end):
        if numbers[tokens[p]] < 0:
            numbers[tokens[p]] = 0
            absence += comparable.absence[tokens[p]]
    for p in range(other_first, other_end):
        token = tokens[p]
        if numbers[token] < 1:
            presence += comparable.presence[token] if numbers[token] == 0 else 0
            other_absence += comparable.absence[token]
            numbers[token] = 1
    for p in range(first, end):
        numbers[tokens[p]] = -1
    for p in range(other_first, other_end):
        numbers[tokens[p]] = -1
    return presence + max(absence, other_absence)
