"""The defaults of an alignment: how long its passages are, how many chance may give, and the windows to start from."""

import math
from itertools import pairwise

from ibidem.arguments import require_fraction

WINDOWS = 32, 16, 8, 4, 2, 1
"""The lengths of windows, in tokens. Where passages shorter than one are asked for, the next is tried after it: shorter
windows are more often similar by chance, but a window hides matches that are much shorter."""

EXPECT = 0.1
"""The default of ``expect``: chance alone gives about one pair of passages in ten pairs of texts."""

_LEAST_LENGTH = 40
"""The default of ``min_pair_length``, in tokens: two or three sentences. A single shared sentence is often a notice
or a title."""

_SHORTEST = 3
"""Its least value: one word, or a name, is no passage, even where it is all of a text."""


def default_length(n: int, m: int, part: int = 4) -> int:
    """The default of ``min_pair_length`` for texts with ``n`` and ``m`` tokens: just over a ``part`` of the shorter."""
    return min(_LEAST_LENGTH, max(_SHORTEST, 1 + min(n, m) // part))


def window_lengths(n: int, m: int, min_pair_length: int) -> list[int]:
    """The lengths of the windows from which an alignment of ``n`` and ``m`` tokens starts, one after the other.

    A lower ``min_pair_length`` adds to them, so it adds to what is found.
    """
    lengths = [WINDOWS[0], *(shorter for longer, shorter in pairwise(WINDOWS) if longer > min_pair_length)]
    return list(dict.fromkeys(min(length, n, m) for length in lengths))


def require_settings(threshold: float, min_pair_length: int | None, expect: float = EXPECT) -> None:
    """Raise a ``ValueError`` unless an alignment can have these settings."""
    if not 0 < expect < math.inf:
        raise ValueError(f"expect must be a number above 0, not {expect!r}")
    require_fraction("threshold", threshold)
    if min_pair_length is not None and min_pair_length < 1:
        raise ValueError(f"min_pair_length must be 1 token or more, not {min_pair_length!r}")
