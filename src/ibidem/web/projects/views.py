"""The part of an answer that the page shows, as files: a browser gets what it shows and no more.

``view.json`` has the view, ``comparisons.jsonl`` a line for each comparison, and ``documents.jsonl`` the texts. Where
each line begins is in a file beside, of 8 bytes a line.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ibidem.comparison import Comparison
from ibidem.comparison.locators import DescribedPlaces
from ibidem.text import Tokenizer
from ibidem.web.projects.reading import StoredDocument
from ibidem.web.projects.tables import write_rows
from ibidem.web.report.findings import Findings, Source
from ibidem.web.report.view import Comparisons, LongestRuns, View, count_frequencies, count_words, make_view

ROLE = "ibidem role"
"""The column that says of a document that it is a source: sources are one series, and so not compared."""

_SHOWN = ("author", "title")

_OF_PAIRS = [
    *("a", "b", "a_share_of_all_words", "b_share_of_all_words", "a_words", "b_words", "a_same_words", "b_same_words"),
    *("a_changed_words", "b_changed_words", "a_quoted_words", "b_quoted_words", "longest_run", "passages"),
]
"""The columns of the table of pairs of documents."""

_OF_DOCUMENTS = ["document", "role", "author", "date", "words", "share_that_others_have", "shares_with_documents"]

_OF_GROUPS = ["group", "documents", "document", "start", "end", "date", "likely_from", "words_of_the_group"]

_TIME_OF_DAY = re.compile(r"(?<=^\d{4}-\d\d-\d\d)[T ].*")


def write_view(
    findings: Findings,
    documents: Iterable[StoredDocument],
    date: str | None,
    tokenizer: Tokenizer,
    folder: Path,
    facts: Mapping[str, Any],
) -> None:
    """Write the files of the page into a folder; ``facts`` are fields of the view."""
    findings = findings.order()
    named = findings.documents
    if findings.whole is not None:
        named |= {findings.whole.a, findings.whole.b}
    by_id = {document.id: document for document in documents}
    sources, words = {}, {}
    for name, document in by_id.items():
        text = document.text  # one at a time: only those that are compared are kept
        [words[name]] = count_words([text])
        sources[name] = _describe(document, text if name in named else None, date)
    findings = findings._replace(words=words)
    view, ids = make_view(findings, sources, list(by_id), **facts)
    longest = LongestRuns()
    comparisons = Comparisons(findings, sources, tokenizer, count_frequencies(findings, sources, tokenizer))

    def compare_all() -> Iterator[bytes]:
        for number in range(len(comparisons)):
            comparison = comparisons[number]
            if number < len(findings.pairs):
                longest.add(comparison)
            yield msgspec.json.encode(comparison)

    _write_lines(folder / "comparisons", compare_all())
    _write_lines(folder / "documents", (msgspec.json.encode(by_id[name].text) for name in ids))
    longest.set_in(view)
    (folder / "view.json").write_bytes(msgspec.json.encode(view))
    if view.kind == "reuse":
        _write_tables(view, ids, folder)


def _write_tables(view: View, ids: Sequence[str], folder: Path) -> None:
    """Write the lists of the page for spreadsheets: pairs of documents, documents, and groups of passages."""
    write_rows(folder / "document_pairs.csv", _OF_PAIRS, (_list_cells(pair, ids) for pair in view.document_pairs))
    partners = Counter(pair[side] for pair in view.document_pairs for side in "ab")
    names = ("role", "author", "date", "words", "reused")
    rows = (
        [id, *map(each.get, names), partners[at]] for at, (id, each) in enumerate(zip(ids, view.documents, strict=True))
    )
    write_rows(folder / "documents.csv", _OF_DOCUMENTS, rows)
    groups = (
        [number, group["documents"], ids[at], start, end, date, None if source is None else ids[source], group["title"]]
        for number, group in enumerate(view.clusters, 1)
        for at, start, end, date, source in group["witnesses"]
    )
    write_rows(folder / "groups.csv", _OF_GROUPS, groups)


def _list_cells(pair: Mapping[str, Any], ids: Sequence[str]) -> list[Any]:
    """A row of the table of pairs: what the page says of them."""
    a, b = pair["counts"]
    shares = [round(counts["same"] / max(counts["words"], 1), 4) for counts in (a, b)]
    counts = [each[name] for name in ("words", "same", "changed", "quoted") for each in (a, b)]
    return [ids[pair["a"]], ids[pair["b"]], *shares, *counts, pair["longest"], pair["passages"]]


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


class StoredComparisons:
    """The comparisons of an answer, each read when it is asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __len__(self) -> int:
        return len(np.fromfile(self._path.with_suffix(".places"), np.int64)) - 1

    def __getitem__(self, number: int) -> Comparison:
        return msgspec.json.decode(read_lines(self._path, number, 1), type=list[Comparison])[0]


def _write_lines(path: Path, lines: Iterable[bytes]) -> None:
    places = [0]
    with path.with_suffix(".jsonl").open("wb") as out:
        for line in lines:
            places.append(places[-1] + out.write(line + b"\n"))
    np.array(places, np.int64).tofile(path.with_suffix(".places"))


def _describe(document: StoredDocument, text: str | None, date: str | None) -> Source:
    metadata = document.metadata
    about = {name: str(metadata[name]) for name in _SHOWN if metadata.get(name)}
    about["role"] = "source" if metadata.get(ROLE) == "source" else "text"
    value = metadata.get(date) if date else None
    day = None if value in (None, "") else _TIME_OF_DAY.sub("", str(value))
    return Source(text, day, DescribedPlaces.of(metadata), about)
