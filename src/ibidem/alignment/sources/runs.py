"""Which documents of a collection have a run of tokens that a text has, too: word-for-word quotations.

Of every so many tokens in a row of the text, the rarest in the collection is an *anchor*. A run of that length holds an
anchor wherever it is, so the positions of the anchors lead to all runs: each is followed to both sides for as long as
the tokens are the same. A run is no chance if it is so surprising that chance gives few such in the text and all of the
collection (:mod:`ibidem.evidence`).
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.evidence.background import weigh_behind
from ibidem.evidence.null_model import NullModel
from ibidem.kernels import kernel
from ibidem.store import Segment
from ibidem.weights import DocumentFrequencies

LEAST = 4
"""Tokens of the shortest run that is sure to be found; of a shorter text, all of it. With fewer, common tokens are
anchors, and more places are examined."""

_COMMON = 1 / 64
"""A token that is a greater part of the collection is no anchor."""

_Ids = npt.NDArray[np.uint32]
_Longs = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]


class Postings(NamedTuple):
    """Where tokens of a text occur in a segment.

    Attributes:
        lists: int64 [V, 2], the range of ``positions`` of each token of the vocabulary of the text.
        positions: uint32 [P], those of each token ascending.
    """

    lists: _Longs
    positions: _Ids

    @classmethod
    def read(cls, segment: Segment, vocabulary: _Ids, wanted: npt.NDArray[np.bool_]) -> "Postings":
        """The lists of the ``wanted`` bool [V] tokens of the ``vocabulary`` [V]; those of the others are empty."""
        bounds = np.where(wanted[:, np.newaxis], segment.list_bounds(0, vocabulary), 0)
        ends = np.cumsum(bounds[:, 1] - bounds[:, 0])
        return cls(np.stack((ends - bounds[:, 1] + bounds[:, 0], ends), axis=1), segment.starts_of(bounds))


class SharedRuns(NamedTuple):
    """A text prepared for finding its runs in a segment.

    Attributes:
        text: uint32 [n], its tokens.
        ids: int64 [n], their places in its vocabulary.
        alone: float64 [n], the surprise of each token that begins a run, in nats.
        behind: float64 [n + 1], the cumulative surprise of tokens behind those before them.
        anchors: int64 [A], positions in the text.
        needed: the least nats of a run.
    """

    text: _Ids
    ids: _Longs
    alone: _Floats
    behind: _Floats
    anchors: _Longs
    needed: float

    @classmethod
    def of(
        cls, vocabulary: _Ids, ids: _Longs, frequencies: DocumentFrequencies, model: NullModel, expect: float
    ) -> "SharedRuns":
        """The anchors of the text ``vocabulary[ids]`` in a collection whose running tokens ``frequencies`` count.

        ``model`` is that of the collection, and ``expect`` how many runs chance may give.
        """
        text, total = vocabulary[ids], max(frequencies.num_documents, 1)
        background, behind = model.background.renumber(vocabulary), np.zeros(len(ids))
        weigh_behind(background, ids.astype(np.int32), behind)
        counts = frequencies.lookup(vocabulary)[ids]
        anchors = choose_anchors(counts, min(LEAST, len(text)))
        anchors = anchors[counts[anchors] <= max(total * _COMMON, 1)]
        evidence = math.log(max(len(text), 1)) + math.log(total) - math.log(expect)
        cumulative = np.concatenate(([0.0], np.cumsum(behind)))
        return cls(text, ids, background.alone[ids], cumulative, anchors, model.chance.surprise_of(evidence))

    @property
    def anchor_ids(self) -> _Longs:
        """The places in the vocabulary of the tokens that are anchors, int64 [A]."""
        return self.ids[self.anchors]

    def find(self, segment: Segment, postings: Postings) -> _Longs:
        """The run of each document with most evidence: its nats, and where it begins in the text and in the segment.

        int64 [D, 3]; zeros for a removed document, and for one without a run that is no chance. ``postings`` are those
        of the anchors at least.
        """
        lists = postings.lists[self.anchor_ids]
        best = follow_anchors(self, lists, postings.positions, np.asarray(segment.tokens), segment.token_bounds)
        best[~segment.alive] = 0
        return best


def choose_anchors(counts: _Longs, length: int) -> _Longs:
    """The positions of the rarest of every ``length`` tokens in a row, ascending; of several as rare, the first.

    ``counts`` int64 [n] is how often each token occurs; a run with one that does not occur at all needs no anchor.
    """
    if not 0 < length <= len(counts):
        return np.empty(0, np.int64)
    rows = np.lib.stride_tricks.sliding_window_view(counts, length)
    rarest = rows.argmin(axis=1) + np.arange(len(rows))
    return np.unique(rarest[counts[rarest] > 0])


@kernel
def follow_anchors(runs: SharedRuns, lists: _Longs, positions: _Ids, tokens: _Ids, token_bounds: _Longs) -> _Longs:
    """See ``SharedRuns.find``; removed documents are not left out.

    ``lists`` int64 [A, 2] is the range of ``positions`` uint32 [P] of each anchor, ascending in each range. ``tokens``
    [T] are those of the segment, ``token_bounds`` [D + 1] where its documents begin.
    """
    text, needed, least = runs.text, runs.needed, min(LEAST, runs.text.shape[0])
    best = np.zeros((token_bounds.shape[0] - 1, 3), np.int64)
    for x in range(runs.anchors.shape[0]):
        anchor, before = runs.anchors[x], runs.anchors[x - 1] if x else np.int64(-1)
        for y in range(lists[x, 0], lists[x, 1]):
            position = np.int64(positions[y])
            last, room = np.int64(1), min(text.shape[0] - anchor, tokens.shape[0] - position)
            while last < room and text[anchor + last] == tokens[position + last]:
                last += 1
            first, room = np.int64(0), min(anchor, position)
            while first < room and text[anchor - first - 1] == tokens[position - first - 1]:
                first += 1
                if anchor - first == before:
                    break  # the run was followed from there
            if first + last < least:
                continue
            document = np.searchsorted(token_bounds, position, "right") - 1
            first = min(first, position - token_bounds[document])
            last = min(last, token_bounds[document + 1] - position)
            begin = anchor - first
            nats = runs.alone[begin] + runs.behind[anchor + last] - runs.behind[begin + 1]
            if first + last >= least and nats >= needed and nats > best[document, 0]:
                best[document] = (np.int64(nats), begin, position - first)
    return best
