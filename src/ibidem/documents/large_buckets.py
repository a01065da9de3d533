"""Large buckets: texts are joined into clusters without listing every pair.

A bucket of a million texts has 5 * 10^11 pairs. Not all of them need be compared: two texts that a chain of
similar pairs already joins are in one cluster, whatever their own similarity is. So a text is compared only with
those that are in other clusters at that moment; if all are alike, each is compared once. The clusters are those that
all pairs would lead to. Which pairs are left out depends on the texts alone, which are numbered by content.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.clusters import label_components
from ibidem.disjoint_sets import join_pairs, roots_of
from ibidem.documents.candidates import Signatures, count_agreements, find_next_candidates
from ibidem.documents.links import Compare, Links

_Ints = NDArray[np.int64]


class LargeBuckets(NamedTuple):
    """Buckets whose pairs are too many to be listed.

    Attributes:
        buckets: the band and the texts, ascending, of each.
        members: int64 [n], ascending: all texts of these.
        texts: int64 [m], ascending: all texts of the clusters that these buckets may join.
        signatures: those of ``texts``.
    """

    buckets: Sequence[tuple[int, _Ints]]
    members: _Ints
    texts: _Ints
    signatures: Signatures

    def place(self, texts: _Ints) -> _Ints:
        """The places of some of the texts in ``texts``."""
        return np.searchsorted(self.texts, texts)


def join_large_buckets(large: LargeBuckets, parents: _Ints, threshold: float, compare: Compare) -> Links:
    """The links that join the texts of large buckets; ``parents``, the sets that other links made, are joined too."""
    values, banding, least_agreeing = large.signatures
    parts = []
    for band, members in sorted(large.buckets, key=lambda bucket: (bucket[0], bucket[1][0])):
        places, position = large.place(members), 0
        while position < len(members):
            clusters = roots_of(parents, members)
            position, candidates = find_next_candidates(
                places, position, band, clusters, values, banding.rows, least_agreeing
            )
            if len(candidates):
                pairs = np.stack([np.full(len(candidates), members[position]), members[candidates]], axis=1)
                parts.append(Links(pairs, compare(pairs, threshold)).select(threshold))
                join_pairs(parents, parts[-1].pairs)
            position += 1
    return Links.concatenate(parts)


def complete_links(
    large: LargeBuckets, texts: _Ints, links: Links, threshold: float, order: _Ints, compare: Compare
) -> Links:
    """The links besides ``links`` without which two texts would be kept that are similar.

    They are missing in the clusters of large buckets alone, where not every pair was compared.

    Args:
        texts: int64 [m], ascending, whole clusters; ``links`` and ``order`` number them from 0.
        order: all of them, the one to be kept before all others first.
        compare: takes pairs of these numbers.
    """
    count, parts = len(order), [Links.concatenate([])]
    labels, is_unjoined = label_components(links.pairs, count), np.ones(count, np.bool_)
    clusters = order[np.argsort(labels[order], kind="stable")]
    for label in np.unique(labels[np.isin(texts, large.members)]):
        first, end = np.searchsorted(labels[clusters], [label, label + 1])
        members = clusters[first:end]
        places = large.place(texts[members])
        for number, member in enumerate(members.tolist()):
            if is_unjoined[member]:  # similar to none before it
                others = members[number + 1 :][_agree_enough(large.signatures, places, number)]
                pairs = np.sort(np.stack([np.full(len(others), member), others], axis=1), axis=1)
                parts.append(Links(pairs, compare(pairs, threshold)).select(threshold))
                is_unjoined[parts[-1].pairs] = False
    return Links.concatenate(parts)


def _agree_enough(signatures: Signatures, places: _Ints, number: int) -> NDArray[np.bool_]:
    """Which of the signatures at ``places`` behind a number agree with the one there in enough values."""
    others = places[number + 1 :]
    counts = count_agreements(signatures.values, np.full(len(others), places[number]), others)
    return counts >= signatures.least_agreeing
