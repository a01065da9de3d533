import pytest

import ibidem
from ibidem.contamination.sources import find_source, require_column
from ibidem.errors import CorpusError
from ibidem.text import Document, Documents
from tests.contamination.samples import EVALS, QUESTIONS, pages

PAGES = Documents.of(
    [
        Document("0", "x", {"url": "https://Baker.example:8080/bread?a=1", "site": "baker", "n": 7}),
        Document("1", "y", {"site": None}),
    ]
)


def test_the_source_is_the_file_the_value_of_a_column_or_the_host_of_a_url() -> None:
    assert find_source(PAGES, 0, None, "crawl/a.jsonl") == "crawl/a.jsonl"
    assert find_source(PAGES, 0, None, None) == ""
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
