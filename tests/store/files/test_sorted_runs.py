"""Records of several parts come in the order of their hashes, whatever the memory."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.store.files.sorted_runs import ROW_RECORD, SIZED_RECORD, cut_into_runs, read_by_hash, write_runs

RECORD = 6 * SIZED_RECORD.itemsize
"""What a record takes while it is sorted."""

EDGES = [0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]


@given(
    st.lists(st.lists(st.tuples(st.sampled_from(EDGES), st.integers(0, 2)), max_size=9), min_size=1, max_size=4),
    st.sampled_from([RECORD, 3 * RECORD, 1 << 30]),
)
def test_all_records_come_in_order_and_those_of_one_hash_together(tmp_path_factory, parts, memory):
    folders = []
    for hashes in parts:
        folders.append(tmp_path_factory.mktemp("part"))
        records = np.empty(len(hashes), SIZED_RECORD)
        records["hash"] = np.array(hashes, np.uint64).reshape(-1, 2)
        records["row"] = np.arange(len(hashes))
        records["size"] = 7
        write_runs(folders[-1], "a", (records[part] for part in cut_into_runs(len(hashes), SIZED_RECORD, memory)))
    starts = np.cumsum([0, *map(len, parts)])
    pieces = list(read_by_hash(folders, "a", SIZED_RECORD, starts, memory))
    found = [(*hash, row) for piece in pieces for hash, row in zip(piece["hash"].tolist(), piece["row"], strict=True)]
    hashes = [hash for part in parts for hash in part]
    assert found == sorted((*hash, row) for row, hash in enumerate(hashes))
    assert all((piece["size"] == 7).all() for piece in pieces)
    together = [{tuple(hash) for hash in piece["hash"].tolist()} for piece in pieces]
    assert sum(map(len, together)) == len(set(hashes))


def test_runs_are_as_long_as_memory_allows():
    cut = list(cut_into_runs(10, ROW_RECORD, 3 * 6 * ROW_RECORD.itemsize))
    assert [(each.start, each.stop) for each in cut] == [(0, 3), (3, 6), (6, 9), (9, 10)]
    assert len(list(cut_into_runs(10, ROW_RECORD, 1))) == 10
