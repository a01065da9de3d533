"""Which documents stay, decided cluster by cluster.

So memory holds what some clusters take, however many documents and links there are. No link leaves its cluster, and
what becomes of a text depends on its own cluster alone. So links are read once to join the sets of texts, in a file
that is mapped, and again to be dealt out by these sets.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.disjoint_sets import join_pairs, settle
from ibidem.documents.candidates import BandedSignatures
from ibidem.documents.job.chosen import ChosenWriter
from ibidem.documents.job.comparison import GatheredComparison, gather_signatures
from ibidem.documents.job.digests import PartDigests
from ibidem.documents.job.groups import Costs, Group, make_groups, map_zeros
from ibidem.documents.job.link_files import LinkFiles
from ibidem.documents.job.text_files import TextFiles
from ibidem.documents.keep_policy import ColumnKinds
from ibidem.documents.large_buckets import Links, join_large_buckets
from ibidem.documents.representatives import DistinctTexts, Rules, represent_texts

__all__ = ["Choosing", "choose_documents"]

_LINK_BYTES = 200
"""Memory that a link takes while its cluster is looked at."""

_DOCUMENT_BYTES = 300
"""Memory that a document takes while its cluster is looked at."""

_NAMED_BYTES = 600
"""The same where ids and values decide which stays."""

_BLOCK = 1 << 18
"""Texts that are looked at together."""

_Ints = NDArray[np.int64]


class Choosing(NamedTuple):
    """What is chosen from, and how.

    Attributes:
        texts: the distinct texts of the documents in ``digests``.
        compare: gives the similarities of pairs of texts with a token.
        needed: of the values of two signatures, as many must agree.
        memory: bytes that some clusters may take; the largest cluster is held in any case.
    """

    digests: PartDigests
    texts: TextFiles
    rules: Rules
    compare: GatheredComparison
    needed: int
    memory: int

    @property
    def most_links(self) -> int:
        """Links that are held at a time."""
        return max(1, self.memory // _LINK_BYTES)

    @property
    def costs(self) -> Costs:
        """What links and documents take."""
        document = _DOCUMENT_BYTES if self.rules.keep.policy == "first" else _NAMED_BYTES
        return Costs(_LINK_BYTES, document, self.memory)


def choose_documents(given: Choosing, links: LinkFiles, chosen: ChosenWriter, folder: Path) -> None:
    """Decide what becomes of each document that resembles another, and tell ``chosen``.

    Args:
        links: between texts with a token, by their numbers.
        folder: for files that are needed meanwhile.
    """
    large = links.large_buckets()
    clusters = _map_clusters(folder, given.texts.num_texts)
    for each in links.read(given.most_links):
        join_pairs(clusters, each.pairs)
    settle(clusters)
    incomplete = np.unique(np.concatenate([np.zeros(0, np.int64), *(members for _, members in large)]))
    documents = _gather_incomplete(given, clusters, incomplete, folder)
    added = join_large_buckets(documents, large, clusters, given.rules.threshold, given.compare)
    settle(clusters)

    def list_groups(place: str) -> Iterator[Group]:
        (folder / place).mkdir()
        return make_groups(
            clusters,
            given.texts.bounds,
            lambda: chain(links.read(given.most_links), [added]),
            folder / place,
            given.costs,
        )

    numeric = None
    if given.rules.keep.terms:
        numeric = _decide_kinds(given, list_groups("kinds"))
    for group in list_groups("groups"):
        _choose_group(given, group, documents, incomplete, numeric, chosen)


def _map_clusters(folder: Path, count: int) -> _Ints:
    """Each text a set of its own, in a file that is mapped."""
    clusters = map_zeros(folder / "clusters.npy", np.int64, count)
    for first in range(0, count, _BLOCK):
        clusters[first : first + _BLOCK] = np.arange(first, min(first + _BLOCK, count))
    return clusters


def _gather_incomplete(given: Choosing, clusters: _Ints, incomplete: _Ints, folder: Path) -> BandedSignatures:
    """The texts; signatures stand there of those alone that large buckets may join."""
    rows = map_zeros(folder / "rows.npy", np.int64, len(clusters))
    if not len(incomplete):
        return gather_signatures(given.digests, incomplete, given.needed)._replace(rows=rows)
    joined, count = np.unique(clusters[incomplete]), len(given.texts.rows)
    found = []
    for first in range(0, count, _BLOCK):
        of = clusters[first : min(first + _BLOCK, count)]
        found.append(first + np.flatnonzero(joined[np.searchsorted(joined, of).clip(max=len(joined) - 1)] == of))
    wanted = np.concatenate(found)
    rows[wanted] = np.arange(len(wanted))
    return gather_signatures(given.digests, given.texts.rows[wanted], given.needed)._replace(rows=rows)


def _decide_kinds(given: Choosing, groups: Iterator[Group]) -> list[bool]:
    """Which columns are compared as numbers: all documents that resemble another decide."""
    kinds = ColumnKinds(given.rules.keep.columns)
    for group in groups:
        rows, _ = given.texts.find_documents(group.texts)
        kinds.look(rows, given.digests.ids(rows), given.digests.values(rows))
    return kinds.decide()


def _choose_group(
    given: Choosing,
    group: Group,
    documents: BandedSignatures,
    incomplete: _Ints,
    numeric: list[bool] | None,
    chosen: ChosenWriter,
) -> None:
    """Decide what becomes of the documents of some clusters; all are numbered within the group."""
    texts = group.texts
    rows, of = given.texts.find_documents(texts)
    first = np.full(len(texts), len(rows))
    np.minimum.at(first, of, np.arange(len(rows)))
    distinct = DistinctTexts(first, of, len(texts))
    ordered = np.searchsorted(rows, given.rules.keep.order(given.digests, rows, numeric))
    best, order = distinct.choose_best(ordered, len(texts))
    found = represent_texts(
        documents._replace(rows=documents.rows[texts]),
        Links(np.searchsorted(texts, group.links.pairs), group.links.similarities),
        np.searchsorted(texts, incomplete[np.isin(incomplete, texts)]),
        given.rules,
        order,
        lambda pairs, least: given.compare(texts[pairs], least),
    )
    chosen.append(rows, distinct.expand_to_documents(found, best))
