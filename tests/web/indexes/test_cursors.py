"""Pages follow each other without a gap, and a cursor of another state is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.web.indexes.cursors import cut_page
from ibidem.web.problems import ProblemError


@given(total=st.integers(0, 50), limit=st.integers(1, 60))
def test_pages_cover_all_rows_once(total: int, limit: int) -> None:
    rows: list[int] = []
    cursor = None
    while True:
        page = cut_page(cursor, limit, total, 7)
        rows += range(page.first, page.last)
        cursor = page.cursor
        if cursor is None:
            break
    assert rows == list(range(total))


@pytest.mark.parametrize("cursor", ["", "x", "MTox", "OjM=", "LTE6LTE=", "😀"])
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(ProblemError):
        cut_page(cursor, 10, 100, 7)


def test_a_cursor_of_another_state_is_refused() -> None:
    cursor = cut_page(None, 10, 100, 7).cursor
    with pytest.raises(ProblemError, match="was changed since") as raised:
        cut_page(cursor, 10, 100, 8)
    assert raised.value.status == 409
