"""SketchIndex: a collection on disk with the min-hashes of all its passages, searched as the papers search.

The help of a command reads this file, so what is costly to load is loaded where it is used.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

from ibidem import options
from ibidem.arguments import SketchName, require_choice, require_fraction
from ibidem.collection_index import CollectionIndex
from ibidem.counts import format_count
from ibidem.options import Option
from ibidem.resources import Progress, Resources

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ibidem.index_building import WritePostings
    from ibidem.sketches.index.matches import SketchMatch, SketchMatches
    from ibidem.sketches.index.schemes import Scheme
    from ibidem.store import Checksums, Segment, Store, Writer
    from ibidem.stored_index import BuildReport
    from ibidem.text import Collection, Documents, Normalize, Tokenizer, TokenizerSpec, Tokens
    from ibidem.weights import DocumentFrequencies, Weighting

SketchSelection = Literal["maximal", "all"]
"""The passages that a search reports: those that lie in no longer one, or all of them."""


class SketchIndex(CollectionIndex):
    """Every passage of a collection, to be found by the similarity that min-hash sketches *estimate*.

    This is the index of the papers on near-duplicate text alignment, for whoever studies or compares it. A
    :class:`PassageIndex` finds every similar passage, without chance, and mostly faster.

    Attributes:
        path: the folder.
        configuration: what the index was made with.
        last_write: what the last ``build``, ``add`` or ``merge`` of this object wrote.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    >>> index = SketchIndex.build(folder + "/index", [("blake", verse)], num_hashes=64, min_length=4)
    >>> index.search("burning bright in the forests of the night", threshold=0.9)
    SketchMatches: 1
      0.906  blake, 12 to 59: 'burning bright in the forests of the night what'
    >>> index.search("burning bright in the forests of the night", threshold=0.9, verify=True)
    SketchMatches: 1
      1.000  blake, 12 to 54: 'burning bright in the forests of the night'
    """

    def __init__(self, store: "Store", tokenizer: "Tokenizer | None" = None) -> None:
        from ibidem.sketches.index.configuration import SketchConfiguration
        from ibidem.stored_index import open_tokenizer, read_configuration, require_functions, require_offsets
        from ibidem.text import keep_tokenizer

        super().__init__(store)
        self.configuration: SketchConfiguration = read_configuration(SketchConfiguration, store)
        self.tokenizer = tokenizer or open_tokenizer(store, self.configuration.tokenizer, None)
        self._files = keep_tokenizer(self.tokenizer)[1]
        self._given_frequencies: DocumentFrequencies | None = None  # before the index holds them
        require_functions(store, self.configuration.num_hashes)
        require_offsets(store)

    @classmethod
    def build(
        cls,
        path: str | os.PathLike[str],
        documents: "Collection",
        *,
        text: str = "text",
        id: str = "id",
        tokenizer: "TokenizerSpec" = "words",
        normalize: "Normalize" = (),
        sketch: SketchName = "minhash",
        num_hashes: Annotated[int, Option("Hash functions, or bins of one.", "K", "-k")] = 16,
        seed: options.Seed = 0,
        family: options.FamilyChoice = None,
        tf: options.TFChoice = None,
        idf: options.IDFOrWeights = None,
        weight_units: Annotated[int, Option("Parts of a weight of 1 that oph counts.", "N")] = 0,
        min_length: options.IndexedMinLength = 32,
        max_length: options.IndexedMaxLength = 1024,
        frequencies: "DocumentFrequencies | None" = None,
        memory: str | int = "1G",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> "SketchIndex":
        """Index ``documents`` into a new folder ``path``.

        Args:
            documents, text, id, tokenizer, normalize, family, tf, frequencies, memory, threads, progress: as
                :meth:`PassageIndex.build` takes them.
            idf: as there, or the weights of words, such as ``{"the": 0.1}``; others weigh 1. The index keeps them.
            sketch: ``"minhash"`` keeps the smallest hash value of every passage under each of ``num_hashes`` functions,
                ``"oph"`` (one permutation hashing) that in each of so many parts, *bins*, of the range of one.
            num_hashes: the papers' ``k``.
            seed: names the hash functions.
            weight_units: for ``"weighted"`` with ``"oph"``, which counts elements: how many of them a weight of 1 is.
                Weights are cut to whole elements.
            min_length, max_length: tokens of the shortest and the longest passage. A larger ``min_length`` makes the
                index much smaller.

        Raises:
            IndexExistsError: something is at ``path``.
            CorpusError: a document cannot be used, or two have one id; nothing is left behind.
            ValueError: an argument is out of its range.
        """
        import msgspec

        from ibidem.sketches.index.configuration import SketchConfiguration
        from ibidem.store import Store
        from ibidem.text import as_batches, make_tokenizer

        used_tokenizer = make_tokenizer(tokenizer, normalize=normalize)
        configuration = SketchConfiguration.of(
            used_tokenizer,
            family=family,
            tf=tf,
            idf=idf,
            sketch=sketch,
            num_hashes=num_hashes,
            seed=seed,
            min_length=min_length,
            max_length=max_length,
            weight_units=weight_units,
        )
        resources = Resources.of(memory, threads, progress)
        with Store.begin(path, msgspec.to_builtins(configuration)) as (store, recovered_files):
            index = cls(store, used_tokenizer)
            index._options = {} if isinstance(tokenizer, str | Mapping) else {"tokenizer": tokenizer}
            index._given_frequencies, index._recovered = frequencies, recovered_files
            index._write(as_batches(documents, text, id), resources)
        return index

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, tokenizer: "TokenizerSpec | None" = None, checksums: "Checksums" = "lazy"
    ) -> "SketchIndex":
        """Open the index at ``path``; ``tokenizer`` only if it was built with a function.

        Args:
            checksums: when files are compared with their checksums; see :meth:`PassageIndex.open`.

        Raises:
            NotAnIndexError, FormatVersionError, DamagedError: what is there cannot be read.
            ConfigurationError: it is no index of sketches, or the tokenizer is not the one it was made with.
        """
        from ibidem.sketches.index.configuration import SketchConfiguration
        from ibidem.store import Store
        from ibidem.stored_index import open_tokenizer, read_configuration

        store = Store.open(path, checksums)
        index = cls(store, open_tokenizer(store, read_configuration(SketchConfiguration, store).tokenizer, tokenizer))
        index._options = {} if checksums == "lazy" else {"checksums": checksums}
        if tokenizer is not None:
            index._options["tokenizer"] = tokenizer
        return index

    def search(
        self,
        text: str,
        *,
        threshold: options.Threshold = 0.6,
        select: Annotated[SketchSelection, Option("The maximal passages, or all.")] = "maximal",
        verify: Annotated[bool, Option("Report what is similar exactly, with its similarity.")] = False,
        name: str = "query",
    ) -> "SketchMatches":
        """Find the passages whose *estimated* similarity to ``text`` is ``threshold`` or more.

        The estimate is the share of the functions under which a passage and ``text`` have the same min-hash, of bins
        the share of those that are not empty in both. Every such passage of ``min_length`` to ``max_length`` tokens is
        found. How many passages that are similar are missed, or that are not are reported, is left to chance: the more
        functions, the fewer.

        Args:
            select: ``"maximal"`` reports the passages that lie in no longer one (the papers' longest near-duplicates),
                ``"all"`` every passage, as ranges of starts and ends (compact alignments).
            verify: whether to report, of these passages, only those whose *exact* similarity reaches ``threshold``, and
                that similarity.
            name: what ``SketchMatch.query_name`` says.

        Raises:
            ValueError: an argument is out of its range, or no token of ``text`` has a weight (``NoWeightError``).
        """
        import numpy as np

        from ibidem.similarity import jaccard
        from ibidem.sketches.index.alignments import find_alignments, find_maximal_passages
        from ibidem.sketches.index.matches import SketchMatches
        from ibidem.sketches.index.verification import keep_maximal, verify_alignments
        from ibidem.text import Texts
        from ibidem.weights import NoWeightError

        require_fraction("threshold", threshold)
        require_choice("select", select, SketchSelection)
        tokens = self.tokenizer.encode(Texts.from_strings([text])).ids
        if not self._store.segments:
            return SketchMatches()
        weighting, scheme = self._weighting, self._scheme
        if not (weighting.idf_of(tokens) > 0).any():
            raise NoWeightError
        query, lengths = scheme.sketch_query(tokens, threshold), self.configuration.lengths
        find = find_maximal_passages if select == "maximal" and not verify else find_alignments
        matches = []
        for segment in self._store.segments:
            segment.require_whole()
            alignments = find(segment, query, lengths)
            if verify:
                alignments = verify_alignments(segment.tokens, alignments, tokens, weighting, threshold)
                alignments = keep_maximal(alignments) if select == "maximal" else alignments
            for row in alignments:
                passage = np.asarray(segment.tokens[row[0] : row[3] + 1])
                estimate = scheme.estimate(query.keys, scheme.sketch(passage))
                similarity = jaccard(tokens, passage, weighting) if verify else None
                matches.append(_make_match(segment, row, name, estimate, similarity, has_ranges=select == "all"))
        return SketchMatches(sorted(matches, key=_rank))

    def __repr__(self) -> str:
        configuration, documents = self.configuration, format_count(len(self), "document")
        return (
            f"SketchIndex({str(self.path)!r}): {documents}, passages of {configuration.min_length:,} to "
            f"{configuration.max_length:,} tokens, {configuration.family}, {configuration.sketch} of "
            f"{configuration.num_hashes}"
        )

    @property
    def _frequencies(self) -> "DocumentFrequencies | None":
        """The document frequencies behind the weights, if they are known."""
        from ibidem.weights import DocumentFrequencies

        counts = self._store.frequencies()
        return self._given_frequencies if counts is None else DocumentFrequencies(*counts)

    @property
    def _weighting(self) -> "Weighting":
        return self.configuration.weighting(self._frequencies)

    @property
    def _scheme(self) -> "Scheme":
        return self.configuration.make_scheme(self._frequencies)

    def _append(self, writer: "Writer", batches: "Iterator[Documents]", resources: Resources) -> "BuildReport":
        from ibidem.text.collection import tokenize_batches

        given = self._given_frequencies
        if given is not None and self._store.frequencies() is None:
            writer.put_frequencies(given.tokens, given.counts, given.num_documents)
        return self._build(writer, tokenize_batches(batches, self.tokenizer, resources), self.ids(), resources)

    def _rewrite(
        self, writer: "Writer", batches: "Iterator[tuple[Documents, Tokens]]", resources: Resources
    ) -> "BuildReport":
        return self._build(writer, batches, set(), resources)

    def _build(
        self,
        writer: "Writer",
        batches: "Iterable[tuple[Documents, Tokens]]",
        known_ids: set[str],
        resources: Resources,
    ) -> "BuildReport":
        """Write segments with the windows of all their passages (Zhang et al., Algorithm 1).

        Document frequencies behind the weights that are not known are counted over these documents, and kept.
        """
        from ibidem.index_building import build_segments
        from ibidem.sketches.index.window_postings import write_postings

        configuration, known = self.configuration, self._frequencies

        def choose_postings(counted: "DocumentFrequencies | None") -> "WritePostings":
            scheme = configuration.make_scheme(known or counted)
            return partial(write_postings, scheme=scheme, max_length=configuration.max_length)

        return build_segments(
            writer,
            batches,
            choose_postings,
            min_length=configuration.min_length,
            known_ids=known_ids,
            freeze=configuration.needs_frequencies and known is None,
            resources=resources,
        )


def _make_match(
    segment: "Segment",
    alignment: "npt.NDArray[np.int64]",
    name: str,
    estimate: float,
    similarity: float | None,
    *,
    has_ranges: bool,
) -> "SketchMatch":
    """The match of a compact alignment: its longest passage, and where its passages start and end."""
    from ibidem.sketches.index.matches import SketchMatch

    low, high, first_end, last_end = alignment.tolist()
    (row,) = segment.document_of(alignment[:1]).tolist()
    start, end = segment.offsets(row, low, last_end)
    return SketchMatch(
        query_name=name,
        document=segment.document_id(row),
        start=start,
        end=end,
        estimate=estimate,
        similarity=similarity,
        text=segment.text_between(row, start, end),
        metadata=segment.metadata_if_readable(row),
        starts=(start, segment.offsets(row, high, high)[0]) if has_ranges else None,
        ends=(segment.offsets(row, first_end, first_end)[1], end) if has_ranges else None,
    )


def _rank(match: "SketchMatch") -> tuple[float, str, int, int]:
    """The place of a match: the most similar first, of equals by their documents and places there."""
    return -(match.estimate if match.similarity is None else match.similarity), match.document, match.start, match.end
