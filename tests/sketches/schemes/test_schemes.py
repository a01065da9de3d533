"""Indexes by one permutation hashing at the edges: few elements, many bins, one word, weights in units."""

import numpy as np
import pytest

from ibidem import PassageIndex
from ibidem.sketches.one_permutation import EMPTY_KEY
from ibidem.sketches.schemes import window_postings
from ibidem.text import Texts

ONE = {"scheme": "oph", "min_length": 4, "max_length": 64}


def built(folder, texts, **choices):
    return PassageIndex.build(folder / "index", texts, **(ONE | choices))


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
            assert [match.text for match in matches] == [texts[0]]


@pytest.mark.filterwarnings("ignore:passages similar to this query")
def test_a_text_of_one_word_over_and_over_has_few_postings_and_is_searched(tmp_path):
    text = "the " * 100_000
    for family in ("set", "multiset"):
        with built(tmp_path / family, [text], family=family, num_hashes=16, min_length=32) as index:
            assert index.info()["postings"] <= 100_000 * (2 if family == "set" else 64)
            (match,) = index.search("the " * 40, threshold=0.9, limit=None)[:1]
            assert match.similarity == 1.0
            assert index.search("a different query " * 20, threshold=0.9) == []
            assert index.search("a different query " * 20, threshold=0.9, verify=False) == []


def test_a_text_of_distinct_words_is_found(tmp_path):
    words = [f"w{number}" for number in range(20_000)]
    with built(tmp_path, [" ".join(words)], num_hashes=64) as index:
        for verify in (True, False):
            matches = index.search(" ".join(words[9_000:9_050]), threshold=0.8, verify=verify)
            assert documents_of(matches) == ["0"]
        assert index.info()["postings"] <= 2 * len(words) + 64 * (len(words) // 64 + 1)


WEIGHTED = {"family": "weighted", "idf": "smooth", "tf": "logarithmic"}


@pytest.mark.parametrize("units", [1, 16])
def test_weights_in_units_find_what_is_similar(tmp_path, units):
    random = np.random.default_rng(2)
    texts = [" ".join(f"w{number}" for number in random.zipf(1.4, 60) % 500) for _ in range(20)]
    with built(tmp_path, texts, num_hashes=32, weight_units=units, **WEIGHTED) as index:
        for number, text in enumerate(texts):
            (first, *_) = index.search(text, threshold=0.8)
            assert (first.document, first.similarity) == (str(number), pytest.approx(1.0))


def test_a_query_without_a_whole_unit_is_answered_exactly_and_is_estimated_like_nothing(tmp_path):
    """Words of nearly all documents weigh less than a unit, so every bin of the query is empty."""
    texts = ["alpha beta gamma delta epsilon"] * 9 + ["none of these words"]
    choices = {"family": "weighted", "idf": "standard", "weight_units": 1, "num_hashes": 8}
    with built(tmp_path, [(str(n), text) for n, text in enumerate(texts)], **choices) as index:
        scheme = index.configuration.make_scheme(index._frequencies.of(index.configuration))
        tokens = index.tokenizer.encode(Texts.from_strings([texts[0]])).ids
        assert (scheme.sketch(tokens) == EMPTY_KEY).all()
        assert documents_of(index.search(texts[0], threshold=0.9)) == [str(n) for n in range(9)]
        assert index.search(texts[0], threshold=0.9, verify=False) == []


def test_the_work_of_a_search_is_explained(tmp_path):
    random = np.random.default_rng(3)
    texts = [" ".join(f"w{number}" for number in random.zipf(1.3, 3000) % 2000) for _ in range(5)]
    query = " ".join(texts[2].split()[1000:1040])
    with built(tmp_path, texts, num_hashes=16) as index:
        for verify in (True, False):
            matches, work = index.explain(query, threshold=0.8, verify=verify)
            assert matches == index.search(query, threshold=0.8, verify=verify)
            assert work.matches == len(matches) > 0
            assert work.lists == 16 == work.lists_read + work.lists_probed + work.lists_skipped
            assert verify or 0 < work.postings_read <= work.postings + work.lists_probed
            assert work.bins >= work.bins_collided > 0
            assert work.areas > 0
            assert bool(work.starts_likely) == verify
            assert set(work.seconds) >= {"query", "postings", "matches"}


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
