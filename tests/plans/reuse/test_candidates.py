"""The pairs that a band compares are told from a sample as the join counts them in the collection."""

import random

import pytest

from ibidem.plans.reuse.candidates import expect_candidates
from ibidem.resources import Resources
from ibidem.reuse.bands import Bands, Sample
from ibidem.reuse.collection import Comparable, read_collection
from ibidem.reuse.windows import WindowJoin, find_boxes
from ibidem.text import make_tokenizer

BANDS = Bands(bands=5, functions=2, window=8)
RESOURCES = Resources.of("64M", 1, None)


def collect(folder, documents):
    folder.mkdir()
    named = [(f"{number:04d}", text) for number, text in enumerate(documents)]
    return read_collection([named], make_tokenizer("words"), folder, RESOURCES)


def sample_of(collection):
    """All of it."""
    return Sample(collection.tokens, collection.bounds, collection.vocabulary, collection.idf)


def count_compared(collection, join, folder):
    found = find_boxes(collection, Comparable.of(collection, join.window), join, folder, RESOURCES)
    return found.candidates / BANDS.bands


def random_texts(documents, words, seed=1):
    source = random.Random(seed)
    return [" ".join(f"w{int(source.paretovariate(0.9)) % 300}" for _ in range(words)) for _ in range(documents)]


def test_a_sample_that_is_the_collection_counts_what_is_compared(tmp_path):
    collection = collect(tmp_path / "all", random_texts(40, 200))
    join = WindowJoin(window=BANDS.window, bands=BANDS, most=10**6)
    expected = count_compared(collection, join, tmp_path)
    assert expected > 100
    assert expect_candidates(sample_of(collection), BANDS, join, len(collection.tokens)) == pytest.approx(expected)


def test_what_stands_everywhere_is_compared_with_two_others(tmp_path):
    phrase = "once upon a time there was a king"
    collection = collect(tmp_path / "all", [f"{phrase} {text}" for text in random_texts(60, 8)])
    join = WindowJoin(window=BANDS.window, bands=BANDS, most=20)
    every = count_compared(collection, join._replace(most=10**6), tmp_path)
    some = count_compared(collection, join, tmp_path)
    assert some < every / 4
    assert expect_candidates(sample_of(collection), BANDS, join, len(collection.tokens)) == pytest.approx(some, rel=0.1)


def test_pairs_grow_with_the_square_of_the_tokens_until_they_crowd(tmp_path):
    collection = collect(tmp_path / "all", random_texts(20, 200))
    sample, tokens = sample_of(collection), len(collection.tokens)
    free, bounded = (WindowJoin(window=BANDS.window, bands=BANDS, most=most) for most in (10**9, 16))
    one = expect_candidates(sample, BANDS, free, tokens)
    assert expect_candidates(sample, BANDS, free, 10 * tokens) == pytest.approx(100 * one)
    assert one < expect_candidates(sample, BANDS, bounded, 10 * tokens) < 50 * one


def test_nothing_is_compared_of_a_sample_without_a_pair(tmp_path):
    collection = collect(tmp_path / "all", ["one text alone has no other to be compared with"])
    assert expect_candidates(sample_of(collection), BANDS, WindowJoin(bands=BANDS), 10**9) == 0
