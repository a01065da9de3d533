"""Which documents of a collection hold passages of a text: those that are worth an alignment.

A *cell* is ``w`` tokens of a document, one after the other. A *window* is two neighbouring cells of the text, a *place*
two of a document of the collection. A place holds a token by chance with a probability ``p`` that follows from how
often the token occurs in the collection. If both have parts of passages of similarity ``θ``, then it holds a token of
the window with
``q = θ / (1 + θ)``: two passages of equal weight share ``2θ / (1 + θ)`` of theirs, and of a window they fill half at
least. The *evidence* of a place is the logarithm of the likelihood ratio::

    Σ ln(q / p) over the window's distinct tokens that it holds + Σ ln((1 - q) / (1 - p)) over those that it lacks

The order of tokens plays no part in it, and tokens with ``p ≥ q``, no evidence, are not looked up. A likelihood
ratio exceeds ``x`` by chance with a probability of at most ``1 / x`` (Markov's inequality). So among ``N`` pairs of a
window and a place, ``ln(10 N)`` nats are reached by chance in one text of ten; a document with a place beyond that is
a source. Words of one subject occur together more often than by chance, which gives too many sources. So an
alignment begins with these places: a document without similar windows around any of them is no source
(:mod:`ibidem.alignment.against_index`).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.lengths import EXPECT
from ibidem.alignment.overlap_evidence import weigh_presence
from ibidem.alignment.sources.places import BITS, QueryCells, compare_places, list_cells, list_query_cells, number_cells
from ibidem.alignment.sources.runs import Postings, SharedRuns
from ibidem.evidence.null_model import NullModel
from ibidem.store import Segment
from ibidem.weights import DocumentFrequencies

Apply = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""Applies a function to each item and gives the results in order: ``map``, or the same in threads."""

_UNITS = 1 << 12
"""Parts of a nat: in whole numbers, sums are exact."""

_ENOUGH = 1 << 16
"""Tokens. Fewer do not show how common a word is: in a smaller collection it counts as rare as in this many."""

_TASK = 4
"""Stretches that are compared together: some milliseconds of work for a text of book length."""

_Ints = npt.NDArray[np.int32]
_Longs = npt.NDArray[np.int64]


class LikelySource(NamedTuple):
    """A document that may share passages with a text.

    Attributes:
        segment, row: its place in the index.
        evidence: that of its best place or run, in nats.
        quotes: whether it has a run of tokens that is no chance.
        places: int64 [P, 2], the run that has most evidence, and the places that have enough, the best first: the first
            token in the text, and that in the segment.
    """

    segment: Segment
    row: int
    evidence: float
    quotes: bool
    places: _Longs


def likely_sources(
    tokens: npt.NDArray[np.uint32],
    segments: Sequence[Segment],
    frequencies: DocumentFrequencies,
    model: NullModel,
    threshold: float,
    expect: float = EXPECT,
    apply: Apply = map,
) -> list[LikelySource]:
    """The documents in the segments of an exact index that may share passages with the text ``tokens`` [n].

    They are in the order of the segments and their rows. ``frequencies`` count the running tokens of the documents that
    are not removed, and ``model`` is what these share by chance. ``expect`` is how many places chance may give.
    Stretches of a segment are compared by ``apply``.
    """
    vocabulary, ids = np.unique(tokens, return_inverse=True)
    total = frequencies.num_documents
    presence, absence = _weigh_tokens(frequencies.lookup(vocabulary), max(total, _ENOUGH), threshold)
    windows, places = _windows(len(ids)), max(total >> BITS, 1)
    needed = math.ceil(_UNITS * (math.log(windows) + math.log(places) - math.log(expect)))
    query = list_query_cells(ids, windows, presence, absence, needed)
    runs = SharedRuns.of(vocabulary, ids, frequencies, model, expect)
    is_evidence = presence > 0
    is_evidence[runs.anchor_ids] = True
    sources = []
    for segment in segments:
        first_cells = number_cells(segment.token_bounds, segment.alive)
        postings = Postings.read(segment, vocabulary, is_evidence)
        of_places = _of_places(segment, postings, query, (presence, first_cells), apply)
        evidence, of_run = _of_documents(first_cells, of_places[0]), runs.find(segment, postings)
        for row in np.flatnonzero((evidence >= needed) | (of_run[:, 0] > 0)).tolist():
            best = _best_places(of_places[:, first_cells[row] : first_cells[row + 1] - 1])
            best[:, 1] += segment.token_bounds[row]
            if of_run[row, 0]:
                best = np.vstack([of_run[row, np.newaxis, 1:], best])
            most = max(float(evidence[row]) / _UNITS, float(of_run[row, 0]))
            sources.append(LikelySource(segment, row, most, bool(of_run[row, 0]), best))
    return sources


def _best_places(of_places: _Ints) -> _Longs:
    """The ``places`` of a source, whose evidence and windows are ``of_places`` [2, P], counted from its first token."""
    evidence, windows = of_places
    ordered_places = np.argsort(-evidence.astype(np.int64), kind="stable")[: np.count_nonzero(evidence >= 0)]
    return np.stack((windows[ordered_places], ordered_places), axis=1).astype(np.int64) << BITS


def _windows(length: int) -> int:
    """How many windows a text of ``length`` tokens has: each of its tokens but the last w begins, or lies in, one."""
    return max(1, (length - 1) >> BITS)


def _weigh_tokens(counts: npt.NDArray[np.int64], total: int, threshold: float) -> tuple[_Ints, _Ints]:
    """Return the evidence of tokens that occur ``counts`` [V] times among ``total``, in units, both int32 [V].

    The first is the evidence that a place which holds the token has more than one which lacks it, the second that of
    one which lacks it; both are 0 for a token that is no evidence.
    """
    presence, absence = weigh_presence(-np.expm1(-np.maximum(counts, 1) * (2 << BITS) / total), threshold)
    return np.rint(presence * _UNITS).astype(np.int32), np.rint(absence * _UNITS).astype(np.int32)


def _of_places(
    segment: Segment, postings: Postings, query: QueryCells, tables: tuple[_Ints, _Longs], apply: Apply
) -> _Ints:
    """The greatest evidence of each place of a segment, in units, and the window of the text that has it: [2, P].

    The evidence of places with less than ``query.needed`` is the least int32. ``postings`` are those of the tokens that
    are evidence, at least; ``tables`` are the evidence of the text's tokens, and the first cells of documents.
    """
    presence, first_cells = tables
    cells, first = list_cells(postings.positions, postings.lists[:, 1], segment.token_bounds, first_cells)
    best = np.full((2, int(first_cells[-1])), np.iinfo(np.int32).min, np.int32)
    compare = partial(compare_places, query, presence, cells, first, best)
    stretches = first.shape[1] - 1
    list(apply(lambda begin: compare(begin, min(begin + _TASK, stretches)), range(0, stretches, _TASK)))
    return best


def _of_documents(first_cells: _Longs, of_places: _Ints) -> _Longs:
    """The greatest evidence of the places of each document, in units, int64 [D]."""
    evidence = np.full(len(first_cells) - 1, np.iinfo(np.int32).min, np.int64)
    full = np.flatnonzero(first_cells[1:] > first_cells[:-1])
    if len(full):
        # The last cell of a document is the empty one: no place begins there.
        ranges = np.stack((first_cells[full], first_cells[full + 1] - 1), axis=1).ravel()
        evidence[full] = np.maximum.reduceat(of_places, ranges)[::2]
    return evidence
