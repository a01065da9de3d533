"""The weights of the tokens of two texts, as a caller chooses them."""

import random

import pytest

from ibidem import DocumentFrequencies, align


def test_words_of_no_weight_make_no_pair_and_words_of_much_weight_make_one():
    rng = random.Random(5)
    shared = " ".join(f"shared{n}" for n in range(60))
    a = " ".join(f"left{rng.randrange(400)}" for _ in range(300)) + f" {shared}"
    b = f"{shared} " + " ".join(f"right{rng.randrange(400)}" for _ in range(300))
    assert align(a, b)
    assert align(a, b, idf=lambda word: 1.0 if word.startswith("shared") else 0.5)
    assert not align(a, b, idf={f"shared{n}": 0 for n in range(60)})
    by_function = align(a, b, idf=lambda word: float(len(word)))
    by_dictionary = align(a, b, idf={word: len(word) for word in f"{a} {b}".split()})
    assert list(by_function) == list(by_dictionary)
    assert by_function


def test_weights_of_words_are_refused_where_they_have_no_place():
    for more in ({"family": "set"}, {"frequencies": DocumentFrequencies([], [], 1)}):
        with pytest.raises(ValueError, match="idf needs family 'weighted'"):
            align("a b", "a b", idf={"a": 1}, **more)
