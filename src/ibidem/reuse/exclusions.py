"""What is no reuse: pairs within one series, phrases, trivial matches, boilerplate. Each is left out with its reason.

- *series*: documents that have the same value in a column, such as one newspaper, are not aligned with each other.
- *phrase*: at least half of a passage is made of phrases from a list.
- *trivial*: the passages have fewer than eight distinct tokens in common: numbers in columns, a word repeated.
- *frequent* boilerplate: the cluster has witnesses in a large part of all documents.
- *edge* boilerplate: the cluster has five witnesses or more, nearly all of which stand at the beginning or at the
  end of their documents, and are a small part of them: mastheads, headers, licences.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem._jit import kernel
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.clusters import Clusters
from ibidem.reuse.collection import Collection
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.passages import Passages

__all__ = [
    "EXCLUSIONS",
    "SeriesOut",
    "boilerplate_of_pairs",
    "find_boilerplate",
    "leave_own_out",
    "leave_series_out",
    "reasons_of",
]

_Ints = npt.NDArray[np.int64]
_Flags = npt.NDArray[np.bool_]

EXCLUSIONS = ("series", "phrase", "trivial", "frequent", "edge")

_LEAST_DISTINCT = 8

_LEAST_WITNESSES = 5

_EDGE_TOKENS = 50

_EDGE_SHARE = 0.8
"""Of the witnesses, how many stand at an edge of their document, and of this, how much a witness is at most: a half."""

_FREQUENT_SHARE, _LEAST_FREQUENT = 0.1, 20
"""Of all documents, how many hold a frequent passage, and how many at least."""


class SeriesOut(NamedTuple):
    """Boxes of documents of different series, and the pairs of documents of one that had some."""

    kept: PairBoxes
    left_out: PairBoxes


def leave_series_out(found: PairBoxes, series: Sequence[object]) -> SeriesOut:
    """Part the boxes of pairs of documents by whether both have the same value, and one, in ``series`` [D]."""
    same = np.array(
        [series[a] is not None and series[a] == series[b] and a != b for a, b in found.pairs.tolist()], np.bool_
    )
    return SeriesOut(_part(found, ~same), _part(found, same))


def leave_own_out(found: PairBoxes, documents: _Flags) -> PairBoxes:
    """The boxes without those of a document with itself, for the ``documents`` bool [D]."""
    own = (found.pairs[:, 0] == found.pairs[:, 1]) & documents[found.pairs[:, 0]]
    return _part(found, ~own)


def _part(found: PairBoxes, wanted: _Flags) -> PairBoxes:
    sizes = np.diff(found.bounds)
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes[wanted])])
    return PairBoxes(found.pairs[wanted], bounds, found.boxes[np.repeat(wanted, sizes)])


def reasons_of(collection: Collection, pairs: Pairs, phrases: Sequence[npt.NDArray[np.uint32]]) -> list[str | None]:
    """Why each pair is no reuse by what it says itself: ``"phrase"``, ``"trivial"``, or ``None``."""
    known = _known_phrases(collection, phrases)
    spans = pairs.ranges + collection.bounds[pairs.documents][:, [0, 0, 1, 1]]
    shared = _count_shared(collection.tokens, spans, len(collection.idf))
    trivial = shared < np.minimum(_LEAST_DISTINCT, np.minimum(spans[:, 1] - spans[:, 0], spans[:, 3] - spans[:, 2]))
    return [
        "trivial" if is_trivial else "phrase" if _is_phrase(collection.tokens, span, known) else None
        for is_trivial, span in zip(trivial.tolist(), spans.tolist(), strict=True)
    ]


@kernel
def _count_shared(tokens: npt.NDArray[np.int32], spans: _Ints, size: int) -> _Ints:
    """How many distinct tokens, of ``size`` that there are, both ranges of each of ``spans`` [N, 4] hold: int64 [N]."""
    stamps, counts = np.zeros(size, np.int64), np.zeros(spans.shape[0], np.int64)
    for x in range(spans.shape[0]):
        for p in range(spans[x, 0], spans[x, 1]):
            stamps[tokens[p]] = 2 * x + 1
        for p in range(spans[x, 2], spans[x, 3]):
            if stamps[tokens[p]] == 2 * x + 1:
                stamps[tokens[p]] = 2 * x + 2
                counts[x] += 1
    return counts


def _is_phrase(tokens: npt.NDArray[np.int32], span: list[int], phrases: dict[int, set[bytes]]) -> bool:
    """Whether either passage is made of phrases by half or more."""
    sides = tokens[span[0] : span[1]], tokens[span[2] : span[3]]
    return bool(phrases) and any(2 * _count_covered(each, phrases) >= len(each) for each in sides)


def _known_phrases(collection: Collection, phrases: Sequence[npt.NDArray[np.uint32]]) -> dict[int, set[bytes]]:
    """The bytes of the phrases, by their length, in the tokens of the collection; those with other tokens are out."""
    known: dict[int, set[bytes]] = {}
    for phrase in phrases:
        place = np.searchsorted(collection.vocabulary, phrase)
        held = place < len(collection.vocabulary)
        if len(phrase) and held.all() and (collection.vocabulary[place] == phrase).all():
            known.setdefault(len(phrase), set()).add(place.astype(np.int32).tobytes())
    return known


def _count_covered(tokens: npt.NDArray[np.int32], phrases: dict[int, set[bytes]]) -> int:
    """How many of ``tokens`` lie in a phrase."""
    inside = np.zeros(len(tokens), np.bool_)
    for length, known in phrases.items():
        for first in range(len(tokens) - length + 1):
            if tokens[first : first + length].tobytes() in known:
                inside[first : first + length] = True
    return int(inside.sum())


def find_boilerplate(collection: Collection, passages: Passages, clusters: Clusters) -> list[str | None]:
    """Why each cluster is boilerplate: ``"frequent"``, ``"edge"``, or ``None``."""
    lengths = np.diff(collection.bounds)[passages.documents]
    first, last = passages.ranges[:, 0], passages.ranges[:, 1]
    at_edge = (np.minimum(first, lengths - last) <= _EDGE_TOKENS) & (2 * (last - first) <= lengths)
    many = max(_LEAST_FREQUENT, _FREQUENT_SHARE * len(collection))
    reasons: list[str | None] = []
    for members in clusters.members:
        held_by = len(np.unique(passages.documents[members]))
        edge = held_by >= _LEAST_WITNESSES and at_edge[members].mean() >= _EDGE_SHARE
        reasons.append("frequent" if held_by >= many else "edge" if edge else None)
    return reasons


def boilerplate_of_pairs(
    pairs: Pairs, passages: Passages, clusters: Clusters, boilerplate: Sequence[str | None]
) -> list[str | None]:
    """Why each pair is boilerplate, or ``None``, from the reasons of the clusters.

    A pair is if both of its passages belong to such a cluster; a summary, which makes no passages, if its shorter side
    lies in one by half.
    """
    of = clusters.of.tolist()
    reasons = [boilerplate[of[a]] if a >= 0 and of[a] == of[b] else None for a, b in passages.sides.tolist()]
    for row in np.flatnonzero(pairs.summary).tolist():
        sides = pairs.ranges[row].reshape(2, 2)
        shorter = int(np.argmin(sides[:, 1] - sides[:, 0]))
        held = _passages_around(passages, int(pairs.documents[row, shorter]), sides[shorter])
        reasons[row] = next((boilerplate[of[each]] for each in held if boilerplate[of[each]]), None)
    return reasons


def _passages_around(passages: Passages, document: int, span: _Ints) -> list[int]:
    """The passages of a document that hold half of ``span`` or more."""
    first, last = np.searchsorted(passages.documents, [document, document + 1])
    ranges = passages.ranges[first:last]
    shared = np.minimum(ranges[:, 1], span[1]) - np.maximum(ranges[:, 0], span[0])
    found: list[int] = (first + np.flatnonzero(2 * shared >= span[1] - span[0])).tolist()
    return found
