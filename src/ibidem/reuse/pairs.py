"""Pairs of passages: boxes of seeds, extended and judged by the alignment of their two documents.

The pairs of two documents are those of an alignment that starts from these seeds, with words weighed by how rare they
are in the collection. An exact search takes all seeds of the two, as ``align`` does: it joins windows of so little
similarity that its boxes as a whole would not be similar.

Long documents are cut down to the surroundings of their seeds. If a passage fills most of such a piece, the rest of it
does not show what is expected by chance, and the whole documents are aligned. Summaries are looked for in documents
that are not cut.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.extension import Measures
from ibidem.alignment.lengths import EXPECT, default_length, window_lengths
from ibidem.alignment.passage_pairs import criteria_for, extend_seed_boxes, find_in_windows
from ibidem.alignment.selection import overlaps
from ibidem.alignment.weighted_pair import TF, Pair, make_pair
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.reuse.boxes import PairBoxes, merge_seeds
from ibidem.reuse.collection import Collection
from ibidem.rounding import reaches
from ibidem.weights import Weighting

_Ints = npt.NDArray[np.int64]
_Ids = npt.NDArray[np.int32]
_Floats = npt.NDArray[np.float64]

_LONG = 1 << 15
"""Tokens. If a longer document has seeds, only the surroundings of these are aligned."""

_MARGIN = 1 << 12
"""Tokens of the surroundings on either side of a box."""

_TASK = 16
"""Pairs of documents that are one task for a thread."""

_AHEAD = 64
"""Tasks for each thread that may be finished, or queued, before the first of them is finished. Copies of one long
document follow each other, and such a task takes thousands of times as long as one of documents with little in
common."""


class Pairs(NamedTuple):
    """Pairs of similar passages, in the order of their documents and places.

    Attributes:
        documents: int64 [N, 2], the first one smaller, or the same where a document was compared with itself.
        ranges: int64 [N, 4], half-open ranges of tokens in the first document, then in the second.
        similarity: float64 [N], exact.
        evidence: float64 [N], nats against chance.
        summary: bool [N], whether one passage sums up the other, longer one.
        containment: float64 [N], of a summary the share of the shorter passage that the longer one has; else NaN.
    """

    documents: _Ints
    ranges: _Ints
    similarity: _Floats
    evidence: _Floats
    summary: npt.NDArray[np.bool_]
    containment: _Floats

    @property
    def strength(self) -> _Floats:
        """The value compared with the threshold, float64 [N]: of a summary its containment, else the similarity."""
        return np.where(self.summary, self.containment, self.similarity)

    @classmethod
    def join(cls, parts: "Sequence[Pairs]") -> "Pairs":
        """Those of several parts, one after the other."""
        nothing, places = np.empty(0), (np.empty((0, 2), np.int64), np.empty((0, 4), np.int64))
        none = cls(*places, nothing, nothing, np.empty(0, np.bool_), nothing)
        return cls(*(np.concatenate(columns) for columns in zip(none, *parts, strict=True)))

    def sort(self) -> _Ints:
        """The rows in the order of their documents and places."""
        return np.lexsort((*self.ranges.T[::-1], *self.documents.T[::-1]))

    def take(self, rows: npt.NDArray[np.bool_] | _Ints) -> "Pairs":
        """Some of the pairs."""
        return Pairs(
            self.documents[rows],
            self.ranges[rows],
            self.similarity[rows],
            self.evidence[rows],
            self.summary[rows],
            self.containment[rows],
        )


class PairRule(NamedTuple):
    """Which passages are a pair; see :func:`ibidem.find_reuse`.

    Attributes:
        threshold: the least similarity.
        min_length: the least length of the longer passage, in tokens; if not given, it follows from the documents.
        expect: how many pairs chance may give in two documents.
    """

    threshold: float
    min_length: int | None = None
    expect: float = EXPECT


class _Task(NamedTuple):
    """What pairs of documents are aligned with.

    Attributes:
        collection: the documents.
        rule, exact: those of :func:`align_boxes`.
    """

    collection: Collection
    rule: PairRule
    exact: bool


class _Row(NamedTuple):
    """A pair of passages: tokens of the one document, of the other, and what was counted."""

    a_first: int
    a_last: int
    b_first: int
    b_last: int
    similarity: float
    evidence: float
    summary: bool
    containment: float | None = None

    def exchange(self) -> "_Row":
        """The same with the two documents exchanged."""
        return _Row(self.b_first, self.b_last, self.a_first, self.a_last, *self[4:])


class _Piece(NamedTuple):
    """A part of the one document, a part of the other, half-open ranges of tokens, and the boxes in both."""

    a: tuple[int, int]
    b: tuple[int, int]
    boxes: _Ints

    def widen(self, lengths: tuple[int, int], *, within: bool, boxes: _Ints) -> "_Piece":
        """Return all of the two documents, or of the parts before and behind a place in one, with all boxes."""
        if within:
            return _Piece((0, self.a[1]), (self.b[0], lengths[1]), self.boxes)
        return _Piece((0, lengths[0]), (0, lengths[1]), boxes)

    def is_same(self, piece: "_Piece") -> bool:
        """Return whether another piece has the same parts and as many of the boxes of the two documents."""
        return (self.a, self.b, len(self.boxes)) == (piece.a, piece.b, len(piece.boxes))


def align_boxes(
    collection: Collection,
    boxes: PairBoxes,
    rule: PairRule,
    resources: Resources,
    *,
    exact: bool = False,
) -> Pairs:
    """The pairs of passages that ``boxes`` lead to; if ``exact``, all pairs of the documents that have boxes."""

    task = _Task(collection, rule, exact)

    def align_some(first: int) -> list[tuple[int, int, list[_Row]]]:
        rows = []
        for pair in range(first, min(first + _TASK, len(boxes.pairs))):
            a, b = boxes.pairs[pair].tolist()
            pair_boxes = boxes.boxes[boxes.bounds[pair] : boxes.bounds[pair + 1]] - collection.bounds[[a, a, b, b]]
            if pair_rows := _align_by_contents(task, (a, b), pair_boxes):
                rows.append((a, b, pair_rows))
        return rows

    with resources.pool() as pool:
        tasks = range(0, len(boxes.pairs), _TASK)
        rows: list[tuple[int, int, list[_Row]]] = []
        parts = in_order(pool, align_some, tasks, _AHEAD * resources.workers)
        for first, part in zip(tasks, parts, strict=True):
            rows += part
            resources.tell("aligning", min(first + _TASK, len(boxes.pairs)), len(boxes.pairs))
    documents = [(a, b) for a, b, pair_rows in rows for _ in pair_rows]
    all_rows = [row for _, _, pair_rows in rows for row in pair_rows]
    return Pairs(
        np.array(documents, np.int64).reshape(-1, 2),
        np.array([row[:4] for row in all_rows], np.int64).reshape(-1, 4),
        np.array([row.similarity for row in all_rows], np.float64),
        np.array([row.evidence for row in all_rows], np.float64),
        np.array([row.summary for row in all_rows], np.bool_),
        np.array([row.containment for row in all_rows], np.float64),
    )


def _align_by_contents(task: _Task, documents: tuple[int, int], boxes: _Ints) -> list[_Row]:
    """The pairs of passages of two documents, aligned in the order in which ``align`` takes two texts."""
    a, b = documents
    if _comes_first(task.collection, a, b):
        return _align_documents(task, documents, boxes)
    exchanged = boxes[:, [2, 3, 0, 1]]
    exchanged = exchanged[np.lexsort(exchanged.T[::-1])]
    return sorted(row.exchange() for row in _align_documents(task, (b, a), exchanged))


def _comes_first(collection: Collection, a: int, b: int) -> bool:
    """Return whether ``a`` comes before ``b`` in that order (:func:`ibidem.alignment.weighted_pair.weigh_in_order`)."""
    texts = [collection.tokens[collection.bounds[row] : collection.bounds[row + 1]] for row in (a, b)]
    if len(texts[0]) != len(texts[1]):
        return len(texts[0]) < len(texts[1])
    first, second = (collection.vocabulary[tokens].tobytes() for tokens in texts)
    return first <= second


def _align_documents(task: _Task, documents: tuple[int, int], boxes: _Ints) -> list[_Row]:
    """The pairs of passages of two documents, in the order of their places."""
    a, b = documents
    bounds = task.collection.bounds
    lengths = int(bounds[a + 1] - bounds[a]), int(bounds[b + 1] - bounds[b])
    shortest = task.rule.min_length or default_length(*lengths)
    if min(lengths) < shortest:
        return []
    rows: list[_Row] = []
    for piece in _cut_pieces(a == b, lengths, boxes):
        piece_rows = list(_align_piece(task, documents, lengths, piece, shortest))
        whole_piece = piece.widen(lengths, within=a == b, boxes=boxes)
        if not whole_piece.is_same(piece) and any(_fills(row, piece) for row in piece_rows):
            piece_rows = list(_align_piece(task, documents, lengths, whole_piece, shortest))
        rows += piece_rows
    return _drop_overlaps(rows)


def _fills(row: _Row, piece: _Piece) -> bool:
    """Return whether a passage leaves too little of its piece to estimate what is expected by chance there."""
    return (
        2 * (row.a_last - row.a_first) > piece.a[1] - piece.a[0]
        or 2 * (row.b_last - row.b_first) > piece.b[1] - piece.b[0]
    )


def _cut_pieces(within: bool, lengths: tuple[int, int], boxes: _Ints) -> Iterator[_Piece]:
    """Yield the pieces of two documents that are aligned with each other."""
    if within:  # the part before a place between the two windows, with the part behind it
        for box in boxes:
            cut = int(box[1] + box[2]) // 2
            first, last = max(0, int(box[0]) - _MARGIN), min(lengths[1], int(box[3]) + _MARGIN)
            piece_boxes = np.array([[box[0], min(box[1], cut), max(box[2], cut), box[3]]])
            yield _Piece((first, cut), (cut, last), piece_boxes)
        return
    if max(lengths) <= _LONG or not len(boxes):
        yield _Piece((0, lengths[0]), (0, lengths[1]), boxes)
        return
    ends = np.array([0, lengths[0], lengths[0] + lengths[1]])
    shift = np.array([0, 0, lengths[0], lengths[0]])
    hulls = merge_seeds(boxes + shift, ends, 2 * _MARGIN).boxes - shift
    for hull in hulls:
        piece_boxes = boxes[(boxes[:, ::2] >= hull[::2]).all(axis=1) & (boxes[:, 1::2] <= hull[1::2]).all(axis=1)]
        first, last = np.maximum(hull[::2] - _MARGIN, 0), np.minimum(hull[1::2] + _MARGIN, lengths)
        yield _Piece((int(first[0]), int(last[0])), (int(first[1]), int(last[1])), piece_boxes)


def _align_piece(
    task: _Task, documents: tuple[int, int], lengths: tuple[int, int], piece: _Piece, shortest: int
) -> Iterator[_Row]:
    collection, rule = task.collection, task.rule
    a, b = (
        collection.tokens[collection.bounds[document] + span[0] : collection.bounds[document] + span[1]]
        for document, span in zip(documents, (piece.a, piece.b), strict=True)
    )
    if min(len(a), len(b)) < shortest:
        return
    pair = _weigh(task.collection, a, b, min(shortest, 32))
    shift = np.array([piece.a[0], piece.a[0], piece.b[0], piece.b[0]])
    boxes = _widen_boxes(piece.boxes - shift, pair)
    criteria = criteria_for(pair, rule.threshold, shortest, rule.expect)
    nats_elsewhere = math.log(lengths[0] * lengths[1]) - math.log(len(pair.a) * len(pair.b))
    criteria = criteria._replace(nats=criteria.nats + nats_elsewhere)
    with_summaries = (len(a), len(b)) == lengths and (max(lengths) <= _LONG or not len(boxes))
    windows, measures = window_lengths(len(a), len(b), shortest), Measures(pair)
    if task.exact and documents[0] != documents[1]:
        passage_pairs = find_in_windows(measures, windows, criteria, summaries=with_summaries)
    else:
        passage_pairs = extend_seed_boxes(measures, boxes, windows, criteria, summaries=with_summaries)
    for summary, rows in ((False, passage_pairs.similar), (True, passage_pairs.summaries)):
        for box, (evidence, similarity) in zip(rows, measures.of_boxes(rows).tolist(), strict=True):
            containment = _measure_containment(pair, box) if summary else None
            if reaches(similarity if containment is None else containment, rule.threshold):
                a_first, a_last, b_first, b_last = (box + shift).tolist()
                yield _Row(a_first, a_last, b_first, b_last, similarity, evidence, summary, containment)


def _weigh(collection: Collection, a: _Ids, b: _Ids, window: int) -> Pair:
    """Two texts, their tokens weighed by the collection."""
    return make_pair(a.view(np.uint32), b.view(np.uint32), collection.idf.__getitem__, _list_growth, window)


def measure_similarity(collection: Collection, documents: _Ints, ranges: _Ints) -> _Floats:
    """The similarity of passages, float64 [N]; ``ranges`` int64 [N, 4] are those of ``documents`` int64 [N, 2]."""
    similarities = np.ones(len(ranges))
    spans = ranges + collection.bounds[documents][:, [0, 0, 1, 1]]
    for row, span in enumerate(spans.tolist()):
        a, b = collection.tokens[span[0] : span[1]], collection.tokens[span[2] : span[3]]
        if not np.array_equal(a, b):
            _, similarities[row] = Measures(_weigh(collection, a, b, 1)).of(np.array([0, len(a), 0, len(b)]))
    return similarities


@lru_cache(maxsize=1 << 10)
def _list_growth(most: int) -> _Floats:
    """What each of so many occurrences of a token adds to its weight."""
    growth: _Floats = np.diff(Weighting(TF).tf_table(most))
    return growth


def _widen_boxes(boxes: _Ints, pair: Pair) -> _Ints:
    """``boxes`` widened to a window of the pair."""
    wide_boxes = boxes.copy()
    for side, length in ((0, len(pair.a)), (2, len(pair.b))):
        wide_boxes[:, side + 1] = np.maximum(
            wide_boxes[:, side + 1], np.minimum(wide_boxes[:, side] + pair.window, length)
        )
        wide_boxes[:, side] = np.minimum(wide_boxes[:, side], wide_boxes[:, side + 1] - pair.window)
    return wide_boxes


def _measure_containment(pair: Pair, box: _Ints) -> float:
    """The share of the shorter passage that the longer one has."""
    tf = np.append(0.0, np.cumsum(pair.growth))
    in_a, in_b = (
        tf[np.bincount(text, minlength=len(pair.idf))] for text in (pair.a[box[0] : box[1]], pair.b[box[2] : box[3]])
    )
    shared = float((np.minimum(in_a, in_b) * pair.idf).sum())
    shorter = in_a if box[1] - box[0] < box[3] - box[2] else in_b
    return shared / float((shorter * pair.idf).sum() or 1.0)


def _drop_overlaps(rows: list[_Row]) -> list[_Row]:
    """Of pairs of one kind that overlap on both sides, the one with most evidence: a summary may hold a copy."""
    disjoint_rows: list[_Row] = []
    spans = {kind: np.empty((len(rows), 4), np.int64) for kind in (False, True)}
    counts = {False: 0, True: 0}
    for row in sorted(set(rows), key=lambda row: (-row.evidence, row)):
        kind_spans, count = spans[row.summary], counts[row.summary]
        if not overlaps(np.array(row[:4]), kind_spans[:count]).any():
            disjoint_rows.append(row)
            kind_spans[count] = row[:4]
            counts[row.summary] += 1
    return sorted(disjoint_rows)
