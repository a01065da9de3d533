"""Bands of weighted min-hashes over sliding windows, against plain Python and against their theorem."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.evidence.records.records import Records
from ibidem.hashing import function_seeds, spread
from ibidem.reuse.bands import Bands, Sample, _order_stably, choose_bands, draw_similarities, rank_tokens, rate_tokens
from ibidem.reuse.collection import Rarity
from ibidem.reuse.records.hashing import make_window_records

VOCABULARY = np.arange(10, dtype=np.uint32) * 7 + 3

texts = st.lists(st.lists(st.integers(0, 9), max_size=25), min_size=1, max_size=5)
weights = st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=10, max_size=10)


def laid_out(documents: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    tokens = np.array([token for document in documents for token in document], np.int32)
    return tokens, np.cumsum([0, *map(len, documents)])


def clock(token: int, weight: float, seed: np.uint64) -> float:
    uniform = (int(spread(VOCABULARY[token], seed)) >> 11) + 0.5
    return -math.log(uniform / 2**53) / weight if weight else math.inf


def windows_of(documents: list[list[int]], window: int) -> list[tuple[int, list[int]]]:
    """The start of every window among all tokens, and its tokens."""
    windows, begin = [], 0
    for document in documents:
        size = min(window, len(document))
        starts = range(len(document) - size + 1) if size else ()
        windows += [(begin + start, document[start : start + size]) for start in starts]
        begin += len(document)
    return windows


def first_tokens(window: list[int], given_weights: list[float], seeds: np.ndarray) -> tuple[int, ...] | None:
    weighing = [token for token in window if given_weights[token]]
    if not weighing:
        return None
    return tuple(min(weighing, key=lambda token: clock(token, given_weights[token], seed)) for seed in seeds)


def keys_by_start(records: Records) -> dict[int, int]:
    spans = zip(records.keys.tolist(), records.starts.tolist(), records.ends.tolist(), strict=True)
    return {start: key for key, first, last in spans for start in range(first, last)}


@given(texts, weights, st.integers(1, 6), st.integers(1, 3), st.integers(0, 50))
def test_windows_have_one_key_exactly_if_the_same_tokens_come_first_under_every_function(
    documents: list[list[int]], given_weights: list[float], window: int, functions: int, cut: int
) -> None:
    tokens, bounds = laid_out(documents)
    seeds = function_seeds(5, functions)
    ranks = rank_tokens(VOCABULARY, np.array(given_weights), seeds)
    cut = min(cut, len(tokens))
    parts = [make_window_records(tokens, bounds, ranks, window, *span) for span in ((0, cut), (cut, len(tokens)))]
    keys = keys_by_start(parts[0]) | keys_by_start(parts[1])
    expected = {start: first_tokens(inside, given_weights, seeds) for start, inside in windows_of(documents, window)}
    assert set(keys) == {start for start, first in expected.items() if first is not None}
    names = {(key, expected[start]) for start, key in keys.items()}
    assert len(names) == len({key for key, _ in names}) == len({first for _, first in names})


@given(texts, st.integers(1, 6))
def test_a_run_is_as_long_as_its_values_last(documents: list[list[int]], window: int) -> None:
    tokens, bounds = laid_out(documents)
    ranks = rank_tokens(VOCABULARY, np.ones(10), function_seeds(1, 2))
    records = make_window_records(tokens, bounds, ranks, window, 0, len(tokens))
    touching = records.starts[1:] == records.ends[:-1]
    inside = ~np.isin(records.starts[1:], bounds)
    assert (records.keys[1:] != records.keys[:-1])[touching & inside].all()


def test_a_token_comes_first_in_proportion_to_its_weight() -> None:
    given_weights = np.array([1.0, 2.0, 5.0])
    ranks = rank_tokens(np.arange(3, dtype=np.uint32), given_weights, function_seeds(0, 20_000))
    share = np.bincount(ranks.argmin(axis=1), minlength=3) / 20_000
    assert share == pytest.approx(given_weights / 8, abs=0.015)  # four standard deviations


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.integers(1, 3))
def test_the_share_of_bands_in_which_two_windows_agree_is_that_of_the_theorem(seed: int, functions: int) -> None:
    # By brute force: every pair of windows of two texts that share words, under many bands.
    generator = np.random.default_rng(seed)
    given_weights = generator.uniform(0.2, 3.0, 10)
    documents = [generator.integers(0, 10, 12).tolist(), generator.integers(0, 10, 12).tolist()]
    tokens, bounds = laid_out(documents)
    bands = 3000
    seeds = function_seeds(seed, bands * functions).reshape(bands, functions)
    agreed = np.zeros((8, 8))
    for of_band in seeds:
        ranks = rank_tokens(VOCABULARY, given_weights, of_band)
        keys = keys_by_start(make_window_records(tokens, bounds, ranks, 5, 0, len(tokens)))
        one, other = ([keys[first + start] for start in range(8)] for first in (0, 12))
        agreed += np.equal.outer(one, other)
    for x in range(8):
        for y in range(8):
            a, b = set(documents[0][x : x + 5]), set(documents[1][y : y + 5])
            similarity = given_weights[list(a & b)].sum() / given_weights[list(a | b)].sum()
            expected = min(similarity**functions, 1.0)  # equal windows, summed in another order
            # Bernstein's inequality: an honest share is further away once in 10⁹ comparisons.
            doubt = math.log(2e9) / bands
            slack = math.sqrt(2 * expected * (1 - expected) * doubt) + 2 / 3 * doubt
            assert abs(agreed[x, y] / bands - expected) <= slack


@given(st.floats(0.5, 0.999), st.floats(0.05, 1.0), st.integers(1, 4))
def test_the_fewest_bands_with_the_recall_are_taken(recall: float, similarity: float, functions: int) -> None:
    bands = Bands.for_recall(recall, similarity, functions, 32)
    assert bands.recall(similarity) >= recall - 1e-12
    assert bands.bands == 1 or bands._replace(bands=bands.bands - 1).recall(similarity) < recall


@given(st.floats(0.5, 0.999), st.lists(st.floats(0.05, 1.0), min_size=1), st.integers(1, 4))
def test_the_recall_of_several_similarities_is_their_mean(
    recall: float, similarities: list[float], functions: int
) -> None:
    bands = Bands.for_recall(recall, np.array(similarities), functions, 32)
    missed = [(1 - similarity**functions) ** bands.bands for similarity in similarities]
    assert bands.recall(np.array(similarities)) == pytest.approx(1 - sum(missed) / len(missed))
    assert bands.recall(np.array(similarities)) >= recall


def draw_zipf_sample(size: int) -> Sample:
    """A text of 2,000 words that are as frequent as by Zipf's law, weighed as those of a collection are."""
    generator = np.random.default_rng(size)
    numbers = np.minimum(2000 ** generator.random(size), 1999).astype(np.int32)
    counts = np.bincount(numbers, minlength=2000)
    vocabulary = np.arange(2000, dtype=np.uint32)
    weights = np.where(counts > 0, Rarity.of(vocabulary, np.maximum(counts, 1)).weights(vocabulary), 0)
    return Sample(numbers, np.array([0, size]), vocabulary, weights)


@pytest.mark.parametrize("similarity", [0.5, 0.65, 0.8])
def test_windows_as_similar_as_promised_agree_in_a_band_as_often_as_promised(similarity: float) -> None:
    # Windows of whom words are replaced one by one, as long as they are similar enough by their sets, and then hashed.
    sample, generator = draw_zipf_sample(1 << 14), np.random.default_rng(7)
    count, window, recall = 2_000, 32, 0.95
    windows = []
    for start in generator.integers(0, len(sample.tokens) - window, count):
        original = changed = sample.tokens[start : start + window].copy()
        for place in generator.permutation(window):
            following = changed.copy()
            following[place] = generator.choice(sample.tokens)
            shared, union = np.intersect1d(original, following), np.union1d(original, following)
            if sample.weights[shared].sum() < similarity * sample.weights[union].sum():
                break
            changed = following
        windows += [original, changed]
    bands = choose_bands(sample, 1 << 22, recall, similarity, window)
    tokens, bounds, agreed = np.concatenate(windows), window * np.arange(2 * count + 1), np.zeros(count, np.bool_)
    for seeds in function_seeds(1, bands.bands * bands.functions).reshape(bands.bands, bands.functions):
        ranks = rank_tokens(sample.vocabulary, rate_tokens(sample.weights), seeds)
        keys = make_window_records(tokens, bounds, ranks, window, 0, len(tokens)).keys.reshape(count, 2)
        agreed |= keys[:, 0] == keys[:, 1]
    assert recall - 0.02 < agreed.mean() < recall + 0.04  # they are a little more similar than promised


def test_words_of_one_weight_are_as_similar_by_rates() -> None:
    sample = draw_zipf_sample(1 << 12)._replace(weights=np.ones(2000))
    assert draw_similarities(sample, 0.65, 32) == pytest.approx(0.65)
    empty = Sample(np.zeros(0, np.int32), np.zeros(1, np.int64), sample.vocabulary, sample.weights)
    assert draw_similarities(empty, 0.65, 32) == pytest.approx(0.65)
    weightless = sample._replace(weights=np.zeros(2000))
    assert draw_similarities(weightless, 0.65, 32) == pytest.approx(0.65)


def test_common_words_ask_for_more_functions() -> None:
    generator = np.random.default_rng(1)

    def chosen(size: int) -> Bands:
        vocabulary = np.arange(size, dtype=np.uint32)
        tokens = generator.integers(0, size, 1 << 15).astype(np.int32)
        sample = Sample(tokens, np.arange(0, len(tokens) + 1, 1 << 10), vocabulary, np.ones(size))
        return choose_bands(sample, 1 << 22, 0.99, 0.65, 32)

    assert chosen(1_000).functions > chosen(100_000).functions


@given(st.lists(st.sampled_from([0.5, 1.0, 2.0, 3.0, math.inf]), max_size=40))
def test_equal_clocks_are_in_the_order_of_their_places(clocks: list[float]) -> None:
    order = _order_stably(np.array(clocks)).tolist()
    assert sorted(order) == list(range(len(clocks)))
    finite = [place for place in order if math.isfinite(clocks[place])]
    assert order[: len(finite)] == finite == sorted(finite, key=lambda place: (clocks[place], place))
