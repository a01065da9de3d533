"""A call from Python says so if everything was left out for one reason."""

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from ibidem import PassageIndex, deduplicate_passages, find_reuse, trace

SHORT = "the cat sat"
LONG = " ".join(f"w{number}" for number in range(60))
TWO = [("a", LONG), ("b", LONG)]
SERIES = [{"id": name, "text": LONG, "paper": "Times"} for name in "ab"]


@pytest.fixture
def index(tmp_path: Path) -> PassageIndex:
    return PassageIndex.build(tmp_path / "index", [("a", LONG)])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda _: deduplicate_passages([("a", SHORT), ("b", SHORT)]),
            "the longest has 3 tokens, and min_length is 50",
        ),
        (lambda _: deduplicate_passages(TWO, ignore=[LONG]), "similar to a text to ignore; see ignored"),
        (lambda _: find_reuse(TWO, ignore=[LONG]), r"2 were found, and all are left out for one reason \(ignored\)"),
        (lambda _: find_reuse(SERIES, series="paper"), r"all are left out for one reason \(series\)"),
        (lambda index: trace([SHORT, ""], index), "no output is long enough: the longest has 3 tokens"),
    ],
)
def test_that_everything_was_left_out_is_a_warning(
    call: Callable[[PassageIndex], object], message: str, index: PassageIndex
) -> None:
    with pytest.warns(UserWarning, match=message) as caught:
        call(index)
    assert [warning.filename for warning in caught] == [__file__]


def test_there_is_no_warning_where_something_is_found_or_nothing_was_to_be(index: PassageIndex) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        deduplicate_passages([])
        deduplicate_passages(TWO)
        deduplicate_passages([("a", LONG), ("b", SHORT)])
        find_reuse(TWO)
        find_reuse([("a", LONG), ("b", SHORT)])
        find_reuse([(str(number), LONG) for number in range(30)])  # is reported as a cluster
        trace([], index)
        trace([LONG, SHORT], index)
        trace(["other words that no document has in this order at all, however long"], index)
