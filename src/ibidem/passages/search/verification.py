"""The exact similarity of candidate passages, by walks with incremental counts.

One kernel serves every family: a passage's weight and its overlap with the query are sums over tokens of
``tf(f) * idf``, and a step to the next token changes one of the terms. Two bounds end a walk early and lose nothing:

- the overlap of a passage is at most ``U``, that of the longest window from its start, which must reach ``θ mass(Q)``;
- then a passage heavier than ``U (1 + 1 / θ) - mass(Q)`` is too heavy for the overlap that it can have.
"""

from contextlib import suppress
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.kernels import inlined, kernel
from ibidem.parallel import split_ranges
from ibidem.passages.query.areas import NO_AREAS, Areas, join_areas
from ibidem.passages.query.execution import NEVER, Execution, StoppedError
from ibidem.passages.query.plan import QueryPlan
from ibidem.rounding import EQUAL, SLACK
from ibidem.store.segments.segment import Segment
from ibidem.text.token_stream import number_tokens

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]

# Tokens that a filter looks at in the time in which a walk takes one up.
_WALK_COST = 2

# Starts from which a thread verifies passages at a time.
_STARTS_PER_TASK = 1 << 14


class CandidateRanges(NamedTuple):
    """Ranges of positions in documents at which similar passages may start.

    Attributes:
        starts: int64 [R, 2], token positions in the segment, half open.
        ends: int64 [R], where the document ends.
        documents: int64 [R], its row in the segment.
    """

    starts: _Ints
    ends: _Ints
    documents: _Ints


class WeighedText(NamedTuple):
    """Tokens of some ranges of a text, one range after the other, as walks read them.

    Attributes:
        ids: [N], the tokens, numbered from 0.
        bounds: int64 [R + 1], where each range begins in ``ids``.
        weights: float64 [V], weight of each token in the query; 0 if the query does not have it.
        idf: float64 [V], the factor of each token's weight in a passage.
        table: float64 [n], the factor for each frequency.
    """

    ids: npt.NDArray[np.int32]
    bounds: _Ints
    weights: _Floats
    idf: _Floats
    table: _Floats


class SimilarityBounds(NamedTuple):
    """The bounds that a similar passage must reach.

    Attributes:
        threshold: least similarity.
        mass: weight of the query.
        min_length, max_length: tokens.
        reach: tokens beyond which no passage is similar.
    """

    threshold: float
    mass: float
    min_length: int
    max_length: int
    reach: int


class _Runs(NamedTuple):
    """Runs of qualifying ends: region, start, first, last and best end [5, room], and the best similarity [room]."""

    positions: _Ints
    similarities: _Floats


def limits_of(plan: QueryPlan) -> SimilarityBounds:
    """The limits that ``plan`` sets to a passage."""
    return SimilarityBounds(
        threshold=plan.threshold,
        mass=plan.query.mass,
        min_length=plan.lengths[0],
        max_length=plan.lengths[1],
        reach=plan.similar_lengths[1],
    )


def weigh_ranges(tokens: npt.NDArray[np.uint32], ranges: _Ints, plan: QueryPlan) -> WeighedText:
    """The tokens of ``ranges`` [R, 2], half open, of a segment's stream ``tokens`` uint32 [T]."""
    query = plan.query
    bounds = np.concatenate(([0], np.cumsum(ranges[:, 1] - ranges[:, 0])))
    parts = [tokens[first:stop] for first, stop in ranges.tolist()]
    ids, vocabulary = number_tokens(np.concatenate([tokens[:0], *parts]))
    place = np.minimum(np.searchsorted(query.vocabulary, vocabulary), max(0, len(query.vocabulary) - 1))
    is_known = query.vocabulary[place] == vocabulary if len(query.vocabulary) else np.zeros(len(vocabulary), np.bool_)
    weights = np.where(is_known, query.weights[place] if len(query.weights) else 0.0, 0.0)
    table = plan.weighting.tf_table(plan.similar_lengths[1])
    return WeighedText(ids=ids, bounds=bounds, weights=weights, idf=plan.weighting.idf_of(vocabulary), table=table)


def verify_starts(segment: Segment, starts: npt.NDArray[np.int64], plan: QueryPlan, execution: Execution) -> Areas:
    """The similar passages that begin in ``starts``, half-open ranges int64 [N, 2].

    A search that has to stop gives those that it has.
    """
    if not len(starts):
        return NO_AREAS
    execution.statistics.starts_likely += int((starts[:, 1] - starts[:, 0]).sum())
    with execution.statistics.step("verification"):
        ranges = _divide_by_document(segment, starts)
        parts = [
            CandidateRanges(starts=part, ends=ranges.ends[rows], documents=ranges.documents[rows])
            for rows, part in split_ranges(ranges.starts, _STARTS_PER_TASK)
        ]
        parts = parts[: execution.spend_on([_WALK_COST * _count_steps(part, plan) for part in parts])]
        run = execution.map if len(parts) > 1 else map
        parts_of_areas, count = [NO_AREAS], 0
        with suppress(StoppedError):
            for areas in run(partial(verify_candidates, segment.tokens, plan=plan, stop=execution.stop), parts):
                parts_of_areas.append(areas)
                count += len(areas.scores)
                if not execution.keep(count):
                    break
        return join_areas(parts_of_areas)


def _count_steps(ranges: CandidateRanges, plan: QueryPlan) -> int:
    """The most tokens that walks from all starts look at."""
    starts = ranges.starts[:, 1] - ranges.starts[:, 0]
    return int((starts * np.minimum(ranges.ends - ranges.starts[:, 0], plan.similar_lengths[1])).sum())


def _divide_by_document(segment: Segment, starts: npt.NDArray[np.int64]) -> CandidateRanges:
    """Divide ranges of ``starts`` [N, 2] among the documents that are alive."""
    return CandidateRanges(*_divide_ranges(starts, segment.token_bounds, segment.alive))


@kernel
def _divide_ranges(
    starts: npt.NDArray[np.int64], bounds: npt.NDArray[np.int64], alive: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The columns of ``CandidateRanges``. The tokens of document ``d`` are ``bounds[d]`` to ``bounds[d + 1]``."""
    firsts = np.searchsorted(bounds, starts[:, 0], side="right") - 1
    lasts = np.searchsorted(bounds, starts[:, 1], side="left") - 1
    most = np.sum(lasts - firsts + 1)
    ranges, count = np.empty((most, 2), np.int64), 0
    ends, documents = np.empty(most, np.int64), np.empty(most, np.int64)
    for row in range(starts.shape[0]):
        for document in range(firsts[row], lasts[row] + 1):
            low, high = max(starts[row, 0], bounds[document]), min(starts[row, 1], bounds[document + 1])
            if low < high and alive[document]:
                ranges[count, 0], ranges[count, 1] = low, high
                ends[count], documents[count] = bounds[document + 1], document
                count += 1
    return ranges[:count].copy(), ends[:count].copy(), documents[:count].copy()


def verify_candidates(
    tokens: npt.NDArray[np.uint32], ranges: CandidateRanges, plan: QueryPlan, stop: npt.NDArray[np.uint8] = NEVER
) -> Areas:
    """Every passage that starts in ``ranges``, has an allowed length and reaches the threshold.

    An area is one start with a run of ends; its score is the exact similarity of its best passage.
    ``tokens`` uint32 [T] is the segment's stream. Once ``stop`` uint8 [1] is not 0, no further start is examined.
    """
    stops = np.minimum(ranges.ends, ranges.starts[:, 1] + plan.similar_lengths[1])
    text = weigh_ranges(tokens, np.stack((ranges.starts[:, 0], stops), axis=1), plan)
    sizes = ranges.starts[:, 1] - ranges.starts[:, 0]
    room = 4096
    while True:
        count, positions, similarities = _walk(text, sizes, limits_of(plan), room, stop)
        if count <= room:
            break
        room = count
    region = positions[0, :count]
    start, first, last, best = positions[1:, :count] + (ranges.starts[region, 0] - text.bounds[region])
    return Areas(
        starts=np.stack((start, start), axis=1),
        ends=np.stack((first, last), axis=1),
        best=np.stack((start, best), axis=1),
        scores=similarities[:count],
        documents=ranges.documents[region],
    )


@kernel
def _walk(
    text: WeighedText, sizes: _Ints, limits: SimilarityBounds, room: int, halt: npt.NDArray[np.uint8]
) -> tuple[int, _Ints, _Floats]:
    """Walk from each of the first ``sizes`` positions of each range. Returns the number of runs, and ``_Runs``."""
    ids, bounds, weights, idf, table = text.ids, text.bounds, text.weights, text.idf, text.table
    runs = _Runs(np.empty((5, room), np.int64), np.empty(room, np.float64))
    count, most = 0, weights.shape[0]
    in_window, in_passage = np.zeros(most, np.int64), np.zeros(most, np.int64)
    for region in range(sizes.shape[0]):
        right, last_start = bounds[region], bounds[region] + sizes[region] - 1
        bound = 0.0  # overlap with the query of the window [i, right)
        for i in range(bounds[region], last_start + 1):
            if halt[0]:
                return count, runs.positions, runs.similarities
            while right < min(bounds[region + 1], i + limits.reach):
                in_window[ids[right]] += 1
                bound += _last_share(weights[ids[right]], idf[ids[right]], table, in_window[ids[right]])
                right += 1
            if bound >= limits.threshold * limits.mass * (1.0 - SLACK):
                stop = min(right, i + limits.max_length)
                count = _walk_from(text, (region, i, stop), bound, limits, in_passage, runs, count)
            bound -= _last_share(weights[ids[i]], idf[ids[i]], table, in_window[ids[i]])
            in_window[ids[i]] -= 1
        for q in range(last_start + 1, right):
            in_window[ids[q]] = 0
    return count, runs.positions, runs.similarities


@inlined
def _last_share(weight: float, idf: float, table: _Floats, frequency: int) -> float:
    """The gain of the last of ``frequency`` occurrences of a token in the overlap with the query.

    ``weight`` is that of the token in the query, 0 if it has none; ``idf`` is its rarity, ``table`` weighs frequencies.
    """
    gain = 0.0
    if weight > 0.0:
        gain = min(weight, table[frequency] * idf)
        gain -= min(weight, table[frequency - 1] * idf)
    return gain


@kernel
def _walk_from(
    text: WeighedText,
    place: tuple[int, int, int],
    bound: float,
    limits: SimilarityBounds,
    counts: _Ints,
    runs: _Runs,
    count: int,
) -> int:
    """Walk from one start, and write down the runs of ends that qualify. Returns the number of all runs.

    ``place`` is the region, the start and the stop; ``bound`` the overlap of the longest window from the start. A run
    without room is counted and not written.
    """
    region, start, stop = place
    ids, weights, idf, table = text.ids, text.weights, text.idf, text.table
    threshold, mass = limits.threshold, limits.mass
    heaviest = bound * (1.0 + 1.0 / threshold) - mass + mass * SLACK
    overlap, weight, first, best_end, best = 0.0, 0.0, -1, -1, 0.0
    j = start
    while j < stop and weight <= heaviest:
        token = ids[j]
        counts[token] += 1
        before, after = table[counts[token] - 1] * idf[token], table[counts[token]] * idf[token]
        weight += after - before
        if weights[token] > 0.0:
            overlap += min(weights[token], after) - min(weights[token], before)
        union = mass + weight - overlap
        if overlap >= threshold * union * (1.0 - EQUAL) and j - start + 1 >= limits.min_length:
            first = j if first < 0 else first
            if overlap / union >= best * (1.0 - EQUAL):
                best_end, best = j, max(best, overlap / union)
        elif first >= 0:
            _record(runs, count, (region, start, first, j - 1, best_end), best)
            count, first, best = count + 1, -1, 0.0
        j += 1
    if first >= 0:
        _record(runs, count, (region, start, first, j - 1, best_end), best)
        count += 1
    for q in range(start, j):
        counts[ids[q]] = 0
    return count


@inlined
def _record(runs: _Runs, row: int, run: tuple[int, int, int, int, int], similarity: float) -> None:
    """Write down a run where there is room."""
    if row < runs.similarities.shape[0]:
        runs.positions[0, row], runs.positions[1, row], runs.positions[2, row] = run[0], run[1], run[2]
        runs.positions[3, row], runs.positions[4, row] = run[3], run[4]
        runs.similarities[row] = similarity
