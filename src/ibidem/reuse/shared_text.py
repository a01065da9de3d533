"""Pairs of the places of frequent text, and pairs of what is left of documents as places in the words that count.

Frequent text was found once, with all its places (:mod:`ibidem.reuse.frequent`), and what lies beside it was compared
as if it were not there. Each two of its places are a pair of passages nevertheless, as those of rarer text are. So that
the report changes little with each document that holds the text, its pairs weigh less the more do, and nothing where it
is common: from there on there is none. A text makes as many pairs as the places that are compared one by one; of more
places, each is paired with so many of the next in the order of the contents of documents.
"""

import numpy as np
import numpy.typing as npt

from ibidem.alignment.overlap_evidence import CHANCE, evidence
from ibidem.evidence.quotations import QuotationRule
from ibidem.reuse.boxes import merge_seeds
from ibidem.reuse.collection import Collection, SubtractedText, insert_ranges, remove_ranges
from ibidem.reuse.families import Families, weigh_distinct
from ibidem.reuse.frequent import choose_shingle_width
from ibidem.reuse.pairs import Pairs, measure_similarity
from ibidem.reuse.question import Question
from ibidem.reuse.quotation_pairs import select_new
from ibidem.rounding import SLACK

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]


def place_in_counted(collection: Collection, pairs: Pairs) -> Pairs:
    """The pairs by tokens of ``collection.restore_shared()``."""
    subtracted = collection.subtracted
    if np.array_equal(subtracted.common, subtracted.ranges):
        return pairs
    spans = pairs.ranges + collection.bounds[pairs.documents][:, [0, 0, 1, 1]]
    spans[:, 1::2] -= 1  # the last token, behind which a text may have been taken out
    spans = insert_ranges(subtracted.ranges, spans)
    spans[:, 1::2] += 1
    return _count_within(subtracted, pairs, spans)


def _count_within(subtracted: SubtractedText, pairs: Pairs, spans: _Ints) -> Pairs:
    """The pairs whose passages are ``spans`` [P, 4] of the whole collection, by the words that count."""
    starts = subtracted.bounds[pairs.documents][:, [0, 0, 1, 1]]
    return pairs._replace(ranges=remove_ranges(subtracted.common, spans) - remove_ranges(subtracted.common, starts))


def pair_places(collection: Collection, question: Question, families: Families, pairs: Pairs) -> Pairs:
    """The pairs of places of frequent text that overlap none of ``pairs``; all are by the words that count.

    What lies within a window of each other in both documents is one passage if that says more than its parts do. A
    passage is as long as a quotation. Of two collections, the pairs are those of ``families``.
    """
    whole, subtracted = collection.undo_subtraction(), collection.subtracted
    runs = subtracted.runs[~subtracted.is_common & (subtracted.runs[:, 2] >= 0)]
    if collection.side.any():
        links = families.pairs.take(np.array([reason is None for reason in families.reasons], np.bool_))
        spans = links.ranges + whole.bounds[links.documents][:, [0, 0, 1, 1]]
    else:
        spans = pair_runs(runs, whole.bounds, collection.ranks, question.join.most, question.within)
    width = choose_shingle_width(len(whole.tokens), int(whole.input.lengths("texts").sum()))
    gaps = width, max(width, question.join.window)
    spans = np.unique(np.concatenate([merge_seeds(spans, whole.bounds, gap).boxes for gap in gaps]), axis=0)
    documents = np.searchsorted(whole.bounds, spans[:, [0, 2]], side="right") - 1
    longer = np.maximum(spans[:, 1] - spans[:, 0], spans[:, 3] - spans[:, 2])
    rule = QuotationRule(0.0, question.min_pair_length)
    rows = np.flatnonzero(longer >= rule.choose_shortest(whole.lengths[documents].min(axis=1)))
    documents, spans = documents[rows], spans[rows]
    similarity = measure_similarity(whole, documents, spans - whole.bounds[documents][:, [0, 0, 1, 1]])
    evidences = _weigh(whole, spans, similarity) * _fade(subtracted._replace(runs=runs), documents, spans)
    unknown = np.full(len(rows), np.nan)
    places = Pairs(documents, spans, similarity, evidences, np.zeros(len(rows), np.bool_), unknown)
    counted = _count_within(subtracted, places, spans)
    is_counted = (counted.ranges[:, ::2] < counted.ranges[:, 1::2]).all(axis=1)  # not all of it is in a phrase
    counted = counted.take(is_counted & (similarity >= question.threshold - SLACK) & (evidences > 0))
    return counted.take(select_new(counted, pairs))


def pair_runs(runs: _Ints, bounds: _Ints, ranks: npt.NDArray[np.int32], most: int, within: bool) -> _Ints:
    """Places with the same tokens, int64 [P, 4], those of the document with the smaller number first.

    A run of frequent text says where its tokens occur first. Runs that have some of these in common are equal there.
    """
    documents = np.searchsorted(bounds, runs[:, 0], side="right") - 1
    firsts, ends = runs[:, 2], runs[:, 2] + runs[:, 1] - runs[:, 0]
    order = np.argsort(firsts, kind="stable")
    is_start = np.ones(len(order), np.bool_)
    is_start[1:] = firsts[order][1:] >= np.maximum.accumulate(ends[order])[:-1]
    all_spans = [np.empty((0, 4), np.int64)]
    for members in np.split(order, np.flatnonzero(is_start)[1:]):
        members = members[np.lexsort((runs[members, 0], ranks[documents[members]]))]
        count = len(members)
        steps = count // 2 if count <= most else max(most * (most - 1) // (2 * count), 1)
        for step in range(1, 1 + steps):  # in a ring: two partners of each place
            rows = np.sort(np.stack([members, np.roll(members, -step)]), axis=0)  # runs are in the order of places
            low, high = firsts[rows].max(axis=0), ends[rows].min(axis=0)
            shift = runs[rows, 0] - firsts[rows]
            spans = np.stack([low + shift[0], high + shift[0], low + shift[1], high + shift[1]], axis=1)
            is_apart = documents[rows[0]] != documents[rows[1]]
            if within:
                is_apart |= spans[:, 1] <= spans[:, 2]
            all_spans.append(spans[is_apart & (low < high)])
    return np.concatenate(all_spans)


def _weigh(collection: Collection, spans: _Ints, similarity: _Floats) -> _Floats:
    """The evidence of passages, with the weight of either in the sum."""
    weights = sum(weigh_distinct(collection.tokens, spans[:, side : side + 2], collection.idf) for side in (0, 2))
    unions = weights / (1 + similarity)
    rows = zip(similarity.tolist(), unions.tolist(), strict=True)
    return np.array([evidence(share * union, union, CHANCE) for share, union in rows], np.float64)


def _fade(subtracted: SubtractedText, documents: _Ints, spans: _Ints) -> _Floats:
    """The part of the evidence that counts: all of a text that is just frequent, nothing of one that is common.

    Of a text that is more than half of both documents, it is no less than this part of them is beyond a half.
    """
    if not len(spans):
        return np.ones(0)
    places = spans.reshape(-1, 2)
    low = np.searchsorted(subtracted.runs[:, 1], places[:, 0], side="right")
    high = np.searchsorted(subtracted.runs[:, 0], places[:, 1])
    counts = np.append(subtracted.runs[:, 3], 0)
    holders = np.maximum.reduceat(counts, np.stack([low, high], axis=1).ravel())[::2].reshape(-1, 2).min(axis=1)
    rarity = (subtracted.least - holders) / (subtracted.least - subtracted.frequent)
    shares = (spans[:, 1::2] - spans[:, ::2]) / np.diff(subtracted.bounds)[documents]
    part: _Floats = np.clip(np.maximum(rarity, 2 * shares.min(axis=1) - 1), 0.0, 1.0)
    return part
