"""The part of an answer that the page shows: a report's content, cut so that a browser gets what it shows and no more.

``view.json`` has documents, pairs of documents, the columns of all pairs of passages, clusters and numbers;
``comparisons.jsonl`` a line for each pair of passages, and ``documents.jsonl`` the texts. Where each line begins is
in a file beside, of 8 bytes a line.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import ibidem
from ibidem.comparison import Comparison
from ibidem.comparison.locators import DescribedPlaces
from ibidem.text import Texts, Tokenizer, make_tokenizer
from ibidem.web.projects.reading import StoredDocument
from ibidem.web.report.clusters import FoundCluster
from ibidem.web.report.content import Content, Privacy, make_content
from ibidem.web.report.findings import FoundPair, Source
from ibidem.web.report.shares import SharedDocuments

_MOST_BYTES = 500_000_000
MOST_LEFT_OUT = 2000
"""Places that were set aside, of which the page has the words."""

_SHOWN = ("author", "title")

_TIME_OF_DAY = re.compile(r"(?<=^\d{4}-\d\d-\d\d)[T ].*")


class View:
    """The findings of an answer, collected step by step."""

    def __init__(self, kind: str, settings: dict[str, Any], reasons: list[str]) -> None:
        self.kind, self.settings, self.reasons = kind, settings, reasons
        self.subtracted: list[str] = []
        self.not_subtracted: list[str] = []
        self.pairs: list[FoundPair] = []
        self.whole: FoundPair | None = None
        self.clusters: list[FoundCluster] = []
        self.document_pairs: list[SharedDocuments] = []
        self.set_aside: dict[str, int] = {}
        self.left_out: list[dict[str, Any]] = []
        self.summary: dict[str, Any] = {}
        self.documents: dict[str, float] = {}


def sources_of(documents: Iterable[StoredDocument], date: str | None) -> dict[str, Source]:
    """The texts, dates and places of documents, by id."""
    return {
        document.id: Source(document.text, _date(document, date), DescribedPlaces.of(document.metadata))
        for document in documents
    }


def write_view(
    view: View, documents: Sequence[StoredDocument], date: str | None, tokenizer: Tokenizer, folder: Path
) -> None:
    """Write the files of the page into a folder."""
    compared_documents = {name for pair in view.pairs for name in (pair.a, pair.b)}
    compared_documents |= {witness.document for cluster in view.clusters for witness in cluster.witnesses}
    sources = sources_of([document for document in documents if document.id in compared_documents], date)
    content = make_content(view.pairs, sources, tokenizer, Privacy(), _MOST_BYTES, view.clusters, view.document_pairs)
    lines = content.comparisons
    if view.whole is not None:
        whole = make_content([view.whole], sources_of(documents, date), tokenizer, Privacy(), _MOST_BYTES)
        lines = [*lines, *whole.comparisons]
    names = dict.fromkeys(description["name"] for description in content.documents)
    by_id = {document.id: document for document in documents}
    order = [by_id[name] for name in [*names, *(name for name in by_id if name not in names)]]
    descriptions = []

    def write_texts() -> Iterator[bytes]:
        for document in order:
            text = document.text  # one at a time
            descriptions.append(_describe(document, text, view, date))
            yield msgspec.json.encode(text)

    _write_lines(folder / "documents", write_texts())
    _write_lines(folder / "comparisons", lines)
    content_of_page = {
        "kind": view.kind,
        "version": ibidem.__version__,
        "settings": view.settings,
        "reasons": view.reasons,
        "subtracted": view.subtracted,
        "notSubtracted": view.not_subtracted,
        "documents": descriptions,
        "columns": content.columns,
        "documentPairs": _add_longest(content),
        "clusters": content.clusters,
        "setAside": view.set_aside,
        "leftOut": view.left_out,
        "summary": view.summary,
        "whole": None if view.whole is None else len(lines) - 1,
    }
    (folder / "view.json").write_bytes(msgspec.json.encode(content_of_page))


def read_view(folder: Path) -> bytes:
    """Read the file that a page loads first."""
    return (folder / "view.json").read_bytes()


def read_lines(path: Path, first: int, count: int) -> bytes:
    """Some lines of a file of JSON lines, as a JSON list."""
    places = np.fromfile(path.with_suffix(".places"), np.int64)
    last = min(first + max(count, 0), len(places) - 1)
    if not 0 <= first < last:
        return b"[]"
    with path.with_suffix(".jsonl").open("rb") as lines:
        lines.seek(int(places[first]))
        part = lines.read(int(places[last] - places[first]))
    return b"[" + part.rstrip(b"\n").replace(b"\n", b",") + b"]"


def _write_lines(path: Path, lines: Iterable[bytes]) -> None:
    places = [0]
    with path.with_suffix(".jsonl").open("wb") as out:
        for line in lines:
            places.append(places[-1] + out.write(line + b"\n"))
    np.array(places, np.int64).tofile(path.with_suffix(".places"))


def _date(document: StoredDocument, column: str | None) -> str | None:
    value = document.metadata.get(column) if column else None
    return None if value in (None, "") else _TIME_OF_DAY.sub("", str(value))


def _describe(document: StoredDocument, text: str, view: View, date: str | None) -> dict[str, Any]:
    facts = {name: str(document.metadata[name]) for name in _SHOWN if document.metadata.get(name)}
    return {
        "name": document.id,
        "length": len(text),
        "words": _count_words([text])[0],
        "date": _date(document, date),
        "role": "source" if document.metadata.get("ibidem role") == "source" else "text",
        "reused": view.documents.get(document.id),
        **facts,
    }


def _add_longest(content: Content) -> list[dict[str, Any]]:
    """The pairs of documents, each with the words of the longest run that both have, and its pairs of passages."""
    columns = content.columns
    rows: dict[tuple[int, int], list[int]] = {}
    for row, pair in enumerate(zip(columns["a"], columns["b"], strict=True)):
        rows.setdefault((min(pair), max(pair)), []).append(row)
    longest = _count_words([_longest_run(content.comparisons[row]) for row in range(len(columns["a"]))])
    pairs = []
    for shared in content.document_pairs:
        rows_of_pair = rows.get((min(shared["a"], shared["b"]), max(shared["a"], shared["b"])), [])
        pairs.append(
            {**shared, "rows": rows_of_pair, "longest": max((longest[row] for row in rows_of_pair), default=0)}
        )
    return pairs


def _longest_run(line: bytes) -> str:
    """The longest run of a comparison that is the same on both sides."""
    comparison = msgspec.json.decode(line, type=Comparison)
    same = [run for run in comparison.runs if run.kind in ("equal", "moved")]
    best = max(same, key=lambda run: run.a_end - run.a_start, default=None)
    if best is None:
        return ""
    offset = comparison.a.start
    return comparison.a.text[best.a_start - offset : best.a_end - offset]


def _count_words(texts: list[str]) -> list[int]:
    bounds = make_tokenizer("words").encode(Texts.from_strings(texts)).bounds
    return [int(count) for count in np.diff(bounds)]
