"""Searcher: the segments of an index under the options of a search, ready for any number of queries.

Kernels run in parallel and the Python around them does not, so a query is answered in one thread where many are
answered at a time, and short queries are handed to a thread several at once.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain, islice
from typing import NamedTuple, Self

from msgspec import structs

from ibidem.parallel import Threads, in_order
from ibidem.passages.configuration import Configuration
from ibidem.passages.query.execution import Execution
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.search.query_search import QuerySearch
from ibidem.results import Matches
from ibidem.spans import Ignored, Match
from ibidem.store import Segment
from ibidem.text import Document, Texts, Tokenizer, Tokens
from ibidem.weights import DocumentFrequencies, NoWeightError, Weighting

# Queries that a thread takes at a time: so many at most, and with fewer characters than this but for the last.
# ``benchmarks/search_many.py`` compares them with queries taken one by one.
_TOGETHER, _CHARACTERS_TOGETHER = 16, 4096

Answer = tuple[Matches, SearchStatistics]
"""The matches of a query, and the statistics of the search."""

_QueryTokens = tuple[Tokens, tuple[Ignored, ...]]

_ALL_IGNORED = "all of the query is similar to texts to ignore, so nothing was searched for"


def answer_with(query: Document, matches: list[Match], tokenizer: Tokenizer, statistics: SearchStatistics) -> Answer:
    """Return the answer to a query."""
    return Matches(matches, query=query.text, tokenizer=tokenizer, ignored=statistics.ignored), statistics


class Searcher(NamedTuple):
    """Searches segments of an index for any number of queries, with the same options.

    Attributes:
        segments: those of one generation of an index.
        weighting: weighs the tokens.
        lengths: tokens of the shortest and the longest passage of the search.
        tokenizer: makes the tokens of a query.
        options: what the caller chose.
        collection_tokens: tokens of the whole collection, by which the budget of a search is set, if ``segments`` are
            not all of it.
    """

    segments: Sequence[Segment]
    weighting: Weighting
    lengths: tuple[int, int]
    tokenizer: Tokenizer
    options: SearchOptions
    collection_tokens: int | None = None

    @classmethod
    def of(
        cls,
        segments: Sequence[Segment],
        configuration: Configuration,
        tokenizer: Tokenizer,
        options: SearchOptions,
        frequencies: DocumentFrequencies | None,
        collection_tokens: int | None = None,
    ) -> Self:
        """The searcher of an index with this ``configuration``.

        Args:
            frequencies: those of the whole collection, where the weights of this search depend on them.

        Raises:
            ValueError: an option that makes no sense in this index.
        """
        search_configuration = configuration.with_options(options)
        return cls(
            segments=segments,
            weighting=_weigh(search_configuration, tokenizer, options, frequencies),
            lengths=search_configuration.lengths,
            tokenizer=tokenizer,
            options=options,
            collection_tokens=collection_tokens,
        )

    def answer(self, query: Document, threads: Threads) -> Answer:
        """The matches of a query; its kernels run in ``threads``.

        Raises:
            NoWeightError: no token of the query has a weight.
        """
        statistics = SearchStatistics()
        with statistics.step("query"):
            [(tokens, statistics.ignored)] = self._tokenize([query])
        with threads.share() as pool:
            return self._search(query, tokens, Execution(pool, threads.workers if pool else 1, statistics))

    def answer_each(self, queries: Iterable[Document], workers: int, threads: Threads) -> Iterator[Answer]:
        """The matches of each query, in their order, as they are found, by so many ``workers`` at a time.

        A query without any weight has none. Where there are fewer queries than workers, kernels run in ``threads``.
        """
        queries = iter(queries)
        first = list(islice(queries, workers))
        is_one_each = len(first) < workers
        groups = ([query] for query in first) if is_one_each else group_queries(chain(first, queries), _TOGETHER)
        work = partial(self.answer_group, threads=threads if is_one_each else None)
        with ThreadPoolExecutor(workers) as pool:
            for answers in in_order(pool, work, groups, 2 * workers):
                yield from answers

    def answer_group(self, queries: Sequence[Document], threads: Threads | None = None) -> list[Answer]:
        """The matches of a few queries, one after another, in ``threads`` if they are given."""
        tokens = self._tokenize(queries)
        return [
            self._answer_any(query, query_tokens, threads) for query, query_tokens in zip(queries, tokens, strict=True)
        ]

    def _tokenize(self, queries: Sequence[Document]) -> list[_QueryTokens]:
        """Make the tokens of each query, without its passages that count as absent, and list these."""
        tokens = self.tokenizer.encode(Texts.from_strings([query.text for query in queries]), offsets=True)
        if not self.options.ignore:
            return [(tokens.rows(row, row + 1), ()) for row in range(len(queries))]
        from ibidem.alignment.ignored import DEFAULT_THRESHOLD, IgnoredTexts

        texts = IgnoredTexts(self.options.ignore, self.tokenizer)
        tokens_left, ignored = texts.take_out(tokens, DEFAULT_THRESHOLD, [str(row) for row in range(len(queries))])
        return [
            (
                tokens_left.rows(row, row + 1),
                tuple(
                    structs.replace(passage, document=query.id) for passage in ignored if passage.document == str(row)
                ),
            )
            for row, query in enumerate(queries)
        ]

    def _answer_any(self, query: Document, tokens: _QueryTokens, threads: Threads | None) -> Answer:
        pool, workers = (None, 1) if threads is None else (threads.pool, threads.workers)
        statistics = SearchStatistics(ignored=tokens[1])
        try:
            return self._search(query, tokens[0], Execution(pool, workers, statistics))
        except NoWeightError as error:
            statistics.notes = (str(error),)
            return answer_with(query, [], self.tokenizer, statistics)

    def _search(self, query: Document, tokens: Tokens, execution: Execution) -> Answer:
        for segment in self.segments:
            segment.require_whole()
        if execution.statistics.ignored and not len(tokens.ids):
            execution.statistics.notes = (_ALL_IGNORED,)
            return answer_with(query, [], self.tokenizer, execution.statistics)
        search = QuerySearch(self.segments, self.weighting, self.lengths, execution, self.collection_tokens)
        matches = search.search(tokens, self.options, query.id)
        return answer_with(query, matches, self.tokenizer, execution.statistics)


def group_queries(queries: Iterable[Document], together: int) -> Iterator[list[Document]]:
    """The queries, ``together`` short ones at a time, or fewer that are longer."""
    group: list[Document] = []
    characters = 0
    for query in queries:
        group.append(query)
        characters += len(query.text)
        if len(group) == together or characters >= _CHARACTERS_TOGETHER:
            yield group
            group, characters = [], 0
    if group:
        yield group


def _weigh(
    configuration: Configuration,
    tokenizer: Tokenizer,
    options: SearchOptions,
    frequencies: DocumentFrequencies | None,
) -> Weighting:
    word_weights = options.word_weights
    if word_weights is None:
        return configuration.weighting(frequencies)
    if configuration.family != "weighted":
        raise ValueError(f"weights of words are for the family 'weighted', not for {configuration.family!r}")
    return Weighting.of_words(word_weights, tf=configuration.tf, tokenizer=tokenizer)
