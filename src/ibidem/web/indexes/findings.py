"""Pairs of passages and clusters that ``ibidem reuse`` found."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import numpy as np

from ibidem.rounding import reaches
from ibidem.web.answers import (
    Cluster,
    ClusterInfo,
    Clusters,
    PairRecord,
    Pairs,
    SharedPair,
    SharedPairs,
    WitnessRecord,
)
from ibidem.web.indexes.cursors import cut_page
from ibidem.web.indexes.holdings import Holdings, choose_reuse
from ibidem.web.indexes.served_reuse import match_rows
from ibidem.web.indexes.shares import words_of_row
from ibidem.web.indexes.units import Positions
from ibidem.web.problems import ProblemError
from ibidem.web.requests import (
    ClusterRequest,
    ClustersRequest,
    DocumentPairsRequest,
    PairsRequest,
    ReuseRequest,
    Unit,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from ibidem.web.indexes.served_reuse import ServedReuse

_MOST_CHARACTERS = 20_000
"""Of a passage in a list."""

_Row = TypeVar("_Row")


def list_pairs(holdings: Holdings, request: PairsRequest) -> Pairs:
    """Pairs of passages, or those that were left out; those that are furthest beyond chance first."""
    reuse = choose_reuse(holdings, request.reuse)
    table = reuse.findings.left_out if request.left_out else reuse.findings.pairs
    rows, page = _cut_page(holdings, request, reuse, _filter_pairs(table, request), _pair)
    return Pairs(pairs=rows, **page)


def list_document_pairs(holdings: Holdings, request: DocumentPairsRequest) -> SharedPairs:
    """How many words documents share, the pair of most evidence first."""
    reuse = choose_reuse(holdings, request.reuse)
    table = reuse.findings.document_pairs
    table = table.filter(_involve(table, request.document, request.other))
    rows, page = _cut_page(holdings, request, reuse, table, _shared_pair)
    return SharedPairs(pairs=rows, **page)


def list_clusters(holdings: Holdings, request: ClustersRequest) -> Clusters:
    """Clusters, those first that most documents hold; boilerplate last."""
    reuse = choose_reuse(holdings, request.reuse)
    table = reuse.findings.clusters
    mask = np.asarray(table.column("documents")) >= request.documents
    if not request.boilerplate:
        mask &= ~np.asarray(table.column("boilerplate").is_valid())
    if request.document is not None:
        names = reuse.findings.clusters_of(request.document)
        mask &= np.array([name in names for name in table.column("cluster").to_pylist()], np.bool_)
    rows, page = _cut_page(holdings, request, reuse, table.filter(mask), _cluster)
    return Clusters(clusters=rows, **page)


def read_cluster(holdings: Holdings, request: ClusterRequest) -> Cluster:
    """A cluster and its passages."""
    reuse = choose_reuse(holdings, request.reuse)
    table = reuse.findings.clusters
    cluster_rows = table.filter(match_rows(table, "cluster", request.cluster)).to_pylist()
    if not cluster_rows:
        raise ProblemError(404, f"no cluster is called {request.cluster!r} in {reuse.name!r}")
    rows, page = _cut_page(holdings, request, reuse, reuse.findings.witnesses(request.cluster), _witness)
    return Cluster(cluster=_cluster(cluster_rows[0], _Texts(holdings, request.unit)), witnesses=rows, **page)


def _cut_page(
    holdings: Holdings,
    request: ReuseRequest,
    reuse: "ServedReuse",
    table: "pa.Table",
    describe: "Callable[[dict[str, Any], _Texts], _Row]",
) -> "tuple[list[_Row], dict[str, Any]]":
    """The rows of a table that a request asks for, each described, and what the answer says of the page."""
    page = cut_page(request.cursor, request.limit, table.num_rows, reuse.findings.state)
    texts = _Texts(holdings, request.unit)
    rows = [describe(row, texts) for row in table.slice(page.first, page.last - page.first).to_pylist()]
    return rows, {"reuse": reuse.name, "total": table.num_rows, "cursor": page.cursor}


class _Texts:
    """The texts of documents that the served indexes hold, each looked up once."""

    def __init__(self, holdings: Holdings, unit: Unit) -> None:
        self._holdings, self._unit = holdings, unit
        self._known: dict[str, tuple[str, str] | None] = {}

    def passage(self, document: str, start: int, end: int, text: str | None) -> str | None:
        """A passage, from the findings or from an index, if one of them has it."""
        if text is None and (entry := self._find(document)) and end <= len(entry[1]):
            text = entry[1][start:end]
        return text if text is None else text[:_MOST_CHARACTERS]

    def index_of(self, document: str) -> str | None:
        """The index that has the document."""
        entry = self._find(document)
        return entry[0] if entry else None

    def convert(self, document: str) -> Callable[[int], int]:
        """From code points of a document to the unit that was asked for."""
        if self._unit == "code points":
            return int
        entry = self._find(document)
        if entry is None:
            raise ProblemError(
                422, f"no served index has the document {document!r}, so its positions are known in code points alone"
            )
        return Positions(entry[1], self._unit).give

    def _find(self, document: str) -> tuple[str, str] | None:
        """The name of the index, and the text."""
        if document not in self._known:
            self._known[document] = None
            for name, index in self._holdings.indexes.items():
                with index.reader() as reader:
                    content = reader.document(document)
                if content is not None:
                    self._known[document] = name, content[0]
                    break
        return self._known[document]


def _filter_pairs(table: "pa.Table", request: PairsRequest) -> "pa.Table":
    import pyarrow.compute as pc

    strength = pc.coalesce(table.column("containment"), table.column("similarity"))
    mask = reaches(np.nan_to_num(np.asarray(strength, np.float64)), request.threshold)
    if request.kind is not None:
        mask &= match_rows(table, "kind", request.kind)
    return table.filter(mask & _involve(table, request.document, request.other))


def _involve(table: "pa.Table", *documents: str | None) -> Any:
    """Which rows of pairs involve each of the documents that are named."""
    rows = [match_rows(table, "a", name) | match_rows(table, "b", name) for name in documents if name is not None]
    return np.logical_and.reduce(rows, axis=0) if rows else np.ones(table.num_rows, np.bool_)


def _pair(row: dict[str, Any], texts: _Texts) -> PairRecord:
    fields: dict[str, Any] = {name: row[name] for name in ("a", "b", "similarity", "evidence", "kind", "containment")}
    fields["reason"] = row.get("reason")
    for side in "ab":
        convert = texts.convert(row[side])
        start, end = row[f"{side}_start"], row[f"{side}_end"]
        fields |= {f"{side}_start": convert(start), f"{side}_end": convert(end)}
        fields[f"{side}_locator"] = row.get(f"{side}_locator")
        fields[f"{side}_text"] = texts.passage(row[side], start, end, row.get(f"{side}_text"))
    return PairRecord(**fields)


def _shared_pair(row: dict[str, Any], texts: _Texts) -> SharedPair:
    a, b = (
        words_of_row(row, side, other_side, texts.convert(row[side]) if row.get(f"{side}_quotations") else int)
        for side, other_side in ("ab", "ba")
    )
    return SharedPair(**{name: row[name] for name in ("a", "b", "passages", "evidence")}, a_shares=a, b_shares=b)


def _cluster(row: dict[str, Any], texts: _Texts) -> ClusterInfo:
    convert = texts.convert(row["central"])
    cluster: ClusterInfo = msgspec.convert(
        row
        | {
            "text": texts.passage(row["central"], row["central_start"], row["central_end"], None),
            "central_start": convert(row["central_start"]),
            "central_end": convert(row["central_end"]),
        },
        ClusterInfo,
    )
    return cluster


def _witness(row: dict[str, Any], texts: _Texts) -> WitnessRecord:
    convert = texts.convert(row["document"])
    return WitnessRecord(
        document=row["document"],
        start=convert(row["start"]),
        end=convert(row["end"]),
        date=row.get("date"),
        source=row.get("source"),
        text=texts.passage(row["document"], row["start"], row["end"], row.get("text")),
        locator=row.get("locator"),
        index=texts.index_of(row["document"]),
    )
