"""The JSON of a comparison: short where there is much of it, and the same value when it is read again."""

import json

import msgspec
import pytest

from ibidem.comparison.model import Comparison, Locator, Reasons, Run, Side, Word

WORDS = (Word("ferry", 1, 2, 5.5),)
COMPARISON = Comparison(
    a=Side(document="x", start=3, end=8, text="ferry", locators=(Locator(0, 9, "1:1"),), metadata={"year": 1903}),
    b=Side(document="y", start=0, end=5, text="Ferry", before="", after=" came", length=10, lines=(1, 1)),
    runs=(Run("equal", 3, 8, 0, 5), Run("inserted", 8, 8, 6, 10, False)),
    similarity=0.5,
    reasons=Reasons(only_a=(), only_b=WORDS, a_in_b=1.0, b_in_a=0.5),
)


def test_runs_and_locators_are_lists_and_all_else_has_names() -> None:
    written = json.loads(msgspec.json.encode(COMPARISON))
    assert written["runs"] == [["equal", 3, 8, 0, 5, True], ["inserted", 8, 8, 6, 10, False]]
    assert written["a"]["locators"] == [[0, 9, "1:1"]]
    assert written["version"] == 1
    assert written["reasons"]["only_b"] == [{"text": "ferry", "a": 1, "b": 2, "weight": 5.5}]
    assert written["kind"] == "similar"


def test_what_was_written_is_read_as_the_same_value() -> None:
    assert msgspec.json.decode(msgspec.json.encode(COMPARISON), type=Comparison) == COMPARISON


def test_a_kind_of_run_that_there_is_not_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="enum"):
        msgspec.json.decode(b'["swapped", 0, 1, 0, 1]', type=Run)
