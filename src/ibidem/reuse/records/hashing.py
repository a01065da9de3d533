"""The runs of windows of a text that have the same min-hashes in a band."""

import numpy as np
import numpy.typing as npt

from ibidem.evidence.records.records import Records
from ibidem.hashing import GOLDEN, mix64
from ibidem.kernels import kernel

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]

_CHUNK = 2048
"""Windows that are hashed at once: their values stay in the fastest memory of a processor."""


def make_window_records(tokens: _Ids, bounds: _Ints, ranks: _Ids, window: int, first: int, last: int) -> Records:
    """The runs of the windows that start at the tokens ``first`` to ``last - 1``.

    No window lies in two documents; one with fewer tokens than ``window`` is a window by itself. Windows without any
    weight are in no run. Which runs there are does not depend on how the starts are shared out, but for runs that are
    cut at ``first`` or ``last``. ``ranks`` int32 [f, V] are those of ``rank_tokens``.
    """
    records = Records.allocate(last - first)
    count = _fill_window_records(tokens, bounds, ranks, window, np.array([first, last]), *records)
    return records.take(slice(count))


@kernel
def _fill_window_records(
    tokens: _Ids,
    bounds: _Ints,
    ranks: _Ids,
    window: int,
    span: _Ints,
    keys: npt.NDArray[np.uint64],
    starts: _Ints,
    ends: _Ints,
) -> int:
    """Fill the columns of records, and return their number; ``span`` int64 [2] are the first start and the last.

    The key of a window is a sum of its values, each times an odd number of its function (multilinear hashing): the sums
    of many windows are computed at once, and where two neighbours have equal sums, they have equal values. Without a
    function, all windows have one key.
    """
    functions, no_rank = ranks.shape[0], ranks.shape[1]
    least, buffer = np.zeros(_CHUNK + window, np.int32), np.empty(_CHUNK + window, np.int32)
    sums, previous, count = np.empty(_CHUNK, np.uint64), np.uint64(0), 0
    document = np.searchsorted(bounds, span[0], side="right") - 1
    while document < bounds.shape[0] - 1 and bounds[document] < span[1]:
        begin, end = bounds[document], bounds[document + 1]
        document += 1
        size = min(window, end - begin)
        lowest, highest = max(begin, span[0]), min(end - size + 1, span[1])
        for first in range(lowest, highest if size else lowest, _CHUNK):
            windows = min(_CHUNK, highest - first)
            window_tokens = tokens[first : first + windows + size - 1]
            sums[:] = 0
            for x in range(functions - 1, -1, -1):  # the values of the first function remain
                _slide(window_tokens, ranks[x], size, least, buffer)
                _add_values(least, mix64(GOLDEN * np.uint64(x + 1)) | np.uint64(1), sums)
            if first == lowest:
                previous = ~sums[0]
            for j in range(windows):
                key = sums[j]
                is_new = key != previous
                previous = key
                if least[j] == no_rank:  # a token without weight never comes first
                    continue
                keys[count], starts[count] = key, first + j  # is overwritten unless it begins a run
                count += is_new
                ends[count - 1] = first + j + 1
    return count


@kernel
def _add_values(values: _Ids, factor: np.uint64, sums: npt.NDArray[np.uint64]) -> None:
    """Add each of ``values`` times a factor to ``sums`` [n], of as many or fewer; sums have 64 bits."""
    for j in range(sums.shape[0]):
        sums[j] += np.uint64(values[j]) * factor


@kernel
def _slide(tokens: _Ids, ranks: _Ids, size: int, least: _Ids, buffer: _Ids) -> None:
    """Set ``least[j]`` to the least rank among the ``size`` tokens from the token ``j`` on.

    The least of ``2 n`` tokens is that of ``n`` and of the ``n`` behind them, so a few passes double ``n`` to the
    greatest power of 2, and a last one has two that overlap. A pass is a loop without a branch, of which a processor
    does several steps at once. ``least`` and ``buffer`` have room for a rank of each token.
    """
    for j in range(tokens.shape[0]):
        least[j] = ranks[tokens[j]]
    size_covered, count = 1, tokens.shape[0]
    while size_covered < size:
        step = min(size_covered, size - size_covered)
        count -= step
        shifted = least[step : step + count]
        for j in range(count):
            buffer[j] = min(least[j], shifted[j])
        for j in range(count):  # an assignment of slices would look whether they overlap
            least[j] = buffer[j]
        size_covered += step
