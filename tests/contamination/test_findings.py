"""What pieces of a file hold is what the file holds, and rows that were left out count."""

from collections.abc import Iterator

import numpy as np
import pytest

import ibidem
from ibidem.contamination.detector import Detector, make_detector
from ibidem.contamination.findings import (
    FileFindings,
    FileToRead,
    find_source,
    join_findings,
    look_through,
    require_column,
)
from ibidem.corpus.inputs import InputPart
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import LineRange, Source
from ibidem.errors import CorpusError
from ibidem.resources import Resources
from ibidem.text import Document, Documents, Texts, as_batches, cut_batches, make_tokenizer
from tests.contamination.samples import EVALS, QUESTIONS, pages

TEXTS = [*pages(6), QUESTIONS[0], *pages(5, seed=4), QUESTIONS[1] + " " + QUESTIONS[2]]
RESOURCES = Resources.of("64M", 2, None)


@pytest.fixture(scope="module")
def detector() -> Detector:
    tokenizer = make_tokenizer("words")
    return make_detector(EVALS, tokenizer, [tokenizer.encode(Texts.from_strings(pages()))])


def batches(texts: list[str]) -> Iterator[Documents]:
    return cut_batches(as_batches([{"id": text[:9], "text": text} for text in texts]), 2000)


def look(detector: Detector, *files: list[str]) -> list[FileFindings]:
    read = [FileToRead(f"{number}.jsonl", "path", batches(texts)) for number, texts in enumerate(files)]
    return look_through(detector, read, None, RESOURCES)


def test_the_pieces_of_a_file_hold_what_the_file_holds(detector: Detector) -> None:
    (whole,) = look(detector, TEXTS)
    assert (whole.documents, whole.rows) == (13, 13)
    documents = [each.document for each in whole.occurrences]
    assert {document.number for document in documents} == {6, 12}
    assert all(document.row == document.number and document.source == "0.jsonl" for document in documents)
    first, second = (look(detector, piece)[0] for piece in (TEXTS[:7], TEXTS[7:]))
    assert first.append(second) == whole
    source = Source("a", "a")
    parts = [
        InputPart(0, [source._replace(piece=LineRange(0, 7, 1, 0))], Columns.of("text", "id"), False, False),
        InputPart(
            1, [source._replace(piece=LineRange(7, 9, 8, 7)), Source("b", "b")], Columns.of("text", "id"), False, False
        ),
    ]
    assert join_findings(parts, [first, second, whole], [None, None]) == [whole, whole]
    assert join_findings(parts[:1], [None], [second]) == [second]


def test_rows_that_were_left_out_count(detector: Detector) -> None:
    (whole,) = look(detector, TEXTS)
    moved = whole.skip_rows(np.array([0, 9], np.int64))
    assert moved.rows == 15
    assert {(each.document.number, each.document.row) for each in moved.occurrences} == {(6, 7), (12, 14)}
    assert whole.skip_rows(np.zeros(0, np.int64)) == whole


PAGES = Documents.of(
    [
        Document("0", "x", {"url": "https://Baker.example:8080/bread?a=1", "site": "baker", "n": 7}),
        Document("1", "y", {"site": None}),
    ]
)


def test_the_source_is_the_file_the_value_of_a_column_or_the_host_of_a_url() -> None:
    assert find_source(PAGES, 0, None, "crawl/a.jsonl") == "crawl/a.jsonl"
    assert find_source(PAGES, 0, None, "") == ""
    assert [find_source(PAGES, 0, column, "a") for column in ("url", "site", "n")] == ["baker.example", "baker", "7"]
    assert [find_source(PAGES, 1, column, "a") for column in ("url", "site")] == ["", ""]


def test_a_column_that_no_document_has_is_refused() -> None:
    require_column(PAGES, None, "crawl.jsonl")
    require_column(PAGES, "n", "crawl.jsonl")
    with pytest.raises(CorpusError, match=r"crawl\.jsonl, column 'host': there is no such column .*'url', 'site', 'n'"):
        require_column(PAGES, "host", "crawl.jsonl")
    rows = [{"text": page} for page in pages(2)]
    with pytest.raises(CorpusError, match="the training data, column 'site'"):
        ibidem.find_contamination(rows, EVALS, source="site")


def test_contaminated_documents_are_counted_by_source() -> None:
    rows = [{"text": QUESTIONS[0], "site": site} for site in ("a", "b", "a")]
    rows += [{"text": page, "site": "c"} for page in pages()]
    assert ibidem.find_contamination(rows, EVALS, source="site").summary["by_source"] == {"a": 2, "b": 1}
    assert ibidem.EvalIndex(EVALS, pages()).find(rows, source="site").summary["by_source"] == {"a": 2, "b": 1}
