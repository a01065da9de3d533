"""The choice which documents stay, and what each of the others duplicates.

A few numbers of each document are in memory, the links of as many clusters as it has room for. No link leaves its
cluster, and whether a text is kept depends on its own cluster alone. So links are read once to join sets of texts, and
then once for each group of clusters.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ibidem.clusters import cluster_components, cluster_greedily, label_components
from ibidem.disjoint_sets import join_pairs, settle
from ibidem.documents.candidates import Signatures
from ibidem.documents.comparison import TextComparer
from ibidem.documents.digests import Digests
from ibidem.documents.large_buckets import LargeBuckets, complete_links, join_large_buckets
from ibidem.documents.links import Compare, Links, read_ranges
from ibidem.documents.rules import Rules
from ibidem.documents.signatures import Shingler
from ibidem.documents.texts import DistinctTexts, open_texts
from ibidem.engine.outputs import open_as, save_output
from ibidem.keep_policy import ColumnKinds
from ibidem.resources import Resources

_LINK_BYTES = 200
"""Memory that a link takes while its cluster is processed."""

_DOCUMENT_BYTES = 300
"""Memory that a document takes while its cluster is processed."""

_NAMED_BYTES = 600
"""The same where ids and values decide which stays."""

_BLOCK = 1 << 16
"""Documents whose values are looked at together, and signatures that are gathered."""

_Ints = NDArray[np.int64]


class Choice(NamedTuple):
    """What becomes of n documents with u distinct texts.

    Attributes:
        duplicate_of: int64 [n], the kept document that it duplicates; itself if it is kept; -1 if it is known.
        similarity: float64 [n], its resemblance to that one.
        exact: bool [n], whether both texts are the same, and the document does not stay.
        clusters: int64 [n], the first document of its cluster.
        weakest: float64 [n], the similarity at which its cluster would fall apart; 1 for a document alone.
        best: int64 [u], for each text the document that would stay of those that have it.
        links: those found besides the ones of ranges, by numbers of texts.
        compared: how many pairs were compared in all.
    """

    duplicate_of: _Ints
    similarity: NDArray[np.float64]
    exact: NDArray[np.bool_]
    clusters: _Ints
    weakest: NDArray[np.float64]
    best: _Ints
    links: Links
    compared: int

    @classmethod
    def keep_all(cls, texts: DistinctTexts) -> "Choice":
        """All documents stay that resemble none of an index."""
        count = len(texts.numbers)
        rows, ones, duplicate_of = np.arange(count), np.ones(count), np.full(count, -1)
        duplicate_of[texts.documents] = texts.documents
        best = texts.documents[texts.bounds[:-1]]
        return cls(duplicate_of, ones, np.zeros(count, np.bool_), rows, ones.copy(), best, Links.concatenate([]), 0)

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Whether each document stays, bool [n]."""
        kept: NDArray[np.bool_] = self.duplicate_of == np.arange(len(self.duplicate_of))
        return kept


open_choice = open_as(Choice)
"""Opens the file in which ``choose_documents`` left its output."""


def choose_documents(
    rules: Rules,
    digest_folders: Sequence[Path],
    texts_file: Path,
    link_files: Sequence[Path],
    file: Path,
    resources: Resources,
) -> None:
    """Leave the choice among all documents; ``link_files`` are the outputs of ``link_range``."""
    documents, distinct = Digests(digest_folders), open_texts(texts_file)
    with resources.pool() as pool, TemporaryFile(dir=file.parent) as aside:
        compare = TextComparer(documents, distinct, Shingler(rules.shingle).width, pool, resources.workers)
        clusters = np.arange(distinct.num_texts)
        for each in read_ranges(link_files):
            join_pairs(clusters, each.links.pairs)
            compare.count += each.compared
        settle(clusters)
        large = _gather_large(rules, documents, distinct, link_files, clusters, aside)
        found = _FoundLinks(link_files, join_large_buckets(large, clusters, rules.threshold, compare))
        settle(clusters)
        is_involved = _find_involved(distinct, found)
        is_numeric = _decide_kinds(rules, documents, distinct, is_involved)
        choice, completed = Choice.keep_all(distinct), [found.others]
        for group in _list_groups(rules, distinct, found, clusters, is_involved, resources.memory // 4):
            order = _order_documents(rules, documents, group, is_numeric)
            decided = _choose_texts(rules, group, large, order.texts, compare)
            completed.append(decided.completed)
            _take_down(choice, group, order, decided)
        save_output(choice._replace(links=Links.concatenate(completed), compared=compare.count), file)


def list_pairs(link_files: Sequence[Path], choice: Choice) -> Links:
    """All similar pairs, in order, each text as the document that would stay of those that have it."""
    all_links = Links.concatenate([*(each.links for each in read_ranges(link_files)), choice.links])
    all_links = all_links.distinct(len(choice.best))
    pairs = np.sort(choice.best[all_links.pairs], axis=1)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    return Links(pairs[order], all_links.similarities[order])


class _FoundLinks(NamedTuple):
    """The links of all ranges, in the outputs of ``link_range``, and those that join large buckets."""

    ranges: Sequence[Path]
    others: Links

    def read(self) -> Iterator[Links]:
        """All links, some at a time."""
        yield from (each.links for each in read_ranges(self.ranges))
        yield self.others


class _Group(NamedTuple):
    """The texts of some clusters.

    Attributes:
        texts: int64 [m], ascending.
        links: between them, by their places in ``texts``.
        documents: int64 [d], ascending: all that have one of these texts.
        of: int64 [d], the place of the text of each.
    """

    texts: _Ints
    links: Links
    documents: _Ints
    of: _Ints


class _Order(NamedTuple):
    """The order of a keep policy in a group: int64 [m], of each text the place of its best document; and the texts."""

    best: _Ints
    texts: _Ints


class _DecidedTexts(NamedTuple):
    """What becomes of the m texts of a group.

    Attributes:
        kept: int64 [m], the text that is kept in the place of each.
        similarities: float64 [m], to that one.
        clusters, weakest: clusters of texts, and their weakest links.
        completed: links that were looked for besides, by numbers of texts.
    """

    kept: _Ints
    similarities: NDArray[np.float64]
    clusters: _Ints
    weakest: NDArray[np.float64]
    completed: Links


def _gather_large(
    rules: Rules,
    documents: Digests,
    texts: DistinctTexts,
    link_files: Sequence[Path],
    clusters: _Ints,
    aside: IO[bytes],
) -> LargeBuckets:
    """The large buckets of all ranges; the signatures that they need are put into a file, which is mapped."""
    buckets = [
        (band, np.array(members))
        for each in read_ranges(link_files)
        for band, members in zip(each.large_bands.tolist(), each.large.split(), strict=True)
    ]
    members = np.unique(np.concatenate([np.zeros(0, np.int64), *(members for _, members in buckets)]))
    joined = np.zeros(len(clusters), np.bool_)
    joined[clusters[members]] = True
    joined_texts = np.flatnonzero(joined[clusters])
    rows = texts.first_of(joined_texts)
    shape = len(rows), rules.num_hashes
    # Nothing cannot be mapped.
    values = np.asarray(np.memmap(aside, np.uint32, "w+", shape=shape)) if len(rows) else np.empty(shape, np.uint32)
    for first in range(0, len(rows), _BLOCK):
        values[first : first + _BLOCK] = documents.gather_signatures(rows[first : first + _BLOCK], rules.num_hashes)
        documents.release_pages()
    return LargeBuckets(buckets, members, joined_texts, Signatures(values, rules.banding, rules.least_agreeing))


def _find_involved(texts: DistinctTexts, found: _FoundLinks) -> NDArray[np.bool_]:
    """Which texts have links, or occur in several documents."""
    is_involved = np.diff(texts.bounds) > 1
    for links in found.read():
        is_involved[links.pairs] = True
    return is_involved


def _decide_kinds(
    rules: Rules, documents: Digests, texts: DistinctTexts, is_involved: NDArray[np.bool_]
) -> Sequence[bool]:
    """Which columns of the keep policy are compared as numbers: all documents that resemble another decide."""
    kinds = ColumnKinds(rules.policy.columns)
    involved = np.flatnonzero(is_involved) if rules.policy.columns else np.zeros(0, np.int64)
    for first in range(0, len(involved), _BLOCK):
        rows, _ = texts.find_documents(involved[first : first + _BLOCK])
        kinds.look(rows, documents.ids(rows), documents.values(rows))
    return kinds.decide()


def _list_groups(
    rules: Rules,
    texts: DistinctTexts,
    found: _FoundLinks,
    clusters: _Ints,
    is_involved: NDArray[np.bool_],
    memory: int,
) -> Iterator[_Group]:
    """The texts that are involved, in groups of whole clusters that memory holds."""
    document_bytes = _DOCUMENT_BYTES if rules.keep == "first" else _NAMED_BYTES
    documents = int(np.diff(texts.bounds)[is_involved].sum())
    count = -(-(documents * document_bytes + sum(len(each.pairs) for each in found.read()) * _LINK_BYTES) // memory)
    for number in range(count):
        members = np.flatnonzero(is_involved & (clusters % count == number))
        parts = [Links.concatenate([])]
        for each in found.read():
            is_here = clusters[each.pairs[:, 0]] % count == number
            parts.append(Links(np.searchsorted(members, each.pairs[is_here]), each.similarities[is_here]))
        yield _Group(members, Links.concatenate(parts), *texts.find_documents(members))


def _order_documents(rules: Rules, documents: Digests, group: _Group, is_numeric: Sequence[bool]) -> _Order:
    """Order the documents and texts of a group as the keep policy does."""
    rows = group.documents
    places = np.searchsorted(rows, rules.policy.order(documents, rows, is_numeric))
    _, first = np.unique(group.of[places], return_index=True)
    return _Order(places[first], group.of[places[np.sort(first)]])


def _choose_texts(
    rules: Rules, group: _Group, large: LargeBuckets, order: _Ints, compare: TextComparer
) -> _DecidedTexts:
    """Choose which texts of a group are kept; ``order`` are all of them, the one to be kept before all others first."""

    def compare_places(pairs: _Ints, least: float) -> NDArray[np.float64]:
        return compare(group.texts[pairs], least)

    count, completed = len(group.texts), Links.concatenate([])
    if rules.cluster_mode == "representative":
        completed = complete_links(large, group.texts, group.links, rules.threshold, order, compare_places)
    links = Links.concatenate([group.links, completed]).distinct(count)
    kept = _label_kept(rules, links, order)
    similarities = np.ones(count)
    replaced = np.flatnonzero(kept != np.arange(count))
    pairs = np.sort(np.stack([replaced, kept[replaced]], axis=1), axis=1)
    similarities[replaced] = _look_up_similarities(links, pairs, count, compare_places)
    clusters, weakest = cluster_components(links.pairs, links.similarities, count)
    named = Links(group.texts[completed.pairs], completed.similarities)
    return _DecidedTexts(kept, similarities, clusters, weakest, named)


def _label_kept(rules: Rules, links: Links, order: _Ints) -> _Ints:
    """For each text, the text that is kept in its place."""
    if rules.cluster_mode == "representative":
        return cluster_greedily(links.pairs, links.similarities, len(order), rules.threshold, order).labels
    clusters = label_components(links.pairs, len(order))
    first = np.full(len(order), len(order))
    np.minimum.at(first, clusters[order], np.arange(len(order)))
    labels: _Ints = order[first[clusters]]
    return labels


def _look_up_similarities(links: Links, pairs: _Ints, count: int, compare: Compare) -> NDArray[np.float64]:
    """The similarities of ``pairs``; those that are no links, at the ends of chains, are measured."""
    link_keys, pair_keys = (ends[:, 0] * count + ends[:, 1] for ends in (links.pairs, pairs))
    places = np.minimum(np.searchsorted(link_keys, pair_keys), max(len(link_keys) - 1, 0))
    is_known = link_keys[places] == pair_keys if len(link_keys) else np.zeros(len(pair_keys), np.bool_)
    similarities = np.empty(len(pairs))
    similarities[is_known] = links.similarities[places[is_known]]
    similarities[~is_known] = compare(pairs[~is_known], 0.0)
    return similarities


def _take_down(choice: Choice, group: _Group, order: _Order, decided: _DecidedTexts) -> None:
    """Put down what was decided about the documents of a group."""
    rows, of = group.documents, group.of
    kept = decided.kept[of]
    _, first, back = np.unique(decided.clusters[of], return_index=True, return_inverse=True)
    choice.best[group.texts] = rows[order.best]
    choice.duplicate_of[rows] = rows[order.best[kept]]
    choice.similarity[rows] = decided.similarities[of]
    choice.exact[rows] = (kept == of) & (choice.duplicate_of[rows] != rows)
    choice.clusters[rows] = rows[first[back.reshape(-1)]]
    choice.weakest[rows] = decided.weakest[of]
