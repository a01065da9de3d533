"""What pieces of a file hold is what the file holds, and rows that were left out count."""

from collections.abc import Iterator

import msgspec
import numpy as np
import pytest

import ibidem
from ibidem.contamination.findings import (
    FileFindings,
    FileToRead,
    find_source,
    join_findings,
    look_through,
    require_column,
)
from ibidem.contamination.rounds import Rounds, WeighedEvals
from ibidem.contamination.sampling import join_tokens
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
def rounds() -> Rounds:
    tokenizer = make_tokenizer("words")
    sample = join_tokens([tokenizer.encode(Texts.from_strings(pages()))])
    return WeighedEvals([EVALS, EVALS], sample).prepare(tokenizer)


def batches(texts: list[str]) -> Iterator[Documents]:
    return cut_batches(as_batches([{"id": text[:9], "text": text} for text in texts]), 2000)


def look(rounds: Rounds, *files: list[str], first_round: int = 0) -> list[FileFindings]:
    read = [FileToRead(f"{number}.jsonl", "path", batches(texts), first_round) for number, texts in enumerate(files)]
    return look_through(rounds, read, None, RESOURCES)


def test_the_pieces_of_a_file_hold_what_the_file_holds(rounds: Rounds) -> None:
    (whole,) = look(rounds, TEXTS)
    assert (whole.documents, whole.rows, whole.rounds) == (13, 13, 2)
    assert {place.number for place, _ in whole.occurrences} == {6, 12}
    assert all(place.row == place.number and place.source == "0.jsonl" for place, _ in whole.occurrences)
    first, second = (look(rounds, piece)[0] for piece in (TEXTS[:7], TEXTS[7:]))
    assert first.append(second) == whole
    source = Source("a", "a")
    parts = [
        InputPart(0, [source._replace(piece=LineRange(0, 7, 1, 0))], Columns.of("text", "id"), False, False),
        InputPart(
            1, [source._replace(piece=LineRange(7, 9, 8, 7)), Source("b", "b")], Columns.of("text", "id"), False, False
        ),
    ]
    assert join_findings(parts, [first, second, whole], [None, None]) == [whole, whole]


def test_rounds_that_are_looked_for_later_are_joined(rounds: Rounds) -> None:
    (whole,), (later,) = look(rounds, TEXTS), look(rounds, TEXTS, first_round=1)
    parts = rounds.bounds[1]
    before = [each for each in whole.occurrences if each[1].part < parts]
    earlier = msgspec.structs.replace(whole, rounds=1, occurrences=before)
    assert earlier.join(later) == whole


def test_rows_that_were_left_out_count(rounds: Rounds) -> None:
    (whole,) = look(rounds, TEXTS)
    moved = whole.skip_rows(np.array([0, 9], np.int64))
    assert moved.rows == 15
    assert {(place.number, place.row) for place, _ in moved.occurrences} == {(6, 7), (12, 14)}
    assert whole.skip_rows(np.zeros(0, np.int64)) == whole


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
