"""The runs of windows of a text that hold a rare token, which most places share that are weakly similar beyond chance.

Bands promise to find windows of one similarity, and less similar ones agree in a band less often. These count where
their places share more than expected by chance, and most such places share a rare token. So the windows that hold one
are compared with each other, as those that agree in a band are.

In a language, the tokens that occur up to ``n`` times have about ``n / ln V`` pairs of places for each token of the
collection, however large it is (Zipf's law): one in two tokens for ``FOLLOWED``.
"""

import numpy as np
import numpy.typing as npt

from ibidem.evidence.records.records import Records

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Bools = npt.NDArray[np.bool_]

FOLLOWED = 8
"""Occurrences of the most frequent token that is followed to its places."""

_ROUNDING = 0.5
"""Of an occurrence; weights are rounded."""


def find_rare(logarithmic: npt.NDArray[np.float64], total: int) -> _Bools:
    """Return which tokens occur so seldom that they are followed, bool [V], by their weights ``ln((N + n) / n) + 1``.

    ``total`` is N. The weights of a run that is updated stay, and so does what is rare.
    """
    is_rare: _Bools = np.expm1(logarithmic - 1) * (FOLLOWED + _ROUNDING) >= total
    return is_rare


def make_rare_records(tokens: _Ids, bounds: _Ints, is_rare: _Bools, window: int, span: tuple[int, int]) -> Records:
    """The runs of windows that hold one of the tokens ``span[0]`` to ``span[1] - 1`` that ``is_rare`` [V].

    The token is the key of its run. Windows are those of ``make_window_records``.
    """
    places = span[0] + np.flatnonzero(is_rare[tokens[span[0] : span[1]]])
    documents = np.searchsorted(bounds, places, side="right") - 1
    document_starts, document_ends = bounds[documents], bounds[documents + 1]
    starts = np.maximum(places - window + 1, document_starts)
    lasts = np.minimum(places, np.maximum(document_ends - window, document_starts))
    return Records(tokens[places].astype(np.uint64), starts, lasts + 1)
