"""The searches of an index of passages: one query or many, with or without what was done for them."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Unpack

from ibidem.arguments import count_threads
from ibidem.parallel import Threads
from ibidem.passages.query.options import SearchKeywords, SearchOptions, Selection
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.search.prepared import PreparedSearch
from ibidem.passages.searchers.actors import SharedSearch
from ibidem.passages.searchers.processes import answer_in_processes
from ibidem.results import Matches
from ibidem.store import Store
from ibidem.text import Document
from ibidem.weights import FamilyName, IDFName, TFName

__all__ = ["Searchable"]


class Searchable(ABC):
    """What can be searched. It says what all queries with the same options have in common; the rest is here."""

    _store: Store
    _threads: Threads

    @abstractmethod
    def _prepare(self, options: SearchOptions) -> PreparedSearch | SharedSearch:
        """What all queries with these ``options`` have in common."""

    def search(
        self,
        text: str,
        *,
        threshold: float = 0.6,
        recall: float = 0.99,
        select: Selection = "best",
        verify: bool = True,
        name: str = "query",
        family: FamilyName | None = None,
        tf: TFName | None = None,
        idf: IDFName | Mapping[str, float] | None = None,
        min_length: int | None = None,
        max_length: int | None = None,
        limit: int | None = 1000,
        timeout: float | None = None,
        bounded: bool = True,
    ) -> Matches:
        """The passages of the collection that are similar to ``text``, most similar first.

        Every passage with ``min_length`` to ``max_length`` tokens whose exact similarity is ``threshold`` or more is
        found with probability ``recall`` at least, and nothing else is reported. Similar passages that touch make one
        region. A text longer than ``max_length`` tokens is cut, searched and chained. It is the whole text, or a whole
        piece of it, that is similar to a passage; ``align`` finds what a part of a text shares.

        Args:
            threshold: least similarity, above 0 and at most 1.
            recall: least probability that a similar passage is found; 1 looks at every passage. An exact index
                finds every similar passage.
            select: ``"best"`` gives the most similar passage, the most similar of those that share no token with it,
                and so on; ``"longest"`` the longest of each region, ``"all"`` every passage, as ranges of starts and
                ends, ``"document"`` the most similar passage of each document.
            verify: ``False`` reports passages whose *estimated* similarity is ``threshold`` or more, as the papers do;
                ``"longest"`` then gives those that lie in no longer one.
            name: what ``Match.query_name`` says.
            family, tf, idf, min_length, max_length: in an exact index, another measure, and other lengths, than those
                that it was built with. Document frequencies that it does not hold are counted over its documents.
                ``idf`` may also be a dictionary of the weights of words; words that are missing weigh 1.
            limit: the most matches to give, those with the highest scores; ``None`` for all.
            timeout: seconds after which the search gives what it has.
            bounded: whether a search that would take too much time or memory, since very much is similar to ``text``,
                is done at a higher threshold instead. ``False`` searches at any cost.

        Warns:
            UserWarning: something was left out: by ``limit``, ``timeout`` or ``bounded``, or since passages may be
                shorter than the index allows; or no piece of a long text is similar to anything, and ``align`` may find
                more.

        Raises:
            ValueError: an argument out of range, or one that the scheme of the index leaves no choice about, or a text
                without a token that has a weight.
        """
        options = SearchOptions(
            threshold=threshold,
            recall=recall,
            select=select,
            verify=verify,
            family=family,
            tf=tf,
            idf=idf,
            min_length=min_length,
            max_length=max_length,
            limit=limit,
            timeout=timeout,
            bounded=bounded,
        )
        found, statistics = self._prepare(options).answer(Document(name, text), self._threads)
        for note in statistics.notes:
            warnings.warn(note, stacklevel=2)
        return found

    def search_many(
        self,
        texts: Iterable[str | Document],
        *,
        threads: int | None = None,
        processes: int | None = None,
        **options: Unpack[SearchKeywords],
    ) -> list[Matches]:
        """What ``search`` gives for each of ``texts``, several at a time; what it warns of is summed up in one warning.

        Args:
            texts: the queries. A ``Document`` is named by its id, a string by its number, from 0.
            threads: as many as the machine has cores if not given. The results do not depend on it.
            processes: search in so many processes of this machine, each in one thread, in place of ``threads``. They
                take about a second to start, and thousands of short queries are then answered as fast as there are
                cores. A program that asks for them does its work under ``if __name__ == "__main__":``.
            options: those of ``search``.

        Warns:
            UserWarning: something was left out of some results, or a text has no token that has a weight, to which
                nothing is similar.

        Raises:
            ValueError: an option is out of range, or one that the scheme of the index leaves no choice about; or
                ``processes`` are asked for and cannot have the tokenizer, or the searchers of the index are on Ray.
        """
        answers = list(self.explain_many(texts, threads=threads, processes=processes, **options))
        notes = [statistics.notes for _, statistics in answers if statistics.notes]
        if notes:
            warnings.warn(f"{len(notes):,} of {len(answers):,} queries: {notes[0][0]}", stacklevel=2)
        return [found for found, _ in answers]

    def explain_many(
        self,
        texts: Iterable[str | Document],
        *,
        threads: int | None = None,
        processes: int | None = None,
        **options: Unpack[SearchKeywords],
    ) -> Iterator[tuple[Matches, SearchStatistics]]:
        """What ``explain`` gives for each of ``texts``, in their order, as it is found; several are searched at a time.

        The texts are read as they are searched, so there may be any number of them. Arguments are those of
        ``search_many``.
        """
        if isinstance(texts, str):
            raise TypeError("texts are given as a list, not as one string")
        queries, search = map(_as_query, count(), texts), self._prepare(SearchOptions(**options))
        if processes is not None:
            if isinstance(search, SharedSearch):
                raise ValueError("the searchers of this index are on Ray: leave out processes")
            return answer_in_processes(search, self._store, queries, processes)
        return search.answer_each(queries, count_threads(threads or self._threads.workers), self._threads)

    def explain(
        self, text: str, *, name: str = "query", **options: Unpack[SearchKeywords]
    ) -> tuple[Matches, SearchStatistics]:
        """The matches of ``search``, and what it did for them: what it read, what each filter left, and the times.

        All arguments are those of ``search``. What that warns of stands in ``notes``.
        """
        return self._prepare(SearchOptions(**options)).answer(Document(name, text), self._threads)


def _as_query(number: int, text: str | Document) -> Document:
    return text if isinstance(text, Document) else Document(str(number), text)
