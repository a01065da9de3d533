"""Texts of several parts have the similarities of sets of shingles, whatever is compared together."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents import comparison
from ibidem.documents.comparison import TextComparer
from ibidem.documents.digests import Digests
from ibidem.documents.texts import DistinctTexts

from .samples import DOCUMENTS, digest

WORDS = [document["text"].split() for document in DOCUMENTS]


@pytest.fixture(scope="module", params=[1, 2])
def digests(request, tmp_path_factory):
    documents = DOCUMENTS[6:] + DOCUMENTS[:6]
    parts = [documents] if request.param == 1 else [documents[:6], documents[6:]]
    return Digests(digest(tmp_path_factory.mktemp("parts"), parts))


def shingles_of(words, width):
    return {tuple(words[start : start + width]) for start in range(max(1, len(words) - width + 1))} if words else set()


def compare(digests, pairs, shingles, least=0.0):
    texts = DistinctTexts.find(digests.contents(), digests.lengths(), np.arange(digests.rows))
    with ThreadPoolExecutor(2) as pool:
        comparer = TextComparer(digests, texts, shingles, pool, 2)
        similarities = comparer(pairs, least)
    assert comparer.count == len(pairs)
    words = [(WORDS[6:] + WORDS[:6])[row] for row in texts.first_of(np.arange(texts.num_texts)).tolist()]
    return words, similarities


def all_pairs(digests):
    count = DistinctTexts.find(digests.contents(), digests.lengths(), np.arange(digests.rows)).num_texts
    return np.array([(a, b) for a in range(count) for b in range(a)], np.int64)


@pytest.mark.parametrize("block", [1, 20, 1 << 20])
def test_similarities_are_those_of_sets_of_shingles(digests, monkeypatch, block):
    monkeypatch.setattr(comparison, "BLOCK_SHINGLES", block)
    pairs = all_pairs(digests)
    words, found = compare(digests, pairs, 3)
    for (a, b), similarity in zip(pairs.tolist(), found.tolist(), strict=True):
        one, other = shingles_of(words[a], 3), shingles_of(words[b], 3)
        assert similarity == pytest.approx(len(one & other) / len(one | other) if one | other else 1.0)
    assert len(set(found.tolist())) > 1


@given(order=st.permutations(range(15)), least=st.floats(0, 1))
def test_the_order_of_pairs_changes_nothing(digests, order, least):
    pairs = all_pairs(digests)[:15]
    _, exact = compare(digests, pairs, 3)
    _, found = compare(digests, pairs[order], 3, least)
    for similarity, true in zip(found.tolist(), exact[order].tolist(), strict=True):
        assert similarity == true or (similarity == 0 and true < least)


def test_no_pair_has_no_similarity(digests):
    assert len(compare(digests, np.zeros((0, 2), np.int64), 3)[1]) == 0
