"""Large buckets: documents are joined into clusters without listing every pair.

A bucket of a million documents has 5 * 10^11 pairs. Not all of them need be compared: two documents that a chain of
similar pairs already joins are in one cluster, whatever their own similarity is. So a document is compared only with
those that are in other clusters at that moment; if all are alike, each is compared once. The clusters are those that
all pairs would lead to. Which pairs are left out depends on the texts alone, since documents are numbered by content.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.clusters import label_components
from ibidem.disjoint_sets import join_pairs, roots_of
from ibidem.documents.candidates import BandedSignatures, count_agreements, find_next_candidates

Compare = Callable[[NDArray[np.int64], float], NDArray[np.float64]]
"""Returns the similarities of pairs [P, 2]; may return 0 where the sizes alone rule out the threshold."""


class Links(NamedTuple):
    """Similar pairs.

    Attributes:
        pairs: int64 [P, 2], the smaller number first.
        similarities: float64 [P].
    """

    pairs: NDArray[np.int64]
    similarities: NDArray[np.float64]

    def select(self, threshold: float) -> "Links":
        """Those of at least this similarity."""
        is_link = self.similarities >= threshold
        return Links(self.pairs[is_link], self.similarities[is_link])

    def distinct(self, count: int) -> "Links":
        """Each pair once, in order; they are of ``count`` documents."""
        _, rows = np.unique(self.pairs[:, 0] * count + self.pairs[:, 1], return_index=True)
        return Links(self.pairs[rows], self.similarities[rows])

    @classmethod
    def concatenate(cls, parts: Sequence["Links"]) -> "Links":
        """All links of several."""
        pairs = np.concatenate([np.zeros((0, 2), np.int64), *(part.pairs for part in parts)])
        return cls(pairs, np.concatenate([np.zeros(0), *(part.similarities for part in parts)]))


def join_large_buckets(
    documents: BandedSignatures,
    large_buckets: Sequence[tuple[int, NDArray[np.int64]]],
    parents: NDArray[np.int64],
    threshold: float,
    compare: Compare,
) -> Links:
    """The links that join the documents of large buckets; ``parents``, the sets that other links made, are joined by
    these too.
    """
    signatures, bands, rows, least_agreeing = documents
    parts = []
    for band, members in sorted(large_buckets, key=lambda bucket: (bucket[0], bucket[1][0])):
        position = 0
        while position < len(members):
            clusters = roots_of(parents, members)
            position, candidates = find_next_candidates(
                members, position, band, clusters, signatures, bands, rows, least_agreeing
            )
            if len(candidates):
                pairs = np.stack([np.full(len(candidates), members[position]), candidates], axis=1)
                parts.append(Links(pairs, compare(pairs, threshold)).select(threshold))
                join_pairs(parents, parts[-1].pairs)
            position += 1
    return Links.concatenate(parts)


def complete_links(
    documents: BandedSignatures,
    incomplete: NDArray[np.int64],
    links: Links,
    threshold: float,
    order: NDArray[np.int64],
    compare: Compare,
) -> Links:
    """``links``, and those without which ``cluster_greedily`` in this ``order`` would keep two that are similar.

    They are missing in the clusters of the ``incomplete`` documents alone, where not every pair was compared.
    """
    count, parts = len(order), [links]
    labels, is_unjoined = label_components(links.pairs, count), np.ones(count, np.bool_)
    clusters = order[np.argsort(labels[order], kind="stable")]
    for label in np.unique(labels[incomplete]):
        first, end = np.searchsorted(labels[clusters], [label, label + 1])
        members = clusters[first:end]
        for place, document in enumerate(members.tolist()):
            if is_unjoined[document]:  # similar to none before it
                pairs = _select_candidates(documents, document, members[place + 1 :])
                parts.append(Links(pairs, compare(pairs, threshold)).select(threshold))
                is_unjoined[parts[-1].pairs] = False
    return Links.concatenate(parts)


def _select_candidates(documents: BandedSignatures, document: int, members: NDArray[np.int64]) -> NDArray[np.int64]:
    """The candidates among the pairs of ``document`` with each of ``members``, the smaller number first."""
    pairs = np.stack([np.full(len(members), document), members], axis=1)
    counts = count_agreements(documents.signatures, documents.rows[pairs[:, 0]], documents.rows[pairs[:, 1]])
    return np.sort(pairs[counts >= documents.least_agreeing], axis=1)
