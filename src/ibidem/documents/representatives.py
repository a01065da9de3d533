"""From similar texts to the documents that are kept, and what each of the others duplicates."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.clusters import cluster_components, cluster_greedily, label_components
from ibidem.documents.candidates import BandedSignatures
from ibidem.documents.large_buckets import Compare, Links, complete_links
from ibidem.keep_policy import Keep

_Ints = NDArray[np.int64]


class Rules(NamedTuple):
    """The rules for which of similar documents stays; see ``ibidem.deduplicate``."""

    threshold: float
    keep: Keep
    cluster_mode: str


class Representatives(NamedTuple):
    """The choice among m texts: for each, the one that is kept in its place.

    Attributes:
        links: the similar pairs of texts.
        labels: int64 [m], the text that is kept in its place.
        similarities: float64 [m], the similarity to that one.
        clusters, weakest: clusters of texts, and their weakest links.
    """

    links: Links
    labels: _Ints
    similarities: NDArray[np.float64]
    clusters: _Ints
    weakest: NDArray[np.float64]

    @classmethod
    def of(cls, links: Links, labels: _Ints, compare: Compare) -> "Representatives":
        """Look up, or measure, how similar each text is to the one in ``labels``."""
        count = len(labels)
        links = links.distinct(count)
        clusters, weakest = cluster_components(links.pairs, links.similarities, count)
        similarities = np.ones(count)
        replaced_texts = np.flatnonzero(labels != np.arange(count))
        pairs = np.sort(np.stack([replaced_texts, labels[replaced_texts]], axis=1), axis=1)
        similarities[replaced_texts] = _look_up_similarities(links, pairs, count, compare)
        return cls(links, labels, similarities, clusters, weakest)


class GroupedDocuments(NamedTuple):
    """The documents of some texts, all numbered within the group.

    Attributes:
        first: int64 [u], the first document of each text.
        of: int64 [n], for each document the number of its text.
    """

    first: _Ints
    of: _Ints

    def choose_best(self, documents: _Ints) -> tuple[_Ints, _Ints]:
        """The document to keep of each text, int64 [u], and the texts in the order of those.

        ``documents`` are the documents, the one to be kept before all others first.
        """
        best, rank = self.first.copy(), np.empty(len(self.of), np.int64)
        rank[documents] = np.arange(len(documents))
        texts, first = np.unique(self.of[documents], return_index=True)
        best[texts] = documents[first]
        return best, np.argsort(rank[best], kind="stable")

    def expand(self, texts: Representatives, best: _Ints) -> dict[str, Any]:
        """Expand the choice among ``texts`` to their documents: fields of a ``Deduplication``."""
        labels, clusters = texts.labels[self.of], texts.clusters[self.of]
        _, first, back = np.unique(clusters, return_index=True, return_inverse=True)
        is_kept = best[labels] == np.arange(len(self.of))
        pairs = np.sort(best[texts.links.pairs], axis=1)
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        return {
            "kept": is_kept,
            "duplicate_of": best[labels],
            "similarity": texts.similarities[self.of],
            "exact": (labels == self.of) & ~is_kept,
            "clusters": first[back.reshape(-1)],
            "weakest": texts.weakest[self.of],
            "pairs": pairs[order],
            "pair_similarities": texts.links.similarities[order],
        }


def _look_up_similarities(links: Links, pairs: _Ints, count: int, compare: Compare) -> NDArray[np.float64]:
    """The similarities of ``pairs``; those that are no links, at the ends of chains, are counted."""
    link_keys, pair_keys = (ends[:, 0] * count + ends[:, 1] for ends in (links.pairs, pairs))
    places = np.minimum(np.searchsorted(link_keys, pair_keys), max(len(link_keys) - 1, 0))
    is_known = link_keys[places] == pair_keys if len(link_keys) else np.zeros(len(pair_keys), np.bool_)
    similarities = np.empty(len(pairs))
    similarities[is_known] = links.similarities[places[is_known]]
    similarities[~is_known] = compare(pairs[~is_known], 0.0)
    return similarities


def represent_texts(
    documents: BandedSignatures,
    links: Links,
    incomplete: _Ints,
    rules: Rules,
    order: _Ints,
    compare: Compare,
) -> Representatives:
    """Choose which texts are kept.

    Args:
        links: among the texts, those of large buckets included.
        incomplete: the texts of large buckets.
        order: all texts, the one to be kept before all others first.
    """
    if rules.cluster_mode == "representative":
        links = complete_links(documents, incomplete, links, rules.threshold, order, compare)
    return Representatives.of(links, _label_kept(links, rules, order), compare)


def _label_kept(links: Links, rules: Rules, order: _Ints) -> _Ints:
    """For each text, the text that is kept in its place."""
    if rules.cluster_mode == "representative":
        return cluster_greedily(links.pairs, links.similarities, len(order), rules.threshold, order).labels
    clusters = label_components(links.pairs, len(order))
    first = np.full(len(order), len(order))
    np.minimum.at(first, clusters[order], np.arange(len(order)))
    labels: _Ints = order[first[clusters]]
    return labels
