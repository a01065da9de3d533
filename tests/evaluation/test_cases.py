"""Records of cases, in the forms in which PAN, an alignment and a search give them."""

from typing import Any

import pytest

from ibidem.evaluation import Case

CASE = Case(suspicious="x", start=2, end=5, source="y", source_start=7, source_end=11)
ALIGNED = {"suspicious": "x", "source": "y", "a_start": 2, "a_end": 5, "b_start": 7, "b_end": 11, "similarity": 0.9}
NUMBERED = {"this_offset": 2, "this_length": 3, "source_offset": 7, "source_length": 4}


@pytest.mark.parametrize(
    "record",
    [
        ALIGNED,
        {"suspicious": "x", "source": "y", **NUMBERED},
        {"a": "x", "b": "y", "a_start": 2, "a_end": 5, "b_start": 7, "b_end": 11},
        {"query": "x", "query_start": 2, "query_end": 5, "document": "y", "start": 7, "end": 11},
    ],
)
def test_a_record_is_read_in_any_of_its_forms(record: dict[str, Any]) -> None:
    assert Case.of(record) == CASE


def test_the_category_of_a_case_is_kept() -> None:
    assert Case.of(ALIGNED | {"category": "summary"}).category == "summary"


def test_an_id_may_be_a_number() -> None:
    assert Case.of(ALIGNED | {"source": 7}).source == "7"


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"suspicious": None}, "'suspicious' is None, which is no id"),
        ({"a_start": "2"}, "'a_start' is '2', not a number of characters"),
        ({"b_end": -1}, "'b_end' is -1, not a number of characters"),
        ({"a_end": 2}, "the passage from 'a_start' 2 to 2 is empty"),
    ],
)
def test_a_value_that_makes_no_sense_is_named(changes: dict[str, Any], cause: str) -> None:
    with pytest.raises(ValueError, match=cause):
        Case.of(ALIGNED | changes)


@pytest.mark.parametrize(
    ("record", "cause"),
    [
        ({"suspicious": "x"}, "names no two documents: there should be 'suspicious' and 'source', 'a' and 'b'"),
        ({"suspicious": "x", "source": "y"}, "no passages: there should be 'this_offset' and 'source_offset'"),
        ({"suspicious": "x", "source": "y", "a_start": 1, "b_start": 1, "b_end": 2}, "'a_end' is None"),
    ],
)
def test_a_field_that_is_missing_is_named(record: dict[str, Any], cause: str) -> None:
    with pytest.raises(ValueError, match=cause):
        Case.of(record)
