"""DocumentIndex: a collection on disk in which the documents that resemble a text are found.

The help of a command reads this file, so what is costly to load is loaded where it is used.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from ibidem import options
from ibidem.collection_index import CollectionIndex
from ibidem.counts import format_count
from ibidem.errors import ConfigurationError
from ibidem.resources import Progress, Resources

if TYPE_CHECKING:
    from ibidem.documents.index_search import SimilarPairs
    from ibidem.documents.signatures import Shingler
    from ibidem.results import DocumentMatch, DocumentMatches
    from ibidem.store import Checksums, Segment, Store, Writer
    from ibidem.stored_index import BuildReport
    from ibidem.text import Collection, Documents, Normalize, Texts, TokenizerSpec, Tokens

_TOGETHER = 256
"""Queries that a thread takes at a time."""

_Threshold = Annotated[float | None, options.Option("Least similarity.  [default: that of the index]")]


class Nearest(NamedTuple):
    """The document that resembles another most: its id, the resemblance, and whether the texts are the same."""

    document: str
    similarity: float
    exact: bool

    def describe(self) -> dict[str, Any]:
        """What is noted of a document that is removed since it resembles this one."""
        return {"duplicate_of": self.document, "similarity": self.similarity, "exact": self.exact}


class DocumentIndex(CollectionIndex):
    """A collection of documents, to be found again by resemblance.

    An index is a folder. ``build`` makes one and ``open`` opens it; ``add`` and ``remove`` change it, one writer at a
    time, while any number of readers keep the state that they opened.

    Attributes:
        path: the folder.
        configuration: what the index was made with.
        last_write: what the last ``build``, ``add`` or ``merge`` of this object wrote.

    >>> import tempfile
    >>> verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    >>> index = DocumentIndex.build(tempfile.mkdtemp() + "/index", [("blake", verse)])
    >>> [(match.document, round(match.similarity, 2)) for match in index.search("Tyger, " + verse)]
    [('blake', 0.92)]
    """

    def __init__(self, store: "Store", shingler: "Shingler") -> None:
        from ibidem.documents.index_builder import DocumentConfiguration
        from ibidem.stored_index import read_configuration, require_functions

        super().__init__(store)
        self.configuration = read_configuration(DocumentConfiguration, store)
        self._shingler = shingler
        self._files = shingler.keep()[1]
        require_functions(store, self.configuration.banding.bands)

    @classmethod
    def build(
        cls,
        path: str | os.PathLike[str],
        documents: "Collection" = (),
        *,
        text: str = "text",
        id: str = "id",
        threshold: options.Threshold = 0.8,
        shingle: options.Shingle = "words:5",
        recall: options.PairRecall = 0.99,
        num_hashes: options.SignatureSize = 128,
        seed: options.Seed = 0,
        normalize: "Normalize" = (),
        memory: str | int = "1G",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> "DocumentIndex":
        """Index ``documents`` into a new folder ``path``, or to a URL.

        Args:
            documents, text, id: as ``deduplicate`` takes them.
            threshold: the least resemblance at which a document is found with probability ``recall`` or more.
            shingle, normalize, num_hashes, seed: as for ``deduplicate``.
            memory: what building may take, such as ``"1G"``.

        Raises:
            IndexExistsError: something is at ``path`` already.
            CorpusError: a document cannot be used, or two have one id; nothing is left behind.
            ValueError: an argument is out of its range.
        """
        from ibidem.documents.signatures import normalize_shingle
        from ibidem.text import as_batches

        resources = Resources.of(memory, threads, progress)
        choices: dict[str, Any] = {"threshold": threshold, "recall": recall, "num_hashes": num_hashes, "seed": seed}
        with cls.begin(path, normalize_shingle(shingle, normalize), **choices) as index:
            index._write(as_batches(documents, text, id), resources)
        return index

    @classmethod
    @contextmanager
    def begin(
        cls, path: str | os.PathLike[str], shingle: "TokenizerSpec", **choices: float
    ) -> Iterator["DocumentIndex"]:
        """Make an empty index, for a block in which nobody else can write to it; a block that fails leaves nothing.

        The ``choices`` and errors are those of ``build``.
        """
        import msgspec

        from ibidem.documents.index_builder import DocumentConfiguration
        from ibidem.documents.signatures import Functions, Shingler
        from ibidem.store import Store

        shingler = Shingler(shingle)
        configuration = DocumentConfiguration(shingles=shingler.keep()[0], **choices)  # type: ignore[arg-type] # some are whole numbers
        Functions.of(configuration.num_hashes)  # refuses what cannot be before anything is written
        with Store.begin(path, msgspec.to_builtins(configuration)) as (store, recovered_files):
            index = cls(store, shingler)
            index._options = {} if isinstance(shingle, str | Mapping) else {"shingle": shingle}
            index._recovered = recovered_files
            yield index

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, shingle: "TokenizerSpec | None" = None, checksums: "Checksums" = "lazy"
    ) -> "DocumentIndex":
        """Open the index at ``path``; ``shingle`` only if it was built with a function.

        Args:
            checksums: when files are compared with their checksums; see :meth:`PassageIndex.open`.

        Raises:
            NotAnIndexError, FormatVersionError, DamagedError: the index cannot be read.
            ConfigurationError: it is no index of documents, or the shingles are not those that it was made with.
        """
        from ibidem.documents.index_builder import DocumentConfiguration
        from ibidem.documents.signatures import Shingler
        from ibidem.store import Store
        from ibidem.stored_index import read_configuration

        store = Store.open(path, checksums)
        kept_config = read_configuration(DocumentConfiguration, store).shingles
        open_options: dict[str, Any] = {} if checksums == "lazy" else {"checksums": checksums}
        if shingle is None:
            index = cls(store, Shingler.restore(kept_config, store.attachment, str(path)))
            index._options = open_options
            return index
        shingler = Shingler(shingle)
        given_config, _ = shingler.keep()
        if given_config != kept_config:
            raise ConfigurationError(f"{path}: made with the shingles {kept_config}, opened with {given_config}")
        index = cls(store, shingler)
        index._options = {**open_options, "shingle": shingle}
        return index

    def __repr__(self) -> str:
        configuration = self.configuration
        kind = f"{format_count(len(self), 'document')}, found from a resemblance of {configuration.threshold} on"
        return f"DocumentIndex({str(self.path)!r}): {kind}"

    def search(self, text: str, *, threshold: _Threshold = None, limit: options.Limit = None) -> "DocumentMatches":
        """The documents whose resemblance to ``text`` is ``threshold`` or more, most similar first.

        Every similarity is exact, and so is every containment: the share of a document that ``text`` contains. A
        document that reaches the index's threshold is found with at least its ``recall``. A text without a token
        resembles only the same text, byte for byte.

        Args:
            threshold: the index's own if not given.
            limit: the most documents to give, the most similar of all; all if not given.

        Raises:
            ValueError: the threshold is below the index's own, or the limit below 1.
        """
        (matches,) = self._search_together([text], self._choose_threshold(threshold), _require_limit(limit))
        return matches

    def search_many(
        self,
        texts: "Collection",
        *,
        text: str = "text",
        id: str = "id",
        threshold: _Threshold = None,
        limit: options.Limit = None,
        threads: int | None = None,
    ) -> "list[DocumentMatches]":
        """The matches that ``search`` returns for each of ``texts``, faster than one by one.

        Args:
            texts: the queries, in any form in which ``build`` takes documents.
            text, id: the columns of a table, or the keys of mappings, that hold the text and the id of a query.
            threshold, limit: those of ``search``.
            threads: as many as the machine has cores if not given. The results do not depend on it.
        """
        from ibidem.parallel import in_threads
        from ibidem.text import as_documents

        queries = [query.text for query in as_documents(texts, text, id)]
        parts = (queries[first : first + _TOGETHER] for first in range(0, len(queries), _TOGETHER))
        least = self._choose_threshold(threshold)
        work = partial(self._search_together, threshold=least, limit=_require_limit(limit))
        return [matches for part in in_threads(work, parts, threads) for matches in part]

    def _search_together(self, texts: Sequence[str], threshold: float, limit: int | None) -> "list[DocumentMatches]":
        from ibidem.results import DocumentMatch, DocumentMatches
        from ibidem.text import Texts

        matches: list[list[DocumentMatch]] = [[] for _ in texts]
        for segment, near in self._find_resembling(Texts.from_strings(texts), threshold):
            for query, row, similarity, containment in zip(*(column.tolist() for column in near), strict=True):
                match = DocumentMatch(
                    document=segment.document_id(row),
                    similarity=similarity,
                    containment=containment,
                    metadata=segment.metadata_if_readable(row),
                )
                matches[query].append(match)
        return [DocumentMatches(sorted(each, key=_rank)[:limit]) for each in matches]

    def nearest(self, documents: "Documents", threshold: float | None = None) -> list[Nearest | None]:
        """For each of a batch, the most similar document of the index, if there is one that reaches the threshold."""
        best: list[Nearest | None] = [None] * len(documents.ids)
        for segment, near in self._find_resembling(documents.texts, self._choose_threshold(threshold)):
            for query, row, similarity, _ in zip(*(column.tolist() for column in near), strict=True):
                best_match = best[query]
                if best_match is None or similarity >= best_match.similarity:
                    document = segment.document_id(row)
                    if best_match is None or similarity > best_match.similarity or document < best_match.document:
                        exact = similarity == 1 and segment.text(row) == documents.texts[query]
                        best[query] = Nearest(document, similarity, exact)
        return best

    def _choose_threshold(self, threshold: float | None) -> float:
        least = self.configuration.threshold
        if threshold is not None and not least <= threshold <= 1:
            raise ValueError(f"this index finds documents from a resemblance of {least} on, not from {threshold}")
        return least if threshold is None else threshold

    def _find_resembling(self, texts: "Texts", threshold: float) -> "Iterator[tuple[Segment, SimilarPairs]]":
        from ibidem.documents.index_builder import make_keys
        from ibidem.documents.index_search import find_identical, find_similar

        self._store.require_whole()
        tokens, width = self._shingler.tokens(texts), self._shingler.width
        bands = make_keys(self.configuration, width, tokens)
        for segment in self._store.segments:
            similar = find_similar(segment, tokens, bands, width, threshold)
            yield segment, similar.join(find_identical(segment, texts, tokens))

    def _append(self, writer: "Writer", batches: "Iterator[Documents]", resources: Resources) -> "BuildReport":
        from ibidem.text.collection import tokenize_batches

        tokenized = tokenize_batches(batches, self._shingler.inner, resources, offsets=False)
        return self._build(writer, tokenized, self.ids(), resources)

    def _rewrite(
        self, writer: "Writer", batches: "Iterator[tuple[Documents, Tokens]]", resources: Resources
    ) -> "BuildReport":
        return self._build(writer, batches, set(), resources)

    def _build(
        self,
        writer: "Writer",
        batches: "Iterator[tuple[Documents, Tokens]]",
        known_ids: set[str],
        resources: Resources,
    ) -> "BuildReport":
        from ibidem.documents.index_builder import write_bands
        from ibidem.index_building import build_segments

        width = self._shingler.width
        write = partial(write_bands, self.configuration, width)
        choices: dict[str, Any] = {"min_length": width, "known_ids": known_ids, "freeze": False}
        return build_segments(writer, batches, lambda _: write, **choices, resources=resources)


def _require_limit(limit: int | None) -> int | None:
    """The limit of a search, which finds one document or more."""
    if limit is not None and limit < 1:
        raise ValueError(f"limit must be 1 or more, or None for no limit, not {limit}")
    return limit


def _rank(match: "DocumentMatch") -> tuple[float, str]:
    """The place of a match: the most similar first, of equals by their ids."""
    return -match.similarity, match.document
