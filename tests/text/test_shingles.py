import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.signatures import Shingler
from ibidem.text import Texts, keep_tokenizer, make_tokenizer, restore_tokenizer
from ibidem.text.shingles import Shingles

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


@given(texts=st.lists(words, max_size=4), width=st.integers(1, 3), every=st.integers(2, 5))
def test_of_a_sample_those_shingles_are_tokens_whose_hash_is_a_multiple(texts, width, every):
    strings = Texts.from_strings([" ".join(each) for each in texts])
    every_shingle = Shingles(make_tokenizer("words"), width).encode(strings, offsets=True)
    sample = Shingles(make_tokenizer("words"), width, every).encode(strings, offsets=True)
    chosen = [n for n, id in enumerate(every_shingle.ids.tolist()) if id % every == 0]
    assert sample.ids.tolist() == every_shingle.ids[chosen].tolist()
    assert sample.starts.tolist() == every_shingle.starts[chosen].tolist()
    assert sample.ends.tolist() == every_shingle.ends[chosen].tolist()
    assert sample.bounds.tolist() == [sum(n < bound for n in chosen) for bound in every_shingle.bounds.tolist()]
    assert Shingles(make_tokenizer("words"), width, every).encode(strings).ids.tolist() == sample.ids.tolist()


def test_a_sample_of_shingles_has_a_name_and_a_configuration():
    tokenizer = make_tokenizer("characters:4/3")
    assert tokenizer.config == {"name": "characters", "version": 2, "shingle": 4, "every": 3}
    assert make_tokenizer(tokenizer.config).config == tokenizer.config
    assert keep_tokenizer(tokenizer)[0] == tokenizer.config
    assert restore_tokenizer(tokenizer.config, lambda checksum: b"", "here").config == tokenizer.config
    assert make_tokenizer("characters:4/3", normalize="latin").config["every"] == 3


@pytest.mark.parametrize("every", [0, 256, True, 1.5, "3"])
def test_a_sample_is_one_shingle_in_a_whole_number(every):
    with pytest.raises(ValueError, match="one shingle in 1 to 255"):
        Shingles(make_tokenizer("characters"), 4, every)


def test_documents_are_compared_by_all_shingles():
    with pytest.raises(ValueError, match="by all shingles"):
        Shingler("characters:4/3")
