"""A compact token stream gives what the plain one gives, wherever it is read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.store.compact import tokens as compact
from ibidem.store.compact.tokens import CodedTokens, choose_codes, encode_tokens, gather_tokens
from ibidem.store.format import CODED_TOKENS, RARE_GROUP


def code(stream: np.ndarray, most: int) -> CodedTokens:
    """The stream with codes for its ``most`` most frequent tokens."""
    vocabulary, occurrences = np.unique(stream, return_counts=True)
    coded = choose_codes(vocabulary, occurrences.astype(np.uint64))[:most]
    pieces = list(encode_tokens([stream[:1000], stream[1000:]], coded))
    codes = np.concatenate([piece for piece, _ in pieces])
    rare = np.concatenate([without for _, without in pieces])
    escaped = np.concatenate(([0], np.cumsum(codes == CODED_TOKENS)))
    groups = escaped[np.append(np.arange(0, len(codes), RARE_GROUP), len(codes))].astype(np.uint32)
    return CodedTokens(codes, coded, rare, groups)


streams = st.builds(
    lambda seed, size, kinds: np.random.default_rng(seed).choice(
        np.random.default_rng(seed + 1).integers(0, 2**32, kinds, np.uint32), size
    ),
    st.integers(0, 10**6),
    st.integers(1, 3000),
    st.integers(1, 300),
)


@given(stream=streams, most=st.sampled_from([0, 1, 10, CODED_TOKENS]), data=st.data())
def test_every_way_to_read_gives_the_tokens_of_the_stream(stream, most, data):
    coded = code(stream, most)
    place = st.integers(0, len(stream))
    ranges = np.sort(
        np.array(data.draw(st.lists(st.tuples(place, place), max_size=5)), np.int64).reshape(-1, 2), axis=1
    )
    assert gather_tokens(coded, ranges).tolist() == gather_tokens(stream, ranges).tolist()
    first, last = sorted((data.draw(place), data.draw(place)))
    assert coded[first:last].tolist() == stream[first:last].tolist()
    places = data.draw(st.lists(st.integers(-len(stream), len(stream) - 1), max_size=9))
    assert coded[np.array(places, np.int64)].tolist() == stream[np.array(places, np.int64)].tolist()
    assert coded[-1] == stream[-1]
    assert np.asarray(coded).tolist() == stream.tolist()
    assert len(coded) == coded.shape[0] == len(stream)
    around = np.zeros(len(stream) - first, np.uint32)
    coded.decode_into(around, np.array([[first, last]]), first)
    assert around[: last - first].tolist() == stream[first:last].tolist()


def test_the_most_frequent_tokens_have_codes_and_of_equals_the_smallest() -> None:
    vocabulary, occurrences = np.array([3, 5, 8, 9], np.uint32), np.array([2, 7, 2, 9], np.uint64)
    assert choose_codes(vocabulary, occurrences).tolist() == [9, 5, 3, 8]


def test_more_tokens_than_codes_are_listed_apart() -> None:
    stream = np.concatenate((np.arange(70000), np.arange(66000))).astype(np.uint32) * np.uint32(40503)
    coded = code(stream, CODED_TOKENS)
    assert np.array_equal(np.asarray(coded), stream)
    assert np.asarray(coded) is compact.CodedTokens.decode_all(coded)  # decoded once


def test_places_outside_of_the_stream_are_refused() -> None:
    coded = code(np.arange(9, dtype=np.uint32), 4)
    for places in ([9], [-10]):
        with pytest.raises(IndexError, match="of 9"):
            coded[np.array(places)]


def test_codes_that_no_token_has_are_read_without_leaving_the_arrays() -> None:
    """A checksum says that a file was altered; where none is compared, nothing outside of the columns is read."""
    codes = np.array([7, 65534, CODED_TOKENS, CODED_TOKENS], np.uint16)
    coded = CodedTokens(codes, np.array([5], np.uint32), np.array([6], np.uint32), np.array([0, 1], np.uint32))
    assert coded[:].tolist() == [0, 0, 6, 0]
