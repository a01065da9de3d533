"""Records are columns that are taken and put together row by row."""

import numpy as np

from ibidem.evidence.records.records import Records


def test_what_is_taken_apart_is_put_together_again() -> None:
    starts = np.arange(5, dtype=np.int64)
    records = Records(starts.astype(np.uint64) * np.uint64(1 << 60), starts, starts + 1)
    together = Records.concatenate([records.take(slice(0, 2)), records.take(np.array([2, 3, 4]))])
    assert all(np.array_equal(joined, part) for joined, part in zip(together, records, strict=True))
    assert [len(column) for column in Records.concatenate([])] == [0, 0, 0]


def test_what_is_taken_is_a_copy() -> None:
    records = Records.allocate(4)
    assert not np.shares_memory(records.take(slice(0, 4)).keys, records.keys)
