"""Families: each text that many documents hold, as one cluster of all its places.

Frequent text was found once and taken out before documents were compared (:mod:`ibidem.reuse.frequent`). Here its
places become passages again. One of them represents the text: the first in the order of the contents of documents, or
of two collections that are compared, the first in the other one. Each place is linked with it, since its tokens are the
same.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.overlap_evidence import CHANCE, evidence
from ibidem.kernels import kernel
from ibidem.reuse.clusters import PassageClusters, cluster_passages
from ibidem.reuse.collection import Collection
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.passages import Passages, gather_passages

_Ints = npt.NDArray[np.int64]


class Families(NamedTuple):
    """Frequent text, by tokens of whole documents.

    Attributes:
        pairs: the representative of each place and the place.
        reasons: why the place is a pair with no other: ``"frequent"`` where the text is common, ``"phrase"``, or
            ``None`` where each two places are pairs (:mod:`ibidem.reuse.shared_text`).
        passages, clusters: those of text that is no phrase.
        boilerplate: for each cluster ``"frequent"`` or ``None``.
    """

    pairs: Pairs
    reasons: list[str | None]
    passages: Passages
    clusters: PassageClusters
    boilerplate: list[str | None]


def find_families(collection: Collection, used_names: set[str], *, within: bool = False) -> Families:
    """The families of what was subtracted from a collection; ``used_names`` are those of other clusters."""
    whole_collection, subtracted = collection.undo_subtraction(), collection.subtracted
    has_first = subtracted.runs[:, 2] >= 0
    runs = subtracted.runs[has_first]
    ranges = np.stack([runs[:, 2], runs[:, 2] + runs[:, 1] - runs[:, 0], runs[:, 0], runs[:, 1]], axis=1)
    pairs, rows = _pair_ranges(whole_collection, ranges, within)
    frequent = subtracted.is_common[has_first][rows]
    passages = gather_passages(pairs)
    clusters = cluster_passages(whole_collection, pairs, passages)
    clusters = clusters._replace(names=[_choose_name(name, used_names) for name in clusters.names])
    is_frequent = np.zeros(len(clusters.names), np.bool_)
    for side in passages.sides.T:
        is_frequent[clusters.of[side[frequent]]] = True
    phrases, _ = _pair_ranges(whole_collection, _pair_phrases(whole_collection, subtracted.phrases), within)
    all_pairs = Pairs.join([pairs, phrases])
    reasons = ["frequent" if flag else None for flag in frequent.tolist()] + ["phrase"] * len(phrases.documents)
    names = ["frequent" if flag else None for flag in is_frequent.tolist()]
    return Families(all_pairs, reasons, passages, clusters, names)


def _choose_name(name: str, used_names: set[str]) -> str:
    """The name, or the next one that is not among ``used_names``."""
    while name in used_names:
        name = f"{(int(name, 16) + 1) % (1 << 64):016x}"
    return name


def _pair_ranges(collection: Collection, ranges: _Ints, within: bool) -> tuple[Pairs, _Ints]:
    """Pairs of the same tokens, from ranges of the collection's tokens [R, 4], and the rows that they are of."""
    documents = np.searchsorted(collection.bounds, ranges[:, [0, 2]], side="right") - 1
    is_apart = documents[:, 0] != documents[:, 1]
    if within:
        is_apart |= (ranges[:, 1] <= ranges[:, 2]) | (ranges[:, 3] <= ranges[:, 0])
    rows = np.flatnonzero(is_apart)
    documents, ranges = documents[rows], ranges[rows]
    is_turned = ranges[:, 0] > ranges[:, 2]
    documents = np.where(is_turned[:, np.newaxis], documents[:, ::-1], documents)
    ranges = np.where(is_turned[:, np.newaxis], ranges[:, [2, 3, 0, 1]], ranges)
    order = np.lexsort(ranges.T[::-1])
    documents, ranges = documents[order], ranges[order]
    weights = weigh_distinct(collection.tokens, ranges[:, :2], collection.idf)
    nats = np.array([evidence(weight, weight, CHANCE) for weight in weights.tolist()], np.float64)
    count = len(ranges)
    places = ranges - collection.bounds[documents][:, [0, 0, 1, 1]]
    return Pairs(documents, places, np.ones(count), nats, np.zeros(count, np.bool_), np.full(count, np.nan)), rows[
        order
    ]


def _pair_phrases(collection: Collection, phrases: _Ints) -> _Ints:
    """Each place of phrases behind the first place of the same tokens, int64 [P, 4]."""
    documents = np.searchsorted(collection.bounds, phrases[:, 0], side="right") - 1
    first_places: dict[bytes, tuple[int, int]] = {}
    rows: list[tuple[int, int, int, int]] = []
    for row in np.lexsort((phrases[:, 0], collection.ranks[documents])).tolist():
        start, end = phrases[row].tolist()
        first_place = first_places.setdefault(collection.tokens[start:end].tobytes(), (start, end))
        if first_place[0] != start:
            rows.append((*first_place, start, end))
    return np.array(rows, np.int64).reshape(-1, 4)


@kernel
def weigh_distinct(
    tokens: npt.NDArray[np.int32], ranges: _Ints, idf: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The weight of the distinct tokens of each range [R, 2], float64 [R]."""
    stamps, weights = np.full(idf.shape[0], -1, np.int64), np.zeros(ranges.shape[0])
    for row in range(ranges.shape[0]):
        for p in range(ranges[row, 0], ranges[row, 1]):
            if stamps[tokens[p]] != row:
                stamps[tokens[p]] = row
                weights[row] += idf[tokens[p]]
    return weights
