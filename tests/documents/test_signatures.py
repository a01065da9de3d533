"""Shingles and signatures against plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.signatures import (
    BASE,
    NOTHING,
    Functions,
    Shingler,
    make_shingle_sets,
    make_signatures,
)
from ibidem.errors import ConfigurationError
from ibidem.hashing import GOLDEN, mix64
from ibidem.similarity import jaccard
from ibidem.text import Texts, Tokens, make_tokenizer

documents = st.lists(st.lists(st.integers(0, 5) | st.integers(2**31, 2**32 - 1), max_size=40), max_size=5)


def batch(lists):
    bounds = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return Tokens(np.array([token for tokens in lists for token in tokens], np.uint32), bounds)


def shingles(tokens, width):
    """The distinct shingles of a list of tokens; a shorter list is one shingle."""
    width = min(width, len(tokens))
    return {tuple(tokens[i : i + width]) for i in range(len(tokens) - width + 1)} if tokens else set()


def hashed(shingle):
    total = 0
    for token in shingle:
        total = (total * int(BASE) + int(mix64(np.uint64(token) + GOLDEN))) % 2**64
    return total


@given(documents, st.integers(1, 7))
def test_the_sets_are_the_distinct_hashes_of_the_shingles_in_order(lists, width):
    tokens = batch(lists)
    rows = np.arange(len(lists))[::-1].copy()
    values, bounds = make_shingle_sets(tokens.ids, tokens.bounds, rows, width)
    for at, row in enumerate(rows):
        expected = sorted({hashed(shingle) for shingle in shingles(lists[row], width)})
        assert values[bounds[at] : bounds[at + 1]].tolist() == expected


@given(documents, st.integers(1, 7), st.integers(1, 20), st.integers(0, 2**63 - 1))
def test_a_signature_holds_the_least_value_of_each_function(lists, width, count, seed):
    functions = Functions.of(count, seed)
    signatures = make_signatures(batch(lists), width, functions)
    assert signatures.shape == (len(lists), count)
    for row, tokens in enumerate(lists):
        bits = [int(mix64(np.uint64(hashed(shingle)))) >> 32 for shingle in shingles(tokens, width)]
        for multiplier, mask, least in zip(
            *(each.tolist() for each in functions), signatures[row].tolist(), strict=True
        ):
            assert least == min([(x ^ mask) * multiplier % 2**32 for x in bits], default=int(NOTHING))


def test_a_long_document_has_the_signature_of_its_parts_joined():
    ids = np.random.default_rng(1).integers(0, 2**32, 3000, dtype=np.uint32)
    functions = Functions.of(64)
    # Two parts that overlap by a shingle less one token have the shingles of the whole between them.
    whole, left, right = (
        make_signatures(Tokens(part, np.array([0, len(part)])), 5, functions) for part in (ids, ids[:1004], ids[1000:])
    )
    assert (whole == np.minimum(left, right)).all()


@pytest.mark.parametrize("similarity", [0.2, 0.5, 0.8])
def test_the_share_of_functions_that_agree_estimates_the_resemblance_with_binomial_variance(similarity):
    trials, size, k = 1500, 120, 64
    source = np.random.default_rng(7)
    shared = round(2 * size * similarity / (1 + similarity))
    ids = source.integers(0, 2**32, (trials, 2 * size - shared), dtype=np.uint32)
    both = np.stack([ids[:, :size], ids[:, size - shared :]], axis=1).reshape(-1)
    signatures = make_signatures(Tokens(both, np.arange(2 * trials + 1) * size), 1, Functions.of(k, 11))
    estimates = (signatures[0::2] == signatures[1::2]).mean(axis=1)
    exact = jaccard(both[:size], both[size : 2 * size])
    deviation = math.sqrt(exact * (1 - exact) / k)
    assert abs(estimates.mean() - exact) < 4 * deviation / math.sqrt(trials)
    assert abs(estimates.std() / deviation - 1) < 4 / math.sqrt(2 * trials)


def test_words_and_characters_are_shingled_by_their_specification():
    texts = Texts.from_strings(["One two three. Four five six!", "one TWO three four five six"])
    words = Shingler("words:5")
    assert words.width == 5
    signatures = make_signatures(words.tokens(texts), words.width, Functions.of(8))
    assert (signatures[0] == signatures[1]).all()
    characters = Shingler("characters:9")
    assert characters.width == 9
    assert len(characters.tokens(texts).ids) == sum(map(len, texts))
    assert Shingler("words").width == 1


def test_a_shingler_is_made_again_from_its_configuration():
    for spec in ("words:5", "characters"):
        shingler = Shingler(spec)
        again = Shingler(shingler.config)
        assert (again.config, again.width) == (shingler.config, shingler.width)


def test_a_number_of_functions_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="1 to 65535 values, not 0"):
        Functions.of(0)


def test_shingles_that_an_index_keeps_are_made_again(bpe_files):
    for spec in ("words:3", make_tokenizer("bpe:2", **bpe_files)):
        shingler = Shingler(spec)
        config, files = shingler.keep()
        restored = Shingler.restore(config, dict(zip(config.get("files", ()), files, strict=True)).__getitem__, "here")
        assert restored.keep() == (config, files)
        assert restored.width == shingler.width


@pytest.mark.parametrize("width", [-1, 2**70, "5"])
def test_shingles_that_cannot_be_are_refused_by_the_name_of_the_index(width):
    with pytest.raises(ConfigurationError, match="here"):
        Shingler.restore({"name": "words", "version": 2, "shingle": width}, "".encode, "here")
