"""From similar texts to the documents that are kept, and what each of the others duplicates."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.documents.candidates import BandedSignatures
from ibidem.documents.clustering import cluster_components, cluster_greedily, label_components
from ibidem.documents.column_spool import Digests
from ibidem.documents.keep_policy import Keep
from ibidem.documents.large_buckets import BandLinks, Compare, Links, complete_links, link_large_buckets

__all__ = ["DistinctTexts", "Representatives", "Rules", "choose_representatives", "find_texts", "represent_texts"]

_Ints = NDArray[np.int64]


class Rules(NamedTuple):
    """Which of similar documents stays; see ``ibidem.deduplicate``."""

    threshold: float
    keep: Keep
    cluster_mode: str


class Representatives(NamedTuple):
    """What became of each of m texts.

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
        """Look up, or count, how similar each text is to the one in ``labels``."""
        count = len(labels)
        links = links.distinct(count)
        clusters, weakest = cluster_components(links.pairs, links.similarities, count)
        similarities = np.ones(count)
        others = np.flatnonzero(labels != np.arange(count))
        pairs = np.sort(np.stack([others, labels[others]], axis=1), axis=1)
        similarities[others] = _look_up_similarities(links, pairs, count, compare)
        return cls(links, labels, similarities, clusters, weakest)


class DistinctTexts(NamedTuple):
    """Texts without their exact duplicates, in the order of their content; those without a token come last.

    Attributes:
        rows: int64 [u], the first document of each text.
        of: int64 [n], for each document the number of its text.
        with_tokens: how many texts have a token.
    """

    rows: _Ints
    of: _Ints
    with_tokens: int

    @property
    def rows_with_tokens(self) -> _Ints:
        """The first document of each text that has a token."""
        return self.rows[: self.with_tokens]

    @classmethod
    def find(cls, contents: NDArray[np.uint64], empty: NDArray[np.bool_]) -> "DistinctTexts":
        """The distinct texts of documents, by the hashes ``contents`` [n, 2]."""
        order = np.lexsort((contents[:, 1], contents[:, 0], empty))
        ordered = contents[order]
        opens = np.ones(len(order), np.bool_)
        opens[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        of = np.empty(len(order), np.int64)
        of[order] = np.cumsum(opens) - 1
        rows = order[opens]
        return cls(rows, of, len(rows) - int(np.count_nonzero(empty[rows])))

    def find_involved(self, linked: _Ints) -> _Ints:
        """The documents whose text is one of those ``linked`` to others, or stands in another document too."""
        texts = np.bincount(self.of, minlength=len(self.rows)) > 1
        texts[linked.reshape(-1)] = True
        return np.flatnonzero(texts[self.of])

    def choose_best(self, ordered: _Ints, count: int) -> tuple[_Ints, _Ints]:
        """The document to keep of each text, int64 [u], and the first ``count`` texts in the order of those.

        ``ordered`` are the documents that are involved, the one to be kept before all others first.
        """
        best, rank = self.rows.copy(), np.full(len(self.of), len(self.of))
        rank[ordered] = np.arange(len(ordered))
        texts, first = np.unique(self.of[ordered], return_index=True)
        best[texts] = ordered[first]
        return best, np.argsort(rank[best[:count]], kind="stable")

    def expand_to_documents(self, chosen: Representatives, best: _Ints) -> dict[str, Any]:
        """The same of documents: fields of a ``Deduplication``."""
        others = np.arange(len(chosen.labels), len(self.rows))  # texts without a token are like nothing
        labels = np.concatenate([chosen.labels, others])[self.of]
        clusters = np.concatenate([chosen.clusters, others])[self.of]
        alone = np.ones(len(others))
        _, first, back = np.unique(clusters, return_index=True, return_inverse=True)
        kept = best[labels] == np.arange(len(self.of))
        pairs = np.sort(best[chosen.links.pairs], axis=1)
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        return {
            "kept": kept,
            "duplicate_of": best[labels],
            "similarity": np.concatenate([chosen.similarities, alone])[self.of],
            "exact": (labels == self.of) & ~kept,
            "clusters": first[back.reshape(-1)],
            "weakest": np.concatenate([chosen.weakest, alone])[self.of],
            "pairs": pairs[order],
            "pair_similarities": chosen.links.similarities[order],
        }


def _look_up_similarities(links: Links, pairs: _Ints, count: int, compare: Compare) -> NDArray[np.float64]:
    """The similarities of ``pairs``; those that are no links, at the ends of chains, are counted."""
    known, wanted = (each[:, 0] * count + each[:, 1] for each in (links.pairs, pairs))
    at = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
    held = known[at] == wanted if len(known) else np.zeros(len(wanted), np.bool_)
    similarities = np.empty(len(pairs))
    similarities[held] = links.similarities[at[held]]
    similarities[~held] = compare(pairs[~held], 0.0)
    return similarities


def find_texts(digests: Digests) -> DistinctTexts:
    """The distinct texts of all documents."""
    return DistinctTexts.find(digests.column("contents"), digests.lengths() == 0)


def choose_representatives(
    digests: Digests,
    texts: DistinctTexts,
    documents: BandedSignatures,
    found: BandLinks,
    rules: Rules,
    compare: Compare,
) -> dict[str, Any]:
    """What becomes of each document: fields of a ``Deduplication``.

    Args:
        documents: the texts with a token. The signatures and bands of those alone are read that are in a cluster with
            a document of a large bucket.
        found: their links, by numbers of texts.
    """
    links = link_large_buckets(documents, found, rules.threshold, compare)
    ordered = rules.keep.order(digests, texts.find_involved(links.pairs))
    best, order = texts.choose_best(ordered, len(documents.rows))
    chosen = represent_texts(documents, links, found.incomplete, rules, order, compare)
    return texts.expand_to_documents(chosen, best)


def represent_texts(
    documents: BandedSignatures,
    links: Links,
    incomplete: _Ints,
    rules: Rules,
    order: _Ints,
    compare: Compare,
) -> Representatives:
    """What becomes of each text.

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
