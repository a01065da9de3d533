"""The first id that occurs again is found, whatever the parts and the memory."""

from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.distinct_ids import IdRecorder, find_repeated_id
from ibidem.store.files.sorted_runs import ROW_RECORD
from ibidem.text import Documents, Texts

RECORD = 6 * ROW_RECORD.itemsize
"""What a record takes while it is sorted."""


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
    st.sampled_from([RECORD, 3 * RECORD, 1 << 30]),
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
