"""align of many pairs: each line of output names its documents, and a pair that cannot be aligned is an error."""

import gzip
from pathlib import Path

import pytest

import ibidem

from .samples import ALIGN_PAIRS, CHANGED, PAIRED_TEXTS, PASSAGE, Run, lines_of, write_lines


@pytest.mark.usefixtures("paired_texts")
@pytest.mark.parametrize("threads", ["1", "3"])
def test_each_line_names_both_documents_and_stands_in_the_order_of_the_pairs(run: Run, threads: str) -> None:
    lines = lines_of(run(*ALIGN_PAIRS, "--threads", threads))
    expected = []
    for names, (first, second) in (
        (("suspicious", "source"), ("changed", "7")),
        (("a", "b"), ("other", "passage")),
        (("suspicious", "source"), ("7", "other")),
        (("a", "b"), ("passage", "changed")),
    ):
        for found in ibidem.align(PAIRED_TEXTS[first], PAIRED_TEXTS[second]):
            ranges = {name: getattr(found, name) for name in ("a_start", "a_end", "b_start", "b_end", "similarity")}
            ranges["expected"] = found.expected
            passages = {
                "a_text": PAIRED_TEXTS[first][found.a_start : found.a_end],
                "b_text": PAIRED_TEXTS[second][found.b_start : found.b_end],
            }
            expected.append({names[0]: first, names[1]: second, **ranges, **passages})
    assert lines == expected
    assert len(lines) == 3


@pytest.mark.usefixtures("paired_texts")
def test_options_hold_for_every_pair(run: Run) -> None:
    assert not run(*ALIGN_PAIRS, "--min-pair-length", "500").stdout
    assert all(line["similarity"] >= 0.95 for line in lines_of(run(*ALIGN_PAIRS, "--threshold", "0.95")))


@pytest.mark.usefixtures("paired_texts")
def test_documents_and_pairs_may_be_compressed_piped_and_in_other_columns(run: Run) -> None:
    before = run(*ALIGN_PAIRS).stdout
    Path("some.jsonl.gz").write_bytes(gzip.compress(Path("some.jsonl").read_bytes()))
    write_lines("named.jsonl", *({"name": id, "words": text} for id, text in PAIRED_TEXTS.items()))
    named = ("align", "--documents", "named.jsonl", "--id", "name", "--text", "words", "--pairs", "some.jsonl.gz")
    assert run(*named).stdout == before
    piped = ("align", "--documents", "texts.jsonl", "--pairs", "-")
    assert run(*piped, input=Path("some.jsonl").read_bytes()).stdout == before


@pytest.mark.usefixtures("paired_texts")
def test_documents_may_stand_in_several_collections(run: Run) -> None:
    write_lines("one.jsonl", {"id": "x", "text": PASSAGE})
    write_lines("two.jsonl", {"id": "y", "text": CHANGED})
    write_lines("some.jsonl", {"a": "x", "b": "y"})
    assert len(lines_of(run("align", "--documents", "one.jsonl", "--documents", "two.jsonl", "--pairs", "some.jsonl")))


@pytest.mark.usefixtures("paired_texts")
def test_a_reader_sees_each_pair(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.cli.align.is_terminal", lambda _: True)
    shown = run(*ALIGN_PAIRS).stdout
    assert shown.count("1 pair of passages") == 3
    assert shown.count("no passage in common") == 1
    assert "changed, characters" in shown
    assert lines_of(run(*ALIGN_PAIRS, "--json"))


@pytest.mark.usefixtures("paired_texts")
@pytest.mark.parametrize(
    "arguments",
    [
        ("letter.txt",),
        ("--documents", "texts.jsonl"),
        ("--pairs", "some.jsonl"),
        ("letter.txt", "letter.txt", "--pairs", "some.jsonl"),
        ("letter.txt", "--documents", "texts.jsonl", "--pairs", "some.jsonl"),
        ("--index", "books.ibidem"),
        ("letter.txt", "--index", "books.ibidem", "--pairs", "some.jsonl"),
        ("letter.txt", "--index", "books.ibidem", "--documents", "texts.jsonl"),
    ],
)
def test_half_of_a_way_of_asking_is_wrong_usage(run: Run, arguments: tuple[str, ...]) -> None:
    result = run("align", *arguments)
    assert result.exit_code == 2
    assert "give two files, A and B, or one DOCUMENT or more and --index" in result.stderr


def test_standard_input_is_one_thing(run: Run) -> None:
    result = run("align", "--documents", "-", "--pairs", "-")
    assert result.exit_code == 2
    assert "standard input is either the documents or the pairs" in result.stderr
