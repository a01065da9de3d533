"""The compact windows of a text in every bin of one permutation hashing, by one sweep a bin over the bin's own tokens.

The sweep is scanline (``sketches/windows/scanline.py``), of which each bin sees its own keys and no others:
``find_bin_keys`` gathers them. All bins together have as many keys as one function has, so the time does not depend on
the number of bins. For sets the n tokens of a text give at most n windows with a key, and at most ``n + k - 2`` empty
ones: one before each token and one at the end of each bin, but none before the first token and none behind the last.
"""

from itertools import pairwise

from ibidem.sketches.one_permutation import BinValues
from ibidem.sketches.windows.bin_keys import find_bin_keys
from ibidem.sketches.windows.pruning import SortedKeys
from ibidem.sketches.windows.scanline import UNBOUNDED, Room, sweep
from ibidem.sketches.windows.windows import Windows
from ibidem.text.token_stream import TokenStream


def bin_windows(
    stream: TokenStream, values: BinValues, bins: range, min_length: int = 1, max_length: int = UNBOUNDED
) -> list[Windows]:
    """The windows of every text of ``stream`` in each of ``bins``.

    Every passage of ``min_length`` to ``max_length`` tokens lies in exactly one window of a bin. A window of the key
    ``EMPTY_KEY`` holds the passages ``[i, j]`` with ``a <= i <= b`` and ``i <= j <= d`` (its ``c`` is ``b``); one that
    has more than ``max_length`` starts is cut.
    """
    bin_keys, room = find_bin_keys(stream, values, bins, min(max_length, UNBOUNDED)), Room(stream.bounds)
    return [
        sweep(
            SortedKeys(bin_keys.spans[low:high], values.rank, values.key), room, min_length, max_length, with_empty=True
        )
        for low, high in pairwise(bin_keys.bounds.tolist())
    ]
