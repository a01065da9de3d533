"""PassageIndex: a collection on disk in which every passage can be found again.

The help of a command reads this file, so what is costly to load is loaded where it is used.
"""

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ibidem import options
from ibidem.alignment.lengths import EXPECT
from ibidem.arguments import FamilyName, IDFName, TFName, count_threads
from ibidem.collection_index import CollectionIndex
from ibidem.counts import format_count
from ibidem.errors import ConfigurationError
from ibidem.passages.query.options import SearchOptions
from ibidem.remote.storage import is_remote
from ibidem.resources import Progress, Resources

if TYPE_CHECKING:
    from ibidem.alignment.against_index import CollectionAligner
    from ibidem.alignment.longest_runs import LongestRuns
    from ibidem.passages.query.statistics import SearchStatistics
    from ibidem.passages.search.searcher import Searcher
    from ibidem.passages.searchers import RaySearcher, Searchers
    from ibidem.results import Matches
    from ibidem.store import Checksums, Store, Writer
    from ibidem.stored_index import BuildReport
    from ibidem.text import Collection, Documents, Normalize, Tokenizer, TokenizerSpec, Tokens
    from ibidem.weights import DocumentFrequencies, Weighting

_PathLike = str | os.PathLike[str]


class PassageIndex(CollectionIndex):
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

    def __init__(self, store: "Store", tokenizer_used: "Tokenizer | None" = None) -> None:
        from ibidem.parallel import Threads
        from ibidem.passages.configuration import Configuration
        from ibidem.passages.index_frequencies import IndexFrequencies
        from ibidem.stored_index import open_tokenizer, read_configuration, require_functions, require_offsets
        from ibidem.text import keep_tokenizer

        super().__init__(store)
        self.configuration: Configuration = read_configuration(Configuration, store)
        self.tokenizer = tokenizer_used or open_tokenizer(store, self.configuration.tokenizer, None)
        self._files = keep_tokenizer(self.tokenizer)[1]
        require_functions(store, 1)
        require_offsets(store)
        self._threads = Threads(os.cpu_count() or 1)
        self._frequencies = IndexFrequencies(store)
        self._aligner: CollectionAligner | None = None
        self._searchers: Searchers | None = None

    @classmethod
    def build(
        cls,
        path: _PathLike,
        documents: "Collection",
        *,
        text: str = "text",
        id: str = "id",
        tokenizer: "TokenizerSpec" = "words",
        normalize: "Normalize" = (),
        family: options.FamilyChoice = None,
        tf: options.TFChoice = None,
        idf: options.IDFChoice = None,
        min_length: options.IndexedMinLength = 1,
        max_length: options.IndexedMaxLength = 1024,
        frequencies: "DocumentFrequencies | None" = None,
        memory: str | int = "1G",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> "PassageIndex":
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
            min_length, max_length: tokens of the shortest and the longest passage. These, the family and its weights
                are those of searches that choose no others.
            tf, idf: the weights of the family ``"weighted"``; if not given, ``"raw"`` and ``"unary"``.
            frequencies: document frequencies behind ``idf``; counted over ``documents`` if not given.
            memory: what building may take, such as ``"1G"``.
            threads: as many as the machine has cores if not given. The index does not depend on it.
            progress: called with a phase, what is done, and the whole if that is known; ``True`` has it shown.

        Raises:
            IndexExistsError: something is at ``path``.
            CorpusError: a document cannot be used, or two have one id; nothing is left behind.
            ValueError: an argument is out of its range.
        """
        import msgspec

        from ibidem.passages.configuration import Configuration
        from ibidem.store import Store
        from ibidem.text import as_batches, keep_tokenizer, make_tokenizer

        used_tokenizer = make_tokenizer(tokenizer, normalize=normalize)
        configuration = Configuration.of(
            keep_tokenizer(used_tokenizer)[0],
            family=family,
            tf=tf,
            idf=idf,
            min_length=min_length,
            max_length=max_length,
        )
        resources = Resources.of(memory, threads, progress)
        with Store.begin(path, msgspec.to_builtins(configuration)) as (store, recovered_files):
            index = cls(store, used_tokenizer)
            index._options = {} if isinstance(tokenizer, str | Mapping) else {"tokenizer": tokenizer}
            index._frequencies.given = frequencies
            index._recovered = recovered_files
            index._write(as_batches(documents, text, id), resources)
        return index

    @classmethod
    def open(
        cls,
        path: _PathLike,
        *,
        tokenizer: "TokenizerSpec | None" = None,
        checksums: "Checksums" = "lazy",
        ray: str | None = None,
        searchers: int | None = None,
        allow_partial: bool = False,
    ) -> "PassageIndex":
        """Open the index at ``path``; ``tokenizer`` only if it was built with a function.

        An index at a URL (``s3://``, ``gs://`` and others, by fsspec) is fetched into the cache folder of this machine,
        which the variable ``IBIDEM_CACHE`` sets, unless it is there already. An index is
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
        from ibidem.passages.configuration import Configuration
        from ibidem.store import Store
        from ibidem.stored_index import open_tokenizer, read_configuration

        settings: dict[str, Any] = {} if checksums == "lazy" else {"checksums": checksums}
        if ray is not None:
            if tokenizer is not None:
                raise ConfigurationError(f"{path}: searchers on Ray have no function as a tokenizer")
            return cls._open_on_ray(path, ray, searchers, allow_partial, settings)
        if searchers is not None or allow_partial:
            name = "allow_partial" if searchers is None else "searchers"
            raise ValueError(f"{name} is for searchers on a Ray cluster: give its address as ray, too")
        store = Store.open(path, checksums)
        index = cls(store, open_tokenizer(store, read_configuration(Configuration, store).tokenizer, tokenizer))
        index._options = settings if tokenizer is None else {**settings, "tokenizer": tokenizer}
        return index

    @classmethod
    def _open_on_ray(
        cls,
        path: _PathLike,
        address: str,
        searchers: int | None,
        allow_partial: bool,
        settings: dict[str, Any],
    ) -> "PassageIndex":
        from ibidem.passages.searchers import start_searchers
        from ibidem.store import Store

        ray_searchers = start_searchers(path, address, searchers=searchers, allow_partial=allow_partial, **settings)
        try:
            # From a URL nothing is copied here; on a file system the documents can be read.
            names = [] if is_remote(os.fspath(path)) else ray_searchers.segments
            index = cls(Store.open(path, segments=names, **settings))
        except BaseException:
            ray_searchers.close()
            raise
        index._searchers = ray_searchers
        index._options = {"ray": address, "searchers": searchers, "allow_partial": allow_partial, **settings}
        return index

    def search(
        self,
        text: str,
        *,
        threshold: options.Threshold = 0.6,
        select: options.Select = "best",
        family: options.FamilyChoice = None,
        tf: options.TFChoice = None,
        idf: options.IDFOrWeights = None,
        min_length: options.MinLength = None,
        max_length: options.MaxLength = None,
        limit: options.Limit = 1000,
        timeout: options.Timeout = None,
        bounded: options.Bounded = True,
        name: str = "query",
        ignore: "Collection" = (),
    ) -> "Matches":
        """Find the passages of the collection that are similar to ``text``, most similar first.

        Equally similar ones are in the order of the ids of their documents, then of their places there.

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
        chosen = SearchOptions.of(locals())
        matches, statistics = self._answer(text, name, chosen)
        for note in statistics.notes:
            warnings.warn(note, stacklevel=2)
        return matches

    def search_many(
        self,
        texts: "Collection",
        *,
        text: str = "text",
        id: str = "id",
        threshold: options.Threshold = 0.6,
        select: options.Select = "best",
        family: options.FamilyChoice = None,
        tf: options.TFChoice = None,
        idf: options.IDFOrWeights = None,
        min_length: options.MinLength = None,
        max_length: options.MaxLength = None,
        limit: options.Limit = 1000,
        timeout: options.Timeout = None,
        bounded: options.Bounded = True,
        ignore: "Collection" = (),
        threads: int | None = None,
    ) -> "list[Matches]":
        """Search for each of ``texts``, several at a time; all warnings are summed up in one.

        Args:
            texts: the queries, in any form in which ``build`` takes documents. A string is named by its number, from 0.
            text, id: the columns of a table, or the keys of mappings, that hold the text and the id of a query.
            threads: as many as the machine has cores if not given. The results do not depend on it.
            threshold, select, family, tf, idf, min_length, max_length, limit, timeout, bounded, ignore: those of
                ``search``.

        Warns:
            UserWarning: something was left out of some results, or a text has no token that has a weight, to which
                nothing is similar.

        Raises:
            ValueError: an option is out of range.
        """
        chosen = SearchOptions.of(locals())
        answers = list(self._answer_each(texts, text, id, chosen, threads))
        notes = [statistics.notes for _, statistics in answers if statistics.notes]
        if notes:
            warnings.warn(
                f"{len(notes):,} of {format_count(len(answers), 'query', 'queries')}: {notes[0][0]}", stacklevel=2
            )
        return [matches for matches, _ in answers]

    def explain_many(
        self,
        texts: "Collection",
        *,
        text: str = "text",
        id: str = "id",
        threshold: options.Threshold = 0.6,
        select: options.Select = "best",
        family: options.FamilyChoice = None,
        tf: options.TFChoice = None,
        idf: options.IDFOrWeights = None,
        min_length: options.MinLength = None,
        max_length: options.MaxLength = None,
        limit: options.Limit = 1000,
        timeout: options.Timeout = None,
        bounded: options.Bounded = True,
        ignore: "Collection" = (),
        threads: int | None = None,
        count_all: bool = False,
    ) -> "Iterator[tuple[Matches, SearchStatistics]]":
        """Explain the search for each of ``texts``, in their order; several are searched at a time.

        The texts are read as they are searched, so there may be any number of them. Arguments are those of
        ``search_many``, and ``count_all`` as in ``explain``.
        """
        chosen = SearchOptions.of(locals())
        return self._answer_each(texts, text, id, chosen, threads)

    def _answer_each(
        self, texts: "Collection", text: str, id: str, chosen: SearchOptions, threads: int | None
    ) -> "Iterator[tuple[Matches, SearchStatistics]]":
        from ibidem.text import as_documents

        queries, searcher = as_documents(texts, text, id), self._searcher(chosen)
        return searcher.answer_each(queries, count_threads(threads or self._threads.workers), self._threads)

    def explain(
        self,
        text: str,
        *,
        threshold: options.Threshold = 0.6,
        select: options.Select = "best",
        family: options.FamilyChoice = None,
        tf: options.TFChoice = None,
        idf: options.IDFOrWeights = None,
        min_length: options.MinLength = None,
        max_length: options.MaxLength = None,
        limit: options.Limit = 1000,
        timeout: options.Timeout = None,
        bounded: options.Bounded = True,
        name: str = "query",
        ignore: "Collection" = (),
        count_all: bool = False,
    ) -> "tuple[Matches, SearchStatistics]":
        """The matches of ``search``, with statistics: the data it read, what each filter left, and the times.

        All arguments are those of ``search``. Its warnings are in ``notes``. With ``count_all``, matches beyond the
        ``limit`` are counted in ``SearchStatistics.passages``.
        """
        chosen = SearchOptions.of(locals())
        return self._answer(text, name, chosen)

    def _answer(self, text: str, name: str, chosen: SearchOptions) -> "tuple[Matches, SearchStatistics]":
        from ibidem.text import Document

        return self._searcher(chosen).answer(Document(name, text), self._threads)

    def _searcher(self, chosen: SearchOptions) -> "Searcher | RaySearcher":
        """A searcher of the present state of the index."""
        configuration = self.configuration.with_options(chosen)
        if self._searchers is not None:
            needs_counts = configuration.needs_frequencies and self._store.frequencies() is None
            from ibidem.passages.searchers import RaySearcher

            return RaySearcher(self._searchers, chosen, needs_counts, self.tokenizer)
        from ibidem.passages.search.searcher import Searcher

        frequencies = self._frequencies.of(configuration)
        return Searcher.of(self._store.segments, self.configuration, self.tokenizer, chosen, frequencies)

    def align(
        self,
        text: str,
        *,
        threshold: options.PairThreshold = 0.3,
        min_pair_length: options.MinPairLength = None,
        expect: options.Expect = EXPECT,
        summaries: options.Summaries = True,
        name: str = "query",
        ignore: "Collection" = (),
        threads: int | None = None,
    ) -> "Matches":
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
        from ibidem.alignment.align_tokens import AlignmentOptions
        from ibidem.alignment.ignored import list_texts
        from ibidem.parallel import in_order
        from ibidem.results import Matches
        from ibidem.text import Document

        chosen = AlignmentOptions(threshold, min_pair_length, summaries, expect)
        aligner = self._open_aligner()
        workers = threads or self._threads.workers
        apply = map if workers == 1 else partial(in_order, self._threads.pool, ahead=workers)
        matches, ignored = aligner.align(Document(name, text), chosen, apply, list_texts(ignore))
        return Matches(matches, query=text, tokenizer=self.tokenizer, ignored=ignored)

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
    ) -> "Weighting":
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
        from ibidem.passages.configuration import TOKEN_BYTES

        return TOKEN_BYTES

    def _append(self, writer: "Writer", batches: "Iterator[Documents]", resources: Resources) -> "BuildReport":
        """Write new documents; frequencies that are neither given nor held are theirs."""
        from ibidem.text.collection import tokenize_batches

        known_frequencies, given_frequencies = self._frequencies.known, self._frequencies.given
        if given_frequencies is not None and self._store.frequencies() is None:
            writer.put_frequencies(given_frequencies.tokens, given_frequencies.counts, given_frequencies.num_documents)
        freeze = self.configuration.needs_frequencies and known_frequencies is None
        return self._build(writer, tokenize_batches(batches, self.tokenizer, resources), self.ids(), resources, freeze)

    def _rewrite(
        self, writer: "Writer", batches: "Iterator[tuple[Documents, Tokens]]", resources: Resources
    ) -> "BuildReport":
        return self._build(writer, batches, set(), resources, freeze=False)

    def _build(
        self,
        writer: "Writer",
        batches: "Iterable[tuple[Documents, Tokens]]",
        known_ids: set[str],
        resources: Resources,
        freeze: bool,
    ) -> "BuildReport":
        from ibidem.index_building import build_segments
        from ibidem.passages.positions import write_positions

        return build_segments(
            writer,
            batches,
            lambda _: write_positions,
            min_length=self.configuration.min_length,
            known_ids=known_ids,
            freeze=freeze,
            resources=resources,
            token_bytes=self._token_bytes,
        )
