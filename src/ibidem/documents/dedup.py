"""Deduplication: which documents of a collection to keep, and what each of the others duplicates."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ibidem.counts import format_count
from ibidem.documents.choices import Choices
from ibidem.documents.job.reading import ReadDocuments
from ibidem.documents.job.stages import COMPARE, READ, TEXTS, DedupJob, choose, open_digests
from ibidem.documents.signatures import Shingler
from ibidem.jobs.stage import Stage, count_one, run_here
from ibidem.jobs.workspace import Memory
from ibidem.options import Deduplicate, DedupOptions, takes, values_of
from ibidem.resources import Resources
from ibidem.text import as_batches

if TYPE_CHECKING:
    import pyarrow
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Deduplication:
    """The result of deduplicating n documents, in the order in which they were read.

    Attributes:
        ids: their ids.
        kept: bool [n], whether each stays.
        duplicate_of: int64 [n], the kept document that it duplicates; itself if it is kept.
        similarity: float64 [n], its resemblance to that one, exact unless ``verify`` was off; 1 if it is kept.
        exact: bool [n], whether the text is the same, byte for byte, as that of the document it duplicates.
        clusters: int64 [n], equal for documents that similar pairs join: the first document of the cluster.
        weakest: float64 [n], the similarity at which its cluster would fall apart; 1 for a document alone.
        pairs: int64 [P, 2], the similar pairs of different texts that were counted, the earlier document first. Each
            text occurs there once, as the one of its byte-identical copies that ``keep`` puts first; for the other
            copies ``duplicate_of`` and ``exact`` say what they copy. Of large clusters of similar documents, not all
            pairs were counted (see ``ibidem.documents.large_buckets``).
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
        number_kept, exact = int(self.kept.sum()), int(self.exact.sum())
        number_removed = len(self) - number_kept
        near = format_count(number_removed - exact, "near-duplicate")
        return (
            f"Deduplication: {format_count(len(self), 'document')}, {number_kept:,} kept, {number_removed:,} removed "
            f"({format_count(exact, 'exact duplicate')}, {near}), clusters: {self.num_clusters:,}"
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
        """The number of clusters with two documents or more."""
        return int((np.bincount(self.clusters) > 1).sum()) if len(self.clusters) else 0


@takes(Deduplicate)
def deduplicate(call: Deduplicate) -> Deduplication:
    """Find the near-duplicates among ``documents``, and choose which to keep.

    Two documents are similar if the resemblance of their sets of shingles (Broder 1997, option B) is ``threshold`` or
    more. A document is removed if it is similar to one that is kept, and no two that are kept are similar.

    Args:
        documents: a table (a DataFrame of polars or pandas, a table of pyarrow, a relation of DuckDB, a Dataset of
            Hugging Face), or an iterable of ``Document``s, strings, (id, text) pairs, mappings or batches; for files
            see ``ibidem.read``. They are read once, as they come.
        text, id: the columns of a table, or the keys of mappings, that hold the text and the id; all others are
            metadata. Documents without an id are numbered from 0.
        shingle: the elements of a document, as ``ibidem.make_tokenizer`` takes it: ``"words:5"``, ``"characters:9"``. A
            document with fewer tokens than a shingle is one shingle; one without a token has none. Shingles are
            compared by a hash of 64 bits; ``"words:5:rabin:40"`` takes Rabin fingerprints of 40 bits of token ids:
            Broder's bound is one for sequences of ids, and two words share an id with a probability of 2^-32.
        normalize: names of normalizations, as ``ibidem.make_tokenizer`` takes them.
        keep: which of similar documents stays: ``"first"``, ``"longest"``, or an expression over columns of the
            metadata, such as ``"max(quality), min(date)"``.
        cluster_mode: ``"representative"`` removes a document only if it is similar to the one that is kept.
            ``"connected"`` keeps one document of each cluster, and removes all that a chain of similar documents
            leads to.
        recall: least probability that a similar pair is found; 1 compares every pair.
        verify: ``False`` takes the share of agreeing values for the similarity.
        num_hashes, seed: the signatures.
        memory: about how much memory to use, such as ``"1G"``, besides about 200 bytes a document.
        threads: as many as the machine has cores if not given. The result does not depend on it.
        folder: where to keep temporary files; the system's folder for these if not given.
        progress: called with a phase, what is done, and the whole if that is known.

    Raises:
        CorpusError: a document cannot be used, two have one id, or no document has a column that ``keep`` names.
        ValueError: an argument is out of its range.

    >>> verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    >>> found = deduplicate([("a", verse), ("b", "Tyger, " + verse), ("c", verse), ("d", "little lamb who made thee")])
    >>> found.kept.tolist(), found.duplicate_of.tolist(), found.similarity.round(2).tolist(), found.exact.tolist()
    ([True, False, False, True], [0, 0, 0, 3], [1.0, 0.92, 1.0, 1.0], [False, False, True, False])
    """
    choices = Choices(**values_of(call, DedupOptions)).require_valid()
    resources = Resources.of(call.memory, call.threads, call.progress)
    return run_dedup(DedupJob(choices, as_batches(call.documents, call.text, call.id)), resources, call.folder)


def run_dedup(
    job: DedupJob,
    resources: Resources,
    folder: str | os.PathLike[str] | None = None,
    parts: Sequence[ReadDocuments] = (),
) -> Deduplication:
    """Deduplicate the documents of a job here; temporary files are kept in ``folder``, or in that of the system.

    Nothing is read if the ``parts`` of the job were read before.
    """
    with tempfile.TemporaryDirectory(prefix="ibidem-", dir=folder) as place:
        workspace = Memory(job)
        job.parts = len(parts) or 1
        for number, part in enumerate(parts):
            workspace.put(READ, number, part, Path(place))
        run_here([*(() if parts else (READ,)), TEXTS, COMPARE, _RESULT], workspace, Path(place), resources)
        result: Deduplication = workspace.load(_RESULT)
    return result


class _Columns:
    """Collects the decisions on documents: the attributes of a ``Deduplication``."""

    def __init__(self, count: int) -> None:
        rows = np.arange(count)
        self.values: dict[str, Any] = {
            "kept": np.ones(count, np.bool_),
            "duplicate_of": rows,
            "similarity": np.ones(count),
            "exact": np.zeros(count, np.bool_),
            "clusters": rows.copy(),
            "weakest": np.ones(count),
            "pairs": np.zeros((0, 2), np.int64),
            "pair_similarities": np.zeros(0),
        }

    def append(self, rows: NDArray[np.int64], decisions: dict[str, Any]) -> None:
        """Record the ``decisions`` on the documents ``rows``, which number these from 0."""
        for name in ("kept", "similarity", "exact", "weakest"):
            self.values[name][rows] = decisions[name]
        for name in ("duplicate_of", "clusters"):
            self.values[name][rows] = rows[decisions[name]]
        for name, new_rows in (
            ("pairs", rows[decisions["pairs"]]),
            ("pair_similarities", decisions["pair_similarities"]),
        ):
            self.values[name] = np.concatenate([self.values[name], new_rows])


def _gather_result(workspace: Memory, number: int, folder: Path, resources: Resources) -> Deduplication:
    """Decide which documents stay."""
    digests = open_digests(workspace)
    columns = _Columns(digests.rows)
    candidates = choose(workspace, columns.append, folder, resources)
    lengths, width = digests.lengths(), Shingler(workspace.job.choices.shingle).width
    return Deduplication(
        ids=digests.ids(),
        **columns.values,
        short=np.flatnonzero((lengths > 0) & (lengths < width)),
        empty=np.flatnonzero(lengths == 0),
        candidates=candidates,
    )


_RESULT = Stage("result", count_one, _gather_result, bulky=False)
