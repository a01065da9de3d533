import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.store.offsets import encode
from ibidem.store.segments.gathering import gather_offsets, gather_rows

ROWS = st.lists(st.lists(st.integers(0, 9), max_size=6), min_size=1, max_size=6)


@given(ROWS, st.data())
def test_rows_are_gathered_in_the_order_asked_for(rows: list[list[int]], data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=8))
    values = np.array([value for row in rows for value in row], np.uint32)
    bounds = np.cumsum([0, *map(len, rows)])
    gathered, begins = gather_rows(values, bounds, np.array(wanted, np.int64))
    assert gathered.dtype == values.dtype
    assert [part.tolist() for part in np.split(gathered, begins[1:-1])] == ([rows[row] for row in wanted] or [[]])


@given(ROWS, st.data())
def test_offsets_are_gathered_in_the_order_asked_for(rows: list[list[int]], data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=8))
    starts = [np.cumsum(row) for row in rows]
    bounds = np.cumsum([0, *map(len, rows)])
    all_starts = np.concatenate(starts).astype(np.uint32)
    columns = encode(all_starts, all_starts + np.uint32(1), bounds)
    found, ends = gather_offsets(columns, bounds, np.array(wanted, np.int64))
    assert found.tolist() == [start for row in wanted for start in starts[row].tolist()]
    assert ends.tolist() == [start + 1 for start in found.tolist()]
