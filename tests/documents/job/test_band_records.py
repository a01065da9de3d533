"""Texts with company in a bucket are found range by range."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.job.band_records import BandRecordsWriter, find_company


@given(
    st.lists(st.lists(st.lists(st.integers(0, 6), min_size=2, max_size=2), max_size=5), min_size=1, max_size=4),
    st.integers(1, 4),
    st.data(),
)
def test_company_is_whoever_shares_a_hash_with_another(tmp_path_factory, parts, ranges, data):
    hashes = [hashes for part in parts for hashes in part]
    taking_part = data.draw(st.lists(st.booleans(), min_size=len(hashes), max_size=len(hashes)))
    numbers = np.where(taking_part, np.arange(len(hashes)), -1).astype(np.int64)
    folders = []
    for part in parts:
        folders.append(tmp_path_factory.mktemp("part"))
        writer = BandRecordsWriter(folders[-1], ranges)
        for cut in (part[:2], part[2:]):
            writer.append(np.array(cut, np.uint64).reshape(-1, 2))
        writer.finish()
    starts = np.cumsum([0, *map(len, parts)])
    for number in range(ranges):
        held = [
            (value, document)
            for document, values in enumerate(hashes)
            for value in values
            if value % ranges == number and taking_part[document]
        ]
        expected = {document for value, document in held if sum(value == other for other, _ in held) > 1}
        assert find_company(folders, starts, number, numbers + 1).tolist() == sorted(expected)
