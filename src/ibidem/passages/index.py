"""PassageIndex: a collection on disk in which every passage can be found again."""

import os
import warnings
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from ibidem.arguments import FamilyName, IDFName, TFName, count_threads
from ibidem.collection_index import (
    BuildReport,
    CollectionIndex,
    open_tokenizer,
    require_checksums,
    require_functions,
    require_offsets,
)
from ibidem.counts import format_count
from ibidem.errors import ConfigurationError
from ibidem.options import (
    AlignToIndex,
    BuildIndex,
    ExplainSearch,
    ExplainSearches,
    SearchChoices,
    SearchIndex,
    SearchIndexForMany,
    takes_in_method,
    values_of,
)
from ibidem.parallel import Threads, in_order
from ibidem.passages.configuration import TOKEN_BYTES, Configuration
from ibidem.passages.index_frequencies import IndexFrequencies
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.query.statistics import SearchStatistics
from ibidem.passages.search.searcher import Searcher
from ibidem.remote.storage import is_remote
from ibidem.resources import Resources
from ibidem.results import Matches
from ibidem.store import Checksums, Store, Writer
from ibidem.text import (
    Document,
    Documents,
    Tokenizer,
    TokenizerSpec,
    Tokens,
    as_batches,
    as_documents,
    keep_tokenizer,
    make_tokenizer,
)
from ibidem.weights import Weighting

if TYPE_CHECKING:
    from ibidem.alignment.against_index import CollectionAligner
    from ibidem.alignment.longest_runs import LongestRuns
    from ibidem.passages.searchers import RaySearcher, Searchers


class PassageIndex(CollectionIndex[BuildReport]):
    """Every passage of a collection, to be found again by similarity.

    An index is a folder. ``build`` makes one and ``open`` opens it; ``add`` and ``remove`` change it, one writer at a
    time, while any number of readers keep the state that they opened.

    Attributes:
        path: the folder.
        configuration: what the index was made with.
        last_write: what the last ``build``, ``add`` or ``merge`` of this object wrote.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    >>> index = PassageIndex.build(folder + "/index", [("blake", verse)], min_length=4)
    >>> [(m.document, m.text) for m in index.search("burning bright in the forest of the night", threshold=0.7)]
    [('blake', 'burning bright in the forests of the night')]
    """

    def __init__(self, store: Store, tokenizer_used: Tokenizer | None = None) -> None:
        super().__init__(store)
        self.configuration = _read_configuration(store)
        self.tokenizer = tokenizer_used or open_tokenizer(store, self.configuration.tokenizer, None)
        self._files = keep_tokenizer(self.tokenizer)[1]
        require_functions(store, 1)
        require_offsets(store)
        self._threads = Threads(os.cpu_count() or 1)
        self._frequencies = IndexFrequencies(store)
        self._aligner: CollectionAligner | None = None
        self._searchers: Searchers | None = None

    @classmethod
    @takes_in_method(BuildIndex)
    def build(cls, call: BuildIndex) -> "PassageIndex":
        """Index ``documents`` into a new folder ``path``, or to a URL.

        Args:
            documents: a table (a DataFrame of polars or pandas, a table of pyarrow, a relation of DuckDB, a Dataset of
                Hugging Face), or an iterable of ``Document``s, strings, (id, text) pairs, mappings or batches; see
                ``ibidem.read`` for files. They are read once, as they come.
            text, id: the columns of a table, or the keys of mappings, that hold the text and the id; all others are
                metadata. Documents without an id are numbered from 0.
            tokenizer: as ``ibidem.make_tokenizer`` takes it. Its files, if it has any, are kept in the index.
            normalize: names of normalizations, as ``ibidem.make_tokenizer`` takes them. Searches use them, too.
            family: what similarity counts: ``"set"``, ``"multiset"`` or ``"weighted"``. If not given, multisets,
                or weighted tokens if ``tf`` or ``idf`` is given.
            min_length, max_length: tokens of the shortest and the longest passage; 1 and 1024 if not given. These, the
                family and its weights are those of searches that choose no others.
            tf, idf: the weights of the family ``"weighted"``; if not given, ``"raw"`` and ``"unary"``.
            frequencies: document frequencies behind ``idf``; counted over ``documents`` if not given.
            memory: what building may take, such as ``"1G"``.
            threads: as many as the machine has cores if not given. The index does not depend on it.
            progress: called with a phase, what is done, and the whole if that is known.

        Raises:
            IndexExistsError: something is at ``path``.
            CorpusError: a document cannot be used, or two have one id; nothing is left behind.
            ValueError: an argument is out of its range.
        """
        tokenizer = make_tokenizer(call.tokenizer, normalize=call.normalize)
        configuration = Configuration.of(keep_tokenizer(tokenizer)[0], call)
        resources = Resources.of(call.memory, call.threads, call.progress)
        with Store.begin(call.path, msgspec.to_builtins(configuration)) as (store, recovered_files):
            index: PassageIndex = cls(store, tokenizer)
            index._options = {} if isinstance(call.tokenizer, str | Mapping) else {"tokenizer": call.tokenizer}
            index._frequencies.given = call.frequencies
            index._recovered = recovered_files
            index._write(as_batches(call.documents, call.text, call.id), resources)
        return index

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        tokenizer: TokenizerSpec | None = None,
        checksums: Checksums = "lazy",
        ray: str | None = None,
        searchers: int | None = None,
        allow_partial: bool = False,
    ) -> "PassageIndex":
        """Open the index at ``path``; ``tokenizer`` only if it was built with a function.

        An index at a URL (``s3://``, ``gs://`` and others, by fsspec) is fetched into the cache folder of this machine,
        which the variables ``IBIDEM_CACHE`` and ``IBIDEM_CACHE_SIZE`` set, unless it is there already. An index is
        pickled as its path or URL and these options, so another process opens it anew.

        Args:
            checksums: when files are compared with their checksums: ``"lazy"``, each when it is first used; ``"full"``,
                all now; ``"none"``, never, for an index on storage that has checksums of its own.
            ray: the address of a Ray cluster: ``"auto"`` for the one that this machine belongs to, ``"local"`` for one
                of this machine alone. Searches are done by searchers there, each of which owns some of the segments.
                The matches are the same, except that other ones may be left out of a text longer than ``max_length``
                with more than ``limit`` matches. Such an index is for searches alone.
            searchers: with ``ray``, how many; as many as the cluster has processors if not given.
            allow_partial: with ``ray``, whether to answer without searchers that cannot be reached, with a note that
                names their segments. Without it, this is an error.

        Raises:
            NotAnIndexError, FormatVersionError, DamagedError: what is there cannot be read.
            ConfigurationError: the tokenizer is not the one the index was made with.
            MissingExtraError: what a URL or ``ray`` needs is not installed.
            ValueError: ``searchers`` or ``allow_partial`` without ``ray``.
        """
        require_checksums(checksums)
        options: dict[str, Any] = {} if checksums == "lazy" else {"checksums": checksums}
        if ray is not None:
            if tokenizer is not None:
                raise ConfigurationError(f"{path}: searchers on Ray have no function as a tokenizer")
            return cls._open_on_ray(path, ray, searchers, allow_partial, options)
        if searchers is not None or allow_partial:
            name = "allow_partial" if searchers is None else "searchers"
            raise ValueError(f"{name} is for searchers on a Ray cluster: give its address as ray, too")
        store = Store.open(path, checksums)
        index = cls(store, open_tokenizer(store, _read_configuration(store).tokenizer, tokenizer))
        index._options = options if tokenizer is None else {**options, "tokenizer": tokenizer}
        return index

    @classmethod
    def _open_on_ray(
        cls,
        path: str | os.PathLike[str],
        address: str,
        searchers: int | None,
        allow_partial: bool,
        options: dict[str, Any],
    ) -> "PassageIndex":
        from ibidem.passages.searchers import start_searchers

        ray_searchers = start_searchers(path, address, searchers=searchers, allow_partial=allow_partial, **options)
        try:
            # From a URL nothing is copied here; on a file system the documents can be read.
            names = [] if is_remote(os.fspath(path)) else ray_searchers.segments
            index = cls(Store.open(path, segments=names, **options))
        except BaseException:
            ray_searchers.close()
            raise
        index._searchers = ray_searchers
        index._options = {"ray": address, "searchers": searchers, "allow_partial": allow_partial, **options}
        return index

    @takes_in_method(SearchIndex)
    def search(self, call: SearchIndex) -> Matches:
        """Find the passages of the collection that are similar to ``text``, most similar first.

        Every passage with ``min_length`` to ``max_length`` tokens whose exact similarity is ``threshold`` or more is
        found, and nothing else is reported. Similar passages that touch make one region. A text longer than
        ``max_length`` tokens is cut, searched and chained. The text, or each piece of it, is compared as a whole: for a
        document of which only a part was borrowed, use ``align``. A warning says so if nothing is similar to a text of
        100 tokens or more.

        Args:
            threshold: least similarity, above 0 and at most 1.
            select: ``"best"`` gives the most similar passage, the most similar of those that share no token with it,
                and so on; ``"longest"`` the longest of each region; ``"maximal"`` those that lie in no longer similar
                passage, as the papers report them; ``"all"`` every passage, as ranges of starts and ends;
                ``"document"`` the most similar passage of each document.
            name: what ``Match.query_name`` says.
            family, tf, idf, min_length, max_length: another measure, and other lengths, than those that the index was
                built with. Document frequencies that it does not hold are counted over its documents. ``idf`` may also
                be a dictionary of the weights of words; words that are missing weigh 1.
            limit: the most matches to give, the most similar of all; ``None`` for all.
            timeout: seconds after which the search returns what it has found.
            bounded: whether a search that would take too much time or memory, since very much is similar to ``text``,
                is done at a higher threshold instead. ``False`` searches at any cost.
            ignore: texts, as :func:`ibidem.find_reuse` takes them. Passages of ``text`` that are similar to one of
                them, as :func:`ibidem.align` finds them, count as absent, and are listed in ``ignored`` of the result.

        Warns:
            UserWarning: something was left out: by ``limit``, ``timeout`` or ``bounded``, or since passages may be
                shorter than the index allows; or no passage is similar to a text of the length of a document, and
                ``align`` may find what a part of it shares.

        Raises:
            ValueError: an argument is out of range, or no token of the text has a weight.
        """
        matches, statistics = self._answer(call)
        for note in statistics.notes:
            warnings.warn(note, stacklevel=3)
        return matches

    @takes_in_method(SearchIndexForMany)
    def search_many(self, call: SearchIndexForMany) -> list[Matches]:
        """Search for each of ``texts``, several at a time; all warnings are summed up in one.

        Args:
            texts: the queries, in any form in which ``build`` takes documents. A string is named by its number, from 0.
            text, id: the columns of a table, or the keys of mappings, that hold the text and the id of a query.
            threads: as many as the machine has cores if not given. The results do not depend on it.
            options: those of ``search``.

        Warns:
            UserWarning: something was left out of some results, or a text has no token that has a weight, to which
                nothing is similar.

        Raises:
            ValueError: an option is out of range.
        """
        answers = list(self._answer_each(call))
        notes = [statistics.notes for _, statistics in answers if statistics.notes]
        if notes:
            warnings.warn(
                f"{len(notes):,} of {format_count(len(answers), 'query', 'queries')}: {notes[0][0]}", stacklevel=3
            )
        return [matches for matches, _ in answers]

    @takes_in_method(ExplainSearches)
    def explain_many(self, call: ExplainSearches) -> Iterator[tuple[Matches, SearchStatistics]]:
        """Explain the search for each of ``texts``, in their order; several are searched at a time.

        The texts are read as they are searched, so there may be any number of them. Arguments are those of
        ``search_many``, and ``count_all`` as in ``explain``.
        """
        return self._answer_each(call)

    def _answer_each(self, call: SearchIndexForMany) -> Iterator[tuple[Matches, SearchStatistics]]:
        queries, searcher = as_documents(call.texts, call.text, call.id), self._searcher(_make_options(call))
        return searcher.answer_each(queries, count_threads(call.threads or self._threads.workers), self._threads)

    @takes_in_method(ExplainSearch)
    def explain(self, call: ExplainSearch) -> tuple[Matches, SearchStatistics]:
        """The matches of ``search``, with statistics: the data it read, what each filter left, and the times.

        All arguments are those of ``search``. Its warnings are in ``notes``. With ``count_all``, matches beyond the
        ``limit`` are counted in ``SearchStatistics.passages``.
        """
        return self._answer(call)

    def _answer(self, call: SearchIndex) -> tuple[Matches, SearchStatistics]:
        return self._searcher(_make_options(call)).answer(Document(call.name, call.text), self._threads)

    def _searcher(self, options: SearchOptions) -> "Searcher | RaySearcher":
        """A searcher of the present state of the index."""
        configuration = self.configuration.with_options(options)
        if self._searchers is not None:
            needs_counts = configuration.needs_frequencies and self._store.frequencies() is None
            from ibidem.passages.searchers import RaySearcher

            return RaySearcher(self._searchers, options, needs_counts, self.tokenizer)
        frequencies = self._frequencies.of(configuration)
        return Searcher.of(self._store.segments, self.configuration, self.tokenizer, options, frequencies)

    @takes_in_method(AlignToIndex)
    def align(self, call: AlignToIndex) -> Matches:
        """Find the passages that ``text``, a whole document, shares with documents of the collection, by place in
        ``text``.

        A document is a likely source if a part of it shares more rare words with a part of ``text`` than chance gives
        once in ten texts. ``text`` is aligned with each likely source as by :func:`ibidem.align`; words weigh by how
        rare they are in the collection (``tf="logarithmic"``, ``idf="smooth"``, each running token counting as a
        document).

        Args:
            threshold, min_pair_length, expect: those of :func:`ibidem.align`. Chance may also give ``expect`` documents
                with which ``text`` is aligned in vain.
            name: what ``Match.query_name`` says.
            summaries: whether passages that sum up a document or ``text``, or a longer place there, are reported too.
            ignore: texts, as :func:`ibidem.find_reuse` takes them. Passages of ``text`` that are similar to one of them
                count as absent, and are listed in ``ignored`` of the result.
            threads: as many as the machine has cores if not given, and no more. The results do not depend on it.

        Raises:
            ValueError: an argument is out of its range.
        """
        from ibidem.alignment.ignored import list_texts

        aligner = self._open_aligner()
        workers = call.threads or self._threads.workers
        apply = map if workers == 1 else partial(in_order, self._threads.pool, ahead=workers)
        matches, ignored = aligner.align(Document(call.name, call.text), call, apply, list_texts(call.ignore))
        return Matches(matches, query=call.text, tokenizer=self.tokenizer, ignored=ignored)

    def find_runs(self, text: str, *, min_length: int = 50) -> "LongestRuns":
        """Find the longest run of tokens over each token of ``text`` that a document of the collection has, too.

        A run is the same token for token, whatever its tokens are; ``align`` finds passages with changes.

        Args:
            min_length: tokens of the shortest run.

        Raises:
            ConfigurationError: the searchers of the index are on Ray.
            ValueError: the length is less than 1.
        """
        if min_length < 1:
            raise ValueError(f"min_length must be 1 or more, not {min_length}")
        return self._open_aligner().find_runs(text, min_length)

    def _open_aligner(self) -> "CollectionAligner":
        """What aligns texts with the documents of the present state of the index."""
        if self._searchers is not None and not self._store.segments:
            raise ConfigurationError(f"{self.path}: searchers on Ray align nothing: open the index without ray")
        from ibidem.alignment.against_index import CollectionAligner

        self._store.require_whole()
        generation = self._store.generation
        if self._aligner is None or self._aligner.generation != generation:
            self._aligner = CollectionAligner(self._store.segments, generation, self.tokenizer)
        return self._aligner

    def weighting(
        self, *, family: FamilyName | None = None, tf: TFName | None = None, idf: IDFName | None = None
    ) -> Weighting:
        """The weights of tokens in this collection, by the measure of the index or by another: that of a ``search``
        with the same arguments.

        With it, :func:`ibidem.jaccard` compares two passages by another measure than the search used.

        Raises:
            ValueError: the family has no such tf or idf.
        """
        configuration = self.configuration.with_choices(family=family, tf=tf, idf=idf)
        return configuration.weighting(self._frequencies.of(configuration))

    def __repr__(self) -> str:
        configuration = self.configuration
        documents = format_count(len(self), "document")
        return (
            f"PassageIndex({str(self.path)!r}): {documents}, passages of {configuration.min_length:,} to "
            f"{configuration.max_length:,} tokens, {configuration.family}"
        )

    def close(self) -> None:
        """Close the files."""
        self._threads.close()
        if self._searchers is not None:
            self._searchers.close()
        super().close()

    def ids(self) -> set[str]:
        """The ids of all documents."""
        return super().ids() if self._searchers is None else self._searchers.list_ids()

    def __len__(self) -> int:
        return super().__len__() if self._searchers is None else self._searchers.documents

    @property
    def _token_bytes(self) -> int:
        return TOKEN_BYTES

    def _append(self, writer: Writer, batches: Iterator[Documents], resources: Resources) -> BuildReport:
        """Write new documents; frequencies that are neither given nor held are theirs."""
        from ibidem.passages.index_builder import build_segments
        from ibidem.text.long_texts.tokens import tokenize_batches

        known_frequencies, given_frequencies = self._frequencies.known, self._frequencies.given
        if given_frequencies is not None and self._store.frequencies() is None:
            writer.put_frequencies(given_frequencies.tokens, given_frequencies.counts, given_frequencies.num_documents)
        return build_segments(
            writer,
            tokenize_batches(batches, self.tokenizer, resources),
            self.configuration,
            known_ids=self.ids(),
            freeze=self.configuration.needs_frequencies and known_frequencies is None,
            resources=resources,
        )

    def _rewrite(
        self, writer: Writer, batches: Iterator[tuple[Documents, Tokens]], resources: Resources
    ) -> BuildReport:
        from ibidem.passages.index_builder import build_segments

        return build_segments(
            writer,
            batches,
            self.configuration,
            known_ids=set(),
            freeze=False,
            resources=resources,
        )


def _read_configuration(store: Store) -> Configuration:
    try:
        return Configuration.read(store.config)
    except ConfigurationError as error:
        raise ConfigurationError(f"{store.given}: {error}") from error


def _make_options(call: SearchIndex | SearchIndexForMany) -> SearchOptions:
    """Check the options of a search, and read the texts to ignore."""
    options = values_of(call, SearchChoices) | {"count_all": getattr(call, "count_all", False)}
    if isinstance(call.ignore, tuple) and not call.ignore:
        return SearchOptions(**options)
    from ibidem.alignment.ignored import list_texts

    return SearchOptions(ignore=list_texts(call.ignore), **options)
