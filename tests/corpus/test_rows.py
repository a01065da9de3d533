"""Batches of documents: nothing is lost or moved, and each closes at its size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.rows import Columns, Row, batch_rows, join_small_batches
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError
from ibidem.text import Documents

ROWS = st.lists(st.builds(Row, st.text(min_size=1, max_size=3), st.text(max_size=9).map(str.encode), st.just(b"{}")))


def rows_of(batches: list[Documents]) -> list[tuple[str, bytes, bytes]]:
    return [
        (batch.ids[at], batch.texts[at].encode(), batch.metadata[at])
        for batch in batches
        for at in range(len(batch.ids))
    ]


@given(ROWS, st.integers(1, 1000))
def test_batches_hold_the_rows_in_their_order_and_close_at_their_size(rows: list[Row], batch_bytes: int) -> None:
    batches = list(batch_rows(rows, batch_bytes))
    assert rows_of(batches) == rows
    for batch in batches[:-1]:
        sizes = [len(batch.texts[at].encode()) + 2 + 128 for at in range(len(batch.ids))]
        assert sum(sizes[:-1]) < batch_bytes <= sum(sizes)


@given(ROWS, st.integers(1, 1000), st.integers(1, 1000))
def test_joined_batches_hold_the_same_documents(rows: list[Row], small: int, large: int) -> None:
    batches = list(join_small_batches(batch_rows(rows, small), large))
    assert rows_of(batches) == rows
    assert len(batches) <= len(list(batch_rows(rows, small)))


@pytest.mark.parametrize(
    ("names", "fault"), [(["text", "a", "a"], "two columns"), (["id"], "'text': there is no such column")]
)
def test_columns_that_cannot_be_used_are_refused(names: list[str], fault: str) -> None:
    with pytest.raises(CorpusError, match=fault):
        Columns("text", "id").check(Source("a.csv", "a.csv"), names)


def test_only_an_id_that_the_user_named_must_be_there() -> None:
    Columns("text", "id").check(Source("a.csv", "a.csv"), ["text"])
    with pytest.raises(CorpusError, match="'title'"):
        Columns("text", "title").check(Source("a.csv", "a.csv"), ["text"])


def test_two_columns_of_one_name_are_found_among_many() -> None:
    names = ["id", "text", *(f"c{number}" for number in range(200_000))]
    columns = Columns("text", "id")
    columns.check(Source("a.csv", "a.csv"), names)
    with pytest.raises(CorpusError, match=r"a\.csv, column 'c7': two columns have this name"):
        columns.check(Source("a.csv", "a.csv"), [*names, "c7"])
