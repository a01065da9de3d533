import numpy as np
import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from ibidem.sketches.elements import elements_of, fingerprints, hash_values

ALL = 2**64


def splitmix(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % ALL
    x = (x ^ x >> 27) * 0x94D049BB133111EB % ALL
    return x ^ x >> 31


GOLDEN = 0x9E3779B97F4A7C15


def mixed(window, seed):
    """A polynomial of the mixed bytes."""
    start, state = splitmix((seed + GOLDEN) % ALL), 0
    for byte in window:
        state = (state * 0x94D049BB133111EB + splitmix(start ^ byte)) % ALL
    return splitmix(state)


@given(data=st.binary(max_size=50), window=st.integers(1, 20), seed=st.sampled_from([0, 1, 2**63 + 5, 2**64 - 1]))
def test_mixing_gives_the_polynomial_of_every_window(data, window, seed):
    windows = [data[i : i + window] for i in range(len(data) - window + 1)]
    assert fingerprints(data, window, seed=seed).tolist() == [mixed(each, seed) for each in windows]


@given(
    items=st.lists(st.integers(0, 2**32 - 1), max_size=12),
    window=st.integers(1, 4),
    method=st.sampled_from(["mix", "rabin"]),
)
def test_a_window_of_tokens_is_a_window_of_their_bytes(items, window, method):
    ids = np.array(items, np.uint32)
    expected = [
        fingerprints(ids[i : i + window].tobytes(), 4 * window, method)[0] for i in range(len(ids) - window + 1)
    ]
    assert fingerprints(ids, window, method).tolist() == expected


@pytest.mark.parametrize("method", ["mix", "rabin"])
def test_equal_windows_and_they_alone_share_a_fingerprint(method):
    data = np.random.default_rng(1).integers(97, 101, 20_000, np.uint8).tobytes()
    for window in (3, 9, 40):
        found = fingerprints(data, window, method)
        windows = [data[i : i + window] for i in range(len(data) - window + 1)]
        assert len(found) == len(windows)
        assert len(set(zip(windows, found.tolist(), strict=True))) == len(set(windows)) == len(set(found.tolist()))


@given(window=st.binary(min_size=1, max_size=30), place=st.integers(0, 29), byte=st.integers(0, 255))
def test_windows_that_differ_in_one_byte_never_share_a_fingerprint(window, place, byte):
    other = bytearray(window)
    other[place % len(window)] = byte
    one, two = (fingerprints(bytes(each), len(window))[0] for each in (window, other))
    assert (one == two) == (window == other)


@pytest.mark.parametrize("method", ["mix", "rabin"])
def test_another_seed_is_another_function(method):
    assert fingerprints(b"in the same place", 17, method, seed=1) != fingerprints(b"in the same place", 17, method)


@pytest.mark.parametrize("method", ["mix", "rabin"])
def test_a_sequence_shorter_than_a_window_has_none(method):
    assert fingerprints(b"", 1, method).tolist() == fingerprints(b"rose", 5, method).tolist() == []


def test_big_endian_tokens_have_the_fingerprints_of_little_endian_ones():
    ids = np.array([1, 2**31, 77], np.uint32)
    assert fingerprints(ids.astype(">u4"), 2).tolist() == fingerprints(ids, 2).tolist()


@pytest.mark.parametrize("arguments", [(b"rose", 0), (b"rose", 2, "md5"), (b"rose", 2, "rabin", 7)])
def test_what_is_no_window_no_method_or_no_degree_is_an_error(arguments):
    data, window, *method = arguments
    with pytest.raises(ValueError):
        fingerprints(data, window, *method[:1], **({"degree": method[1]} if method[1:] else {}))


@pytest.mark.parametrize("data", [np.array([1, 2]), np.array([0.5]), np.zeros((2, 2), np.uint8)])
def test_windows_are_cut_from_unsigned_integers(data):
    with pytest.raises(TypeError, match="unsigned integers"):
        fingerprints(data, 1)


def test_elements_are_numbers_strings_and_bytes():
    digest = xxhash.xxh3_64_intdigest("é".encode())
    assert elements_of(["é", "é".encode(), 7, 2**64 - 1, np.uint32(9)]).tolist() == [digest, digest, 7, 2**64 - 1, 9]
    assert elements_of([bytearray("é".encode()), memoryview("é".encode())]).tolist() == [digest, digest]
    assert elements_of(np.array([2**32 - 1], np.uint32)).tolist() == [2**32 - 1]
    assert elements_of({"\ud800"}).dtype == elements_of([]).dtype == np.uint64


@pytest.mark.parametrize("elements", [[-1], [2**64], np.array([3, -1])])
def test_a_number_that_has_no_64_bits_is_no_element(elements):
    with pytest.raises(ValueError, match="from 0 to 2"):
        elements_of(elements)


@pytest.mark.parametrize("elements", ["text", b"text", [1.5], [None], np.array([1.5])])
def test_what_is_no_collection_of_numbers_and_strings_holds_no_elements(elements):
    with pytest.raises(TypeError):
        elements_of(elements)


@given(elements=st.lists(st.integers(0, ALL - 1), max_size=10), seed=st.integers(0, ALL - 1))
def test_hash_values_are_two_mixes_of_element_and_seed(elements, seed):
    expected = [splitmix(splitmix((element + GOLDEN) % ALL) ^ seed) for element in elements]
    assert hash_values(np.array(elements, np.uint64), np.uint64(seed)).tolist() == expected
