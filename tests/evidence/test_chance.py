"""The law of runs in unrelated texts."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.evidence.background import learn_background
from ibidem.evidence.chance import _LENGTH, Chance, _cut_document, estimate_chance
from ibidem.evidence.runs import find_runs
from ibidem.evidence.seeds import Documents, SeedRule

VOCABULARY = 3_000


def collection(seed: int, texts: int, length: int, phrases: int = 0) -> Documents:
    """Texts of words drawn independently, or of ``phrases`` of four words that recur."""
    drawn = np.random.default_rng(seed)
    if phrases:
        words = (VOCABULARY * drawn.random((phrases, 4)) ** 3).astype(np.int32)
        tokens = words[drawn.integers(0, phrases, texts * length // 4)].ravel()
    else:
        tokens = (VOCABULARY * drawn.random(texts * length) ** 3).astype(np.int32)
    bounds = np.arange(0, texts * length + 1, length)
    return Documents.of(tokens, bounds, np.full(texts, -1, np.int32))


def alarms(documents: Documents, expect: float) -> tuple[Chance, float]:
    """The law, and the runs for each pair of documents of which chance should give ``expect``."""
    background = learn_background(documents.tokens, documents.bounds, VOCABULARY)
    chance = estimate_chance(documents, background)
    runs = find_runs(documents, background, SeedRule(8.0), 1 << 20)
    lengths, number = np.diff(documents.bounds), len(documents.bounds) - 1
    evidence = chance.weigh(runs.surprise) - np.log(lengths[runs.documents]).sum(axis=1)
    return chance, float((evidence >= -np.log(expect)).sum() / (number * (number - 1) / 2))


@pytest.mark.parametrize("phrases", [0, 400])
@pytest.mark.parametrize("length", [200, 800])
def test_chance_gives_about_as_many_runs_as_the_law_says(phrases: int, length: int) -> None:
    _, often = alarms(collection(1, 80, length, phrases), 0.1)
    _, seldom = alarms(collection(1, 80, length, phrases), 0.01)
    assert 0.01 <= often <= 0.4
    assert seldom <= 0.06


def test_words_that_recur_in_phrases_make_the_law_stricter() -> None:
    free, _ = alarms(collection(2, 80, 400), 0.1)
    bound, _ = alarms(collection(2, 80, 400, 200), 0.1)
    assert free.surprise_of(10.0) < bound.surprise_of(10.0)


def test_what_documents_of_one_side_share_says_nothing_of_both_sides() -> None:
    free, bound = collection(5, 40, 400), collection(6, 40, 400, 40)
    documents = Documents.of(
        np.concatenate([free.tokens, bound.tokens]),
        np.concatenate([free.bounds, bound.bounds[1:] + len(free.tokens)]),
        np.repeat([0, 1], 40).astype(np.int32),
    )
    background = learn_background(documents.tokens, documents.bounds, VOCABULARY)
    apart = estimate_chance(documents, background)
    together = estimate_chance(documents._replace(side=np.full(80, -1, np.int32)), background)
    assert apart.surprise_of(10.0) < together.surprise_of(10.0)


@given(
    first=st.integers(0, 1_000), size=st.integers(0, 3 * _LENGTH) | st.integers(0, 30 * _LENGTH), most=st.integers(1, 9)
)
def test_pieces_of_a_document_lie_in_it_and_do_not_overlap(first: int, size: int, most: int) -> None:
    pieces = _cut_document(first, first + size, most)
    assert bool(pieces) == (size > 1)
    assert all(first <= begin < end - 1 < first + size and end - begin <= _LENGTH for begin, end in pieces)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(pieces))
    assert len(pieces) == most or (len(pieces) < most and size < most * _LENGTH + most)


def test_pieces_may_touch() -> None:
    ends = [7 + number * _LENGTH for number in range(4)]
    assert _cut_document(ends[0], ends[-1], 3) == list(pairwise(ends))


def test_too_little_text_shows_nothing() -> None:
    documents = collection(3, 3, 20)
    background = learn_background(documents.tokens, documents.bounds, VOCABULARY)
    assert estimate_chance(documents, background) == Chance(0.25, 0.0)


def test_surprise_and_evidence_are_each_other_the_other_way_round() -> None:
    chance = Chance(0.4, -3.0)
    assert chance.surprise_of(float(chance.weigh(np.array([30.0]))[0])) == pytest.approx(30.0)
