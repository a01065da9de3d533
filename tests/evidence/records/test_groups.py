"""Records of one key, brought together, against a dictionary."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.evidence.records.groups import group_records
from ibidem.evidence.records.records import Records


def expected_groups(records: Records) -> list[list[list[int]]]:
    """The runs of each key that several records have, in the order of their starts; groups by their first."""
    of_key: dict[int, list[list[int]]] = {}
    for start, end, key in sorted(
        zip(records.starts.tolist(), records.ends.tolist(), records.keys.tolist(), strict=True)
    ):
        of_key.setdefault(key, []).append([start, end])
    return sorted(runs for runs in of_key.values() if len(runs) > 1)


@given(st.lists(st.sampled_from([0, 1, 2, 3, 2**63, 2**64 - 1]), max_size=60), st.randoms())
def test_records_of_one_key_are_a_group_in_the_order_of_their_starts(keys: list[int], order: object) -> None:
    starts = list(range(0, 3 * len(keys), 3))
    order.shuffle(starts)  # type: ignore[attr-defined]
    records = Records(np.array(keys, np.uint64), np.array(starts, np.int64), np.array(starts, np.int64) + 2)
    groups = group_records(records)
    group_runs = [
        groups.runs[first:last].tolist() for first, last in zip(groups.bounds, groups.bounds[1:], strict=False)
    ]
    assert group_runs == expected_groups(records)
    assert groups.bounds[-1] == len(groups.runs)


def test_many_keys_of_which_few_occur_twice() -> None:
    generator = np.random.default_rng(2)
    keys = generator.integers(0, 50_000, 20_000).astype(np.uint64)
    starts = np.arange(len(keys), dtype=np.int64)
    records = Records(keys, starts, starts + 1)
    groups = group_records(records)
    group_runs = [
        groups.runs[first:last].tolist() for first, last in zip(groups.bounds, groups.bounds[1:], strict=False)
    ]
    assert group_runs == expected_groups(records)
