"""Outputs of a model traced to a collection: spans, their sources and rarity, and the rates."""

import random
from collections.abc import Iterator
from pathlib import Path

import pyarrow
import pytest

import ibidem
from ibidem import PassageIndex, trace


def some_words(count: int, seed: int, letter: str = "w") -> list[str]:
    """Words as frequent as in a language."""
    drawn = random.Random(seed)
    return [f"{letter}{int(4000 ** drawn.random())}" for _ in range(count)]


LICENCE = some_words(60, 99, "l")
SOURCES = [some_words(500, number) for number in range(8)]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PassageIndex]:
    documents = [{"id": f"s{n}", "text": " ".join([*words, *LICENCE]), "year": n} for n, words in enumerate(SOURCES)]
    with PassageIndex.build(tmp_path_factory.mktemp("training") / "index", documents) as built:
        yield built


def put(words: list[str], seed: int = 50) -> tuple[str, int, int]:
    """An output of 200 words around ``words``, and where these are."""
    before, after = " ".join(some_words(100, seed, "o")), " ".join(some_words(100, seed + 1, "o"))
    within = " ".join(words)
    return f"{before} {within} {after}", len(before) + 1, len(before) + 1 + len(within)


def test_a_passage_with_words_changed_is_traced_to_its_document(index: PassageIndex) -> None:
    words = list(SOURCES[3][100:160])
    words[2::5] = some_words(len(words[2::5]), 7, "changed")
    text, start, end = put(words)
    (span,) = trace([("story", text)], index)
    assert span.output == "story"
    assert abs(span.start - start) + abs(span.end - end) < 30
    assert span.text == text[span.start : span.end]
    (source,) = span.sources
    assert (source.document, span.documents, source.metadata["year"]) == ("s3", 1, 3)
    assert SOURCES[3][101] in source.text
    assert span.similarity == source.similarity
    assert 0.5 <= span.similarity < 1
    assert span.expected is not None
    assert span.expected < 1e-6
    assert span.longest_run == 0  # none of ten words or more


def test_boilerplate_is_told_from_a_rare_passage_by_its_documents(index: PassageIndex) -> None:
    (span,) = trace([put(LICENCE)[0]], index, limit=3)
    assert span.documents == len(SOURCES)
    assert len(span.sources) == 3
    assert span.longest_run == len(LICENCE)


def test_nothing_is_found_in_an_output_of_other_words(index: PassageIndex) -> None:
    found = trace([" ".join(some_words(300, 60, "o"))], index)
    assert len(found) == 0
    assert [rate.memorised for rate in found.rates] == [0, 0, 0, 0]
    assert found.outputs[0].spans == ()


def test_a_span_knows_where_its_source_is_in_the_original(tmp_path: Path) -> None:
    text = " ".join(SOURCES[0])
    rows = [[0, 900, "1", "page"], [900, len(text), "2", "page"]]
    with PassageIndex.build(tmp_path / "index", [{"id": "book", "text": text, "locators": rows}]) as index:
        (span,) = trace([put(SOURCES[0][400:460])[0]], index)
        assert span.sources[0].locator == "page 2"


def test_the_rates_count_what_the_outputs_hold(index: PassageIndex) -> None:
    long, short = put(SOURCES[1][0:80])[0], put(SOURCES[2][0:30], 70)[0]
    found = trace([long, short, " ".join(some_words(210, 80, "o"))], index, verbatim=50)
    extractable, verbatim, outputs, near = found.rates
    assert (extractable.memorised, extractable.total) == (1, 3)
    assert (verbatim.memorised, verbatim.total) == (80, 280 + 230 + 210)
    assert (outputs.memorised, near.memorised) == (2, 110)
    assert [output.amount.longest_run for output in found.outputs] == [80, 30, 0]


@pytest.mark.parametrize("threads", [1, 3])
def test_the_result_does_not_depend_on_the_threads(index: PassageIndex, threads: int) -> None:
    outputs = [put(SOURCES[n % 8][10 * n : 10 * n + 40], n)[0] for n in range(12)]
    assert trace(outputs, index, threads=threads) == trace(outputs, index)


def test_the_spans_are_a_table_with_a_row_for_each_source(index: PassageIndex) -> None:
    found = trace([put(LICENCE)[0], put(SOURCES[0][:50])[0]], index, limit=2)
    table = pyarrow.table(found)
    assert table.num_rows == 3
    assert table.column("output").to_pylist() == ["0", "0", "1"]
    assert table.column("documents").to_pylist() == [8, 8, 1]
    assert table.column("source_text").to_pylist()[2].split() == SOURCES[0][:50]
    assert "from s0" in repr(found)
    assert len(found[:1]) == 1
    assert [len(output.spans) for output in found[:1].outputs] == [1, 0]


def test_columns_have_the_names_that_are_asked_for(index: PassageIndex) -> None:
    found = trace([{"completion": put(SOURCES[5][:60])[0], "prompt": "p7"}], index, text="completion", id="prompt")
    assert [span.output for span in found] == ["p7"]


@pytest.mark.parametrize(
    ("name", "value"), [("threshold", 0.0), ("min_pair_length", 0), ("verbatim", 0), ("limit", 0), ("expect", 0.0)]
)
def test_an_argument_out_of_range_is_named(index: PassageIndex, name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        trace(["text"], index, **{name: value})  # type: ignore[arg-type]


def test_names_are_public() -> None:
    assert ibidem.trace is trace


@pytest.mark.parametrize("count", [5, 30, 200])
def test_a_passage_that_every_document_holds_is_traced(count: int, tmp_path: Path) -> None:
    passage = some_words(30, 7, "p")
    documents = [(f"{n:03}", " ".join([*some_words(20, n), *passage, *some_words(20, 900 + n)])) for n in range(count)]
    with PassageIndex.build(tmp_path / "index", documents) as index:
        (span,) = trace([put(passage)[0]], index)
    assert (span.documents, span.longest_run) == (count, 30)
    assert span.text == " ".join(passage)


def test_a_run_of_common_words_is_no_span_however_many_documents_hold_it(tmp_path: Path) -> None:
    common = ["the", "of", "and", "a"] * 4
    documents = [(f"{n}", " ".join([["the", "of", "and", "a"][(n * k) % 4] for k in range(90)])) for n in range(1, 40)]
    with PassageIndex.build(tmp_path / "index", documents) as index:
        assert not trace([put(common)[0]], index)
