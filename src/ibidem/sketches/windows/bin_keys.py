"""The keys of a text in every bin of one permutation hashing, gathered in one pass over its tokens.

A *key* ``[p, q]`` is a run of tokens that begins and ends with one token ``t`` and holds it ``x`` times, where ``(t,
x)`` has an active value in the bin. All values of a token are read where the token occurs, so that they are in the
cache; then the keys are distributed to their bins.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import kernel
from ibidem.sketches.one_permutation import BinValues
from ibidem.text.token_stream import TokenStream

# Keys of a token for which there is room at first; what is not used of it costs nothing.
_USUAL_KEYS = 16


class BinKeys(NamedTuple):
    """Keys bin after bin, in each by right end, and at one right end from the last start to the first.

    Attributes:
        bounds: int64 [bins + 1], the keys of each bin.
        spans: int32 [K, 3], first token, last token, and place of the value in ``BinValues``.
    """

    bounds: npt.NDArray[np.int64]
    spans: npt.NDArray[np.int32]


def find_bin_keys(stream: TokenStream, values: BinValues, bins: range, max_length: int) -> BinKeys:
    """The keys of at most ``max_length`` tokens in each of ``bins``."""
    bounds, spans = _gather(stream, values, bins.start, bins.stop, max_length)
    return BinKeys(bounds, _sort_by_bin(bounds, spans))


@kernel
def _gather(
    stream: TokenStream, values: BinValues, first_bin: int, end_bin: int, max_length: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """``bounds`` of ``BinKeys``, and ``spans`` in the order of the tokens, with the bin of each in a fourth column."""
    ids, texts = stream.ids, stream.bounds
    place, occurrences, groups = stream.place, stream.occurrences, stream.groups
    run_bounds, run_bins, run_values = values.bounds, values.bins, values.values
    value_x = values.x
    counts, count = np.zeros(end_bin - first_bin + 1, np.int64), 0
    most = np.int64(0)
    for token in range(groups.shape[0] - 1):
        most += (groups[token + 1] - groups[token]) * (
            run_values[run_bounds[token + 1]] - run_values[run_bounds[token]]
        )
    spans = np.empty((min(most, _USUAL_KEYS * ids.shape[0]), 4), np.int32)
    for text in range(texts.shape[0] - 1):
        for j in range(texts[text], texts[text + 1]):
            token, oldest = ids[j], max(texts[text], j - max_length + 1)
            lowest, latest = groups[token], np.int64(place[j]) + 1
            most = count + run_values[run_bounds[token + 1]] - run_values[run_bounds[token]]
            if most > spans.shape[0]:
                larger = np.empty((2 * most, 4), np.int32)
                larger[:count] = spans[:count]
                spans = larger
            for run in range(run_bounds[token], run_bounds[token + 1]):
                first = latest - value_x[run_values[run]]
                if first < lowest or occurrences[first] < oldest:
                    break  # the runs of a token are in the order of their first values
                column = np.int64(run_bins[run]) - first_bin
                if column < 0 or run_bins[run] >= end_bin:
                    continue
                for v in range(run_values[run], run_values[run + 1]):
                    occurrence = latest - value_x[v]
                    if occurrence < lowest or occurrences[occurrence] < oldest:
                        break
                    spans[count, 0], spans[count, 1] = occurrences[occurrence], j
                    spans[count, 2], spans[count, 3] = v, column
                    counts[column + 1] += 1
                    count += 1
    return np.cumsum(counts), spans[:count]


@kernel
def _sort_by_bin(bounds: npt.NDArray[np.int64], spans: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The ``spans`` in the order of their bins."""
    fill, dealt = bounds[:-1].copy(), np.empty((spans.shape[0], 3), np.int32)
    for key in range(spans.shape[0]):
        to = fill[spans[key, 3]]
        dealt[to, 0], dealt[to, 1], dealt[to, 2] = spans[key, 0], spans[key, 1], spans[key, 2]
        fill[spans[key, 3]] = to + 1
    return dealt
