"""The windows and the sketch of a text, against the sketches of all its passages."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import jaccard, sketch_of, windows_of
from ibidem.errors import ConfigurationError
from ibidem.weights import DocumentFrequencies

CHOICES = st.sampled_from(
    [
        {"sketch": "minhash", "family": "set"},
        {"sketch": "minhash", "family": "multiset"},
        {"sketch": "minhash", "family": "weighted", "tf": "squared"},
        {"sketch": "oph", "family": "multiset"},
        {"sketch": "minhash", "idf": {"a": 2.5, "b": 0.2}},
    ]
)


@settings(max_examples=30)
@given(st.lists(st.sampled_from("abcd"), max_size=9), CHOICES, st.integers(0, 3))
def test_each_passage_lies_in_the_one_window_that_has_the_key_of_its_sketch(words, choices, seed):
    windows = windows_of(" ".join(words), num_hashes=3, seed=seed, **choices)
    assert len(windows) == 3
    for first in range(len(words)):
        for last in range(first, len(words)):
            keys = sketch_of(" ".join(words[first : last + 1]), num_hashes=3, seed=seed, **choices).keys
            for key, found in zip(keys.tolist(), windows, strict=True):
                empty = found.keys == 0xFFFFFFFF
                ends_late = (found.c <= last) | (empty & (choices["sketch"] == "oph"))
                inside = (found.a <= first) & (first <= found.b) & ends_late & (last <= found.d)
                assert found.keys[inside].tolist() == [key]


@pytest.mark.parametrize("sketch", ["minhash", "oph"])
def test_a_sketch_tells_how_similar_texts_are(sketch):
    a, b = (sketch_of(text, num_hashes=512, sketch=sketch) for text in ("a rose is a rose", "a rose is red"))
    assert a.resemblance(a) == 1
    low, high = a.resemblance(b).interval(0.999)
    assert low <= 3 / 6 <= high
    nothing = sketch_of("?!", num_hashes=512, sketch=sketch)
    assert nothing.resemblance(nothing) == 1
    assert nothing.resemblance(a) == 0


def test_windows_hold_passages_of_the_lengths_that_are_asked_for():
    [windows] = windows_of("a b c d e f", num_hashes=1, min_length=5, max_length=5)
    assert {(int(start), int(end)) for start, end in zip(windows.a, windows.d, strict=True)} <= {(0, 4), (1, 5), (0, 5)}


def test_choices_that_make_no_sketch_are_refused():
    with pytest.raises(ValueError, match="sketch is one of minhash, oph, not 'exact'"):
        sketch_of("a rose", sketch="exact")
    with pytest.raises(ValueError, match="needs document frequencies"):
        windows_of("a rose", family="weighted", idf="smooth")
    counted = DocumentFrequencies([], [], 1)
    assert len(windows_of("a rose", family="weighted", idf="smooth", frequencies=counted)) == 16
    with pytest.raises(ConfigurationError, match="other choices cannot meet"):
        sketch_of("a rose", seed=1).resemblance(sketch_of("a rose"))


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=9), st.integers(1, 6))
def test_every_passage_lies_in_one_window_of_a_bin_also_where_the_bin_is_empty(words: list[str], bins: int) -> None:
    choices = {"sketch": "oph", "num_hashes": bins, "family": "set"}
    windows_of_bins = windows_of(" ".join(words), **choices)
    for first, last in combinations_with_replacement(range(len(words)), 2):
        keys = sketch_of(" ".join(words[first : last + 1]), **choices).keys
        for windows, key in zip(windows_of_bins, keys.tolist(), strict=True):
            is_empty = windows.keys == 2**32 - 1
            least_end = np.where(is_empty, first, windows.c)
            holds = (windows.a <= first) & (first <= windows.b) & (least_end <= last) & (last <= windows.d)
            assert windows.keys[holds].tolist() == [key]


def test_a_sketch_tells_how_similar_texts_are_under_weights_of_their_words() -> None:
    weights = {"the": 0.1, "council": 4.0}
    texts = ("the council of the town", "the council met the lamps")
    a, b = (sketch_of(text, num_hashes=1024, idf=weights) for text in texts)
    low, high = a.resemblance(b).interval(0.999)
    assert low <= jaccard(*(text.split() for text in texts), idf=weights) <= high
    with pytest.raises(ConfigurationError, match="other choices cannot meet"):
        a.resemblance(sketch_of(texts[1], num_hashes=1024))
    with pytest.raises(ValueError, match="'two words' is 2 tokens"):
        sketch_of("a rose", idf={"two words": 1.0})
    with pytest.raises(ValueError, match="weights of words are those of the family 'weighted'"):
        sketch_of("a rose", family="set", idf=weights)
