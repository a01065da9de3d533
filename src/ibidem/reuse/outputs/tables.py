"""Results as Arrow tables: numbers of documents and tokens become ids, columns and code points."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ibidem.alignment.ignored import IgnoredTexts
from ibidem.corpus.writing.tables import make_table
from ibidem.errors import CorpusError
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.clusters import PassageClusters
from ibidem.reuse.collection import Collection, count_within
from ibidem.reuse.direction import find_likely_sources, trace_sources
from ibidem.reuse.families import Families
from ibidem.reuse.outputs.document_pairs import CountedWords, count_shared_words
from ibidem.reuse.outputs.result import CLUSTERS, DOCUMENTS, PAIRS, PASSAGES, Reuse
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.passages import Passages
from ibidem.reuse.question import Question
from ibidem.reuse.windows import FoundBoxes
from ibidem.text import make_tokenizer
from ibidem.text.json_values import replace_surrogates
from ibidem.text.look_alikes import find_look_alikes

if TYPE_CHECKING:
    import pyarrow as pa

_Ints = npt.NDArray[np.int64]
_Read = TypeVar("_Read")


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


def make_tables(
    collection: Collection, findings: ReuseFindings, boxes: FoundBoxes, question: Question, threads: int = 1
) -> Reuse:
    """The tables, and the summary.

    Raises:
        CorpusError: no document has a column that pairs are to have.
    """
    counted = collection.restore_shared()
    words = CountedWords.of(counted, make_tokenizer(question.tokenizer), question.quotations)
    shared_words = count_shared_words(counted, _orient(collection, findings.pairs), words, threads)
    reported, left_out = _list_pairs(collection, findings)
    columns = _read_pair_columns(collection, question.columns) if question.columns else {}
    pairs_table = _make_pairs_table(collection, reported, question.texts, columns)
    tables = {
        "pairs": _add_look_alikes(collection, reported, pairs_table),
        "passages": _make_passages_table(collection, findings, question.texts),
        "clusters": _make_clusters_table(collection, findings),
        "documents": _make_documents_table(collection, findings.pairs, shared_words.reused),
        "document_pairs": shared_words.table,
        "left_out": _make_left_out_table(collection, findings.ignored, left_out, question.texts, columns),
    }
    if any(collection.locators(row) for row in collection.input.take_turns(range(len(collection)), "metadata")):
        tables |= {name: _add_locators(collection, tables[name], prefixes) for name, prefixes in _LOCATED.items()}
    return Reuse(**tables, summary=_summarize(collection, tables, findings.families, boxes))


def _summarize(
    collection: Collection, tables: dict[str, "pa.Table"], families: Families, boxes: FoundBoxes
) -> dict[str, Any]:
    reasons = tables["left_out"].column("reason").to_pylist()
    return {
        **{name: table.num_rows for name, table in tables.items()},
        "tokens": int(collection.lengths.sum()),
        "boilerplate": sum(reason is not None for reason in families.boilerplate),
        "boilerplate_passages": sum(families.boilerplate[each] is not None for each in families.clusters.of.tolist()),
        "left_out_by_reason": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
        "candidates": boxes.candidates,
        "crowded_groups": boxes.crowded_groups,
        "bands": boxes.bands._asdict(),
    }


class _PairList(NamedTuple):
    """Pairs of passages by code points, int64 [N, 4], in the order of their documents and places, with reasons."""

    pairs: Pairs
    places: _Ints
    reasons: list[str]

    @classmethod
    def of(cls, *lists: tuple[Collection, Pairs, Sequence[str]]) -> "_PairList":
        """The pairs of several lists, whose ranges are of the tokens of a collection, and their reasons."""
        pairs = Pairs.join([_orient(collection, each) for collection, each, _ in lists])
        places = np.concatenate(
            [_find_pair_places(collection, _orient(collection, each)) for collection, each, _ in lists]
        )
        reasons = [reason for _, _, of_list in lists for reason in of_list]
        order = np.lexsort((*places.T[::-1], *pairs.documents.T[::-1]))
        return cls(pairs.take(order), places[order], [reasons[row] for row in order.tolist()])


def _list_pairs(collection: Collection, findings: ReuseFindings) -> tuple[_PairList, _PairList]:
    """The pairs that are reported, and those that are left out."""
    families, counted, shared = findings.families, collection.restore_shared(), findings.shared_in_series
    rows = np.array([reason is not None for reason in families.reasons], np.bool_)
    same_series = _make_unaligned_pairs(collection, findings.same_series)
    return _PairList.of((counted, findings.pairs, [""] * len(findings.pairs.documents))), _PairList.of(
        (counted, shared, ["series"] * len(shared.documents)),
        (collection.undo_subtraction(), families.pairs.take(rows), [each for each in families.reasons if each]),
        (collection, same_series, ["series"] * len(same_series.documents)),
    )


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


def _read_in_turn(
    collection: Collection, documents: _Ints, read: Callable[[int], _Read], *parts: str
) -> Iterator[tuple[int, _Read]]:
    """Each row of ``documents`` int64 [N] with what is ``read`` of its document, which is read once.

    ``parts`` of the documents are read for it.
    """
    order = np.argsort(documents, kind="stable")
    current, value = -1, None
    turns = collection.input.take_turns(documents[order].tolist(), *parts)
    for row, document in zip(order.tolist(), turns, strict=True):
        if document != current or value is None:
            current, value = document, read(document)
        yield row, value


def _find_pair_places(collection: Collection, pairs: Pairs) -> _Ints:
    """Where both passages of pairs start and end in code points, int64 [N, 4]."""
    sides = (_find_places(collection, pairs.documents[:, n], pairs.ranges[:, 2 * n : 2 * n + 2]) for n in (0, 1))
    return np.stack([ends for side in sides for ends in side], axis=1)


def _find_places(collection: Collection, documents: _Ints, ranges: _Ints) -> tuple[_Ints, _Ints]:
    """Return where passages start and end in code points, from half-open ranges of tokens [N, 2]."""
    starts, ends = np.empty(len(ranges), np.int64), np.empty(len(ranges), np.int64)
    for row, places in _read_in_turn(collection, documents, collection.places, "starts", "ends"):
        first, last = ranges[row].tolist()
        starts[row], ends[row] = places[0][first], places[1][first:last].max()
    return starts, ends


def _cut_texts(collection: Collection, documents: _Ints, starts: _Ints, ends: _Ints) -> list[str]:
    texts = [""] * len(documents)
    for row, text in _read_in_turn(collection, documents, collection.text, "texts"):
        texts[row] = text[starts[row] : ends[row]]
    return texts


def _look_up_ids(collection: Collection, documents: _Ints) -> list[str]:
    return [collection.ids[document] for document in documents.tolist()]


_LOCATED = {"pairs": ("a_", "b_"), "left_out": ("a_", "b_"), "clusters": ("central_",), "passages": ("",)}
"""The tables that hold places, and the prefixes of ``start``, ``end`` and ``locator`` in them."""


def _add_locators(collection: Collection, table: "pa.Table", prefixes: tuple[str, ...]) -> "pa.Table":
    """The table with the places of its passages in the originals of their documents; null where none is known."""
    import pyarrow as pa

    numbers = {name: row for row, name in enumerate(collection.ids)}
    is_ignored = np.zeros(table.num_rows, np.bool_)
    if "reason" in table.column_names:
        is_ignored = np.array([reason == "ignored" for reason in table.column("reason").to_pylist()], np.bool_)
    for prefix in prefixes:
        ids = table.column(prefix.rstrip("_") or "document").to_pylist()
        starts, ends = (table.column(f"{prefix}{end}").to_pylist() for end in ("start", "end"))
        known = np.flatnonzero(~is_ignored) if prefix == "b_" else np.arange(len(ids))  # no document is ignored
        locators: list[str | None] = [None] * len(ids)
        documents = np.array([numbers[ids[row]] for row in known.tolist()], np.int64)
        for row, places in _read_in_turn(collection, documents, collection.locators, "metadata"):
            at = int(known[row])
            locators[at] = replace_surrogates(places.describe(starts[at], ends[at])) or None
        table = table.append_column(f"{prefix}locator", pa.array(locators, pa.string()))
    return table


_PAIR_PLACES = ("start", "end", "locator", "text")
"""Names that have the prefixes ``a_`` and ``b_`` in a table of pairs."""


def _read_pair_columns(collection: Collection, names: Sequence[str]) -> dict[str, Any]:
    """The columns of the documents that pairs are to have, by the order of the documents."""
    columns = _read_input_columns(collection, set())
    for name in names:
        if name in _PAIR_PLACES:
            raise CorpusError(f"column {name!r}: pairs have columns a_{name} and b_{name} of their own; rename it")
        if name not in columns and len(collection):
            raise CorpusError(f"no document has a column {name!r}")
    return {name: columns.get(name) for name in dict.fromkeys(names)}


def _make_pairs_table(
    collection: Collection, pair_list: _PairList, texts: bool, document_columns: dict[str, Any]
) -> "pa.Table":
    import pyarrow as pa

    pairs = pair_list.pairs
    sides = {side: (pairs.documents[:, n], *pair_list.places[:, 2 * n : 2 * n + 2].T) for n, side in enumerate("ab")}
    columns: dict[str, Any] = {
        "similarity": pairs.similarity,
        "evidence": pairs.evidence,
        "kind": np.where(pairs.summary, "summary", "similar").tolist(),
        "containment": pairs.containment,
    }
    for side, (documents, starts, ends) in sides.items():
        columns |= {side: _look_up_ids(collection, documents), f"{side}_start": starts, f"{side}_end": ends}
    table = make_table(PAIRS, columns)
    for name, values in document_columns.items():
        for side, (documents, _, _) in sides.items():
            table = table.append_column(
                f"{side}_{name}", pa.nulls(0) if values is None else values.take(pa.array(documents))
            )
    for side, places in sides.items() if texts else ():
        of_passages = map(replace_surrogates, _cut_texts(collection, *places))
        table = table.append_column(f"{side}_text", pa.array(of_passages, pa.string(), size=len(pair_list.places)))
    return table


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


def _make_left_out_table(
    collection: Collection,
    ignored: IgnoredTexts | None,
    pair_list: _PairList,
    texts: bool,
    document_columns: dict[str, Any],
) -> "pa.Table":
    """The pairs that are left out, and the passages that are similar to texts to ignore, which are ``b`` there."""
    import pyarrow as pa

    pairs = _make_pairs_table(collection, pair_list, texts, document_columns)
    rows = _list_ignored(collection, ignored) if ignored is not None else []
    names = pairs.schema.names
    places = pa.Table.from_pylist([{name: row.get(name) for name in names} for row in rows], pairs.schema)
    reasons = pa.array([*pair_list.reasons, *["ignored"] * len(rows)], pa.string())
    return pa.concat_tables([pairs, places]).add_column(0, "reason", reasons)


def _list_ignored(collection: Collection, texts: IgnoredTexts) -> list[dict[str, Any]]:
    """The passages that are similar to texts to ignore, as rows of a table of pairs."""
    whole, subtracted = collection.undo_subtraction(), collection.subtracted
    documents = np.searchsorted(whole.bounds, subtracted.ignored[:, 0], side="right") - 1
    ranges = subtracted.ignored[:, :2] - whole.bounds[documents][:, np.newaxis]
    starts, ends = _find_places(whole, documents, ranges)
    rows = []
    columns = documents.tolist(), starts.tolist(), ends.tolist(), _cut_texts(collection, documents, starts, ends)
    for row, (document, start, end, text) in enumerate(zip(*columns, strict=True)):
        number, *text_range = subtracted.ignored[row, 2:].tolist()
        b_start, b_end = texts.place(number, *text_range)
        values = {"a": collection.ids[document], "a_start": start, "a_end": end, "a_text": replace_surrogates(text)}
        values |= {"b": texts.names[number], "b_start": b_start, "b_end": b_end}
        values |= {"b_text": replace_surrogates(texts.passage(number, b_start, b_end)), "kind": "similar"}
        rows.append(values | {"similarity": float(subtracted.likeness[row])})
    return rows


def _make_passages_table(collection: Collection, findings: ReuseFindings, texts: bool) -> "pa.Table":
    """The passages of the results, and those of families."""
    import pyarrow as pa

    families, dates, family_sources = findings.families, findings.dates, None
    if findings.sources is not None:
        pairs = families.pairs.take(np.arange(len(families.passages.sides)))
        family_sources = find_likely_sources(pairs, families.passages, families.clusters.of, dates or [])
    whole, no_reasons = collection.undo_subtraction(), [None] * len(findings.clusters.names)
    found = findings.passages, findings.clusters, no_reasons, findings.sources
    of_families = families.passages, families.clusters, families.boilerplate, family_sources
    tables = [
        _tabulate_passages(collection, *found, dates, texts),
        _tabulate_passages(whole, *of_families, dates, texts),
    ]
    return pa.concat_tables(tables).sort_by([(name, "ascending") for name in ("cluster", "document", "start")])


def _tabulate_passages(
    collection: Collection,
    passages: Passages,
    clusters: PassageClusters,
    boilerplate: Sequence[str | None],
    sources: _Ints | None,
    dates: Sequence[Any] | None,
    texts: bool,
) -> "pa.Table":
    import pyarrow as pa

    starts, ends = _find_places(collection, passages.documents, passages.ranges)
    ids, of = _look_up_ids(collection, passages.documents), clusters.of.tolist()
    sources = np.full(len(ids), -1) if sources is None else sources
    columns = {
        "cluster": [clusters.names[cluster] for cluster in of],
        "document": ids,
        "start": starts,
        "end": ends,
        "source": [ids[source] if source >= 0 else None for source in sources.tolist()],
        "source_start": [int(starts[source]) if source >= 0 else None for source in sources.tolist()],
        "source_end": [int(ends[source]) if source >= 0 else None for source in sources.tolist()],
        "boilerplate": [boilerplate[cluster] for cluster in of],
        "chain": [[ids[number] for number in chain] for chain in trace_sources(sources)],
    }
    dates = [None] * len(collection) if dates is None else dates
    of_passages = [dates[document] for document in passages.documents.tolist()]
    table = make_table(PASSAGES, columns).add_column(4, "date", pa.array(of_passages, _choose_date_type(dates)))
    if not texts:
        return table
    cut = map(replace_surrogates, _cut_texts(collection, passages.documents, starts, ends))
    return table.append_column("text", pa.array(cut, pa.string(), size=len(ids)))


def _choose_date_type(dates: Sequence[Any]) -> "pa.DataType":
    import pyarrow as pa

    numbers = [date for date in dates if isinstance(date, float)]
    if not numbers:
        return pa.string()
    return pa.int64() if all(number.is_integer() for number in numbers) else pa.float64()


def _make_clusters_table(collection: Collection, findings: ReuseFindings) -> "pa.Table":
    """The clusters of the results, and the families."""
    import pyarrow as pa

    families, whole = findings.families, collection.undo_subtraction()
    clusters = findings.passages, findings.clusters, [None] * len(findings.clusters.names)
    of_families = families.passages, families.clusters, families.boilerplate
    tables = [_tabulate_clusters(collection, *clusters), _tabulate_clusters(whole, *of_families)]
    return pa.concat_tables(tables).sort_by("cluster")


def _tabulate_clusters(
    collection: Collection, passages: Passages, clusters: PassageClusters, boilerplate: Sequence[str | None]
) -> "pa.Table":
    documents, ranges = passages.documents[clusters.central], passages.ranges[clusters.central]
    starts, ends = _find_places(collection, documents, ranges)
    columns = {
        "cluster": clusters.names,
        "size": [len(members) for members in clusters.members],
        "documents": [len(np.unique(passages.documents[members])) for members in clusters.members],
        "weakest": clusters.weakest,
        "central": _look_up_ids(collection, documents),
        "central_start": starts,
        "central_end": ends,
        "boilerplate": boilerplate,
    }
    return make_table(CLUSTERS, columns)


def _make_documents_table(collection: Collection, pairs: Pairs, reused: _Ints) -> "pa.Table":
    tokens = collection.lengths
    columns: dict[str, Any] = {
        "document": collection.ids,
        "tokens": tokens,
        "reused_tokens": reused,
        "reused": reused / np.maximum(tokens, 1),
        "common_tokens": count_within(collection.subtracted.common, collection.subtracted.bounds),
        "pairs": np.bincount(pairs.documents.ravel(), minlength=len(collection)),
    }
    table = make_table(DOCUMENTS, columns)
    for name, column in _read_input_columns(collection, set(columns)).items():
        table = table.append_column(name, column)
    return table


def _read_input_columns(collection: Collection, used_names: set[str]) -> dict[str, Any]:
    """The columns of the input; one whose name is taken is called ``input_`` and its name."""
    import pyarrow as pa

    values_by_name: dict[str, list[Any]] = {}
    for document in collection.input.take_turns(range(len(collection)), "metadata"):
        for name, value in collection.metadata(document).items():
            values_by_name.setdefault(name, [None] * len(collection))[document] = value
    columns = {}
    for name, values in values_by_name.items():
        try:
            column = pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError, OverflowError):  # no column holds them all
            strings = [None if value is None else replace_surrogates(str(value)) for value in values]
            column = pa.array(strings, pa.string())
        columns[f"input_{name}" if name in used_names else name] = column
    return columns
