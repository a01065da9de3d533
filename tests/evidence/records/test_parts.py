"""Records come back by their keys, from memory and from a file."""

from pathlib import Path

import numpy as np
import pytest

from ibidem.evidence.records.parts import RecordParts
from ibidem.evidence.records.records import Records
from ibidem.resources import Resources


def drawn_records(size: int, highest: int) -> Records:
    starts = np.arange(size, dtype=np.int64)
    return Records(np.random.default_rng(size).integers(0, highest, size).astype(np.uint64), starts, starts + 2)


@pytest.mark.parametrize("memory", [1 << 40, 1 << 16])
@pytest.mark.parametrize("highest", [100, 1 << 62])
def test_every_record_is_in_the_part_of_its_key_in_the_order_it_was_given(
    tmp_path: Path, memory: int, highest: int
) -> None:
    records = drawn_records(30_000, highest)
    with RecordParts(tmp_path / "records", 30_000, Resources(memory, 2, lambda *told: None)) as parts:
        for first in range(0, 30_000, 7_000):
            parts.append(parts.share_out(records.take(slice(first, first + 7_000))))
        part_records = [parts.part(part) for part in range(parts.parts)]
    keys = [set(each.keys.tolist()) for each in part_records]
    assert sum(map(len, keys)) == len(set(records.keys.tolist()))  # no key is in two parts
    assert all((np.diff(each.starts) > 0).all() for each in part_records)
    together = Records.concatenate(part_records)
    order = np.argsort(together.starts)
    for column, expected_column in zip(together.take(order), records, strict=True):
        assert np.array_equal(column, expected_column)
    assert not list(tmp_path.iterdir())
