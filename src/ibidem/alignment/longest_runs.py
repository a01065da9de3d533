"""The longest runs of tokens that a text has in common with a collection, token for token.

Of every ``least`` tokens in a row of the text, the rarest is an *anchor*. A run of that length holds an anchor wherever
it is, so following all positions of the anchors to both sides finds every run, whatever its tokens.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.sources.runs import choose_anchors
from ibidem.kernels import kernel
from ibidem.spans import Match
from ibidem.store import Segment
from ibidem.text import Tokens
from ibidem.weights import DocumentFrequencies

_Ids = npt.NDArray[np.uint32]
_Longs = npt.NDArray[np.int64]


class Cover(NamedTuple):
    """The longest common run over each token of a text.

    Attributes:
        lengths: int64 [n], its tokens; 0 if it has fewer than were asked for.
        segments: int64 [n], the segment that holds it.
        positions: int64 [n], the position of the token in this segment.
    """

    lengths: _Longs
    segments: _Longs
    positions: _Longs


class ExactMatch(NamedTuple):
    """Tokens ``first`` to ``last``, half open, of a text, which occur in a segment from ``position`` on."""

    first: int
    last: int
    segment: int
    position: int


class LongestRuns:
    """The longest run over each token of a text that a document of an index has, too.

    Attributes:
        starts, ends: uint32 [n], the place of each token of the text, in code points.
        lengths: int64 [n], the tokens of the longest run over each; 0 if it has fewer than were asked for.
    """

    def __init__(self, tokens: Tokens, segments: Sequence[Segment], frequencies: DocumentFrequencies, least: int):
        assert tokens.starts is not None
        assert tokens.ends is not None
        self.starts, self.ends = tokens.starts, tokens.ends
        self._ids, self._segments, self._frequencies = tokens.ids, segments, frequencies
        self._cover = cover_with_runs(tokens.ids, segments, frequencies, least)
        self.lengths = self._cover.lengths

    def list(self, min_length: int) -> list[ExactMatch]:
        """The runs of so many tokens or more, in order; of one that a longer run cuts short, the rest is listed."""
        return list_runs(self._cover, min_length)

    def count_documents(self, run: ExactMatch) -> int:
        """How many documents have a run."""
        return count_holders(self._ids[run.first : run.last], self._segments)

    def expect_by_chance(self, run: ExactMatch, documents: int) -> float:
        """How many runs as surprising as this one, which so many ``documents`` hold, chance gives in the text.

        A token is as rare as elsewhere in the collection: what every document holds makes its own words no commoner.
        Each counts once, since a text that repeats itself says little.
        """
        tokens, counts = np.unique(self._ids[run.first : run.last], return_counts=True)
        total = max(self._frequencies.num_documents, 1)
        elsewhere = np.maximum(self._frequencies.lookup(tokens) - documents * counts, 1)
        surprise = float(np.maximum(np.log(total / elsewhere), 0.0).sum())
        return math.exp(min(math.log(len(self._ids) * total) - surprise, 0.0))

    def make_match(self, run: ExactMatch, name: str) -> Match:
        """A run as a match with a document that has it; ``name`` is that of the text."""
        segment = self._segments[run.segment]
        row = int(segment.document_of(np.array([run.position]))[0])
        start, end = segment.offsets(row, run.position, run.position + run.last - run.first - 1)
        return Match(
            query_name=name,
            query_start=int(self.starts[run.first]),
            query_end=int(self.ends[run.last - 1]),
            document=segment.document_id(row),
            start=start,
            end=end,
            similarity=1.0,
            text=segment.text(row)[start:end],
            metadata=segment.metadata_if_readable(row),
        )


def cover_with_runs(text: _Ids, segments: Sequence[Segment], frequencies: DocumentFrequencies, least: int) -> Cover:
    """The longest run of ``least`` tokens or more over each token of ``text`` [n] in documents of an exact index.

    ``frequencies`` count the running tokens of the documents that are not removed. Of runs as long as each other the
    first in the index is given.
    """
    cover = Cover(*(np.zeros(len(text), np.int64) for _ in Cover._fields))
    anchors = choose_anchors(frequencies.lookup(text), least)
    if not len(anchors):
        return cover
    tokens, of_anchor = np.unique(text[anchors], return_inverse=True)
    for number, segment in enumerate(segments):
        bounds = segment.list_bounds(0, tokens)
        ends = np.cumsum(bounds[:, 1] - bounds[:, 0])
        lists = np.stack((anchors, *np.stack((ends - bounds[:, 1] + bounds[:, 0], ends))[:, of_anchor]), axis=1)
        positions = segment.starts_of(bounds)
        longest = follow_runs(
            text, lists, positions, np.asarray(segment.tokens), segment.token_bounds, segment.alive, least
        )
        longer = longest[:, 0] > cover.lengths
        cover.lengths[longer], cover.segments[longer] = longest[longer, 0], number
        cover.positions[longer] = longest[longer, 1]
    return cover


@kernel
def follow_runs(
    text: _Ids,
    anchors: _Longs,
    positions: _Ids,
    tokens: _Ids,
    token_bounds: _Longs,
    alive: npt.NDArray[np.bool_],
    least: int,
) -> _Longs:
    """The longest run over each token of ``text``, and the position of the token in ``tokens``: int64 [n, 2].

    ``anchors`` int64 [A, 3] are positions in the text, ascending, each with the range of its ``positions`` uint32 [P],
    ascending within a range. ``token_bounds`` [D + 1] is where each document begins, ``alive`` [D] whether it counts.
    """
    best = np.zeros((text.shape[0], 2), np.int64)
    for x in range(anchors.shape[0]):
        anchor, before = anchors[x, 0], anchors[x - 1, 0] if x else np.int64(-1)
        for y in range(anchors[x, 1], anchors[x, 2]):
            position = np.int64(positions[y])
            document = np.searchsorted(token_bounds, position, "right") - 1
            if not alive[document]:
                continue
            first, room = np.int64(0), min(anchor, position - token_bounds[document])
            while first < room and text[anchor - first - 1] == tokens[position - first - 1]:
                first += 1
                if anchor - first == before:
                    break
            if first and anchor - first == before:
                continue  # the run was followed from there
            last, room = np.int64(1), min(text.shape[0] - anchor, token_bounds[document + 1] - position)
            while last < room and text[anchor + last] == tokens[position + last]:
                last += 1
            if first + last < least:
                continue
            for token in range(anchor - first, anchor + last):
                if first + last > best[token, 0]:
                    best[token, 0], best[token, 1] = first + last, position + token - anchor
    return best


def list_runs(cover: Cover, least: int) -> list[ExactMatch]:
    """The runs of ``least`` tokens or more in a cover; of one that a longer run cuts short, the rest is listed."""
    offsets = cover.positions - np.arange(len(cover.lengths))
    key = np.stack((np.where(cover.lengths >= least, cover.lengths, 0), cover.segments, offsets))
    cuts = np.flatnonzero((key[:, 1:] != key[:, :-1]).any(axis=0)) + 1
    bounds = [0, *cuts.tolist(), len(cover.lengths)]
    return [
        ExactMatch(first, last, int(cover.segments[first]), int(cover.positions[first]))
        for first, last in pairwise(bounds)
        if first < last and key[0, first]
    ]


def count_holders(tokens: _Ids, segments: Sequence[Segment]) -> int:
    """How many documents hold these tokens one after the other."""
    number = 0
    for segment in segments:
        bounds = segment.list_bounds(0, tokens)
        rarest = int(np.argmin(bounds[:, 1] - bounds[:, 0]))
        firsts = segment.starts_of(bounds[rarest : rarest + 1]).astype(np.int64) - rarest
        firsts = firsts[(firsts >= 0) & (firsts + len(tokens) <= segment.num_tokens)]
        for number_in_run, token in enumerate(tokens.tolist()):
            firsts = firsts[segment.tokens[firsts + number_in_run] == token]
        rows = segment.document_of(firsts)
        is_whole = firsts + len(tokens) <= segment.token_bounds[rows + 1]
        number += len(np.unique(rows[is_whole & segment.alive[rows]]))
    return number
