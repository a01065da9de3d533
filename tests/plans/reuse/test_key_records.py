"""Records of windows are found again by their band and the range of their key."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.plans.reuse.key_records import read_records, write_records
from ibidem.reuse.records.records import Records

keys = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=12)


def make_records(values):
    places = np.arange(len(values))
    return Records(np.array(values, np.uint64), places, places + 5)


def list_records(folders, number):
    pieces = read_records(folders, 3, number)
    return [pair for piece in pieces for pair in zip(piece.keys.tolist(), piece.starts.tolist(), strict=True)]


@given(st.lists(st.tuples(keys, keys), min_size=1, max_size=3), st.integers(1, 5))
def test_a_key_is_in_one_range_with_all_of_its_records(tmp_path_factory, tasks, ranges):
    folders = []
    for pieces in tasks:
        folders.append(tmp_path_factory.mktemp("task"))
        write_records(folders[-1], 3, map(make_records, pieces), ranges)
    found = [
        [
            (int(key), int(start))
            for piece in read_records(folders, 3, number)
            for key, start in zip(*piece[:2], strict=True)
        ]
        for number in range(ranges)
    ]
    expected = [(key, start) for pieces in tasks for piece in pieces for start, key in enumerate(piece)]
    assert sorted(record for records in found for record in records) == sorted(expected)
    ranges_of = {key: {number for number, records in enumerate(found) if key in dict(records)} for key, _ in expected}
    assert all(len(numbers) == 1 for numbers in ranges_of.values())
