"""Searchers: Ray actors that own segments of an index, for collections that one machine cannot hold.

Each searcher opens its own segments, from a file system that all nodes see or from its copies of an object store. A
query goes to all of them, and their answers become one. Only queries and matches go through Ray, and once, where
weights depend on it, the frequency of each token.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

from ibidem.engine.ray_cluster import RayCluster
from ibidem.errors import StoreError
from ibidem.parallel import Threads, in_order
from ibidem.passages.configuration import Configuration
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.search.omissions import NOTHING_SIMILAR, describe_limit
from ibidem.passages.search.searcher import Answer, Searcher, answer_with
from ibidem.passages.search.selection import order_passages
from ibidem.rounding import reaches
from ibidem.spans import Match
from ibidem.store import Checksums, Store
from ibidem.store.manifest import SegmentEntry
from ibidem.store.remote_copy import read_entries
from ibidem.stored_index import place_documents, read_configuration
from ibidem.text import Document, Tokenizer, restore_tokenizer
from ibidem.text.token_counts import Counts, merge_counts
from ibidem.weights import DocumentFrequencies, NoWeightError

# Times that Ray starts a searcher again whose process or node died.
_RESTARTS = 3

_SUMMED = (
    "lists",
    "lists_read",
    "lists_skipped",
    "postings",
    "postings_read",
    "starts_likely",
    "areas",
    "passages",
)

_LARGEST = ("threshold", "pieces", "pieces_left", "cut")


class PartialAnswer(NamedTuple):
    """The answer of one searcher."""

    matches: list[Match]
    statistics: SearchStatistics


class _Held(NamedTuple):
    """The documents and tokens that a searcher owns."""

    documents: int
    tokens: int


class SearcherActor:
    """Answers queries over the segments that it owns. Ray runs it as an actor."""

    def __init__(self, path: str, segments: Sequence[str], threads: int, checksums: Checksums) -> None:
        self._store = Store.open(path, checksums, segments=segments)
        self._configuration = read_configuration(Configuration, self._store)
        self._tokenizer = restore_tokenizer(self._configuration.tokenizer, self._store.attachment, path)
        self._threads = Threads(threads)

    def describe(self) -> _Held:
        """Describe the documents and tokens that it owns."""
        alive = sum(int(segment.alive.sum()) for segment in self._store.segments)
        return _Held(alive, sum(segment.num_tokens for segment in self._store.segments))

    def list_ids(self) -> list[str]:
        """The ids of its documents."""
        return list(place_documents(self._store.segments))

    def count(self) -> Counts:
        """How often each token occurs in its documents."""
        return merge_counts([segment.alive_vocabulary() for segment in self._store.segments])

    def answer(
        self, text: str, options: SearchOptions, name: str, tokens: int, counts: tuple[Any, ...] | None
    ) -> PartialAnswer:
        """Search its segments; ``tokens`` and ``counts`` are those of the whole collection."""
        index_counts = self._store.frequencies() if counts is None else counts
        frequencies = None if index_counts is None else DocumentFrequencies(*index_counts)
        searcher = Searcher.of(
            self._store.segments, self._configuration, self._tokenizer, options, frequencies, collection_tokens=tokens
        )
        matches, statistics = searcher.answer(Document(name, text), self._threads)
        return PartialAnswer(list(matches), statistics)


class Searchers:
    """The searchers of one index, as it was when they were started.

    Attributes:
        documents: how many those have that could be reached at the start.
        segments: their names.
    """

    def __init__(
        self,
        path: str,
        groups: Sequence[Sequence[SegmentEntry]],
        actors: list[Any],
        partial: bool,
        cluster: RayCluster,
    ) -> None:
        self._path, self._groups, self._actors, self._partial = path, groups, actors, partial
        self._cluster = cluster
        self.segments = [entry.name for group in groups for entry in group]
        descriptions = [description for description in self._ask("describe") if description is not None]
        self.documents = sum(description.documents for description in descriptions)
        self._tokens = sum(description.tokens for description in descriptions)
        self._counts: Any = None

    def answer(
        self, text: str, options: SearchOptions, name: str, needs_counts: bool
    ) -> tuple[list[Match], SearchStatistics]:
        """Search as ``PassageIndex.search`` does; ``needs_counts`` if weights depend on counts that the index lacks.

        Raises:
            StoreError: a searcher cannot be reached, unless partial answers are allowed: then a note names what was not
                searched.
        """
        counts = self._count() if needs_counts else None
        answers = self._ask("answer", text, options, name, self._tokens, counts)
        matches, statistics = merge_answers([answer for answer in answers if answer is not None], options)
        missing = [group for group, answer in zip(self._groups, answers, strict=True) if answer is None]
        statistics.notes = (*(_describe_missing(group) for group in missing), *statistics.notes)
        return matches, statistics

    def list_ids(self) -> set[str]:
        """The ids of all documents."""
        return {name for names in self._ask("list_ids") if names is not None for name in names}

    def close(self) -> None:
        """End the searchers, and leave the cluster."""
        for actor in self._actors:
            self._cluster.ray.kill(actor)
        self._actors = []
        self._cluster.leave()

    def _count(self) -> Any:
        """A reference to how many documents hold each token."""
        if self._counts is None:
            parts = [part for part in self._ask("count") if part is not None]
            tokens, in_documents, _ = merge_counts(parts)
            self._counts = self._cluster.ray.put((tokens, in_documents, self.documents))
        return self._counts

    def _ask(self, method: str, *arguments: Any) -> list[Any]:
        """Ask each searcher; ``None`` for one that cannot be reached, if partial answers are allowed."""
        references = [getattr(actor, method).remote(*arguments) for actor in self._actors]
        return [self._take(group, reference) for group, reference in zip(self._groups, references, strict=True)]

    def _take(self, group: Sequence[SegmentEntry], reference: Any) -> Any:
        ray = self._cluster.ray
        try:
            return ray.get(reference)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from error
        except ray.exceptions.RayActorError as error:
            if self._partial:
                return None
            raise StoreError(
                f"{self._path}: {_describe_missing(group)}: {error}; allow_partial answers without it"
            ) from error


class RaySearcher(NamedTuple):
    """Searches by searchers on Ray, as ``Searcher`` does in one process.

    Attributes:
        needs_counts: whether weights depend on counts that the index does not hold.
        tokenizer: that of the index, for those who compare a match with its query.
    """

    searchers: Searchers
    options: SearchOptions
    needs_counts: bool
    tokenizer: Tokenizer

    def answer(self, query: Document, threads: Threads) -> Answer:
        """The matches of a query; the threads are those of the searchers.

        Raises:
            NoWeightError: no token of the query has a weight.
            StoreError: a searcher cannot be reached.
        """
        matches, statistics = self.searchers.answer(query.text, self.options, query.id, self.needs_counts)
        return answer_with(query, matches, self.tokenizer, statistics)

    def answer_each(self, queries: Iterable[Document], workers: int, threads: Threads) -> Iterator[Answer]:
        """The matches of each query, in their order, as they are found, so many at a time. One without any weight has
        none.
        """

        def answer_any(query: Document) -> Answer:
            try:
                return self.answer(query, threads)
            except NoWeightError as error:
                return answer_with(query, [], self.tokenizer, SearchStatistics(notes=(str(error),)))

        with ThreadPoolExecutor(workers) as pool:
            yield from in_order(pool, answer_any, queries, 2 * workers)


def start_searchers(
    path: str | os.PathLike[str],
    address: str,
    *,
    searchers: int | None,
    allow_partial: bool,
    checksums: Checksums = "lazy",
    cpus: int = 1,
) -> Searchers:
    """Start searchers of the index at ``path`` on a Ray cluster.

    Args:
        address: of the cluster, as ``ray.init`` takes it; ``"local"`` starts one on this machine.
        searchers: how many; one for each processor of the cluster if not given.
        allow_partial: whether an answer may lack what a searcher owns that cannot be reached.
        cpus: of each searcher, which runs as many threads.

    Raises:
        MissingExtraError: Ray is not installed.
        StoreError: the index cannot be opened, or a searcher cannot be started.
    """
    entries = read_entries(path)
    cluster = RayCluster(address, "searchers on Ray", StoreError)
    ray = cluster.ray
    location = os.fspath(path) if "://" in os.fspath(path) else os.path.abspath(path)
    try:
        resources: dict[str, float] = ray.cluster_resources()
        groups = share_out(entries, searchers or max(1, int(resources.get("CPU", 1)) // cpus))
        # A searcher reserves no processor: one that waited for those of another generation would wait for ever.
        remote = ray.remote(
            num_cpus=0, scheduling_strategy="SPREAD", max_restarts=_RESTARTS, max_task_retries=_RESTARTS
        )(SearcherActor)
        actors = [remote.remote(location, [entry.name for entry in group], cpus, checksums) for group in groups]
        return Searchers(location, groups, actors, allow_partial, cluster)
    except BaseException:
        cluster.leave()
        raise


def share_out(entries: Sequence[SegmentEntry], searchers: int) -> list[list[SegmentEntry]]:
    """Runs of segments with about as many documents each, in order; none is empty but where there is no segment."""
    total, documents_before = sum(entry.documents for entry in entries), 0
    bounds = [0]
    for number, entry in enumerate(entries, start=1):
        documents_before += entry.documents
        least = total * len(bounds)
        segments_left = len(entries) - number
        if (
            segments_left
            and len(bounds) < searchers
            and (documents_before * searchers >= least or segments_left < searchers - len(bounds) + 1)
        ):
            bounds.append(number)
    bounds.append(len(entries))
    return [list(entries[low:high]) for low, high in pairwise(bounds)]


def _describe_missing(group: Sequence[SegmentEntry]) -> str:
    documents = sum(entry.documents for entry in group)
    names = ", ".join(entry.name for entry in group)
    return f"no answer from the searcher of the segments {names} with {documents:,} documents"


def merge_answers(answers: Sequence[PartialAnswer], options: SearchOptions) -> tuple[list[Match], SearchStatistics]:
    """The answer for all segments of some searchers, which are given in the order of the index.

    ``seconds`` of a step are those of the searcher that took longest.
    """
    statistics = _merge_statistics([answer.statistics for answer in answers])
    matches = _order_matches([match for answer in answers for match in answer.matches])
    if statistics.threshold > options.threshold:
        # One searcher had to raise the threshold: what others found below it is a part of what is there.
        matches = [match for match in matches if reaches(match.similarity, statistics.threshold)]
    matches = matches[: options.limit]
    statistics.matches = len(matches)
    limit_note = describe_limit(statistics.passages, options.limit)
    notes = (note for answer in answers for note in answer.statistics.notes)
    statistics.notes = tuple(dict.fromkeys([*_valid_notes(notes, matches), *([limit_note] if limit_note else [])]))
    return matches, statistics


def _order_matches(matches: list[Match]) -> list[Match]:
    """The matches of all searchers, ordered as those of one are."""

    def place(number: int) -> tuple[str, int, int]:
        match = matches[number]
        return match.document, match.start, match.query_start

    return [matches[number] for number in order_passages([match.similarity for match in matches], place)]


def _valid_notes(notes: Iterable[str], matches: list[Match]) -> Iterable[str]:
    """The notes without those that hold for one searcher alone."""
    return (note for note in notes if not (note.startswith("more than ") or (matches and note == NOTHING_SIMILAR)))


def _merge_statistics(parts: Sequence[SearchStatistics]) -> SearchStatistics:
    statistics = SearchStatistics()
    for name in _SUMMED:
        setattr(statistics, name, sum(getattr(part, name) for part in parts))
    for name in _LARGEST:
        setattr(statistics, name, max((getattr(part, name) for part in parts), default=getattr(statistics, name)))
    statistics.ignored = parts[0].ignored if parts else ()  # each has left out the same of the query
    for part in parts:
        for step, seconds in part.seconds.items():
            statistics.seconds[step] = max(statistics.seconds.get(step, 0.0), seconds)
    return statistics
