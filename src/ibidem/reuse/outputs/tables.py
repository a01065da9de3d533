"""What was found as Arrow tables: numbers of documents and tokens become ids, columns and code points."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.errors import CorpusError
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.clusters import Clusters
from ibidem.reuse.collection import Collection
from ibidem.reuse.direction import source_chains
from ibidem.reuse.outputs.document_pairs import count_shared_words
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.passages import Passages
from ibidem.reuse.windows import Found
from ibidem.text.json_values import replace_surrogates

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Findings", "PairDetails", "make_tables"]

_Ints = npt.NDArray[np.int64]


class Findings(NamedTuple):
    """What was found, by numbers of documents and tokens.

    Attributes:
        pairs: those that are reported.
        passages, clusters: made of all pairs but those left out by what they say themselves.
        boilerplate: for each cluster why it is boilerplate, or ``None``.
        dates: of each document, if they were asked for.
        sources: int64 [P], the passage that each was likely taken from, or -1.
        left_out: pairs that are not reported, with the reason of each.
        same_series: boxes of documents of one series.
    """

    pairs: Pairs
    passages: Passages
    clusters: Clusters
    boilerplate: Sequence[str | None]
    dates: Sequence[Any] | None
    sources: _Ints | None
    left_out: Sequence[tuple[Pairs, Sequence[str]]]
    same_series: PairBoxes


class PairDetails(NamedTuple):
    """What the rows of pairs have beside places and numbers.

    Attributes:
        texts: whether they have the texts of passages.
        columns: the columns of the documents that they have of both.
    """

    texts: bool = False
    columns: tuple[str, ...] = ()


def make_tables(collection: Collection, found: Findings, join: Found, details: PairDetails) -> Reuse:
    """The tables, and the summary.

    Raises:
        CorpusError: no document has a column that pairs are to have.
    """
    import pyarrow as pa

    oriented, _ = _orient(collection, found.pairs)
    shared = count_shared_words(collection, oriented)
    listed = [_orient(collection, *each) for each in [*found.left_out, _series_pairs(collection, found.same_series)]]
    pairs, *left_out = _pairs_tables(collection, [oriented, *(each for each, _ in listed)], details)
    left_out = [
        table.append_column("reason", pa.array(reasons, pa.string()))
        for table, (_, reasons) in zip(left_out, listed, strict=True)
    ]
    out = pa.concat_tables(left_out)
    out = out.select(["reason", *(name for name in out.column_names if name != "reason")])
    tables = {
        "pairs": pairs,
        "passages": _passages_table(collection, found, details.texts),
        "clusters": _clusters_table(collection, found),
        "documents": _documents_table(collection, found.pairs, shared.reused),
        "document_pairs": shared.table,
        "left_out": out,
    }
    counts = {name: table.num_rows for name, table in tables.items()}
    reasons = out.column("reason").to_pylist()
    summary: dict[str, Any] = counts | {
        "tokens": len(collection.tokens),
        "left_out_by_reason": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
        "candidates": join.candidates,
        "crowded_groups": join.crowded,
        "bands": None if join.bands is None else join.bands._asdict(),
    }
    return Reuse(**tables, summary=summary)


def _orient(collection: Collection, pairs: Pairs, reasons: Sequence[str] = ()) -> tuple[Pairs, list[str]]:
    """The pairs in the order of their documents, of two collections that of the first one first; and their reasons."""
    side = collection.side[pairs.documents]
    turned = side[:, 0] > side[:, 1]
    if not turned.any():
        return pairs, list(reasons)
    documents = np.where(turned[:, np.newaxis], pairs.documents[:, ::-1], pairs.documents)
    ranges = np.where(turned[:, np.newaxis], pairs.ranges[:, [2, 3, 0, 1]], pairs.ranges)
    order = np.lexsort((*ranges.T[::-1], *documents.T[::-1]))
    names = list(reasons)
    oriented = pairs._replace(documents=documents, ranges=ranges).take(order)
    return oriented, [names[row] for row in order.tolist()] if names else []


def _series_pairs(collection: Collection, same: PairBoxes) -> tuple[Pairs, list[str]]:
    """The boxes of documents of one series as pairs that were not judged."""
    documents = np.repeat(same.pairs, np.diff(same.bounds), axis=0)
    ranges = same.boxes - collection.bounds[documents][:, [0, 0, 1, 1]]
    unknown = np.full(len(ranges), np.nan)
    pairs = Pairs(documents, ranges, unknown, unknown, np.zeros(len(ranges), np.bool_), unknown)
    return pairs, ["series"] * len(ranges)


def _places(collection: Collection, documents: _Ints, ranges: _Ints) -> tuple[_Ints, _Ints]:
    """Where passages start and end in code points, from half-open ranges of tokens [N, 2]."""
    starts, ends = np.empty(len(ranges), np.int64), np.empty(len(ranges), np.int64)
    order = np.argsort(documents, kind="stable")
    turns = collection.input.take_turns(documents[order].tolist(), "starts", "ends")
    for row, document in zip(order.tolist(), turns, strict=True):
        first, last = ranges[row].tolist()
        begins, finishes = collection.places(document)
        starts[row], ends[row] = begins[first], finishes[first:last].max()
    return starts, ends


def _ids(collection: Collection, documents: _Ints) -> list[str]:
    return [collection.ids[document] for document in documents.tolist()]


def _texts(collection: Collection, documents: _Ints, starts: _Ints, ends: _Ints) -> list[str]:
    found = [""] * len(documents)
    current, text = -1, ""
    order = np.argsort(documents, kind="stable")
    turns = collection.input.take_turns(documents[order].tolist(), "texts")
    for row, document in zip(order.tolist(), turns, strict=True):  # each text is read once
        if document != current:
            current, text = document, collection.text(document)
        found[row] = replace_surrogates(text[starts[row] : ends[row]])
    return found


def _pairs_tables(collection: Collection, lists: Sequence[Pairs], details: PairDetails) -> "list[pa.Table]":
    carried = _carried_columns(collection, details.columns) if details.columns else {}
    return [_pairs_table(collection, pairs, details.texts, carried) for pairs in lists]


def _carried_columns(collection: Collection, names: Sequence[str]) -> dict[str, Any]:
    """The columns of the documents that pairs are to have, by the order of the documents."""
    given = _input_columns(collection, set())
    for name in names:
        if name in _PAIR_PLACES:
            raise CorpusError(f"column {name!r}: pairs have columns a_{name} and b_{name} of their own; rename it")
        if name not in given and len(collection):
            raise CorpusError(f"no document has a column {name!r}")
    return {name: given.get(name) for name in dict.fromkeys(names)}


_PAIR_PLACES = ("start", "end", "text")
"""Names that ``a_`` and ``b_`` stand before in a table of pairs."""


def _pairs_table(collection: Collection, pairs: Pairs, texts: bool, carried: dict[str, Any]) -> "pa.Table":
    import pyarrow as pa

    columns: dict[str, Any] = {}
    passages: dict[str, list[str]] = {}
    for number, side in enumerate("ab"):
        documents, ranges = pairs.documents[:, number], pairs.ranges[:, 2 * number : 2 * number + 2]
        starts, ends = _places(collection, documents, ranges)
        columns |= {side: pa.array(_ids(collection, documents), pa.string())}
        columns |= {f"{side}_start": starts, f"{side}_end": ends}
        if texts:
            passages[f"{side}_text"] = pa.array(_texts(collection, documents, starts, ends), pa.string())
    kinds = np.where(pairs.summary, "summary", "similar").tolist()
    unknown = np.isnan(pairs.similarity)
    columns |= {
        "similarity": pa.array(pairs.similarity, mask=unknown),
        "evidence": pa.array(pairs.evidence, mask=unknown),
        "kind": pa.array(kinds, pa.string()),
        "containment": pa.array(pairs.containment, mask=np.isnan(pairs.containment)),
    }
    of_documents = {
        f"{side}_{name}": pa.nulls(0) if values is None else values.take(pa.array(pairs.documents[:, number]))
        for name, values in carried.items()
        for number, side in enumerate("ab")
    }
    return pa.table(columns | of_documents | passages)


def _passages_table(collection: Collection, found: Findings, texts: bool) -> "pa.Table":
    import pyarrow as pa

    passages, clusters = found.passages, found.clusters
    starts, ends = _places(collection, passages.documents, passages.ranges)
    sources = np.full(len(starts), -1) if found.sources is None else found.sources
    known = sources >= 0
    dates = [None] * len(collection) if found.dates is None else list(found.dates)
    of_documents = [dates[document] for document in passages.documents.tolist()]
    ids = _ids(collection, passages.documents)
    columns = {
        "cluster": pa.array([clusters.names[cluster] for cluster in clusters.of.tolist()], pa.string()),
        "document": pa.array(ids, pa.string()),
        "start": starts,
        "end": ends,
        "date": pa.array(of_documents, _date_type(dates)),
        "source": pa.array([ids[source] if source >= 0 else None for source in sources.tolist()], pa.string()),
        "source_start": pa.array(starts[sources] if len(starts) else starts, mask=~known),
        "source_end": pa.array(ends[sources] if len(ends) else ends, mask=~known),
        "boilerplate": pa.array([found.boilerplate[cluster] for cluster in clusters.of.tolist()], pa.string()),
        "chain": pa.array([[ids[each] for each in chain] for chain in source_chains(sources)], pa.list_(pa.string())),
    }
    if texts:
        columns["text"] = pa.array(_texts(collection, passages.documents, starts, ends), pa.string())
    order = np.lexsort((starts, passages.documents, clusters.of))
    return pa.table(columns).take(pa.array(order))


def _date_type(dates: Sequence[Any]) -> "pa.DataType":
    import pyarrow as pa

    numbers = [date for date in dates if isinstance(date, float)]
    if not numbers:
        return pa.string()
    return pa.int64() if all(number.is_integer() for number in numbers) else pa.float64()


def _clusters_table(collection: Collection, found: Findings) -> "pa.Table":
    import pyarrow as pa

    passages, clusters = found.passages, found.clusters
    central = clusters.central
    documents, ranges = passages.documents[central], passages.ranges[central]
    starts, ends = _places(collection, documents, ranges)
    held_by = [len(np.unique(passages.documents[members])) for members in clusters.members]
    return pa.table(
        {
            "cluster": pa.array(clusters.names, pa.string()),
            "size": pa.array([len(members) for members in clusters.members], pa.int64()),
            "documents": pa.array(held_by, pa.int64()),
            "weakest": pa.array(clusters.weakest, pa.float64()),
            "central": pa.array(_ids(collection, documents), pa.string()),
            "central_start": starts,
            "central_end": ends,
            "boilerplate": pa.array(list(found.boilerplate), pa.string()),
        }
    )


def _documents_table(collection: Collection, pairs: Pairs, reused: _Ints) -> "pa.Table":
    import pyarrow as pa

    tokens = np.diff(collection.bounds)
    own: dict[str, Any] = {
        "document": pa.array(collection.ids, pa.string()),
        "tokens": tokens,
        "reused_tokens": reused,
        "reused": reused / np.maximum(tokens, 1),
        "pairs": np.bincount(pairs.documents.ravel(), minlength=len(collection)),
    }
    return pa.table(own | _input_columns(collection, set(own)))


def _input_columns(collection: Collection, taken: set[str]) -> dict[str, Any]:
    """The columns of the input; one whose name is taken is called ``input_`` and its name."""
    import pyarrow as pa

    given: dict[str, list[Any]] = {}
    for document in collection.input.take_turns(range(len(collection)), "metadata"):
        for name, value in collection.metadata(document).items():
            if name not in given:
                given[name] = [None] * len(collection)
            given[name][document] = value
    columns = {}
    for name, values in given.items():
        try:
            column = pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError, OverflowError):  # no column holds them all
            strings = [None if value is None else replace_surrogates(str(value)) for value in values]
            column = pa.array(strings, pa.string())
        columns[f"input_{name}" if name in taken else name] = column
    return columns
