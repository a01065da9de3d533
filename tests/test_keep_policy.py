"""Keep policies: which of similar documents comes first."""

from typing import Any

import numpy as np
import pytest

from ibidem.errors import CorpusError
from ibidem.keep_policy import ColumnKinds, Keep


class Columns:
    """As much of a spool as a policy asks of it."""

    def __init__(self, values: list[list[Any]], sizes: list[int]) -> None:
        self._values, self._sizes = values, sizes

    def ids(self, rows: Any) -> list[str]:
        return [f"document {row}" for row in rows]

    def values(self, rows: Any) -> list[list[Any]]:
        return [self._values[row] for row in rows]

    def gather(self, name: str, rows: Any) -> Any:
        return {"contents": np.zeros((4, 2), np.uint64), "sizes": np.array(self._sizes)}[name][rows]


def order(policy: str, values: list[Any], sizes: list[int] | None = None) -> list[int]:
    spool: Any = Columns([each if isinstance(each, list) else [each] for each in values], sizes or [1] * 4)
    keep, rows = Keep.parse(policy), np.array([3, 2, 1, 0])
    kinds = ColumnKinds(keep.columns)
    if keep.columns:
        kinds.look(rows, spool.ids(rows), spool.values(rows))
    return keep.order(spool, rows, kinds.decide()).tolist()


def test_first_is_the_order_of_reading() -> None:
    assert order("first", [None] * 4) == [0, 1, 2, 3]


def test_longest_goes_by_bytes_and_then_by_id() -> None:
    assert order("longest", [None] * 4, [5, 9, 5, 7]) == [1, 3, 0, 2]


def test_numbers_are_compared_as_numbers_and_what_is_missing_comes_last() -> None:
    assert order("max(quality)", [9, "10", None, 2.5]) == [1, 0, 3, 2]
    assert order("min(quality)", [9, "10", "", 2.5]) == [3, 0, 1, 2]


def test_the_second_term_decides_where_the_first_is_equal() -> None:
    assert order("max(quality), min(date)", [[1, "1903"], [1, "1902"], [2, "1999"], [0, "1900"]]) == [2, 1, 0, 3]


def test_a_column_of_numbers_and_words_is_an_error_that_names_the_document() -> None:
    with pytest.raises(CorpusError, match=r"document 2.*a word in a column that has numbers"):
        order("max(quality)", [1, 2, "good", 3])


def test_a_column_that_has_words_elsewhere_is_compared_as_words() -> None:
    spool: Any = Columns([["10"], ["9"]], [1] * 2)
    keep, rows = Keep.parse("max(quality)"), np.arange(2)
    assert keep.order(spool, rows, [True]).tolist() == [0, 1]
    assert keep.order(spool, rows, [False]).tolist() == [1, 0]


@pytest.mark.parametrize("cut", [0, 2, 4])
def test_the_first_document_that_cannot_be_compared_is_named_whatever_is_looked_at_first(cut: int) -> None:
    values, rows = [["good"], [1], ["better"], [[3]], [[4]]], np.arange(5)
    ids = [f"document {row}" for row in rows]
    for count, cause in ((3, "document 0.*a word in a column"), (5, r"document 3.*\[3\] cannot be compared")):
        kinds = ColumnKinds(["quality"])
        for part in (slice(cut, count), slice(0, min(cut, count))):
            kinds.look(rows[part], ids[part], values[part])
        with pytest.raises(CorpusError, match=cause):
            kinds.decide()


@pytest.mark.parametrize("policy", ["last", "max()", "max(a) min(b)", ""])
def test_what_is_no_policy_is_refused(policy: str) -> None:
    with pytest.raises(ValueError, match="a keep policy is"):
        Keep.parse(policy)
