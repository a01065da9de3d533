"""The table of pairs of documents: how many words of each the other one has, the pair of most evidence first."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.comparison.quotations import find_quotations
from ibidem.comparison.shares import CHANGED, WordCounts, count_words, describe_counts, label_passages
from ibidem.reuse.collection import Collection
from ibidem.reuse.pairs import Pairs

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["COUNTS", "SHARES", "SharedWords", "count_shared_words", "describe_pair", "has_counts", "quoted_tokens"]

_Ints = npt.NDArray[np.int64]
_Labels = npt.NDArray[np.uint8]

Ranges = Mapping[int, Sequence[tuple[int, int]]]
"""Half-open ranges of tokens by the numbers of documents."""

COUNTS = WordCounts._fields
"""What is counted of either document."""

SHARES = ("identical_share", "similar_share")
"""What follows from the counts."""


class SharedWords(NamedTuple):
    """What documents have of each other.

    Attributes:
        table: a row for each two documents that share a passage.
        reused: int64 [D], the tokens of each document that any other has word for word, or changed.
    """

    table: "pa.Table"
    reused: _Ints


def count_shared_words(collection: Collection, pairs: Pairs, left_out: Ranges | None = None) -> SharedWords:
    """Count what documents have of each other.

    ``left_out`` are the tokens of documents that count as quoted alone.
    """
    import pyarrow as pa

    apart, of = np.unique(pairs.documents, axis=0, return_inverse=True)
    apart, of = apart.reshape(-1, 2), of.ravel()
    evidence = np.bincount(of, np.nan_to_num(pairs.evidence), len(apart)).astype(np.float64)
    counts, reused = _count(collection, pairs, apart, of, left_out or {})
    names = [[collection.ids[document] for document in documents] for documents in apart.T.tolist()]
    columns: dict[str, Any] = {
        "a": pa.array(names[0], pa.string()),
        "b": pa.array(names[1], pa.string()),
        "passages": np.bincount(of, minlength=len(apart)),
        "evidence": evidence,
    }
    for fields, kind in ((SHARES, pa.float64()), (COUNTS, pa.int64())):
        for number, side in enumerate("ab"):
            for field in fields:
                columns[f"{side}_{field}"] = pa.array([getattr(each[number], field) for each in counts], kind)
    order = sorted(range(len(apart)), key=lambda at: (-evidence[at], names[0][at], names[1][at]))
    return SharedWords(pa.table(columns).take(pa.array(order, pa.int64())), reused)


def quoted_tokens(collection: Collection, documents: Iterable[int], least: int) -> Ranges:
    """The tokens of some documents that stand in quotation marks, ``least`` or more in one quotation."""
    found = {}
    for document in documents:
        starts, ends = collection.places(document)
        ranges = [
            (int(np.searchsorted(starts, first)), int(np.searchsorted(ends, last, side="right")))
            for first, last in find_quotations(collection.text(document))
        ]
        found[document] = [(first, last) for first, last in ranges if last - first >= least]
    return found


def has_counts(record: Mapping[str, Any]) -> bool:
    """Whether a row of the table says how many words are shared, as it does since it is so made."""
    return f"a_{COUNTS[0]}" in record and f"b_{COUNTS[0]}" in record


def describe_pair(record: Mapping[str, Any]) -> tuple[str, str]:
    """A row of the table as two sentences, one for each document."""
    a, b = (WordCounts(*(record.get(f"{side}_{name}", 0) for name in COUNTS)) for side in "ab")
    return describe_counts(a, record["a"], record["b"]), describe_counts(b, record["b"], record["a"])


def _count(
    collection: Collection, pairs: Pairs, apart: _Ints, of: _Ints, left_out: Ranges
) -> tuple[list[tuple[WordCounts, WordCounts]], _Ints]:
    """The counts of either document, for each two of ``apart``, and the reused tokens of each document."""
    bounds = collection.bounds
    evidence = np.maximum(collection.idf * collection.rarity.mean - 1, 0)  # -ln of the share of the running tokens
    reused = np.zeros(len(collection.tokens), np.bool_)
    order = np.argsort(of, kind="stable")
    parts = np.searchsorted(of[order], np.arange(len(apart) + 1))
    counted = []
    for at, documents in enumerate(apart.tolist()):
        labels = [np.zeros(bounds[document + 1] - bounds[document], np.uint8) for document in documents]
        rows = order[parts[at] : parts[at + 1]]
        for span, summary in zip(pairs.ranges[rows].tolist(), pairs.summary[rows].tolist(), strict=True):
            _add(collection, documents, span, labels, evidence, summary=summary)
        for document, own in zip(documents, labels, strict=True):
            reused[bounds[document] : bounds[document + 1]] |= own >= CHANGED
        a, b = (count_words(each, left_out.get(document, ())) for each, document in zip(labels, documents, strict=True))
        counted.append((a, b))
    for document, ranges in left_out.items():
        for first, last in ranges:
            reused[bounds[document] + first : bounds[document] + last] = False
    summed = np.append(0, np.cumsum(reused))
    return counted, summed[bounds[1:]] - summed[bounds[:-1]]


def _add(
    collection: Collection,
    documents: Sequence[int],
    span: Sequence[int],
    labels: Sequence[_Labels],
    evidence: npt.NDArray[np.float64],
    *,
    summary: bool,
) -> None:
    """Label the tokens of two passages; of a text that is summed up, only those that the summary has."""
    spans = (span[0], span[1]), (span[2], span[3])
    tokens = [
        collection.tokens[collection.bounds[document] + first : collection.bounds[document] + last]
        for document, (first, last) in zip(documents, spans, strict=True)
    ]
    found = label_passages(tokens[0], tokens[1], evidence)
    longer = int(len(tokens[1]) > len(tokens[0]))
    for side, (own, (first, last)) in enumerate(zip(found, spans, strict=True)):
        if summary and side == longer:
            own[own < CHANGED] = 0
        np.maximum(labels[side][first:last], own, out=labels[side][first:last])
