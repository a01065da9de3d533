"""Results as Arrow tables: numbers of documents and tokens become ids, columns and code points."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.ignored import IgnoredTexts
from ibidem.errors import CorpusError
from ibidem.locators import Places
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.clusters import PassageClusters
from ibidem.reuse.collection import Collection, count_within
from ibidem.reuse.direction import find_likely_sources, trace_sources
from ibidem.reuse.families import Families
from ibidem.reuse.outputs.document_pairs import CountedWords, count_shared_words
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.passages import Passages
from ibidem.reuse.windows import FoundBoxes
from ibidem.text import Tokenizer
from ibidem.text.json_values import replace_surrogates
from ibidem.text.look_alikes import find_look_alikes

if TYPE_CHECKING:
    import pyarrow as pa

_Ints = npt.NDArray[np.int64]


class ReuseFindings(NamedTuple):
    """The results, by numbers of documents and tokens.

    Attributes:
        pairs: those that are reported, by tokens of ``restore_shared()``.
        passages, clusters: made of those that were compared.
        families: frequent text and phrases.
        dates: of each document, if they were asked for.
        sources: int64 [P], the passage that each was likely taken from, or -1.
        shared_in_series: frequent text of documents of one series, by the same tokens.
        same_series: boxes of documents of one series.
        ignored: the texts to ignore, if there are some.
    """

    pairs: Pairs
    passages: Passages
    clusters: PassageClusters
    families: Families
    dates: Sequence[Any] | None
    sources: _Ints | None
    shared_in_series: Pairs
    same_series: PairBoxes
    ignored: IgnoredTexts | None = None


class PairDetails(NamedTuple):
    """The details of pairs besides places and numbers.

    Attributes:
        tokenizer: cuts the texts into tokens.
        texts: whether they have the texts of passages.
        columns: the columns of the documents that they have of both.
        quotations: words of the shortest quotation whose words count as quoted alone.
        threads: how many count words.
    """

    tokenizer: Tokenizer
    texts: bool = False
    columns: tuple[str, ...] = ()
    quotations: int | None = None
    threads: int = 1


def make_tables(collection: Collection, findings: ReuseFindings, boxes: FoundBoxes, details: PairDetails) -> Reuse:
    """The tables, and the summary.

    Raises:
        CorpusError: no document has a column that pairs are to have.
    """
    import pyarrow as pa

    counted = collection.restore_shared()
    words = CountedWords.of(counted, details.tokenizer, details.quotations)
    shared_words = count_shared_words(counted, _orient(collection, findings.pairs), words, details.threads)
    reported_pairs, left_out_pairs = _list_pairs(collection, findings, boxes.crowded_boxes)
    document_columns = _read_pair_columns(collection, details.columns) if details.columns else {}
    left_out_table = _make_pairs_table(collection, left_out_pairs, details.texts, document_columns)
    ignored_table = _make_ignored_table(collection, findings.ignored, left_out_table.schema)
    left_out_table = pa.concat_tables([left_out_table, ignored_table])
    tables = {
        "pairs": _add_look_alikes(
            collection, reported_pairs, _make_pairs_table(collection, reported_pairs, details.texts, document_columns)
        ),
        "passages": _make_passages_table(collection, findings, details.texts),
        "clusters": _make_clusters_table(collection, findings),
        "documents": _make_documents_table(collection, findings.pairs, shared_words.reused),
        "document_pairs": shared_words.table,
        "left_out": left_out_table.add_column(
            0, "reason", pa.array([*left_out_pairs.reasons, *["ignored"] * len(ignored_table)], pa.string())
        ),
    }
    if any(collection.locators(row) for row in collection.input.take_turns(range(len(collection)), "metadata")):
        tables |= {name: _add_locators(collection, tables[name], prefixes) for name, prefixes in _LOCATED.items()}
    counts = {name: table.num_rows for name, table in tables.items()}
    reasons = [reason or "" for reason in tables["left_out"].column("reason").to_pylist()]
    summary: dict[str, Any] = counts | {
        "tokens": int(collection.lengths.sum()),
        "boilerplate": sum(reason is not None for reason in findings.families.boilerplate),
        "boilerplate_passages": sum(
            findings.families.boilerplate[cluster] is not None for cluster in findings.families.clusters.of.tolist()
        ),
        "left_out_by_reason": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
        "candidates": boxes.candidates,
        "crowded_groups": boxes.crowded_groups,
        "bands": boxes.bands._asdict(),
    }
    return Reuse(**tables, summary=summary)


class _PairList(NamedTuple):
    """Pairs of passages by code points, int64 [N, 4], in the order of their documents and places, with reasons."""

    pairs: Pairs
    places: _Ints
    reasons: list[str | None]

    @classmethod
    def of(cls, collection: Collection, pairs: Pairs, reasons: Sequence[str | None]) -> "_PairList":
        """Pairs whose ranges are of the tokens of a collection."""
        pairs = _orient(collection, pairs)
        sides = [
            _find_places(collection, pairs.documents[:, side], pairs.ranges[:, 2 * side : 2 * side + 2])
            for side in (0, 1)
        ]
        places = np.stack([ends for side_places in sides for ends in side_places], axis=1)
        return cls(pairs, places, list(reasons))

    @classmethod
    def join(cls, lists: "Sequence[_PairList]") -> "_PairList":
        """Several lists as one."""
        pairs = Pairs.join([part.pairs for part in lists])
        places = np.concatenate([part.places for part in lists])
        reasons = [reason for part in lists for reason in part.reasons]
        order = np.lexsort((*places.T[::-1], *pairs.documents.T[::-1]))
        return cls(pairs.take(order), places[order], [reasons[row] for row in order.tolist()])


def _list_pairs(
    collection: Collection, findings: ReuseFindings, crowded_boxes: PairBoxes
) -> tuple[_PairList, _PairList]:
    """The pairs that are reported, and those that are left out."""
    families, counted = findings.families, collection.restore_shared()
    reported_list = _PairList.of(counted, findings.pairs, [None] * len(findings.pairs.documents))
    rows = np.array([reason is not None for reason in families.reasons], np.bool_)
    reasons = [reason for reason in families.reasons if reason is not None]
    shared = findings.shared_in_series
    left_out_lists = [
        _PairList.of(counted, shared, ["series"] * len(shared.documents)),
        _PairList.of(collection.undo_subtraction(), families.pairs.take(rows), reasons),
        _PairList.of(
            collection,
            _make_unaligned_pairs(collection, findings.same_series),
            ["series"] * len(findings.same_series.boxes),
        ),
        _PairList.of(
            collection, _make_unaligned_pairs(collection, crowded_boxes), ["crowded"] * len(crowded_boxes.boxes)
        ),
    ]
    return _PairList.join([reported_list]), _PairList.join(left_out_lists)


def _orient(collection: Collection, pairs: Pairs) -> Pairs:
    """The pairs with the document of the first of two collections first; of one collection, as they are."""
    side = collection.side[pairs.documents]
    is_turned = (side[:, 0] > side[:, 1])[:, np.newaxis]
    return pairs._replace(
        documents=np.where(is_turned, pairs.documents[:, ::-1], pairs.documents),
        ranges=np.where(is_turned, pairs.ranges[:, [2, 3, 0, 1]], pairs.ranges),
    )


def _make_unaligned_pairs(collection: Collection, boxes: PairBoxes) -> Pairs:
    """The boxes of documents that were not aligned, as pairs."""
    documents = np.repeat(boxes.pairs, np.diff(boxes.bounds), axis=0)
    ranges = boxes.boxes - collection.bounds[documents][:, [0, 0, 1, 1]]
    unknown = np.full(len(ranges), np.nan)
    return Pairs(documents, ranges, unknown, unknown, np.zeros(len(ranges), np.bool_), unknown)


def _find_places(collection: Collection, documents: _Ints, ranges: _Ints) -> tuple[_Ints, _Ints]:
    """Return where passages start and end in code points, from half-open ranges of tokens [N, 2]."""
    starts, ends = np.empty(len(ranges), np.int64), np.empty(len(ranges), np.int64)
    order = np.argsort(documents, kind="stable")
    turns = collection.input.take_turns(documents[order].tolist(), "starts", "ends")
    current, places = -1, (np.zeros(0, np.uint32), np.zeros(0, np.uint32))
    for row, document in zip(order.tolist(), turns, strict=True):  # those of each document are read once
        if document != current:
            current, places = document, collection.places(document)
        first, last = ranges[row].tolist()
        starts[row], ends[row] = places[0][first], places[1][first:last].max()
    return starts, ends


def _look_up_ids(collection: Collection, documents: _Ints) -> list[str]:
    return [collection.ids[document] for document in documents.tolist()]


def _cut_texts(collection: Collection, documents: _Ints, starts: _Ints, ends: _Ints) -> list[str]:
    texts = [""] * len(documents)
    current, text = -1, ""
    order = np.argsort(documents, kind="stable")
    turns = collection.input.take_turns(documents[order].tolist(), "texts")
    for row, document in zip(order.tolist(), turns, strict=True):  # each text is read once
        if document != current:
            current, text = document, collection.text(document)
        texts[row] = replace_surrogates(text[starts[row] : ends[row]])
    return texts


_LOCATED = {"pairs": ("a_", "b_"), "left_out": ("a_", "b_"), "clusters": ("central_",), "passages": ("",)}
"""The tables that hold places, and the prefixes of ``start``, ``end`` and ``locator`` in them."""


def _add_locators(collection: Collection, table: "pa.Table", prefixes: tuple[str, ...]) -> "pa.Table":
    """The table with the places of its passages in the originals of their documents; null where none is known."""
    import pyarrow as pa

    numbers = {name: row for row, name in enumerate(collection.ids)}
    reasons = table.column("reason").to_pylist() if "reason" in table.column_names else []
    for prefix in prefixes:
        ids = table.column(prefix.rstrip("_") or "document").to_pylist()
        if prefix == "b_" and reasons:  # a text to ignore is none of the documents
            ids = [None if reason == "ignored" else name for name, reason in zip(ids, reasons, strict=True)]
        documents = np.array([-1 if name is None else numbers[name] for name in ids], np.int64)
        starts, ends = (table.column(f"{prefix}{end}").to_pylist() for end in ("start", "end"))
        locators: list[str | None] = [None] * len(documents)
        current, places = -1, Places({})
        order = np.argsort(documents, kind="stable")[np.count_nonzero(documents < 0) :]
        turns = collection.input.take_turns(documents[order].tolist(), "metadata")
        for row, document in zip(order.tolist(), turns, strict=True):  # those of each document are read once
            if document != current:
                current, places = document, collection.locators(document)
            locators[row] = replace_surrogates(places.describe(starts[row], ends[row])) or None
        table = table.append_column(f"{prefix}locator", pa.array(locators, pa.string()))
    return table


def _read_pair_columns(collection: Collection, names: Sequence[str]) -> dict[str, Any]:
    """The columns of the documents that pairs are to have, by the order of the documents."""
    columns = _read_input_columns(collection, set())
    for name in names:
        if name in _PAIR_PLACES:
            raise CorpusError(f"column {name!r}: pairs have columns a_{name} and b_{name} of their own; rename it")
        if name not in columns and len(collection):
            raise CorpusError(f"no document has a column {name!r}")
    return {name: columns.get(name) for name in dict.fromkeys(names)}


_PAIR_PLACES = ("start", "end", "locator", "text")
"""Names that have the prefixes ``a_`` and ``b_`` in a table of pairs."""


def _make_pairs_table(
    collection: Collection, pair_list: _PairList, texts: bool, document_columns: dict[str, Any]
) -> "pa.Table":
    import pyarrow as pa

    pairs = pair_list.pairs
    columns: dict[str, Any] = {}
    passages: dict[str, list[str]] = {}
    for number, side in enumerate("ab"):
        documents, (starts, ends) = pairs.documents[:, number], pair_list.places[:, 2 * number : 2 * number + 2].T
        columns |= {side: pa.array(_look_up_ids(collection, documents), pa.string())}
        columns |= {f"{side}_start": starts, f"{side}_end": ends}
        if texts:
            passages[f"{side}_text"] = pa.array(_cut_texts(collection, documents, starts, ends), pa.string())
    kinds = np.where(pairs.summary, "summary", "similar").tolist()
    unknown = np.isnan(pairs.similarity)
    columns |= {
        "similarity": pa.array(pairs.similarity, mask=unknown),
        "evidence": pa.array(pairs.evidence, mask=unknown),
        "kind": pa.array(kinds, pa.string()),
        "containment": pa.array(pairs.containment, mask=np.isnan(pairs.containment)),
    }
    pair_columns = {
        f"{side}_{name}": pa.nulls(0) if values is None else values.take(pa.array(pairs.documents[:, number]))
        for name, values in document_columns.items()
        for number, side in enumerate("ab")
    }
    return pa.table(columns | pair_columns | passages)


def _add_look_alikes(collection: Collection, pair_list: _PairList, table: "pa.Table") -> "pa.Table":
    """The table with how many words of each passage have letters of another script, if there are some."""
    import pyarrow as pa

    documents = np.unique(pair_list.pairs.documents)
    words = {
        document: np.array(find_look_alikes(collection.text(document)), np.int64)
        for document in collection.input.take_turns(documents.tolist(), "texts")
    }
    if not any(map(len, words.values())):
        return table
    for number, side in enumerate("ab"):
        ranges = pair_list.places[:, 2 * number : 2 * number + 2].tolist()
        counts = [
            int(np.diff(np.searchsorted(words[document], ends))[0])
            for document, ends in zip(pair_list.pairs.documents[:, number].tolist(), ranges, strict=True)
        ]
        table = table.append_column(f"{side}_look_alikes", pa.array(counts, pa.int64()))
    return table


def _make_ignored_table(collection: Collection, texts: IgnoredTexts | None, schema: "pa.Schema") -> "pa.Table":
    """The passages that are similar to texts to ignore as rows of a table of pairs: ``b`` is the text to ignore."""
    import pyarrow as pa

    whole_collection, subtracted = collection.undo_subtraction(), collection.subtracted
    rows: list[dict[str, Any]] = []
    documents = np.searchsorted(whole_collection.bounds, subtracted.ignored[:, 0], side="right") - 1
    starts, ends = _find_places(
        whole_collection, documents, subtracted.ignored[:, :2] - whole_collection.bounds[documents][:, np.newaxis]
    )
    passages = _cut_texts(collection, documents, starts, ends) if "a_text" in schema.names else [""] * len(documents)
    for row, (document, start, end) in enumerate(zip(documents.tolist(), starts.tolist(), ends.tolist(), strict=True)):
        assert texts is not None
        number = int(subtracted.ignored[row, 2])
        b_start, b_end = texts.place(number, *subtracted.ignored[row, 3:].tolist())
        values = {"a": collection.ids[document], "a_start": start, "a_end": end, "a_text": passages[row]}
        values |= {"b": texts.names[number], "b_start": b_start, "b_end": b_end}
        values |= {"b_text": replace_surrogates(texts.passage(number, b_start, b_end)), "kind": "similar"}
        rows.append(values | {"similarity": float(subtracted.likeness[row])})
    return pa.Table.from_pylist(rows, schema)


def _make_passages_table(collection: Collection, findings: ReuseFindings, texts: bool) -> "pa.Table":
    """The passages of the results, and those of families."""
    import pyarrow as pa

    families, sources = findings.families, findings.sources
    family_sources = (
        None
        if sources is None
        else find_likely_sources(
            families.pairs.take(np.arange(len(families.passages.sides))),
            families.passages,
            families.clusters.of,
            findings.dates or [],
        )
    )
    tables = [
        _tabulate_passages(collection, findings.passages, findings.clusters, None, (findings.dates, sources), texts),
        _tabulate_passages(
            collection.undo_subtraction(),
            families.passages,
            families.clusters,
            families.boilerplate,
            (findings.dates, family_sources),
            texts,
        ),
    ]
    table = pa.concat_tables(tables)
    keys = [(name, "ascending") for name in ("cluster", "document", "start")]
    return table.sort_by(keys)


def _tabulate_passages(
    collection: Collection,
    passages: Passages,
    clusters: PassageClusters,
    boilerplate: Sequence[str | None] | None,
    dates_and_sources: tuple[Sequence[Any] | None, _Ints | None],
    texts: bool,
) -> "pa.Table":
    import pyarrow as pa

    starts, ends = _find_places(collection, passages.documents, passages.ranges)
    sources = np.full(len(starts), -1) if dates_and_sources[1] is None else dates_and_sources[1]
    has_source = sources >= 0
    dates = [None] * len(collection) if dates_and_sources[0] is None else list(dates_and_sources[0])
    passage_dates = [dates[document] for document in passages.documents.tolist()]
    ids = _look_up_ids(collection, passages.documents)
    reasons = [None] * len(clusters.names) if boilerplate is None else list(boilerplate)
    columns = {
        "cluster": pa.array([clusters.names[cluster] for cluster in clusters.of.tolist()], pa.string()),
        "document": pa.array(ids, pa.string()),
        "start": starts,
        "end": ends,
        "date": pa.array(passage_dates, _choose_date_type(dates)),
        "source": pa.array([ids[source] if source >= 0 else None for source in sources.tolist()], pa.string()),
        "source_start": pa.array(starts[sources] if len(starts) else starts, mask=~has_source),
        "source_end": pa.array(ends[sources] if len(ends) else ends, mask=~has_source),
        "boilerplate": pa.array([reasons[cluster] for cluster in clusters.of.tolist()], pa.string()),
        "chain": pa.array(
            [[ids[number] for number in chain] for chain in trace_sources(sources)], pa.list_(pa.string())
        ),
    }
    if texts:
        columns["text"] = pa.array(_cut_texts(collection, passages.documents, starts, ends), pa.string())
    return pa.table(columns)


def _choose_date_type(dates: Sequence[Any]) -> "pa.DataType":
    import pyarrow as pa

    numbers = [date for date in dates if isinstance(date, float)]
    if not numbers:
        return pa.string()
    return pa.int64() if all(number.is_integer() for number in numbers) else pa.float64()


def _make_clusters_table(collection: Collection, findings: ReuseFindings) -> "pa.Table":
    """The clusters of the results, and the families."""
    import pyarrow as pa

    families = findings.families
    clusters = _tabulate_clusters(
        collection, findings.passages, findings.clusters, [None] * len(findings.clusters.names)
    )
    families_table = _tabulate_clusters(
        collection.undo_subtraction(), families.passages, families.clusters, families.boilerplate
    )
    return pa.concat_tables([clusters, families_table]).sort_by("cluster")


def _tabulate_clusters(
    collection: Collection, passages: Passages, clusters: PassageClusters, boilerplate: Sequence[str | None]
) -> "pa.Table":
    import pyarrow as pa

    central = clusters.central
    documents, ranges = passages.documents[central], passages.ranges[central]
    starts, ends = _find_places(collection, documents, ranges)
    counts = [len(np.unique(passages.documents[members])) for members in clusters.members]
    return pa.table(
        {
            "cluster": pa.array(clusters.names, pa.string()),
            "size": pa.array([len(members) for members in clusters.members], pa.int64()),
            "documents": pa.array(counts, pa.int64()),
            "weakest": pa.array(clusters.weakest, pa.float64()),
            "central": pa.array(_look_up_ids(collection, documents), pa.string()),
            "central_start": starts,
            "central_end": ends,
            "boilerplate": pa.array(list(boilerplate), pa.string()),
        }
    )


def _make_documents_table(collection: Collection, pairs: Pairs, reused: _Ints) -> "pa.Table":
    import pyarrow as pa

    tokens = collection.lengths
    columns: dict[str, Any] = {
        "document": pa.array(collection.ids, pa.string()),
        "tokens": tokens,
        "reused_tokens": reused,
        "reused": reused / np.maximum(tokens, 1),
        "common_tokens": count_within(collection.subtracted.common, collection.subtracted.bounds),
        "pairs": np.bincount(pairs.documents.ravel(), minlength=len(collection)),
    }
    return pa.table(columns | _read_input_columns(collection, set(columns)))


def _read_input_columns(collection: Collection, used_names: set[str]) -> dict[str, Any]:
    """The columns of the input; one whose name is taken is called ``input_`` and its name."""
    import pyarrow as pa

    values_by_name: dict[str, list[Any]] = {}
    for document in collection.input.take_turns(range(len(collection)), "metadata"):
        for name, value in collection.metadata(document).items():
            if name not in values_by_name:
                values_by_name[name] = [None] * len(collection)
            values_by_name[name][document] = value
    columns = {}
    for name, values in values_by_name.items():
        try:
            column = pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError, OverflowError):  # no column holds them all
            strings = [None if value is None else replace_surrogates(str(value)) for value in values]
            column = pa.array(strings, pa.string())
        columns[f"input_{name}" if name in used_names else name] = column
    return columns
