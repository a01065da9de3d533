"""Near-duplicate passages of a collection, pair by pair: the boxes of similar windows, and the parts found in them.

Text in many documents is compared with the first of them alone, and the rest of these documents as if it were
not there (:mod:`ibidem.reuse.removal.frequent_passages`). Which passages go is decided later, with the places
that a pair does not name (:mod:`ibidem.reuse.removal.removals`).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.reuse.boxes import PairBoxes, merge_seeds
from ibidem.reuse.collection import Collection, Comparable
from ibidem.reuse.removal.frequent_passages import find_frequent
from ibidem.reuse.removal.parts import Part, Weights, find_parts
from ibidem.reuse.removal.periods import find_repetition
from ibidem.reuse.subtraction import take_out
from ibidem.reuse.windows import WindowJoin, find_boxes

_Ints = npt.NDArray[np.int64]
_Range = tuple[int, int]

_MOST_PLACES = 8
"""Places of a window up to which each is compared with each."""

_LENIENCE = 0.75
"""A passage is not equally similar everywhere: its windows need this share of the similarity alone."""

_SHORT = 8
"""The length up to which a text that repeats itself is cut at many places, in multiples of twice the least length of a
passage. A longer text is cut into halves that overlap by twice the least length."""

_DRIFT = 8
"""Tokens by which a passage that follows itself may begin earlier or later, for each time that it occurs before."""

_TASK = 64
"""Pairs of documents that are one task for a thread."""


class Duplicates(NamedTuple):
    """Pairs of near-duplicate passages.

    Attributes:
        documents: int64 [N, 2], the first one smaller, or the same.
        ranges: int64 [N, 4], half-open ranges of tokens in the first document, then in the second.
    """

    documents: _Ints
    ranges: _Ints


def find_duplicates(
    collection: Collection, join: WindowJoin, min_length: int, folder: Path, resources: Resources
) -> Duplicates:
    """The pairs of passages of ``min_length`` tokens or more that are similar by ``join.threshold``."""
    lenient_join = join._replace(threshold=_LENIENCE * join.threshold, most=min(join.most, _MOST_PLACES))
    frequent = find_frequent(collection, lenient_join.most, join.window, min_length)
    remainder = take_out(collection, frequent.ranges, folder)
    comparable = Comparable.of(remainder, join.window, None, within=True)
    boxes = find_boxes(remainder, comparable, lenient_join, folder, resources).boxes
    criteria = _Criteria(Weights.of(collection.idf), join, min_length)
    rows = _align_all(remainder, boxes, criteria, resources)
    frequent_boxes = merge_seeds(frequent.boxes, collection.bounds, 0)
    rows += _align_all(collection, frequent_boxes, criteria, resources)
    table = np.array(rows, np.int64).reshape(-1, 6)
    return Duplicates(table[:, :2], table[:, 2:])


class _Criteria(NamedTuple):
    """The conditions for passages to be near-duplicates."""

    weights: Weights
    join: WindowJoin
    min_length: int


def _align_all(
    collection: Collection, boxes: PairBoxes, criteria: _Criteria, resources: Resources
) -> list[tuple[int, ...]]:
    """The documents and the ranges of the parts that boxes lead to, by tokens of the whole documents."""

    def find_task(first: int) -> list[tuple[int, ...]]:
        rows: list[tuple[int, ...]] = []
        for pair in range(first, min(first + _TASK, len(boxes.pairs))):
            a, b = boxes.pairs[pair].tolist()
            parts = _find_parts(collection, boxes, pair, criteria)
            if parts:
                in_a, in_b = collection.map_to_whole(a), collection.map_to_whole(b)
                for part in parts:
                    a_range = int(in_a[part.a_first]), int(in_a[part.a_last - 1]) + 1
                    rows.append((a, b, *a_range, int(in_b[part.b_first]), int(in_b[part.b_last - 1]) + 1))
        return rows

    all_rows: list[tuple[int, ...]] = []
    with resources.pool() as pool:
        tasks = range(0, len(boxes.pairs), _TASK)
        for number, rows in enumerate(in_order(pool, find_task, tasks, 2 * resources.workers), 1):
            all_rows += rows
            resources.tell("aligning", min(number * _TASK, len(boxes.pairs)), len(boxes.pairs))
    return all_rows


def _find_parts(collection: Collection, boxes: PairBoxes, pair: int, criteria: _Criteria) -> list[Part]:
    """The parts of two documents around their boxes."""
    weights, join, min_length = criteria
    a, b = boxes.pairs[pair].tolist()
    first_a, first_b = int(collection.bounds[a]), int(collection.bounds[b])
    parts = set()
    for box in boxes.boxes[boxes.bounds[pair] : boxes.bounds[pair + 1]].tolist():
        for range_a, range_b in _list_ranges(collection, (a, b), box, criteria):
            in_a, in_b = collection.tokens[range_a[0] : range_a[1]], collection.tokens[range_b[0] : range_b[1]]
            for part in find_parts(in_a, in_b, weights, join.threshold, min_length):
                parts.add(part.shift(range_a[0] - first_a, range_b[0] - first_b))
    return sorted(parts)


def _list_ranges(
    collection: Collection, documents: tuple[int, int], box: list[int], criteria: _Criteria
) -> Iterator[tuple[_Range, _Range]]:
    """Yield the ranges to align for a box: its sides with a window around them; within a document, the parts before
    and behind a place."""
    (a, b), bounds, window = documents, collection.bounds, criteria.join.window
    range_a = max(int(bounds[a]), box[0] - window), min(int(bounds[a + 1]), box[1] + window)
    range_b = max(int(bounds[b]), box[2] - window), min(int(bounds[b + 1]), box[3] + window)
    if a != b or range_a[1] <= range_b[0]:
        yield range_a, range_b
    else:
        yield from _split_range(collection, (range_a[0], range_b[1]), criteria)


def _split_range(collection: Collection, span: _Range, criteria: _Criteria) -> Iterator[tuple[_Range, _Range]]:
    """Yield the ranges to align in a text that repeats itself: a passage that follows itself and each later one of it,
    and the ranges on either side of a place, for many places."""
    repetition = find_repetition(collection.tokens[span[0] : span[1]], criteria.join.threshold)
    if repetition is not None:
        first, last = repetition.first + span[0], repetition.last + span[0]
        length = -(-criteria.min_length // repetition.period) * repetition.period
        for number, start in enumerate(range(first + length, last - criteria.min_length + 1, length), 1):
            slack = min(length // 4, _DRIFT * number)
            yield (first, first + length), (start, min(start + length, span[1]))
            yield (first, first + length), (max(start - slack, first + length), min(start + length + slack, span[1]))
    yield from _split_at_places(span, criteria.min_length)


def _split_at_places(span: _Range, min_length: int) -> Iterator[tuple[_Range, _Range]]:
    """Yield the ranges on either side of a place, for many places."""
    spans, margin = [span], 2 * min_length
    while spans:
        first, last = spans.pop()
        if last - first > _SHORT * margin:
            middle = (first + last) // 2
            yield (first, middle), (middle, last)
            spans += [(first, middle + margin), (middle - margin, last)]
        else:
            for cut in range(first + min_length, last - min_length + 1, min_length):
                yield (first, cut), (cut, last)
