"""The table of pairs of documents: how many words of each the other one has, the pair of most evidence first."""

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.comparison.quotations import find_quoted_tokens
from ibidem.comparison.shares import (
    CHANGED,
    COUNTS,
    NO_WORDS,
    SHARES,
    FoundRange,
    Quotation,
    WordCounts,
    count_words,
    label_documents,
    list_quotations,
    make_columns,
)
from ibidem.reuse.collection import Collection
from ibidem.reuse.pairs import Pairs

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["SharedWords", "count_shared_words", "describe_pair", "has_counts", "quoted_tokens"]

_Ints = npt.NDArray[np.int64]
_Labels = npt.NDArray[np.uint8]

Ranges = Mapping[int, Sequence[tuple[int, int]]]
"""Half-open ranges of tokens by the numbers of documents."""


class SharedWords(NamedTuple):
    """The words that documents share with each other.

    Attributes:
        table: a row for each two documents that share a passage.
        reused: int64 [D], the tokens of each document that any other has word for word, or changed.
    """

    table: "pa.Table"
    reused: _Ints


def count_shared_words(collection: Collection, pairs: Pairs, quoted: Ranges | None = None) -> SharedWords:
    """Count what documents have of each other.

    ``quoted`` are the tokens of documents that count as quoted alone; if they are given, the table lists them.
    """
    import pyarrow as pa

    apart, of = np.unique(pairs.documents, axis=0, return_inverse=True)
    apart, of = apart.reshape(-1, 2), of.ravel()
    evidence = np.bincount(of, np.nan_to_num(pairs.evidence), len(apart)).astype(np.float64)
    counts, quotations, reused = _count(collection, pairs, apart, of, quoted or {})
    names = [[collection.ids[document] for document in documents] for documents in apart.T.tolist()]
    columns: dict[str, Any] = {
        "a": pa.array(names[0], pa.string()),
        "b": pa.array(names[1], pa.string()),
        "passages": np.bincount(of, minlength=len(apart)),
        "evidence": evidence,
    }
    rows = [make_columns(*each) for each in counts]
    for name in make_columns(NO_WORDS, NO_WORDS):
        kind = pa.float64() if name.endswith(SHARES) else pa.int64()
        columns[name] = pa.array([row[name] for row in rows], kind)
    if quoted is not None:
        kind = pa.list_(pa.struct([(name, pa.int64()) for name in Quotation._fields]))
        for number, side in enumerate("ab"):
            lists = [[each._asdict() for each in sides[number]] for sides in quotations]
            columns[f"{side}_quotations"] = pa.array(lists, kind)
    order = sorted(range(len(apart)), key=lambda at: (-evidence[at], names[0][at], names[1][at]))
    return SharedWords(pa.table(columns).take(pa.array(order, pa.int64())), reused)


def quoted_tokens(collection: Collection, documents: Iterable[int], least: int) -> Ranges:
    """The tokens of some documents in quotation marks, ``least`` or more in one quotation."""
    return {
        document: find_quoted_tokens(collection.text(document), *collection.places(document), least)
        for document in documents
    }


def has_counts(columns: Container[str]) -> bool:
    """Whether the columns of the table say how many words are shared; those of early versions did not."""
    return f"a_{COUNTS[0]}" in columns and f"b_{COUNTS[0]}" in columns


def describe_pair(record: Mapping[str, Any]) -> tuple[str, str]:
    """A row of the table as two sentences, one for each document."""
    a, b = (WordCounts(*(record.get(f"{side}_{name}", 0) for name in COUNTS)) for side in "ab")
    return a.describe(record["a"], record["b"]), b.describe(record["b"], record["a"])


def _count(
    collection: Collection, pairs: Pairs, apart: _Ints, of: _Ints, quoted: Ranges
) -> tuple[list[tuple[WordCounts, WordCounts]], list[list[list[Quotation]]], _Ints]:
    """The counts and quotations of either document, for each two of ``apart``, and the reused tokens of each one."""
    bounds = collection.bounds
    evidence = np.maximum(collection.idf * collection.rarity.mean - 1, 0)  # -ln of the share of the running tokens
    reused = np.zeros(len(collection.tokens), np.bool_)
    order = np.argsort(of, kind="stable")
    parts = np.searchsorted(of[order], np.arange(len(apart) + 1))
    counted, quotations = [], []
    for at, documents in enumerate(apart.tolist()):
        rows = order[parts[at] : parts[at + 1]]
        found = [
            FoundRange((span[0], span[1]), (span[2], span[3]), summary)
            for span, summary in zip(pairs.ranges[rows].tolist(), pairs.summary[rows].tolist(), strict=True)
        ]
        first, second = (collection.tokens[bounds[document] : bounds[document + 1]] for document in documents)
        labels = label_documents(first, second, found, evidence)
        for document, own in zip(documents, labels, strict=True):
            reused[bounds[document] : bounds[document + 1]] |= own >= CHANGED
        ranges = [quoted.get(document, ()) for document in documents]
        a, b = (count_words(own, out) for own, out in zip(labels, ranges, strict=True))
        counted.append((a, b))
        quotations.append(
            [
                list_quotations(own, out, *collection.places(document)) if out else []
                for own, out, document in zip(labels, ranges, documents, strict=True)
            ]
        )
    for document, out in quoted.items():
        for start, end in out:
            reused[bounds[document] + start : bounds[document] + end] = False
    sums = (int(np.count_nonzero(reused[start:end])) for start, end in pairwise(bounds.tolist()))
    return counted, quotations, np.fromiter(sums, np.int64, len(collection))
