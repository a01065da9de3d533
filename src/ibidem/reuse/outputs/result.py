"""The result: pairs, passages, clusters, documents, pairs of documents, and what was left out, as Arrow tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ibidem.comparison.shares import NO_WORDS, Quotation, make_columns
from ibidem.corpus.writing.run_state import FOLDER
from ibidem.corpus.writing.tables import Kinds, read_table, write_result
from ibidem.counts import format_count
from ibidem.reuse.collection import Collection
from ibidem.reuse.outputs.earlier import EarlierRun
from ibidem.reuse.outputs.pictures import draw_clusters, render_clusters

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

PAIRS: Kinds = {
    "a": str,
    "a_start": int,
    "a_end": int,
    "b": str,
    "b_start": int,
    "b_end": int,
    "similarity": float | None,
    "evidence": float | None,
    "kind": str,
    "containment": float | None,
}

PASSAGES: Kinds = {
    "cluster": str,
    "document": str,
    "start": int,
    "end": int,
    "source": str | None,
    "source_start": int | None,
    "source_end": int | None,
    "boilerplate": str | None,
    "chain": list[str],
}
"""Without the date, whose type is that of the column which has it."""

CLUSTERS: Kinds = {
    "cluster": str,
    "size": int,
    "documents": int,
    "weakest": float,
    "central": str,
    "central_start": int,
    "central_end": int,
    "boilerplate": str | None,
}

DOCUMENTS: Kinds = {
    "document": str,
    "tokens": int,
    "reused_tokens": int,
    "reused": float,
    "common_tokens": int,
    "pairs": int,
}

DOCUMENT_PAIRS: Kinds = {
    "a": str,
    "b": str,
    "passages": int,
    "evidence": float,
    **{name: type(value) for name, value in make_columns(NO_WORDS, NO_WORDS).items()},
}

TABLES: Mapping[str, Kinds] = {
    "pairs": PAIRS,
    "passages": PASSAGES,
    "clusters": CLUSTERS,
    "documents": DOCUMENTS,
    "document_pairs": DOCUMENT_PAIRS,
    "left_out": {"reason": str, **PAIRS},
}
"""The tables, and the columns that each has always."""

QUOTATIONS: Kinds = {"a_quotations": list[Quotation], "b_quotations": list[Quotation]}

_ASKED_FOR: Kinds = {"text": str, "a_text": str, "b_text": str, **QUOTATIONS}
"""The columns that a table has if they were asked for."""

NOTE = "note"
"""The entry of a summary that says why nothing is reported."""


@dataclass(frozen=True)
class Reuse:
    """The passages that occur more than once, as Arrow tables; places count code points and are half open.

    Attributes:
        pairs: ``a, a_start, a_end, b, b_start, b_end, similarity, evidence, kind, containment``, in the order of the
            ids; ``kind`` is ``"similar"``, or ``"summary"`` where one passage sums up the other, longer one, and
            ``containment`` then the share of its words that that one has.
        passages: ``cluster, document, start, end, date, source, source_start, source_end, boilerplate, chain``;
            ``chain`` are the documents from the source back to the earliest one.
        clusters: ``cluster, size, documents, weakest, central, central_start, central_end, boilerplate``.
        documents: ``document, tokens, reused_tokens, reused, common_tokens, pairs``, and all columns of the input;
            reused are the tokens that another document has word for word, or changed; common ones, which most have,
            are counted apart, with those of phrases and of texts to ignore.
        document_pairs: ``a, b, passages, evidence``, the pair of most evidence first; of both documents ``words``,
            ``identical``, ``moved``, ``changed``, ``similar``, ``identical_share`` and ``similar_share``, as
            ``a_words`` and so on (:mod:`ibidem.comparison.shares`).
        left_out: ``reason`` and the columns of a pair.
        summary: the numbers.
        run: what a later run needs that updates this one; ``None`` if two collections were compared.
        collection: the documents, as long as they are at hand.
    """

    pairs: "pa.Table"
    passages: "pa.Table"
    clusters: "pa.Table"
    documents: "pa.Table"
    document_pairs: "pa.Table"
    left_out: "pa.Table"
    summary: dict[str, Any]
    run: "EarlierRun | None" = field(default=None, repr=False, compare=False)
    collection: "Collection | None" = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        counts = (_format_rows(getattr(self, name).num_rows, name.replace("_", " ")) for name in TABLES)
        return f"Reuse({', '.join(counts)})"

    def _repr_html_(self) -> str:
        """The largest clusters, a column for each witness; their texts if ``texts`` were asked for."""
        return render_clusters(self.clusters, self.passages, self.pairs.num_rows)

    def plot(self, cluster: str | None = None, *, axes: "Axes | None" = None) -> "Axes":
        """Draw the places of the passages of a cluster, or of the ten largest; it needs the extra ``viz``.

        Args:
            axes: of matplotlib, to draw on; those of a new figure if not given.

        Raises:
            MissingExtraError: matplotlib is not installed.
            ValueError: there is no such cluster.
        """
        return draw_clusters(self.clusters, self.passages, cluster, axes)


def explain_nothing(reuse: Reuse, sides: "NDArray[np.int8]", min_pair_length: int | None) -> str | None:
    """Explain why no passage is reported if there is one reason for all, and one may not expect it.

    Args:
        sides: the side of each document, if two collections were compared.
    """
    if reuse.pairs.num_rows or reuse.passages.num_rows:
        return None
    reasons = reuse.summary["left_out_by_reason"]
    if len(reasons) == 1:
        [(reason, count)] = reasons.items()
        return (
            f"no pair of passages is reported: {count:,} were found, and all are left out for one reason ({reason}); "
            "see left_out"
        )
    lengths = reuse.documents.column("tokens").to_numpy()
    for side in np.unique(sides):
        if not lengths[sides == side].any():
            return f"no document{' of one side' if len(lengths[sides != side]) else ''} has a token to compare"
    longest = int(lengths.max(initial=0))
    if len(lengths) and min_pair_length is not None and longest < min_pair_length:
        return (
            f"no document is as long as a passage: the longest has {longest:,} tokens, and min_pair_length is "
            f"{min_pair_length:,}"
        )
    return None


def _format_rows(rows: int, name: str) -> str:
    return format_count(rows, name.removesuffix("s"), name)


def write_reuse(reuse: Reuse, folder: Path, format: str = "parquet") -> None:
    """Write each table into ``folder``, as ``pairs.parquet`` and so on, the summary, and the state for an update.

    Raises:
        ValueError: the format is none of ``FORMATS``.
    """
    write_result({name: getattr(reuse, name) for name in TABLES}, reuse.summary, folder, format)
    if reuse.run is not None:
        reuse.run.write(folder / FOLDER)


def read_reuse_table(folder: Path, name: str) -> "pa.Table":
    """A table of the folder that ``ibidem reuse`` wrote, whatever its format.

    Raises:
        CorpusError: it is not there, or no table.
    """
    return read_table(folder, name, {**TABLES[name], **_ASKED_FOR})


def read_dates(reuse: Reuse) -> dict[str, Any]:
    """The dates of the documents with a passage, if they were asked for."""
    rows = reuse.passages.select(["document", "date"]).to_pylist()
    return {row["document"]: row["date"] for row in rows if row["date"] is not None}


def is_later(dates: dict[str, Any], a: str, b: str) -> bool:
    """Return whether document ``a`` is known to be later than ``b``."""
    return a in dates and b in dates and bool(dates[a] > dates[b])
