"""The result of a deduplication: which documents stay, and what each of the others duplicates."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ibidem.counts import format_count
from ibidem.documents.choice import list_pairs, open_choice
from ibidem.documents.digests import Digests
from ibidem.documents.rules import Rules
from ibidem.documents.signatures import Shingler
from ibidem.documents.tables import tabulate_documents

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True, eq=False, repr=False)
class Deduplication:
    """The result of deduplicating n documents, in the order in which they were read.

    Attributes:
        ids: their ids.
        kept: bool [n], whether each stays.
        duplicate_of: int64 [n], the kept document that it duplicates; itself if it is kept.
        similarity: float64 [n], its resemblance to that one; 1 if it is kept.
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
        """A row for each document, with the columns of the clusters that ``deduplicate_files`` writes.

        ``duplicate_of`` and ``cluster`` are the ids of documents.
        """
        ids = np.array(self.ids, object)
        return tabulate_documents(
            self.ids,
            ids[self.duplicate_of].tolist(),
            ids[self.clusters].tolist(),
            kept=self.kept,
            similarity=self.similarity,
            exact=self.exact,
            weakest=self.weakest,
        )

    def _repr_html_(self) -> str:
        """The table of ``to_arrow`` under the counts; its first rows."""
        from ibidem.comparison.markup import render_rows

        return render_rows(repr(self), self.to_arrow())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The table of ``to_arrow`` as whatever speaks Arrow takes it."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    @property
    def num_clusters(self) -> int:
        """The number of clusters with two documents or more."""
        return int((np.bincount(self.clusters) > 1).sum()) if len(self.clusters) else 0

    @classmethod
    def of(
        cls, rules: Rules, digest_folders: Sequence[Path], link_files: Sequence[Path], choice_file: Path
    ) -> "Deduplication":
        """Read the outputs of the steps."""
        documents, chosen = Digests(digest_folders), open_choice(choice_file)
        pairs, lengths = list_pairs(link_files, chosen), documents.lengths()
        return cls(
            ids=documents.ids(np.arange(documents.rows)),
            kept=chosen.kept,
            duplicate_of=chosen.duplicate_of,
            similarity=chosen.similarity,
            exact=chosen.exact,
            clusters=chosen.clusters,
            weakest=chosen.weakest,
            pairs=pairs.pairs,
            pair_similarities=pairs.similarities,
            short=np.flatnonzero((lengths > 0) & (lengths < Shingler(rules.shingle).width)),
            empty=np.flatnonzero(lengths == 0),
            candidates=chosen.compared,
        )
