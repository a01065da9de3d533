"""Scanline beyond one whole text: lengths, several texts in one stream, numbers of windows, and hard texts."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines.brute_force import min_hashes
from ibidem.hashing import function_seeds
from ibidem.sketches.families import MultisetFamily, SetFamily, WeightedFamily
from ibidem.sketches.windows.scanline import scanline
from ibidem.text.token_stream import prepare_tokens
from ibidem.weights import DocumentFrequencies, Weighting

FAMILIES = {
    "set": SetFamily(),
    "multiset": MultisetFamily(),
    "squared": WeightedFamily(Weighting("squared")),
    "logarithmic, standard": WeightedFamily(
        Weighting("logarithmic", "standard", DocumentFrequencies([0, 1, 2, 3], [10, 4, 1, 9], 10))
    ),
}
"""Under the last, token 0 weighs nothing."""

each_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES.keys())

texts_of_few_tokens = st.lists(st.lists(st.integers(0, 5), max_size=22), min_size=1, max_size=4)


def stream_of(texts, max_length=2**31 - 1):
    tokens = np.array([token for text in texts for token in text], np.uint32)
    return prepare_tokens(tokens, np.cumsum([0, *map(len, texts)]), max_length)


def windows_of(texts, family, seed=2**63 + 1, min_length=1, max_length=2**30):
    stream = stream_of(texts, max_length)
    values = family.active(stream.vocabulary, stream.peaks, np.uint64(seed))
    return scanline(stream, values, min_length, max_length)


def rows(windows):
    return [tuple(map(int, window)) for window in zip(*windows, strict=True)]


@st.composite
def lengths(draw):
    low = draw(st.integers(1, 12))
    return low, draw(st.one_of(st.integers(low, 24), st.just(2**30)))


@each_family
@given(texts=texts_of_few_tokens, seed=st.integers(0, 2**64 - 1), allowed=lengths())
def test_every_passage_of_an_allowed_length_is_in_one_window_with_its_key(family, texts, seed, allowed):
    windows = rows(windows_of(texts, family, seed, *allowed))
    stream = stream_of(texts)
    whole = family.active(stream.vocabulary, np.bincount(stream.ids, minlength=0).astype(np.int32), np.uint64(seed))
    for first, end in zip(stream.bounds[:-1].tolist(), stream.bounds[1:].tolist(), strict=True):
        expected = min_hashes(stream.ids[first:end], whole)
        for i in range(first, end):
            for j in range(i + allowed[0] - 1, min(end, i + allowed[1])):
                keys = [key for key, a, b, c, d in windows if a <= i <= b and c <= j <= d]
                there = expected.exists[i - first, j - first]
                assert keys == ([expected.key[i - first, j - first]] if there else [])


@each_family
@given(texts=texts_of_few_tokens, allowed=lengths())
def test_windows_stay_in_one_text_and_none_is_without_passages(family, texts, allowed):
    bounds = stream_of(texts).bounds
    for _, a, b, c, d in rows(windows_of(texts, family, 7, *allowed)):
        assert a <= b <= c <= d
        assert np.searchsorted(bounds, a, "right") == np.searchsorted(bounds, d, "right")
        sizes = {j - i + 1 for i in range(a, b + 1) for j in range(c, d + 1)}
        assert any(allowed[0] <= size <= allowed[1] for size in sizes)
        # The rows and columns are cut to those of allowed passages, so the widths fit what the store has for them.
        for i in range(a, b + 1):
            assert any(allowed[0] <= j - i + 1 <= allowed[1] for j in range(c, d + 1))
        for j in range(c, d + 1):
            assert any(allowed[0] <= j - i + 1 <= allowed[1] for i in range(a, b + 1))


@each_family
@given(texts=texts_of_few_tokens, allowed=lengths())
def test_several_texts_have_the_windows_that_each_has_alone(family, texts, allowed):
    together = rows(windows_of(texts, family, 2**63, *allowed))
    first, alone = 0, []
    for text in texts:
        alone += [
            (key, *(corner + first for corner in corners))
            for key, *corners in rows(windows_of([text], family, 2**63, *allowed))
        ]
        first += len(text)
    assert together == alone


def harmonic(n):
    return sum(1 / x for x in range(1, n + 1))


def test_a_set_of_distinct_tokens_has_as_many_windows_as_tokens():
    for seed in function_seeds(1, 20):
        assert len(windows_of([list(range(500))], SetFamily(), seed).keys) == 500


def test_windows_of_a_multiset_are_at_most_twice_the_expected_active_keys():
    """Lemma 10 with the expected number of active keys: a token of frequency f has the sum of (f - x + 1) / x.

    Means over 60 functions; their scatter is below a tenth of the bound, from which they are further than that.
    """
    random = np.random.default_rng(4)
    for text in ([0] * 300, random.integers(0, 20, 600).tolist(), (random.zipf(1.3, 600) % 600).tolist()):
        counts = np.unique(text, return_counts=True)[1]
        keys = sum((f + 1) * harmonic(f) - f for f in counts.tolist())
        mean = np.mean([len(windows_of([text], MultisetFamily(), seed).keys) for seed in function_seeds(2, 60)])
        assert len(text) * 0.5 < mean <= 2 * keys


def test_weights_that_grow_slowly_make_fewer_windows():
    """A weight that reaches w at the highest frequency has about ln w steps: 2 ln f of f squared, ln ln f of ln f."""
    text = [0] * 400

    def mean(weighting):
        family = WeightedFamily(weighting)
        return np.mean([len(windows_of([text], family, seed).keys) for seed in function_seeds(3, 60)])

    binary, logarithmic, raw, squared = (mean(Weighting(tf)) for tf in ("binary", "logarithmic", "raw", "squared"))
    assert binary == 400
    assert binary < logarithmic < raw < squared
    steps = 1 + 2 * math.log(
        400
    )  # of one token, in expectation at most; a step makes two windows an occurrence at most
    assert squared <= 2 * 400 * steps


# Texts in which a careless sweep takes a square of its time, or runs out of room.


def cover_of(windows, n):
    """How many passages the windows hold."""
    _, a, b, c, d = (column.astype(np.int64) for column in windows)
    return int(((b - a + 1) * (d - c + 1)).sum())


@each_family
def test_one_word_repeated_is_covered_whole(family):
    n = 20_000
    windows = windows_of([[1] * n], family)
    assert cover_of(windows, n) == n * (n + 1) // 2
    if isinstance(family, SetFamily):
        assert len(windows.keys) == n


@each_family
def test_two_words_in_turn_are_covered_whole(family):
    n = 20_000
    windows = windows_of([[2, 3] * (n // 2)], family)
    assert cover_of(windows, n) == n * (n + 1) // 2


@each_family
def test_distinct_words_are_covered_whole(family):
    n = 20_000
    windows = windows_of([list(range(1, n + 1))], family)
    assert cover_of(windows, n) == n * (n + 1) // 2
    assert len(windows.keys) == n


@each_family
def test_a_word_without_weight_has_windows_nowhere(family):
    windows = windows_of([[0] * 3000], family)
    weightless = family is FAMILIES["logarithmic, standard"]
    assert cover_of(windows, 3000) == (0 if weightless else 3000 * 3001 // 2)


def test_more_windows_than_there_was_room_for_are_made_all():
    """A repeated word makes some ln n windows a token, and the first guess is one and a half."""
    n = 3000
    windows = windows_of([[1] * n], MultisetFamily())
    assert len(windows.keys) > 1024 + 3 * n
    assert cover_of(windows, n) == n * (n + 1) // 2
    some = windows_of([[1] * n], MultisetFamily(), min_length=8)
    assert len(some.keys) > 1024 + n // 2
    assert len(set(rows(some))) == len(some.keys)


def test_passages_of_the_longest_length_fit_the_widths_of_a_posting():
    longest = 65535
    windows = windows_of([[1] + [2] * 70_000], SetFamily(), min_length=32, max_length=longest)
    for low, high in ((windows.a, windows.b), (windows.b, windows.c), (windows.c, windows.d)):
        assert 0 <= int((high - low).min()) <= int((high - low).max()) <= longest
