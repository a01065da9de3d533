"""Which documents stay, decided cluster by cluster.

So memory holds a few numbers a document and the links of some clusters, however many links there are. No link leaves
its cluster, and what becomes of a text depends on its own cluster alone. So links are read once to join the sets of
texts, in a file that is mapped, and once more to be dealt out by these sets.
"""

import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.disjoint_sets import join_pairs, settle
from ibidem.documents.candidates import BandedSignatures
from ibidem.documents.large_buckets import Compare, Links, join_large_buckets
from ibidem.documents.representatives import DistinctTexts, Representatives, Rules, represent_texts
from ibidem.plans.dedup.comparison import GatheredComparison, gather_signatures
from ibidem.plans.dedup.digests import PartDigests
from ibidem.plans.dedup.link_files import LinkFiles, deal_out_links, read_group

__all__ = ["Choosing", "choose_documents"]

_LINK_BYTES = 200
"""Memory that a link takes while its cluster is looked at."""

_Ints = NDArray[np.int64]


class Choosing(NamedTuple):
    """What is chosen from, and how.

    Attributes:
        texts: the distinct texts of the documents in ``digests``.
        compare: gives the similarities of pairs of texts with a token.
        needed: of the values of two signatures, as many must agree.
        memory: bytes that the links of some clusters may take; those of the largest cluster are held in any case.
    """

    digests: PartDigests
    texts: DistinctTexts
    rules: Rules
    compare: GatheredComparison
    needed: int
    memory: int

    @property
    def most_links(self) -> int:
        """Links that are held at a time."""
        return max(1, self.memory // _LINK_BYTES)


def choose_documents(given: Choosing, links: LinkFiles, folder: Path) -> dict[str, Any]:
    """What becomes of each document: fields of a ``Deduplication``, in which no pairs stand.

    Args:
        links: between texts with a token, by their numbers.
        folder: for files that are needed meanwhile.
    """
    with tempfile.TemporaryDirectory(dir=folder) as aside:
        count, large = given.texts.with_tokens, links.large_buckets()
        clusters = _map_clusters(Path(aside), count)
        for each in links.read(given.most_links):
            join_pairs(clusters, each.pairs)
        settle(clusters)
        incomplete = np.unique(np.concatenate([np.zeros(0, np.int64), *(members for _, members in large)]))
        documents = _gather_incomplete(given, clusters, incomplete)
        added = join_large_buckets(documents, large, clusters, given.rules.threshold, given.compare)
        settle(clusters)
        linked = np.flatnonzero(np.bincount(clusters, minlength=count)[clusters] > 1)
        ordered = given.rules.keep.order(given.digests, given.texts.find_involved(linked))
        best, order = given.texts.choose_best(ordered, count)
        group_of = _group_texts(clusters, chain(links.read(given.most_links), [added]), given.most_links)
        deal_out_links(chain(links.read(given.most_links), [added]), group_of, Path(aside))
        chosen = _leave_alone(count)
        for group, members in _list_members(group_of, linked):
            part = _Part(members, documents, incomplete, order)
            _represent_part(part, read_group(Path(aside), group), given.rules, given.compare, chosen)
    return given.texts.expand_to_documents(chosen, best)


def _map_clusters(folder: Path, count: int) -> _Ints:
    """Each text a set of its own, in a file that is mapped."""
    clusters = np.lib.format.open_memmap(folder / "clusters.npy", "w+", np.int64, (count,))
    clusters[:] = np.arange(count)
    return np.asarray(clusters)


def _gather_incomplete(given: Choosing, clusters: _Ints, incomplete: _Ints) -> BandedSignatures:
    """The texts with a token; signatures stand there of those alone that large buckets may join."""
    wanted = np.flatnonzero(np.isin(clusters, clusters[incomplete]))
    gathered = gather_signatures(given.digests, given.texts.rows[wanted], given.needed)
    rows = np.full(len(clusters), -1)
    rows[wanted] = np.arange(len(wanted))
    return gathered._replace(rows=rows)


def _group_texts(clusters: _Ints, links: Iterator[Links], most: int) -> NDArray[np.int32]:
    """The group of each text: whole clusters that follow one another, of about ``most`` links."""
    counts = np.zeros(len(clusters), np.int64)
    for each in links:
        np.add.at(counts, clusters[each.pairs[:, 0]], 1)
    # A cluster goes to the group in which the links before it end, so a large one closes its group.
    groups = ((np.cumsum(counts) - counts) // most).astype(np.int32)
    return groups[clusters]


def _list_members(group_of: NDArray[np.int32], linked: _Ints) -> Iterator[tuple[int, _Ints]]:
    """The texts of each group, ascending, of those that have a link."""
    order = linked[np.argsort(group_of[linked], kind="stable")]
    cuts = np.flatnonzero(np.diff(group_of[order])) + 1
    return ((int(group_of[members[0]]), members) for members in np.split(order, cuts) if len(members))


class _Part(NamedTuple):
    """Some clusters: their texts, ascending, and what is known of all texts."""

    members: _Ints
    documents: BandedSignatures
    incomplete: _Ints
    order: _Ints

    def number(self, texts: _Ints) -> _Ints:
        """The numbers of some of the members within the part."""
        return np.searchsorted(self.members, texts)


def _represent_part(part: _Part, links: Links, rules: Rules, compare: Compare, chosen: Representatives) -> None:
    """Decide what becomes of the texts of some clusters, and put it into ``chosen``."""
    members = part.members
    found = represent_texts(
        part.documents._replace(rows=part.documents.rows[members]),
        Links(part.number(links.pairs), links.similarities),
        part.number(part.incomplete[np.isin(part.incomplete, members)]),
        rules,
        part.number(part.order[np.isin(part.order, members)]),
        lambda pairs, least: compare(members[pairs], least),
    )
    chosen.labels[members] = members[found.labels]
    chosen.clusters[members] = members[found.clusters]
    chosen.similarities[members], chosen.weakest[members] = found.similarities, found.weakest


def _leave_alone(count: int) -> Representatives:
    """Texts that are like no other."""
    return Representatives(Links.concatenate([]), np.arange(count), np.ones(count), np.arange(count), np.ones(count))
