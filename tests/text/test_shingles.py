import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.text import Texts, make_tokenizer

words = st.lists(st.sampled_from(["a", "b", "c", "dd"]), max_size=12)


@given(texts=st.lists(words, max_size=4), width=st.integers(2, 5))
def test_shingles_are_the_runs_of_tokens_of_each_text(texts, width):
    strings = Texts.from_strings([" ".join(each) for each in texts])
    plain = make_tokenizer("words").encode(strings, offsets=True)
    shingled = make_tokenizer(f"words:{width}").encode(strings, offsets=True)
    runs, starts, ends = [], [], []
    for row, each in enumerate(texts):
        first = int(plain.bounds[row])
        for i in range(first, first + len(each) - width + 1):
            runs.append(tuple(plain.ids[i : i + width].tolist()))
            starts.append(plain.starts[i])
            ends.append(plain.ends[i + width - 1])
        assert shingled.bounds[row + 1] == len(runs)
    assert shingled.starts.tolist() == starts
    assert shingled.ends.tolist() == ends
    # Equal runs, and they alone, have equal ids.
    assert len(set(zip(runs, shingled.ids.tolist(), strict=True))) == len(set(runs)) == len(set(shingled.ids.tolist()))
    assert np.array_equal(make_tokenizer(f"words:{width}").encode(strings).ids, shingled.ids)


def splitmix(state):
    state = (state + 0x9E3779B97F4A7C15) % 2**64
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    state = (state ^ state >> 27) * 0x94D049BB133111EB % 2**64
    return state ^ state >> 31


def test_a_shingle_is_the_hash_of_its_ids_in_order():
    texts = Texts.from_strings(["one two three"])
    state = 0x6962696465_6D0002
    for token in make_tokenizer("words").encode(texts).ids.tolist():
        state = splitmix(state ^ token)
    assert make_tokenizer("words:3").encode(texts).ids.tolist() == [state % 2**32]


@pytest.mark.parametrize("text", ["", "one", "one two"])
def test_a_text_shorter_than_a_shingle_has_none(text):
    tokens = make_tokenizer("words:3").encode(Texts.from_strings([text, "a b c"]), offsets=True)
    assert tokens.bounds.tolist() == [0, 0, 1]
    assert len(tokens.starts) == 1
