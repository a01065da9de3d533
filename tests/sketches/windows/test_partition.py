"""One suite for every partition algorithm: each must give compact windows that cover every passage exactly once."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines import allalign, jitted, monoactive, monoall
from baselines.brute_force import min_hashes
from ibidem.sketches.families import ActiveValues
from ibidem.sketches.windows import scanline
from ibidem.sketches.windows.windows import Windows

Partition = Callable[[npt.NDArray[np.int32], ActiveValues], Windows]


def of_active(partition: Partition) -> Partition:
    """The algorithm, given the active values alone."""
    return lambda ids, values: partition(ids, jitted.active_values(values))


MONOTONIC: dict[str, Partition] = {
    "MonoAll": monoall.partition,
    "MonoActive": monoactive.partition,
    "MonoActive of active values": of_active(monoactive.partition),
    "jitted MonoAll": jitted.monoall_partition,
    "jitted MonoActive": jitted.monoactive_partition,
    "jitted MonoActive of active values": of_active(jitted.monoactive_partition),
}
"""Algorithms that cut the steps of the skyline as the paper does, along the right ends."""

SWEEPS: dict[str, Partition] = {"scanline": of_active(scanline.partition)}
"""Algorithms that cut the same steps along the starts: as many windows, but others."""

RECURSIVE: dict[str, Partition] = {
    "AllAlign": allalign.partition,
    "AllAlign of active values": of_active(allalign.partition),
    "jitted AllAlign": jitted.allalign_partition,
    "jitted AllAlign of active values": of_active(jitted.allalign_partition),
}
"""Algorithms that give the windows of recursive splits."""


def on_each(partitions: dict[str, Partition]) -> pytest.MarkDecorator:
    """Run a test on each of ``partitions``."""
    return pytest.mark.parametrize("partition", partitions.values(), ids=partitions.keys())


every_partition = on_each(MONOTONIC | SWEEPS | RECURSIVE)


class Case(NamedTuple):
    """A text of dense token ids, and all hash values of its tokens."""

    ids: npt.NDArray[np.int32]
    values: ActiveValues


def case(ids: list[int], ranks: list[list[int]]) -> Case:
    """``ranks[t]`` are the hash values of token ``t`` at 1, 2, ...; the same rank has the same key within a token."""
    sizes = np.array([len(token_ranks) for token_ranks in ranks], dtype=np.int64)
    keys = [1000 * t + token_ranks.index(rank) for t, token_ranks in enumerate(ranks) for rank in token_ranks]
    values = ActiveValues(
        bounds=np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes))),
        x=np.array([x for size in sizes for x in range(1, size + 1)], dtype=np.int32),
        rank=np.array([rank for token_ranks in ranks for rank in token_ranks], dtype=np.uint64),
        key=np.array(keys, dtype=np.uint32),
    )
    return Case(np.array(ids, dtype=np.int32), values)


def dense(text: list[int]) -> list[int]:
    """The tokens of ``text`` numbered in order of first appearance."""
    return [list(dict.fromkeys(text)).index(t) for t in text]


@st.composite
def multisets(draw: st.DrawFn, ranks: st.SearchStrategy[int], max_size: int = 24) -> Case:
    """A text in which tokens repeat often, with a hash value for each of its elements (t, x)."""
    ids = dense(draw(st.lists(st.integers(0, draw(st.integers(0, 6))), max_size=max_size)))
    frequencies = [ids.count(t) for t in range(len(set(ids)))]
    return case(ids, [draw(st.lists(ranks, min_size=f, max_size=f)) for f in frequencies])


@st.composite
def sets(draw: st.DrawFn) -> Case:
    """A text with one hash value a token, whatever its frequency."""
    ids = dense(draw(st.lists(st.integers(0, draw(st.integers(0, 12))), max_size=24)))
    size = len(set(ids))
    return case(ids, [[rank] for rank in draw(st.lists(full_ranks, min_size=size, max_size=size))])


@st.composite
def weightless(draw: st.DrawFn) -> Case:
    """A text some of whose tokens have no hash values at all."""
    ids, values = draw(multisets(full_ranks))
    without = draw(st.sets(st.integers(0, 6)))
    kept = ~np.isin(np.repeat(np.arange(len(values.bounds) - 1), np.diff(values.bounds)), list(without))
    bounds = np.concatenate((np.zeros(1, np.int64), np.cumsum(kept)))[values.bounds]
    return Case(ids, ActiveValues(bounds, values.x[kept], values.rank[kept], values.key[kept]))


full_ranks = st.integers(0, 2**64 - 2)
high_ranks = st.integers(2**63, 2**64 - 2)
tied_ranks = st.integers(2**63, 2**63 + 3)
cases = st.one_of(multisets(full_ranks), multisets(high_ranks), multisets(tied_ranks), sets(), weightless())


def fault_of_partition(windows: Windows, ids: npt.NDArray[np.int32], values: ActiveValues) -> str:
    """What keeps ``windows`` from being a partition of the text (Definition 3), or an empty string."""
    expected = min_hashes(ids, values)
    covered = np.zeros(expected.exists.shape, dtype=np.int64)
    for window in zip(*windows, strict=True):
        key, a, b, c, d = (int(number) for number in window)
        if not 0 <= a <= b <= c <= d < len(ids):
            return f"{window} is not a compact window"
        if (expected.key[a : b + 1, c : d + 1] != key).any():
            return f"{window} holds passages with another min-hash"
        covered[a : b + 1, c : d + 1] += 1
    wrong = np.argwhere(covered != expected.exists)
    return f"passages {wrong.tolist()} are not covered exactly once" if len(wrong) else ""


def rows(windows: Windows) -> list[tuple[int, ...]]:
    """The windows in an order of their own."""
    return sorted(tuple(int(number) for number in window) for window in zip(*windows, strict=True))


def num_active_keys(ids: npt.NDArray[np.int32], values: ActiveValues) -> int:
    """|X(T)|: an active value at frequency ``x`` of a token that occurs ``f`` times makes f - x + 1 keys."""
    active = jitted.active_values(values)
    frequencies = np.repeat(np.bincount(ids, minlength=len(active.bounds) - 1), np.diff(active.bounds))
    return int(np.maximum(frequencies - active.x + 1, 0).sum())


@every_partition
@given(text=cases)
def test_partition_covers_every_passage_exactly_once(partition: Partition, text: Case) -> None:
    assert fault_of_partition(partition(*text), *text) == ""


@on_each(MONOTONIC)
@given(text=cases)
def test_monotonic_partitions_have_the_same_windows(partition: Partition, text: Case) -> None:
    assert rows(partition(*text)) == rows(monoall.partition(*text))


@on_each(RECURSIVE)
@given(text=cases)
def test_recursive_partitions_have_the_same_windows(partition: Partition, text: Case) -> None:
    assert rows(partition(*text)) == rows(allalign.partition(*text))


@on_each(SWEEPS)
@given(text=cases)
def test_sweeps_have_as_many_windows_as_monotonic_partitions_and_recursive_ones_no_fewer(
    partition: Partition, text: Case
) -> None:
    """And no more than twice the active keys (Lemma 10)."""
    size = len(monoall.partition(*text).keys)
    assert len(partition(*text).keys) == size <= 2 * num_active_keys(*text)
    assert len(allalign.partition(*text).keys) >= size


@every_partition
def test_partition_of_no_tokens_has_no_windows(partition: Partition) -> None:
    assert all(len(column) == 0 for column in partition(*case([], [])))


@every_partition
def test_windows_have_the_declared_types(partition: Partition) -> None:
    windows = partition(*case([0, 1, 0], [[3, 2], [1]]))
    assert [column.dtype for column in windows] == [np.uint32, *[np.int32] * 4]


@every_partition
def test_of_two_tied_tokens_the_one_that_ends_first_gives_the_key(partition: Partition) -> None:
    assert rows(partition(*case([0, 1], [[7], [7]]))) == [(0, 0, 0, 0, 1), (1000, 1, 1, 1, 1)]


def natural(n: int) -> Case:
    """A text with few frequent and many rare tokens, each with up to 8 hash values."""
    random = np.random.default_rng(7)
    ids = dense((random.zipf(1.3, n) % n).tolist())
    return case(ids, random.integers(0, 2**64 - 1, (max(ids) + 1, 8), dtype=np.uint64).tolist())


def repeated(n: int) -> Case:
    """One token, n times: the text with the most windows."""
    return case([0] * n, np.random.default_rng(8).integers(0, 2**64 - 1, (1, n), dtype=np.uint64).tolist())


def sparse(n: int) -> Case:
    """A token without weight, n times, but for 50 tokens with hash values near each end."""
    random = np.random.default_rng(9)
    ids = np.zeros(n, np.int32)
    ids[1:100:2] = 1 + np.arange(50) % 20
    ids[-100::2] = 1 + np.arange(50) % 30
    return case(ids.tolist(), [[], *random.integers(0, 2**64 - 1, (30, 4), dtype=np.uint64).tolist()])


@pytest.mark.parametrize("text", [natural(5000), repeated(700)], ids=["natural", "repeated"])
@pytest.mark.parametrize("partition", [jitted.monoall_partition, jitted.monoactive_partition, SWEEPS["scanline"]])
def test_kernels_equal_monoactive_on_long_texts(partition: Partition, text: Case) -> None:
    """Long enough for buffers to grow and for words of 64 starts to stand in words of their own."""
    expected = monoactive.partition(*text)
    found = partition(*text)
    assert len(found.keys) == len(expected.keys)
    if partition is not SWEEPS["scanline"]:
        assert rows(found) == rows(expected)


@pytest.mark.parametrize("text", [natural(1500), repeated(300)], ids=["natural", "repeated"])
def test_the_kernel_of_allalign_equals_allalign_on_long_texts(text: Case) -> None:
    assert rows(jitted.allalign_partition(*text)) == rows(allalign.partition(*text))


def test_neighbours_on_the_skyline_are_found_across_a_gap_of_half_a_million_tokens() -> None:
    text = sparse(600_000)
    expected = monoactive.partition(*text)
    assert rows(jitted.monoactive_partition(*text)) == rows(expected)
    assert len(SWEEPS["scanline"](*text).keys) == len(expected.keys)


@pytest.mark.parametrize(
    ("windows", "fault"),
    [
        ([(5, 0, 0, 0, 1), (5, 1, 1, 1, 1)], ""),
        ([(5, 0, 0, 0, 1)], "passages [[1, 1]] are not covered exactly once"),
        ([(5, 0, 0, 0, 1), (5, 0, 1, 1, 1)], "passages [[0, 1]] are not covered exactly once"),
        ([(5, 0, 1, 0, 1)], "(5, 0, 1, 0, 1) is not a compact window"),
        ([(6, 0, 0, 0, 1), (5, 1, 1, 1, 1)], "(6, 0, 0, 0, 1) holds passages with another min-hash"),
    ],
)
def test_the_oracle_finds_what_is_wrong(windows: list[tuple[int, ...]], fault: str) -> None:
    values = case([0, 0], [[9]]).values._replace(key=np.array([5], np.uint32))
    columns = [list(column) for column in zip(*windows, strict=True)]
    assert fault_of_partition(Windows(*columns), np.array([0, 0], np.int32), values) == fault
