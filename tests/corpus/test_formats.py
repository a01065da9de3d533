"""Which format a file is in, by its name."""

import pytest

from ibidem.corpus.formats import FORMATS, format_of, supported_formats
from ibidem.corpus.sources import Source


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.jsonl", "jsonl"),
        ("A.JSON.GZ", "jsonl"),
        ("a.pq", "parquet"),
        ("a.csv.zst", "csv"),
        ("a.tab", "tsv"),
        ("a.md", "text"),
        ("csv", "text"),
    ],
)
def test_the_suffix_tells_the_format_whatever_the_case_and_the_compression(path: str, name: str) -> None:
    assert format_of(Source(path, path)) is FORMATS[name]


def test_a_pipe_holds_json_lines() -> None:
    assert format_of(Source("a.csv", "a.csv", is_pipe=True)) is FORMATS["jsonl"]


def test_a_caller_cannot_change_the_formats() -> None:
    supported_formats().clear()
    assert FORMATS
