"""Files of pairs: a pair that cannot be read or aligned is named."""

import json
from pathlib import Path
from typing import Any

import pytest

from .samples import ALIGN_PAIRS, OTHER, Run, lines_of, write_lines


@pytest.mark.usefixtures("paired_texts")
@pytest.mark.parametrize(
    ("pair", "cause"),
    [
        ({"a": "passage", "b": "nobody"}, "no document 'nobody' is in texts.jsonl"),
        ({"a": "passage"}, "names no two documents: there should be 'suspicious' and 'source', 'a' and 'b'"),
        ({"a": "passage", "b": None}, "'b' is None, which is no id"),
    ],
)
def test_a_pair_that_cannot_be_aligned_is_named_before_anything_is_written(
    run: Run, pair: dict[str, Any], cause: str
) -> None:
    write_lines("some.jsonl", {"a": "passage", "b": "changed"}, pair)
    result = run(*ALIGN_PAIRS)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("ibidem: error: some.jsonl, line 2: ")
    assert cause in result.stderr


@pytest.mark.usefixtures("paired_texts")
def test_a_line_that_is_no_object_is_named(run: Run) -> None:
    Path("some.jsonl").write_text('{"a": "passage", "b": "changed"}\n\n[1]\n', "utf-8")
    result = run(*ALIGN_PAIRS)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("ibidem: error: some.jsonl, line 3: an array where an object should be")


@pytest.mark.usefixtures("paired_texts")
def test_an_id_that_two_documents_have_is_an_error_if_a_pair_names_it(run: Run) -> None:
    with Path("texts.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "passage", "text": OTHER}) + "\n")
    result = run(*ALIGN_PAIRS)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "texts.jsonl: two documents have the id 'passage'" in result.stderr
    write_lines("some.jsonl", {"a": "changed", "b": "7"})
    assert len(lines_of(run(*ALIGN_PAIRS))) == 1
