"""The tables of an index by bands."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.sketches.banding import Banding
from ibidem.sketches.datasketch.band_tables import BandTables, bytes_of_values

uint64 = st.integers(0, 2**64 - 1)


@given(one=st.lists(uint64, min_size=3, max_size=3), other=st.lists(uint64, min_size=3, max_size=3))
def test_bytes_have_the_order_of_the_values(one, other):
    mine, theirs = (bytes_of_values(np.array(each, np.uint64)) for each in (one, other))
    assert (mine < theirs) == (one < other)
    assert mine.startswith(bytes_of_values(np.array(one[:2], np.uint64)))


def test_only_the_first_bands_are_looked_at_if_so_many_are_asked_for():
    tables = BandTables(Banding(3, 1))
    tables.insert("first", np.array([1, 8, 9], np.uint64))
    tables.insert("last", np.array([7, 8, 3], np.uint64))
    sought = np.array([1, 2, 3], np.uint64)
    assert tables.candidates(sought) == {"first", "last"}
    assert tables.candidates(sought, 2) == {"first"}
    tables.remove("first", np.array([1, 8, 9], np.uint64))
    assert tables.candidates(sought, 2) == set()
    assert [len(table) for table in tables.views] == [1, 1, 1]
