"""Windows of one permutation hashing: every passage lies in exactly one window of each bin, empty or not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines import one_permutation as baseline
from baselines.brute_force import min_hashes
from ibidem.sketches.one_permutation import EMPTY_KEY, bin_values
from ibidem.sketches.windows.one_permutation import bin_windows
from ibidem.text.token_stream import prepare_tokens
from ibidem.weights import Weighting

SEED = np.uint64(2**63 + 12345)
LARGE = 2**30


def streamed(texts, max_length=LARGE):
    tokens = np.array([token for text in texts for token in text], np.uint32)
    return prepare_tokens(tokens, np.cumsum([0, *map(len, texts)]), max_length)


def valued(stream, weighting, k, units=1):
    return bin_values(weighting, stream.vocabulary, stream.peaks, SEED, k, units)


def keys_of_all_passages(texts, weighting, k, units=1):
    """The key of every passage in every bin, int64 [k, n, n], by the definition; -1 where there is no passage."""
    stream = streamed(texts)
    values = valued(stream, weighting, k, units)
    n = len(stream.ids)
    keys = np.full((k, n, n), -1, np.int64)
    for text in range(len(texts)):
        low, high = stream.bounds[text], stream.bounds[text + 1]
        passages = np.triu(np.ones((high - low, high - low), bool))
        for which in range(k):
            found = min_hashes(stream.ids[low:high], baseline.values_of_bin(values, which))
            keys[which, low:high, low:high] = np.where(
                passages, np.where(found.exists, found.key.astype(np.int64), EMPTY_KEY), -1
            )
    return keys


def cells(window):
    """The starts and ends of the passages that a window holds."""
    key, a, b, c, d = (int(number) for number in window)
    return [(i, j) for i in range(a, b + 1) for j in range(i if key == EMPTY_KEY else c, d + 1)]


WEIGHTINGS = [
    (Weighting.of("set"), 1),
    (Weighting.of("multiset"), 1),
    (Weighting.of("weighted", tf="squared"), 1),
    (Weighting.of("weighted", tf="logarithmic"), 3),
]
texts_of_few_tokens = st.lists(st.lists(st.integers(2**32 - 4, 2**32 - 1), max_size=14), min_size=1, max_size=3)
texts_of_many_tokens = st.lists(st.lists(st.integers(0, 30), max_size=14), min_size=1, max_size=3)
texts = st.one_of(texts_of_few_tokens, texts_of_many_tokens)


@given(
    texts=texts,
    weights=st.sampled_from(WEIGHTINGS),
    k=st.sampled_from([1, 2, 5, 64]),
    lengths=st.sampled_from([(1, LARGE), (3, LARGE), (1, 5), (3, 6), (4, 4)]),
)
def test_every_passage_lies_in_exactly_one_window_of_each_bin_and_has_its_key(texts, weights, k, lengths):
    expected = keys_of_all_passages(texts, weights[0], k, weights[1])
    stream = streamed(texts, lengths[1])
    found = bin_windows(stream, valued(stream, weights[0], k, weights[1]), range(k), *lengths)
    assert len(found) == k
    n = expected.shape[1]
    size = np.arange(n) - np.arange(n)[:, None] + 1
    wanted = (expected[0] >= 0) & (size >= lengths[0]) & (size <= lengths[1]) if n else np.zeros((0, 0), bool)
    for which, windows in enumerate(found):
        covered = np.zeros((n, n), np.int64)
        for window in zip(*windows, strict=True):
            _, a, b, c, d = window
            assert 0 <= a <= b <= c <= d < n
            for i, j in cells(window):
                covered[i, j] += 1
                if wanted[i, j]:
                    assert expected[which, i, j] == window[0]
        assert (covered[wanted] == 1).all()
        if lengths == (1, LARGE):
            assert not covered[~wanted].any()


@given(texts=texts, k=st.sampled_from([1, 2, 5, 64]), low=st.integers(0, 63), high=st.integers(0, 64))
def test_some_of_the_bins_have_the_windows_that_they_have_among_all(texts, k, low, high):
    stream = streamed(texts)
    values = valued(stream, Weighting.of("multiset"), k)
    every = bin_windows(stream, values, range(k))
    some = range(min(low, k), max(min(low, k), min(high, k)))
    for which, windows in zip(some, bin_windows(stream, values, some), strict=True):
        for column, expected in zip(windows, every[which], strict=True):
            assert column.tolist() == expected.tolist()


def rows(windows):
    return sorted(tuple(int(number) for number in window) for window in zip(*windows, strict=True))


@given(text=st.one_of(texts_of_few_tokens, texts_of_many_tokens), k=st.sampled_from([1, 2, 5, 64]))
def test_the_windows_of_a_set_are_those_of_the_divide_and_conquer(text, k):
    text = text[0]
    stream = streamed([text])
    values = valued(stream, Weighting.of("set"), k)
    for which, windows in enumerate(bin_windows(stream, values, range(k))):
        expected = baseline.windows_of_bin(stream.ids.tolist(), values, which)
        assert rows(windows) == expected
    compiled = baseline.jitted_windows(stream, values, k)
    assert [rows(windows) for windows in compiled] == [
        rows(windows) for windows in bin_windows(stream, values, range(k))
    ]


def natural(n):
    return (np.random.default_rng(7).zipf(1.3, n) % n).tolist()


LONG = {
    "natural": natural(3000),
    "one token": [5] * 3000,
    "distinct": list(range(3000)),
    "two tokens": [3, 8] * 1500,
    "one": [2**32 - 1],
}


@pytest.mark.parametrize("k", [1, 2, 16, 257, 5000])
@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_a_set_has_at_most_n_windows_with_a_key_and_n_plus_k_minus_2_without(text, k):
    stream = streamed([text])
    values = valued(stream, Weighting.of("set"), k)
    found = bin_windows(stream, values, range(k))
    empty = sum(int((windows.keys == EMPTY_KEY).sum()) for windows in found)
    assert empty <= len(text) + k - 2
    assert sum(len(windows.keys) for windows in found) - empty <= len(text)
    if k < 200:
        assert [rows(windows) for windows in found] == [
            baseline.windows_of_bin(stream.ids.tolist(), values, which) for which in range(k)
        ]


@pytest.mark.parametrize(("k", "least"), [(4, 8), (16, 1), (16, 32), (64, 32), (64, 128), (256, 32)])
def test_a_set_of_different_tokens_has_as_many_windows_as_expected(k, least):
    """A key is the least of its bin in ``least`` tokens or more, or a gap of the bin is as long."""
    n = 60_000
    stream = streamed([list(range(n))])
    found = bin_windows(stream, valued(stream, Weighting.of("set"), k), range(k), least)
    expected = 2 * k / (least + 1) * (1 - (1 - 1 / k) ** (least + 1))
    assert sum(len(windows.keys) for windows in found) / n == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("k", [1, 16, 257])
@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_the_windows_of_a_long_multiset_hold_every_passage_once(text, k):
    """The areas of the windows of a bin are those of all passages, and a sample of passages is in the right ones."""
    stream = streamed([text])
    weighting = Weighting.of("multiset")
    found = bin_windows(stream, valued(stream, weighting, k), range(k))
    n = len(text)
    for windows in found:
        a, b, c, d = (column.astype(np.int64) for column in windows[1:])
        empty = windows.keys == EMPTY_KEY
        area = np.where(empty, (b - a + 1) * (d + 1) - (a + b) * (b - a + 1) // 2, (b - a + 1) * (d - c + 1))
        assert area.sum() == n * (n + 1) // 2


def test_long_gaps_are_cut_so_that_no_window_has_more_starts_than_a_passage_has_tokens():
    stream = streamed([[7] * 1000], 100)
    values = valued(stream, Weighting.of("set"), 2)
    empty = next(windows for windows in bin_windows(stream, values, range(2), 10, 100) if EMPTY_KEY in windows.keys)
    assert (empty.b - empty.a).max() == 99
    assert (empty.d - empty.b).max() <= 99
    assert empty.a.tolist() == list(range(0, 991, 100))


def test_no_text_has_no_windows():
    stream = streamed([[]])
    values = valued(stream, Weighting.of("multiset"), 3)
    assert all(len(windows.keys) == 0 for windows in bin_windows(stream, values, range(3)))
