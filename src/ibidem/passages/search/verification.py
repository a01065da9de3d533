"""The exact similarity of candidate passages, by walks with incremental counts.

One kernel serves every family: a passage's weight and its overlap with the query are sums over tokens of
``tf(f) * idf``, and a step to the next token changes one of the terms. Two bounds end a walk early and lose nothing:

- the overlap of a passage is at most that of the longest window from its start, ``U``, and must reach ``θ * mass(Q)``;
- then a passage heavier than ``U * (1 + 1 / θ) - mass(Q)`` is too heavy for what it can share.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.passages.query.query import Query
from ibidem.passages.search.regions import Areas
from ibidem.text.token_stream import dense_ids
from ibidem.weights import Weighting

__all__ = ["Regions", "qualifying_areas"]

_SLACK = 1e-9
"""Sums of weights are compared with this much room, so that rounding loses no passage."""

_ROUNDING = 1e-12
"""What rounding may take from a similarity that is exactly the threshold."""


class Regions(NamedTuple):
    """Stretches of documents in which similar passages may start.

    Attributes:
        rows: int64 [R, 2], token positions in the segment at which a passage may start, half open.
        ends: int64 [R], where the document ends.
        documents: int64 [R], its row in the segment.
    """

    rows: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    documents: npt.NDArray[np.int64]


class _Limits(NamedTuple):
    threshold: float
    mass: float
    min_length: int
    max_length: int
    reach: int


def qualifying_areas(
    tokens: npt.NDArray[np.uint32],
    regions: Regions,
    query: Query,
    weighting: Weighting,
    threshold: float,
    lengths: tuple[int, int],
    reach: int,
) -> Areas:
    """Every passage that starts in ``regions``, has a length in ``lengths`` and reaches ``threshold``.

    An area is one start with a run of ends; its score is the exact similarity of its best passage.
    ``tokens`` uint32 [T] is the segment's stream; no passage longer than ``reach`` can qualify.
    """
    stops = np.minimum(regions.ends, regions.rows[:, 1] + reach)
    sizes = stops - regions.rows[:, 0]
    bounds = np.concatenate(([0], np.cumsum(sizes)))
    pieces = [tokens[first:stop] for first, stop in zip(regions.rows[:, 0], stops, strict=True)]
    ids, vocabulary = dense_ids(np.concatenate(pieces) if pieces else np.empty(0, np.uint32))
    place = np.minimum(np.searchsorted(query.vocabulary, vocabulary), max(0, len(query.vocabulary) - 1))
    known = query.vocabulary[place] == vocabulary if len(query.vocabulary) else np.zeros(len(vocabulary), np.bool_)
    weights = np.where(known, query.weights[place] if len(query.weights) else 0.0, 0.0)
    idf, table = weighting.idf_of(vocabulary), weighting.tf_table(reach)
    limits = _Limits(threshold, query.mass, lengths[0], lengths[1], reach)
    rows = regions.rows[:, 1] - regions.rows[:, 0]
    room = 4096
    while True:
        count, positions, similarities = _walk(ids, bounds, rows, weights, idf, table, limits, room)
        if count <= room:
            break
        room = count
    region = positions[0, :count]
    start, first, last, best = positions[1:, :count] + (regions.rows[region, 0] - bounds[region])
    return Areas(
        np.stack((start, start), axis=1),
        np.stack((first, last), axis=1),
        np.stack((start, best), axis=1),
        similarities[:count],
        regions.documents[region],
    )


@kernel
def _walk(ids: Any, bounds: Any, rows: Any, weights: Any, idf: Any, table: Any, limits: Any, room: Any) -> Any:
    """The number of runs, and the first ``room`` of them: region, start and three ends [5, room], similarity [room]."""
    threshold, mass = limits.threshold, limits.mass
    min_length, max_length, reach = limits.min_length, limits.max_length, limits.reach
    positions, similarities = np.empty((5, room), np.int64), np.empty(room, np.float64)
    count = 0
    in_window, in_passage = np.zeros(weights.shape[0], np.int64), np.zeros(weights.shape[0], np.int64)
    for region in range(rows.shape[0]):
        right, last_row = bounds[region], bounds[region] + rows[region] - 1
        bound = 0.0  # overlap with the query of the window [i, right)
        for i in range(bounds[region], last_row + 1):
            while right < min(bounds[region + 1], i + reach):
                token = ids[right]
                in_window[token] += 1
                if weights[token] > 0.0:
                    bound += min(weights[token], table[in_window[token]] * idf[token])
                    bound -= min(weights[token], table[in_window[token] - 1] * idf[token])
                right += 1
            if bound >= threshold * mass * (1.0 - _SLACK):
                heaviest = bound * (1.0 + 1.0 / threshold) - mass + mass * _SLACK
                overlap, weight = 0.0, 0.0
                union, first, best_end, best = mass, -1, -1, 0.0
                j = i
                while True:
                    inside = j < min(right, i + max_length) and weight <= heaviest
                    qualifies = False
                    if inside:
                        token = ids[j]
                        in_passage[token] += 1
                        before = table[in_passage[token] - 1] * idf[token]
                        after = table[in_passage[token]] * idf[token]
                        weight += after - before
                        if weights[token] > 0.0:
                            overlap += min(weights[token], after) - min(weights[token], before)
                        union = mass + weight - overlap
                        qualifies = overlap >= threshold * union * (1.0 - _ROUNDING) and j - i + 1 >= min_length
                    if first >= 0 and not qualifies:
                        if count < room:
                            positions[0, count], positions[1, count] = region, i
                            positions[2, count], positions[3, count], positions[4, count] = first, j - 1, best_end
                            similarities[count] = best
                        count += 1
                        first, best = -1, 0.0
                    if not inside:
                        break
                    if qualifies:
                        first = j if first < 0 else first
                        if overlap / union >= best:
                            best_end, best = j, overlap / union
                    j += 1
                for q in range(i, j):
                    in_passage[ids[q]] = 0
            token = ids[i]
            if weights[token] > 0.0:
                bound -= min(weights[token], table[in_window[token]] * idf[token])
                bound += min(weights[token], table[in_window[token] - 1] * idf[token])
            in_window[token] -= 1
        for q in range(last_row + 1, right):
            in_window[ids[q]] = 0
    return count, positions, similarities
