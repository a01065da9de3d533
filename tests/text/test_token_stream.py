"""What a partition needs to know of a block of texts, against plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.text.token_stream import number_tokens, prepare_tokens

token_lists = st.lists(
    st.lists(st.one_of(st.integers(0, 5), st.integers(2**32 - 4, 2**32 - 1)), max_size=20), max_size=5
)


def joined(texts):
    return np.array([token for text in texts for token in text], np.uint32)


def bounds_of(texts):
    return np.cumsum([0, *map(len, texts)]).astype(np.int64)


def peak(token, texts, max_length):
    """The highest frequency of a token in a passage of ``max_length``."""
    return max(text[i : i + max_length].count(token) for text in texts for i in range(len(text)))


@given(texts=token_lists, max_length=st.sampled_from([1, 2, 5, 100]))
def test_fields_are_what_they_say(texts, max_length):
    tokens = joined(texts)
    stream = prepare_tokens(tokens, bounds_of(texts), max_length)
    vocabulary = list(dict.fromkeys(tokens.tolist()))
    assert stream.vocabulary.tolist() == vocabulary
    assert stream.ids.tolist() == [vocabulary.index(token) for token in tokens]
    assert stream.bounds.tolist() == bounds_of(texts).tolist()
    positions = [[j for j, other in enumerate(tokens) if other == token] for token in vocabulary]
    assert stream.occurrences.tolist() == [j for each in positions for j in each]
    assert stream.groups.tolist() == np.cumsum([0, *map(len, positions)]).tolist()
    assert [stream.occurrences[place] for place in stream.place] == list(range(len(tokens)))
    assert stream.peaks.tolist() == [peak(token, texts, max_length) for token in vocabulary]
    kinds = [np.int32, np.int64, np.uint32, np.int32, np.int64, np.int32, np.int32]
    assert [column.dtype for column in stream] == kinds


def test_one_text_needs_no_bounds():
    stream = prepare_tokens(np.array([7, 7, 2**32 - 1], np.uint32))
    assert stream.bounds.tolist() == [0, 3]
    assert stream.peaks.tolist() == [2, 1]


@pytest.mark.parametrize("size", [511, 512, 513, 5000])
def test_dense_ids_survive_the_growth_of_their_table(size):
    """The table begins with room for 512 tokens; multiples of 2^22 share the low bits that a poor hash would use."""
    random = np.random.default_rng(size)
    distinct = np.concatenate([np.arange(min(size, 1000)) << 22, random.integers(0, 2**32, size)]).astype(np.uint32)
    tokens = random.permutation(np.repeat(distinct, 2))
    ids, vocabulary = number_tokens(tokens)
    assert vocabulary.tolist() == list(dict.fromkeys(tokens.tolist()))
    assert (vocabulary[ids] == tokens).all()


def test_tokens_that_are_not_contiguous_or_not_writable_are_read():
    tokens = np.arange(20, dtype=np.uint32)[::2]
    tokens.flags.writeable = False
    assert number_tokens(tokens)[1].tolist() == tokens.tolist()
