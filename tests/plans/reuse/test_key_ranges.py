"""Each record of a band is in one range of keys, with all others of its key."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.plans.reuse.key_ranges import select_range
from ibidem.reuse.records.records import Records

keys = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=30)


@given(keys, st.integers(1, 5))
def test_a_key_is_in_one_range_with_all_of_its_records(values, ranges):
    places = np.arange(len(values))
    records = Records(np.array(values, np.uint64), places, places + 5)
    found = [select_range(records, number, ranges) for number in range(ranges)]
    starts = np.concatenate([each.starts for each in found])
    assert sorted(starts.tolist()) == places.tolist()
    assert all((each.ends == each.starts + 5).all() for each in found)
    assert all((each.keys == records.keys[each.starts]).all() for each in found)
    assert sum(len(set(each.keys.tolist())) for each in found) == len(set(values))
