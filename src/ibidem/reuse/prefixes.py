"""The exact join: runs of windows by the tokens of their prefixes, which find every two similar windows.

Order the tokens of a collection from the heaviest to the lightest. The *prefix* of a window, for a similarity ``s``, is
the fewest of its first tokens without which the rest weighs less than ``s`` times the window. Two windows of a weighted
Jaccard similarity of ``s`` or more share at least ``s`` times the weight of either. If the first token that they share
were behind the prefix of one of them, all that they share would be in the rest of that window and weigh less. So it is
in both prefixes (the prefix filter of Chaudhuri, Ganti, Kaushik, ICDE 2006; for windows that slide, Wang et al., *Local
Similarity Search for Unstructured Text*, SIGMOD 2016). Runs of windows with a token in their prefixes are verified as
those of bands are, and none is missed. The price is that common tokens make many candidates that are not similar.
"""

import numpy as np
import numpy.typing as npt

from ibidem.evidence.records.records import Records
from ibidem.kernels import kernel
from ibidem.rounding import SLACK

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]


def rank_by_weight(weights: _Floats) -> _Ids:
    """The place of each token in the order from the heaviest to the lightest, int32 [V]."""
    places = np.empty(len(weights), np.int32)
    places[np.argsort(-weights, kind="stable")] = np.arange(len(weights), dtype=np.int32)
    return places


def make_prefix_records(
    tokens: _Ids, bounds: _Ints, weights: _Floats, window: int, similarity: float, span: tuple[int, int]
) -> Records:
    """The runs, of windows that start at the tokens ``span[0]`` to ``span[1] - 1``, that have a token in the prefix.

    The key of a run is the token. Windows are those of ``make_window_records``.
    """
    places = rank_by_weight(weights)
    room = 4 * (span[1] - span[0]) + window
    while True:
        records = Records.allocate(room)
        count = _fill_prefix_records(tokens, bounds, (weights, places), window, similarity, np.array(span), records)
        if count >= 0:
            return records.take(slice(count))
        room *= 2


@kernel
def _fill_prefix_records(
    tokens: _Ids,
    bounds: _Ints,
    weights_and_places: tuple[_Floats, _Ids],
    window: int,
    similarity: float,
    span: _Ints,
    records: Records,
) -> int:
    """Fill ``records``, and return their number, or -1 where there is no room.

    ``weights_and_places`` are those of the tokens, float64 [V] and int32 [V].
    """
    weights, places = weights_and_places
    window_tokens, counts = np.empty(window, np.int32), np.zeros(weights.shape[0], np.int32)
    open_at, last_starts = np.full(weights.shape[0], -1, np.int64), np.full(weights.shape[0], -1, np.int64)
    active = np.empty(2 * window, np.int32)
    count = 0
    document = np.searchsorted(bounds, span[0], side="right") - 1
    while document < bounds.shape[0] - 1 and bounds[document] < span[1]:
        begin, end = bounds[document], bounds[document + 1]
        document += 1
        size = min(window, end - begin)
        lowest, highest = max(begin, span[0]), min(end - size + 1, span[1])
        if size == 0 or lowest >= highest:
            continue
        distinct, active_count = 0, 0
        for p in range(lowest, lowest + size - 1):
            distinct = _enter(window_tokens, distinct, counts, places, tokens[p])
        for start in range(lowest, highest):
            distinct = _enter(window_tokens, distinct, counts, places, tokens[start + size - 1])
            total = 0.0
            for x in range(distinct):
                total += weights[window_tokens[x]]
            rest, x = total, 0
            while x < distinct and rest > SLACK and rest >= similarity * total - SLACK:
                token = window_tokens[x]
                last_starts[token] = start
                if open_at[token] < 0:
                    open_at[token] = start
                    active[active_count] = token
                    active_count += 1
                rest -= weights[token]
                x += 1
            if count + active_count + window > records.keys.shape[0]:
                return -1
            open_count = 0
            for y in range(active_count):
                token = active[y]
                if last_starts[token] == start:
                    active[open_count] = token
                    open_count += 1
                else:
                    count = _close(records, count, token, open_at, start)
            active_count = open_count
            distinct = _leave(window_tokens, distinct, counts, tokens[start])
        for y in range(active_count):
            count = _close(records, count, active[y], open_at, highest)
        for p in range(highest, highest + size - 1):
            distinct = _leave(window_tokens, distinct, counts, tokens[p])
    return count


@kernel
def _enter(window_tokens: _Ids, distinct: int, counts: _Ids, places: _Ids, token: np.int32) -> int:
    """Put a token among ``window_tokens``, which are in order; return how many distinct ones there are."""
    counts[token] += 1
    if counts[token] > 1:
        return distinct
    x = distinct
    while x > 0 and places[window_tokens[x - 1]] > places[token]:
        window_tokens[x] = window_tokens[x - 1]
        x -= 1
    window_tokens[x] = token
    return distinct + 1


@kernel
def _leave(window_tokens: _Ids, distinct: int, counts: _Ids, token: np.int32) -> int:
    """Take a token from ``window_tokens``; return how many distinct ones there are."""
    counts[token] -= 1
    if counts[token] > 0:
        return distinct
    x = 0
    while window_tokens[x] != token:
        x += 1
    for y in range(x, distinct - 1):
        window_tokens[y] = window_tokens[y + 1]
    return distinct - 1


@kernel
def _close(records: Records, count: int, token: np.int32, open_at: _Ints, end: int) -> int:
    """Write the run of a token that ends before the window ``end``; the number of runs."""
    records.keys[count] = np.uint64(token)
    records.starts[count], records.ends[count] = open_at[token], end
    open_at[token] = -1
    return count + 1
