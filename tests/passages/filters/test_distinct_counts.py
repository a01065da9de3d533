"""Distinct tokens of passages by length are never counted too high, and seldom too low."""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.filters import distinct_counts as module
from ibidem.passages.filters.distinct_counts import BITS, LENGTHS, count_distinct


class Tokens(SimpleNamespace):
    __hash__ = object.__hash__


def grown(stream, longest):
    with ThreadPoolExecutor(2) as pool:
        return count_distinct(Tokens(tokens=stream, num_tokens=len(stream)), longest, pool.map)


def fewest_by_hand(stream, length):
    distinct = [len(set(stream[start : start + length].tolist())) for start in range(len(stream))]
    block = 1 << BITS
    return [min(distinct[first : first + block]) for first in range(0, len(stream), block)]


@pytest.mark.parametrize("share", [64, 1 << 20])
def test_few_tokens_are_counted_as_by_hand(share, monkeypatch):
    monkeypatch.setattr(module, "STARTS_PER_TASK", share)
    stream = (np.random.default_rng(1).zipf(1.3, 700) % 12).astype(np.uint32)
    counted = grown(stream, 64)
    assert [row.tolist() for row in counted.fewest] == [fewest_by_hand(stream, length) for length in LENGTHS[:3]]


@given(st.integers(0, 2**32), st.sampled_from([1, 30, 5000, 2**32]), st.sampled_from([1, 33, 500]))
def test_no_count_is_too_high(seed, size, count):
    random = np.random.default_rng(seed)
    stream = random.integers(0, size, count).astype(np.uint32)
    counted = grown(stream, 256)
    for length, row in zip(LENGTHS, counted.fewest, strict=False):
        exact = np.array(fewest_by_hand(stream, length))
        assert (row <= exact).all()
        assert row.mean() >= 0.8 * exact.mean() - 2  # what has been overwritten


def test_rows_for_longer_passages_are_added_when_they_are_asked_for():
    segment = Tokens(tokens=np.arange(300, dtype=np.uint32), num_tokens=300)
    with ThreadPoolExecutor(1) as pool:
        assert len(count_distinct(segment, 40, pool.map).typical) == 2
        longer = count_distinct(segment, 128, pool.map)
        assert len(longer.typical) == 4
        assert count_distinct(segment, 17, pool.map) is longer
