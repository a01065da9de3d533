"""The compiled rivals beside the plain pages, on the running example and on values with ties."""

import numpy as np
import pytest

from baselines import allalign, jitted
from baselines.jitted import active_values
from ibidem.sketches.families import ActiveValues

from .running_example import FIGURE_1B, T, h

IDS = np.array(["ABC".index(letter) for letter in T], np.int32)
VALUES = ActiveValues(
    bounds=np.array([0, 4, 8, 10]),
    x=np.array([x for _, x in h], np.int32),
    rank=np.array(list(h.values()), np.uint64),
    key=np.array(list(h.values()), np.uint32),
)
"""The running example in arrays; the key of a hash value is the value itself."""


@pytest.mark.parametrize("partition", [jitted.monoall_partition, jitted.monoactive_partition])
def test_monotonic_partitioning_gives_the_windows_of_figure_1b(partition) -> None:  # type: ignore[no-untyped-def]
    keys, *corners = partition(IDS, VALUES)
    drawn = zip(keys.tolist(), *((corner + 1).tolist() for corner in corners), strict=True)
    assert sorted(drawn) == FIGURE_1B


def test_recursive_splits_give_the_windows_of_the_plain_page() -> None:
    compiled, plain = (
        sorted(zip(*(column.tolist() for column in windows), strict=True))
        for windows in (jitted.allalign_partition(IDS, VALUES), allalign.partition(IDS, VALUES))
    )
    assert compiled == plain
    assert len(compiled) >= len(FIGURE_1B)


def test_active_values_are_those_below_all_before_them() -> None:
    num_tokens = 4000
    random = np.random.default_rng(5)
    rank = random.integers(2**63 - 30, 2**63 + 30, (num_tokens, 50), dtype=np.uint64)  # with ties
    everything = ActiveValues(
        np.arange(0, rank.size + 1, 50),
        np.tile(np.arange(1, 51, dtype=np.int32), num_tokens),
        rank.ravel(),
        np.arange(rank.size, dtype=np.uint32),
    )
    before = np.minimum.accumulate(rank, axis=1)[:, :-1]
    is_active = np.column_stack((np.ones(num_tokens, np.bool_), rank[:, 1:] < before))
    active = active_values(everything)
    assert np.array_equal(active.key, np.flatnonzero(is_active))
    assert np.array_equal(active.rank, rank[is_active])
    assert np.array_equal(np.diff(active.bounds), is_active.sum(axis=1))
