"""The first id that occurs again is found, whatever the parts and the memory."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.plans.ids import IdRecorder, find_repeated_id
from ibidem.text import Documents, Texts


def batch_of(ids):
    return Documents(ids, Texts.from_strings([""] * len(ids)), [b"{}"] * len(ids))


def find_plainly(ids):
    first = {}
    for number, name in enumerate(ids):
        if first.setdefault(name, number) != number:
            return first[name], number
    return None


@given(
    st.lists(st.lists(st.lists(st.integers(0, 60).map(str), max_size=6), max_size=3), min_size=1, max_size=4),
    st.sampled_from([1, 500, 1 << 30]),
)
def test_two_documents_of_one_id_are_found(tmp_path_factory, parts, memory):
    folders = []
    for batches in parts:
        folders.append(tmp_path_factory.mktemp("part"))
        recorder = IdRecorder()
        passed = [batch.ids for batch in recorder.record(map(batch_of, batches))]
        assert passed == batches
        recorder.write(folders[-1])
    ids = [name for batches in parts for batch in batches for name in batch]
    found = find_repeated_id(folders, memory)
    assert (None if found is None else tuple(found)) == find_plainly(ids)


def test_a_number_at_the_end_of_its_range_is_in_one_range_alone(tmp_path):
    edges = [0, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
    for part in range(2):
        (tmp_path / str(part)).mkdir()
        np.save(tmp_path / str(part) / "id_hashes.npy", np.array([[edge, part] for edge in edges], np.uint64))
        np.save(tmp_path / str(part) / "id_rows.npy", np.arange(4))
    folders = [tmp_path / "0", tmp_path / "1"]
    assert find_repeated_id(folders, 8 * 48) is None
    np.save(tmp_path / "1" / "id_hashes.npy", np.array([[edge, 0] for edge in edges], np.uint64))
    assert find_repeated_id(folders, 8 * 48) == (0, 4)
