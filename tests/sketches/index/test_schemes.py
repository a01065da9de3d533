"""Indexes by one permutation hashing at the edges: few elements, many bins, one word, weights in units."""

import numpy as np
import pytest

from ibidem import SketchIndex
from ibidem.sketches.families import SetFamily
from ibidem.sketches.index import window_postings
from ibidem.sketches.index.schemes import SCHEMES, QuerySketch
from ibidem.sketches.one_permutation import EMPTY_KEY, UNIT
from ibidem.text import Texts

ONE = {"sketch": "oph", "min_length": 4, "max_length": 64}


def built(folder, texts, **choices):
    return SketchIndex.build(folder / "index", texts, **(ONE | choices))


def documents_of(matches):
    return sorted({match.document for match in matches})


@pytest.mark.parametrize("family", ["set", "multiset"])
@pytest.mark.parametrize("verify", [True, False])
@pytest.mark.parametrize("k", [1, 2, 1000])
def test_more_bins_than_elements_and_a_single_bin_find_the_passage(tmp_path, family, verify, k):
    texts = ["one two three four five six", "seven eight nine ten eleven twelve", "one two three four five seven"]
    with built(tmp_path, texts, family=family, num_hashes=k) as index:
        matches = index.search(texts[0], threshold=1.0, verify=verify)
        assert "0" in documents_of(matches)
        assert all(match.estimate == 1.0 for match in matches)
        if verify:
            assert [(match.text, match.similarity) for match in matches] == [(texts[0], 1.0)]


def test_a_text_of_one_word_over_and_over_has_few_postings_and_is_searched(tmp_path):
    text = "the " * 20_000
    for family in ("set", "multiset"):
        with built(tmp_path / family, [text], family=family, num_hashes=16, min_length=32) as index:
            assert index.info()["postings"] <= 20_000 * (2 if family == "set" else 64)
            assert index.search("the " * 40, threshold=0.9)[0].estimate >= 0.9
            assert index.search("a different query " * 20, threshold=0.9) == []


def test_a_text_of_distinct_words_is_found(tmp_path):
    words = [f"w{number}" for number in range(20_000)]
    with built(tmp_path, [" ".join(words)], num_hashes=64) as index:
        for verify in (True, False):
            matches = index.search(" ".join(words[9_000:9_050]), threshold=0.8, verify=verify)
            assert documents_of(matches) == ["0"]
        assert index.info()["postings"] <= 2 * len(words) + 64 * (len(words) // 64 + 1)


WEIGHTED = {"family": "weighted", "idf": "smooth", "tf": "logarithmic"}


@pytest.mark.parametrize("units", [1, 16])
def test_weights_in_units_find_what_is_equal(tmp_path, units):
    random = np.random.default_rng(2)
    texts = [" ".join(f"w{number}" for number in random.zipf(1.4, 60) % 500) for _ in range(20)]
    with built(tmp_path, texts, num_hashes=32, weight_units=units, **WEIGHTED) as index:
        for number, text in enumerate(texts):
            (first, *_) = index.search(text, threshold=1.0, verify=True)
            assert (first.document, first.similarity) == (str(number), pytest.approx(1.0))


def test_a_query_without_a_whole_unit_is_estimated_like_nothing(tmp_path):
    """Words of nearly all documents weigh less than a unit, so every bin of the query is empty."""
    texts = ["alpha beta gamma delta epsilon"] * 9 + ["none of these words"]
    choices = {"family": "weighted", "idf": "standard", "weight_units": 1, "num_hashes": 8}
    with built(tmp_path, [(str(n), text) for n, text in enumerate(texts)], **choices) as index:
        tokens = index.tokenizer.encode(Texts.from_strings([texts[0]])).ids
        assert (index._scheme.sketch(tokens) == EMPTY_KEY).all()
        assert index.search(texts[0], threshold=0.9) == []


def test_the_windows_of_an_empty_bin_are_those_of_its_key():
    keys = np.array([4, EMPTY_KEY, 9, 1])
    query = QuerySketch(keys=keys, worths=np.array([10, 8, 10, 10]), least=25, reach=64)
    assert query.is_empty.tolist() == [False, True, False, False]


@pytest.mark.parametrize("sketch", SCHEMES)
def test_a_text_reaches_the_score_that_is_asked_of_a_copy_of_it(sketch):
    scheme = SCHEMES[sketch](SetFamily(), 8, 3, (1, 64))
    tokens = np.arange(20, dtype=np.uint32)
    for threshold in (0.1, 0.5, 1.0):
        query = scheme.sketch_query(tokens, threshold)
        assert query.least <= query.worths[query.keys == scheme.sketch(tokens)].sum()
        assert (query.worths[query.is_empty] <= UNIT).all()
        assert query.reach == 64


def test_bins_made_in_groups_have_the_same_postings(tmp_path, monkeypatch):
    random = np.random.default_rng(5)
    texts = [" ".join(f"w{number}" for number in random.zipf(1.4, size) % 300) for size in (40, 3000, 0, 500, 20)]
    monkeypatch.setattr(window_postings, "BLOCK_TOKENS", 64)
    built(tmp_path / "whole", texts).close()
    monkeypatch.setattr(window_postings, "_choose_group_size", lambda *_: 5)
    built(tmp_path / "divided", texts).close()
    whole, divided = (
        {path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.npy")} for name in ("whole", "divided")
    )
    assert whole == divided
    assert len(whole["packed_postings.npy"]) > 1000
