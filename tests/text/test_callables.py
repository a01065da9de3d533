import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.text import Texts, make_tokenizer

TEXTS = Texts.from_strings(["the whale", ""])


def encode(tokens, *, offsets=False):
    return make_tokenizer(lambda text: tokens if text else []).encode(TEXTS, offsets=offsets)


def test_a_string_has_the_id_of_the_folded_word():
    ids = make_tokenizer("words").encode(TEXTS).ids
    assert np.array_equal(make_tokenizer(str.split).encode(TEXTS).ids, ids)
    assert encode(["The"]).ids[0] != ids[0]


def test_numbers_are_ids_as_they_are():
    tokens = encode([0, 7, np.uint32(2**32 - 1), np.int64(3)])
    assert tokens.ids.tolist() == [0, 7, 2**32 - 1, 3]
    assert tokens.bounds.tolist() == [0, 4, 4]


@given(st.lists(st.tuples(st.text(max_size=3) | st.integers(0, 2**32 - 1), st.just(1), st.integers(1, 9)), max_size=5))
def test_places_are_kept(given_tokens):
    tokens = encode(given_tokens, offsets=True)
    assert tokens.starts.tolist() == [start for _, start, _ in given_tokens]
    assert tokens.ends.tolist() == [end for *_, end in given_tokens]
    assert np.array_equal(tokens.ids, encode([token for token, *_ in given_tokens]).ids)


def test_a_function_may_be_a_generator():
    def letters(text):
        yield from text

    assert make_tokenizer(letters).encode(TEXTS).bounds.tolist() == [0, 9, 9]


@pytest.mark.parametrize("token", [1.5, None, b"a", True, ["a"], ()])
def test_what_is_no_token_is_refused(token):
    with pytest.raises(TypeError, match="a token is a str, an int"):
        encode(["a", token])


@pytest.mark.parametrize("number", [-1, 2**32])
def test_an_id_beyond_32_bits_is_refused(number):
    with pytest.raises(ValueError, match=f"the id {number};"):
        encode([number])


def test_offsets_need_a_function_that_gives_places():
    with pytest.raises(ValueError, match="gives tokens without places"):
        encode(["a", ("b", 0, 1)], offsets=True)


@pytest.mark.parametrize("places", [[(-1, 1)], [(2, 1)], [(0, 10)], [(3, 4), (2, 5)]])
def test_a_place_that_cannot_be_is_refused(places):
    with pytest.raises(ValueError, match=r"text 0 of the batch: .*9 code points"):
        encode([("a", *place) for place in places], offsets=True)


def test_a_configuration_names_the_function():
    assert make_tokenizer(str.split).config["function"].endswith("str.split")
    assert make_tokenizer(encode).config["function"].endswith("test_callables.encode")
