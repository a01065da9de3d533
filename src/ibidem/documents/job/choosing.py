"""Which documents stay: decided at once if memory holds all texts and links, cluster by cluster if not.

In the latter case memory holds what some clusters take, however many documents and links there are. No link leaves its
cluster, and whether a text is kept depends on its own cluster alone. So links are read once to join the sets of texts,
in a file that is mapped, and again to be distributed by these sets.
"""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.disjoint_sets import join_pairs, settle
from ibidem.documents.candidates import BandedSignatures
from ibidem.documents.digests import Digests
from ibidem.documents.job.comparison import PairComparer, RangeLinks, gather_signatures, read_links
from ibidem.documents.job.distinct_texts import DistinctTexts
from ibidem.documents.job.groups import Costs, Group, make_groups
from ibidem.documents.large_buckets import Links, join_large_buckets
from ibidem.documents.representatives import GroupedDocuments, Rules, represent_texts
from ibidem.engine.outputs import map_zeros
from ibidem.keep_policy import ColumnKinds

_LINK_BYTES = 200
"""Memory that a link takes while its cluster is processed."""

_DOCUMENT_BYTES = 300
"""Memory that a document takes while its cluster is processed."""

_NAMED_BYTES = 600
"""The same where ids and values decide which stays."""

_BLOCK = 1 << 18
"""Texts that are processed together."""

_Ints = NDArray[np.int64]


class Choice(NamedTuple):
    """The texts to choose from, and the rules of the choice.

    Attributes:
        texts: the distinct texts of the documents in ``digests``.
        compare: gives the similarities of pairs of texts with a token.
        needed: of the values of two signatures, as many must agree.
        memory: bytes that some clusters may take; the largest cluster is held in any case.
    """

    digests: Digests
    texts: DistinctTexts
    rules: Rules
    compare: PairComparer
    needed: int
    memory: int

    def holds(self, links: int) -> bool:
        """Whether memory holds all texts and so many links."""
        return links * self.costs.link + len(self.texts.documents) * self.costs.document <= self.memory

    @property
    def most_links(self) -> int:
        """Links that are held at a time."""
        return max(1, self.memory // _LINK_BYTES)

    @property
    def costs(self) -> Costs:
        """The memory that links and documents take."""
        document = _DOCUMENT_BYTES if self.rules.keep.policy == "first" else _NAMED_BYTES
        return Costs(_LINK_BYTES, document, self.memory)


Take = Callable[[_Ints, dict[str, Any]], None]
"""Takes down what was decided about some documents, whole clusters: fields of a ``Deduplication`` for these alone,
which are numbered from 0 in it."""


def choose_documents(choice: Choice, read_ranges: Callable[[], Iterator[RangeLinks]], take: Take, folder: Path) -> None:
    """Decide for each document that resembles another whether it is kept, and pass the decisions to ``take``.

    Args:
        read_ranges: gives the links between texts with a token, by their numbers.
        folder: for files that are needed meanwhile.
    """
    large = [bucket for each in read_ranges() for bucket in each.large]
    is_held = choice.holds(sum(len(each.links.pairs) for each in read_ranges()))
    with nullcontext(folder) if is_held else TemporaryDirectory(dir=folder) as aside:
        place = None if is_held else Path(aside)
        clusters, rows = _number_texts(place, choice.texts.num_texts)
        for each in read_links(read_ranges(), choice.most_links):
            join_pairs(clusters, each.pairs)
        settle(clusters)
        incomplete = _list_members(large)
        documents = _gather_incomplete(choice, clusters, incomplete, rows)
        added = join_large_buckets(documents, large, clusters, choice.rules.threshold, choice.compare)
        settle(clusters)

        def read_all() -> Iterator[Links]:
            return chain(read_links(read_ranges(), choice.most_links), [added])

        def list_groups(name: str) -> Iterator[Group]:
            if place is None:
                return iter([_gather_group(choice.texts, Links.concatenate(list(read_all())))])
            (place / name).mkdir()
            return make_groups(clusters, choice.texts.bounds, read_all, place / name, choice.costs)

        numeric = None
        if choice.rules.keep.terms and not is_held:
            numeric = _decide_kinds(choice, list_groups("kinds"))
        for group in list_groups("groups"):
            _choose_group(choice, group, documents, incomplete, numeric, take)


_Large = list[tuple[int, _Ints]]
"""The band and the texts of each bucket that is too large to be compared whole."""


def _list_members(large: _Large) -> _Ints:
    """The texts of large buckets, ascending."""
    return np.unique(np.concatenate([np.zeros(0, np.int64), *(members for _, members in large)]))


def _number_texts(folder: Path | None, count: int) -> tuple[_Ints, _Ints]:
    """Each text a set of its own, and zeros for all texts: in memory, or in files that are mapped."""
    if folder is None:
        return np.arange(count), np.zeros(count, np.int64)
    clusters = map_zeros(folder / "clusters.npy", np.int64, count)
    for first in range(0, count, _BLOCK):
        clusters[first : first + _BLOCK] = np.arange(first, min(first + _BLOCK, count))
    return clusters, map_zeros(folder / "rows.npy", np.int64, count)


def _gather_group(texts: DistinctTexts, links: Links) -> Group:
    """All texts that have links or occur in several documents."""
    involved = np.diff(texts.bounds) > 1
    involved[links.pairs.reshape(-1)] = True
    return Group(np.flatnonzero(involved), links)


def _gather_incomplete(choice: Choice, clusters: _Ints, incomplete: _Ints, rows: _Ints) -> BandedSignatures:
    """The texts, ``rows`` being zeros for them, with the signatures of those alone that large buckets may join."""
    if not len(incomplete):
        return gather_signatures(choice.digests, incomplete, choice.needed)._replace(rows=rows)
    joined, count = np.unique(clusters[incomplete]), len(choice.texts.rows)
    found = []
    for first in range(0, count, _BLOCK):
        of = clusters[first : min(first + _BLOCK, count)]
        found.append(first + np.flatnonzero(joined[np.searchsorted(joined, of).clip(max=len(joined) - 1)] == of))
    wanted = np.concatenate(found)
    documents = gather_signatures(choice.digests, choice.texts.rows[wanted], choice.needed)
    rows[wanted] = documents.rows
    return documents._replace(rows=rows)


def _decide_kinds(choice: Choice, groups: Iterator[Group]) -> list[bool]:
    """Which columns are compared as numbers: all documents that resemble another decide."""
    kinds = ColumnKinds(choice.rules.keep.columns)
    for group in groups:
        rows, _ = choice.texts.find_documents(group.texts)
        kinds.look(rows, choice.digests.ids(rows), choice.digests.values(rows))
    return kinds.decide()


def _choose_group(
    choice: Choice,
    group: Group,
    documents: BandedSignatures,
    incomplete: _Ints,
    numeric: list[bool] | None,
    take: Take,
) -> None:
    """Decide on the documents of some clusters; all are numbered within the group."""
    texts = group.texts
    rows, of = choice.texts.find_documents(texts)
    first = np.full(len(texts), len(rows))
    np.minimum.at(first, of, np.arange(len(rows)))
    grouped = GroupedDocuments(first, of)
    ordered = np.searchsorted(rows, choice.rules.keep.order(choice.digests, rows, numeric))
    best, order = grouped.choose_best(ordered)
    decided = represent_texts(
        documents._replace(rows=documents.rows[texts]),
        Links(np.searchsorted(texts, group.links.pairs), group.links.similarities),
        np.searchsorted(texts, incomplete[np.isin(incomplete, texts)]),
        choice.rules,
        order,
        lambda pairs, least: choice.compare(texts[pairs], least),
    )
    take(rows, grouped.expand(decided, best))
