"""The most similar passages of which no two share a token.

Around a passage that is similar to a query are others that are similar because they hold a part of it, and words
that agree by chance. They add nothing to the better one. A passage that is similar without any token of a better one
counts by itself, even where it touches that: copies may follow each other.

The choice is greedy: the best passage, the best of those that share no token with it, and so on. A heap holds one entry
for each run of ends of a start. An entry whose best passage has meanwhile lost tokens is looked at again when it comes
to the top, with fewer ends. So ``n`` runs cost ``O(n log n)`` and the walks of the entries that were cut.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel
from ibidem.passages.query.areas import Areas
from ibidem.passages.query.plan import QueryPlan
from ibidem.passages.search.verification import WeighedText, weigh_ranges
from ibidem.rounding import EQUAL

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]


class _Entries(NamedTuple):
    """Runs of ends: of each the start, the first and the last end that are left, and the best passage of these.

    Positions count from the beginning of the ``WeighedText``.
    """

    starts: _Ints
    firsts: _Ints
    lasts: _Ints
    best_ends: _Ints
    scores: _Floats


def select_non_overlapping(
    tokens: npt.NDArray[np.uint32], areas: Areas, plan: QueryPlan, most: int, stop: npt.NDArray[np.uint8]
) -> tuple[_Ints, _Floats]:
    """Passages of ``areas``, int64 [M, 2], ascending: the best, the best of those that share no token with it, etc.

    Beside them their scores, float64 [M].

    The best is the most similar; of equally similar passages the longest, then the first.

    Args:
        tokens: uint32 [T], the segment's stream.
        areas: what ``verify_candidates`` found: each has one start.
        plan: the plan of the search.
        most: passages to select; beyond them, those that are as similar as the last of them alone.
        stop: uint8 [1]; once it becomes another number than it is the selection ends.
    """
    if not len(areas.scores):
        return np.empty((0, 2), np.int64), np.empty(0)
    starts, ends = areas.starts[:, 0], areas.ends
    ranges, rows = _cover_areas(areas.starts, ends)
    text = weigh_ranges(tokens, ranges, plan)
    shift = (text.bounds[:-1] - ranges[:, 0])[rows]
    entries = _Entries(
        starts=starts + shift,
        firsts=ends[:, 0] + shift,
        lasts=ends[:, 1] + shift,
        best_ends=areas.best[:, 1] + shift,
        scores=areas.scores.copy(),
    )
    entry_rows = np.sort(_choose(text, entries, plan.query.mass, plan.similar_lengths[1], most, stop))
    passages = np.stack((starts[entry_rows], entries.best_ends[entry_rows] - shift[entry_rows]), axis=1)
    return passages, entries.scores[entry_rows]


def count_covered(areas: Areas) -> int:
    """The tokens of all passages of ``areas``, each token once."""
    if not len(areas.scores):
        return 0
    ranges, _ = _cover_areas(areas.starts, areas.ends)
    return int((ranges[:, 1] - ranges[:, 0]).sum())


@kernel
def _cover_areas(areas_starts: _Ints, areas_ends: _Ints) -> tuple[_Ints, _Ints]:
    """Ranges, half open, that hold all passages, int64 [R, 2], and the range of each area [N].

    ``areas_starts`` and ``areas_ends`` are columns of ``Areas``; starts ascend.
    """
    count = areas_starts.shape[0]
    ranges, rows, last = np.empty((count, 2), np.int64), np.empty(count, np.int64), -1
    for area in range(count):
        if last < 0 or areas_starts[area, 0] >= ranges[last, 1]:
            last += 1
            ranges[last, 0], ranges[last, 1] = areas_starts[area, 0], areas_ends[area, 1] + 1
        ranges[last, 1] = max(ranges[last, 1], areas_ends[area, 1] + 1)
        rows[area] = last
    return ranges[: last + 1].copy(), rows


@kernel
def _choose(
    text: WeighedText, entries: _Entries, mass: float, reach: int, most: int, halt: npt.NDArray[np.uint8]
) -> _Ints:
    """The chosen entries, in the order in which they are chosen; their best passages are what was chosen."""
    heap, before = np.arange(entries.starts.shape[0]), halt[0]
    size = heap.shape[0]
    for node in range(size // 2 - 1, -1, -1):
        _sift_down(heap, size, node, entries)
    stops = np.full(text.ids.shape[0], text.ids.shape[0], np.int64)  # from each position, the next that is taken
    counts = np.zeros(text.weights.shape[0], np.int64)
    entries_chosen, count = np.empty(size, np.int64), 0
    least = 0.0
    while size and halt[0] == before:
        entry = heap[0]
        if count >= most and entries.scores[entry] < least * (1.0 - EQUAL):
            break
        start, stop = entries.starts[entry], stops[entries.starts[entry]]
        if stop > entries.best_ends[entry]:
            entries_chosen[count] = entry
            count += 1
            least = entries.scores[entry] if count <= most else least
            _take(stops, start, entries.best_ends[entry], reach)
        elif stop > entries.firsts[entry]:
            entries.lasts[entry] = stop - 1
            _find_best_end(text, entries, entry, mass, counts)
            _sift_down(heap, size, 0, entries)
            continue
        size -= 1
        heap[0] = heap[size]
        _sift_down(heap, size, 0, entries)
    return entries_chosen[:count].copy()


@inlined
def _take(stops: _Ints, first: int, last: int, reach: int) -> None:
    """Take the tokens of a passage from those that passages may have."""
    for position in range(first, last + 1):
        stops[position] = position
    position = first - 1
    while position >= 0 and position > first - reach and stops[position] > position:
        stops[position] = min(stops[position], first)
        position -= 1


@inlined
def _find_best_end(text: WeighedText, entries: _Entries, entry: int, mass: float, counts: _Ints) -> None:
    """Find the best of the passages that an entry has left, by a walk from its start."""
    ids, weights, idf, table = text.ids, text.weights, text.idf, text.table
    start, last = entries.starts[entry], entries.lasts[entry]
    overlap, weight, best = 0.0, 0.0, 0.0
    for j in range(start, last + 1):
        token = ids[j]
        counts[token] += 1
        before, after = table[counts[token] - 1] * idf[token], table[counts[token]] * idf[token]
        weight += after - before
        if weights[token] > 0.0:
            overlap += min(weights[token], after) - min(weights[token], before)
        similarity = overlap / (mass + weight - overlap)
        if j >= entries.firsts[entry] and similarity >= best * (1.0 - EQUAL):
            best, entries.best_ends[entry] = max(best, similarity), j
    entries.scores[entry] = best
    for j in range(start, last + 1):
        counts[ids[j]] = 0


@inlined
def _sift_down(heap: _Ints, size: int, node: int, entries: _Entries) -> None:
    """Restore the order of a binary heap whose ``node`` may come after those below it."""
    child = 2 * node + 1
    while child < size:
        if child + 1 < size and _comes_first(entries, heap[child + 1], heap[child]):
            child += 1
        if not _comes_first(entries, heap[child], heap[node]):
            break
        heap[child], heap[node] = heap[node], heap[child]
        node, child = child, 2 * child + 1


@inlined
def _comes_first(entries: _Entries, entry: int, other_entry: int) -> bool:
    """Whether the best passage of an entry is better than that of another: more similar, or longer, or earlier."""
    score, other_score = entries.scores[entry], entries.scores[other_entry]
    if abs(score - other_score) > EQUAL * max(score, other_score):
        return bool(score > other_score)
    length = entries.best_ends[entry] - entries.starts[entry]
    other_length = entries.best_ends[other_entry] - entries.starts[other_entry]
    if length != other_length:
        return bool(length > other_length)
    return bool(entries.starts[entry] < entries.starts[other_entry])
