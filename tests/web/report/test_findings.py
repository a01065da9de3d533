"""Lines of results become pairs, whatever command wrote them."""

from typing import Any

import pytest

from ibidem.web.report import FoundPair

PLACES = {"a_start": 1, "a_end": 5, "b_start": 2, "b_end": 6, "similarity": 0.5}


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"a": "x", "b": "y", **PLACES}, FoundPair("x", 1, 5, "y", 2, 6, 0.5)),
        ({"suspicious": "x", "source": 7, **PLACES}, FoundPair("x", 1, 5, "7", 2, 6, 0.5)),
        (
            {"a": "x", "b": "y", **PLACES, "kind": "summary", "containment": 0.8},
            FoundPair("x", 1, 5, "y", 2, 6, 0.5, "summary", 0.8),
        ),
        (
            {"query": "x", "query_start": 1, "query_end": 5, "document": "y", "start": 2, "end": 6, "text": "word"}
            | {"similarity": 0.4},
            FoundPair("x", 1, 5, "y", 2, 6, 0.4, passages=(None, "word")),
        ),
        ({"id": "x", "duplicate_of": "y", "similarity": 0.9}, FoundPair("x", 0, None, "y", 0, None, 0.9)),
        (
            {"a": 1, "b": 2, "text": "of x", "ibidem": {"id": "x", "duplicate_of": "y", "similarity": 0.9}},
            FoundPair("x", 0, None, "y", 0, None, 0.9, passages=("of x", None)),
        ),
    ],
)
def test_a_line_of_each_command_is_read(record: dict[str, Any], expected: FoundPair) -> None:
    assert FoundPair.of_record(record) == expected


@pytest.mark.parametrize(
    ("record", "cause"),
    [
        ({"a": "x", **PLACES}, "the line names no two documents"),
        ({"a": "x", "b": "y", **PLACES, "a_end": "5"}, "are no numbers of characters"),
        ({"a": "x", "b": "y", **PLACES, "a_end": True}, "are no numbers of characters"),
        ({"a": "x", "b": "y", **PLACES, "a_start": -1}, "a start is below 0 or behind its end"),
        ({"a": "x", "b": "y", **PLACES, "b_end": -1}, "a start is below 0 or behind its end"),
        ({"a": "x", "b": "y", **PLACES, "b_start": 1 << 40}, "a start is below 0 or behind its end"),
    ],
)
def test_a_line_that_is_no_result_is_told(record: dict[str, Any], cause: str) -> None:
    with pytest.raises(ValueError, match=cause):
        FoundPair.of_record(record)
