"""Deduplication: which documents of a collection to keep, and what each of the others duplicates."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, get_args

import numpy as np
from numpy.typing import NDArray

from ibidem.arguments import require_fraction
from ibidem.documents.candidates import BandedSignatures, find_candidates
from ibidem.documents.column_spool import Digest, Digester, Digests, Spool
from ibidem.documents.keep_policy import Keep
from ibidem.documents.large_buckets import BandLinks, Compare, Links
from ibidem.documents.representatives import Rules, choose_representatives, find_texts
from ibidem.documents.signatures import Functions, Shingler
from ibidem.documents.verification import Estimates, Verifier
from ibidem.hashing import require_seed
from ibidem.parallel import in_order
from ibidem.resources import Progress, Resources
from ibidem.rounding import ceil_loosely
from ibidem.sketches.banding import Banding
from ibidem.sketches.kmins import collisions_needed
from ibidem.text import Collection, Documents, TokenizerSpec, as_batches

if TYPE_CHECKING:
    import pyarrow
    from matplotlib.axes import Axes

__all__ = [
    "Choices",
    "DedupKeywords",
    "Deduplication",
    "deduplicate",
    "deduplicate_spool",
    "keep_spool",
    "make_deduplication",
    "make_digester",
    "make_digests",
    "spool_documents",
]

ClusterMode = Literal["representative", "connected"]
CLUSTER_MODES = get_args(ClusterMode)

FILTER_SHARE = 0.01
"""Of the pairs that may be missed, the share that the filter by agreeing values costs at most; bands cost the rest."""

BYTES_EACH = 40
"""Memory that a document takes while the buckets of a band are made."""


class DedupKeywords(TypedDict, total=False):
    """The choices of a deduplication as the keywords of a call."""

    threshold: float
    shingle: TokenizerSpec
    keep: str
    cluster_mode: ClusterMode
    recall: float
    verify: bool
    num_hashes: int
    seed: int


class Choices(NamedTuple):
    """What is a near-duplicate, and which of them stays; see ``deduplicate``."""

    threshold: float = 0.8
    shingle: TokenizerSpec = "words:5"
    keep: str = "first"
    cluster_mode: ClusterMode = "representative"
    recall: float = 0.99
    verify: bool = True
    num_hashes: int = 128
    seed: int = 0

    def require_valid(self) -> "Choices":
        """Itself, if it makes sense."""
        require_fraction("threshold", self.threshold)
        require_fraction("recall", self.recall)
        if self.cluster_mode not in CLUSTER_MODES:
            raise ValueError(f"cluster_mode is one of {', '.join(CLUSTER_MODES)}, not {self.cluster_mode!r}")
        require_seed(self.seed)
        return self

    @property
    def banding(self) -> Banding:
        """The bands that find a pair at the threshold with the recall asked for, the filter's losses included."""
        return Banding.for_recall(self.threshold, self.num_hashes, 1 - (1 - self.recall) * (1 - FILTER_SHARE))

    @property
    def rules(self) -> Rules:
        """Which of similar documents stays."""
        return Rules(self.threshold, Keep.parse(self.keep), self.cluster_mode)

    @property
    def needed(self) -> int:
        """How many values of two signatures must agree."""
        if not self.verify:
            return ceil_loosely(self.threshold * self.num_hashes)
        return collisions_needed(self.num_hashes, self.threshold, 1 - (1 - self.recall) * FILTER_SHARE)


@dataclass(frozen=True, eq=False, repr=False)
class Deduplication:
    """What was found out about n documents, in the order in which they were read.

    Attributes:
        ids: their ids.
        kept: bool [n], whether each stays.
        duplicate_of: int64 [n], the kept document that it duplicates; itself if it is kept.
        similarity: float64 [n], its resemblance to that one, exact unless ``verify`` was off; 1 if it is kept.
        exact: bool [n], whether the text is the same, byte for byte, as that of the document it duplicates.
        clusters: int64 [n], equal for documents that similar pairs join: the first document of the cluster.
        weakest: float64 [n], the similarity at which its cluster would fall apart; 1 for a document alone.
        pairs: int64 [P, 2], the similar pairs of different texts that were counted, the earlier document first. Each
            text stands there once, as the one of its byte-identical copies that ``keep`` puts first; for the other
            copies ``duplicate_of`` and ``exact`` say what they copy. Of large clusters of the like, not all pairs were
            counted (see ``ibidem.documents.large_buckets``).
        pair_similarities: float64 [P].
        short: int64 [s], documents with fewer tokens than a shingle; each counts as one shingle.
        empty: int64 [e], documents without a token; they duplicate only what has the same text.
        candidates: how many pairs were compared.
    """

    ids: list[str]
    kept: NDArray[np.bool_]
    duplicate_of: NDArray[np.int64]
    similarity: NDArray[np.float64]
    exact: NDArray[np.bool_]
    clusters: NDArray[np.int64]
    weakest: NDArray[np.float64]
    pairs: NDArray[np.int64]
    pair_similarities: NDArray[np.float64]
    short: NDArray[np.int64]
    empty: NDArray[np.int64]
    candidates: int

    def __len__(self) -> int:
        return len(self.ids)

    def plot(self, *, axes: "Axes | None" = None) -> "Axes":
        """Draw how many pairs of similar documents have which similarity; it needs the extra ``viz``.

        Args:
            axes: of matplotlib, to draw on; those of a new figure if not given.

        Raises:
            MissingExtraError: matplotlib is not installed.
        """
        from ibidem.results.plots import draw_similarities

        return draw_similarities(self.pair_similarities.tolist(), "pairs of documents", axes)

    def __repr__(self) -> str:
        kept, exact = int(self.kept.sum()), int(self.exact.sum())
        gone = len(self) - kept
        return (
            f"Deduplication: {len(self):,} documents, {kept:,} kept, {gone:,} removed "
            f"({exact:,} exact duplicates, {gone - exact:,} near-duplicates), clusters: {self.num_clusters:,}"
        )

    @property
    def removed(self) -> list[str]:
        """The ids of the documents that do not stay."""
        return [self.ids[row] for row in np.flatnonzero(~self.kept)]

    def to_arrow(self) -> "pyarrow.Table":
        """A row for each document; ``duplicate_of`` and ``cluster`` are the ids of documents."""
        import pyarrow

        ids = np.array(self.ids, object)
        return pyarrow.table(
            {
                "id": pyarrow.array(self.ids, pyarrow.string()),
                "kept": self.kept,
                "duplicate_of": pyarrow.array(ids[self.duplicate_of], pyarrow.string()),
                "similarity": self.similarity,
                "exact": self.exact,
                "cluster": pyarrow.array(ids[self.clusters], pyarrow.string()),
                "weakest": self.weakest,
            }
        )

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table of ``to_arrow`` as whatever speaks Arrow takes it."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    @property
    def num_clusters(self) -> int:
        """How many clusters have two documents or more."""
        return int((np.bincount(self.clusters) > 1).sum()) if len(self.clusters) else 0


def deduplicate(
    documents: Collection,
    *,
    text: str = "text",
    id: str = "id",
    threshold: float = 0.8,
    shingle: TokenizerSpec = "words:5",
    keep: str = "first",
    cluster_mode: ClusterMode = "representative",
    recall: float = 0.99,
    verify: bool = True,
    num_hashes: int = 128,
    seed: int = 0,
    memory: str | int = "1G",
    threads: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Deduplication:
    """Find the near-duplicates among ``documents``, and choose which to keep.

    Two documents are similar if the resemblance of their sets of shingles (Broder 1997, option B) is ``threshold`` or
    more. A document is removed if it is similar to one that is kept, and no two that are kept are similar.

    Args:
        documents: a table (a DataFrame of polars or pandas, a table of pyarrow, a relation of DuckDB, a Dataset of
            Hugging Face), or an iterable of ``Document``s, strings, (id, text) pairs, mappings or batches; for files
            see ``ibidem.read``. They are read once, as they come.
        text, id: the columns of a table, or the keys of mappings, that hold the text and the id; all others are
            metadata. What has no id is numbered from 0.
        shingle: the elements of a document, as ``ibidem.make_tokenizer`` takes it: ``"words:5"``, ``"characters:9"``. A
            document with fewer tokens than a shingle is one shingle; one without a token has none. Shingles are told
            apart by a hash of 64 bits; ``"words:5:rabin:40"`` takes Rabin fingerprints of 40 bits (Broder 1997).
        keep: which of similar documents stays: ``"first"``, ``"longest"``, or an expression over columns of the
            metadata, such as ``"max(quality), min(date)"``.
        cluster_mode: ``"representative"`` removes a document only if it is similar to the one that is kept.
            ``"connected"`` keeps one document of each cluster, and removes all that a chain of similar documents
            leads to.
        recall: least probability that a similar pair is found; 1 compares every pair.
        verify: ``False`` takes the share of agreeing values for the similarity.
        num_hashes, seed: the signatures.
        memory: what to stay within, more or less, such as ``"1G"``; besides about 200 bytes a document.
        threads: as many as the machine has cores if not given. The result does not depend on it.
        folder: where signatures and tokens are spooled; a temporary folder if not given.
        progress: called with a phase, what is done, and the whole if that is known.

    Raises:
        CorpusError: a document cannot be used, two have one id, or no document has a column that ``keep`` names.
        ValueError: an argument that makes no sense.

    >>> verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    >>> found = deduplicate([("a", verse), ("b", "Tyger, " + verse), ("c", verse), ("d", "little lamb who made thee")])
    >>> found.kept.tolist(), found.duplicate_of.tolist(), found.similarity.round(2).tolist(), found.exact.tolist()
    ([True, False, False, True], [0, 0, 0, 3], [1.0, 0.92, 1.0, 1.0], [False, False, True, False])
    """
    choices = Choices(
        threshold=threshold,
        shingle=shingle,
        keep=keep,
        cluster_mode=cluster_mode,
        recall=recall,
        verify=verify,
        num_hashes=num_hashes,
        seed=seed,
    ).require_valid()
    resources = Resources.of(memory, threads, progress)
    with ExitStack() as stack:
        if folder is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ibidem-"))
        batches = as_batches(documents, text, id)
        return deduplicate_spool(spool_documents(batches, choices, Path(folder), resources), choices, resources)


def spool_documents(batches: Iterable[Documents], choices: Choices, folder: Path, resources: Resources) -> Spool:
    """Read documents in ``batches`` into columns in ``folder``."""
    keep = Keep.parse(choices.keep)
    spool = Spool(folder, choices.num_hashes, choices.banding, len(keep.columns))
    for digest in make_digests(batches, choices, resources):
        spool.append(digest)
        resources.tell("reading", spool.rows, None)
    spool.require_distinct_ids()
    spool.require_values(keep.policy, keep.columns)
    return spool


def make_digests(batches: Iterable[Documents], choices: Choices, resources: Resources) -> Iterator[Digest]:
    """What is kept of each batch, in order."""
    digester = make_digester(choices)
    with resources.pool() as pool:
        yield from in_order(pool, digester.digest, batches, resources.workers + 1)


def make_digester(choices: Choices) -> Digester:
    """What makes digests for these choices."""
    functions = Functions.of(choices.num_hashes, choices.seed)
    return Digester(Shingler(choices.shingle), functions, choices.banding, Keep.parse(choices.keep).columns)


def make_deduplication(digests: Digests, width: int, decided: dict[str, Any], candidates: int) -> Deduplication:
    """What was ``decided`` about documents, with their ids, and those that have hardly a token."""
    lengths = digests.lengths()
    return Deduplication(
        ids=digests.ids(),
        **decided,
        short=np.flatnonzero((lengths > 0) & (lengths < width)),
        empty=np.flatnonzero(lengths == 0),
        candidates=candidates,
    )


def deduplicate_spool(spool: Spool, choices: Choices, resources: Resources) -> Deduplication:
    """The result for documents that were read."""
    with resources.pool() as pool:
        return _Work(spool, choices, resources, pool).result()


def keep_spool(spool: Spool, choices: Choices, resources: Resources) -> Deduplication:
    """The result for documents that were read and are not to be compared: all of them stay."""
    rows = np.arange(spool.rows)
    decided = {
        "kept": np.ones(len(rows), np.bool_),
        "duplicate_of": rows,
        "similarity": np.ones(len(rows)),
        "exact": np.zeros(len(rows), np.bool_),
        "clusters": rows,
        "weakest": np.ones(len(rows)),
        "pairs": np.zeros((0, 2), np.int64),
        "pair_similarities": np.zeros(0),
    }
    return make_deduplication(spool, Shingler(choices.shingle).width, decided, 0)


class _Work:
    """The comparison of documents, step by step."""

    def __init__(self, spool: Spool, choices: Choices, resources: Resources, pool: ThreadPoolExecutor) -> None:
        self.spool, self.choices, self.pool = spool, choices, pool
        self.memory, self.workers, self.tell = resources
        self.shingles = Shingler(choices.shingle).hash
        self.candidates = 0

    def result(self) -> Deduplication:
        """Compare the documents, and choose."""
        texts = find_texts(self.spool)
        rows = texts.rows_with_tokens
        documents = BandedSignatures(
            self.spool.column("signatures"), self.spool.column("bands"), rows, self.choices.needed
        )
        compare = self._comparison(documents)
        links = self._links(documents, compare)
        decided = choose_representatives(self.spool, texts, documents, links, self.choices.rules, compare)
        return make_deduplication(self.spool, self.shingles.width, decided, self.candidates)

    def _comparison(self, documents: BandedSignatures) -> Compare:
        if self.choices.verify:
            tokens, bounds = self.spool.column("tokens"), self.spool.column("tokens_bounds")
            source: Any = Verifier(tokens, bounds, documents.rows, self.shingles, self.pool, self.workers)
        else:
            source = Estimates(documents)

        def compare(pairs: NDArray[np.int64], least: float) -> NDArray[np.float64]:
            self.candidates += len(pairs)
            similarities: NDArray[np.float64] = source.similarities(pairs, least)
            return similarities

        return compare

    def _links(self, documents: BandedSignatures, compare: Compare) -> BandLinks:
        """The similar pairs, and the large buckets, of which not every pair was compared."""
        bands = self.choices.banding.bands
        parts = 1 + 2 * BYTES_EACH * len(documents.rows) * self.workers // self.memory
        tasks = [(band, part) for band in range(bands) for part in range(parts)]
        links, large = [], []
        found = in_order(self.pool, lambda task: find_candidates(documents, *task, parts), tasks, self.workers)
        for done, ((band, _), each) in enumerate(zip(tasks, found, strict=True), 1):
            links.append(Links(each.pairs, compare(each.pairs, self.choices.threshold)).select(self.choices.threshold))
            large += [(band, members) for members in each.large_buckets()]
            self.tell("comparing", done, len(tasks))
        return BandLinks(Links.concatenate(links), large)
