"""Faerie's filter beside brute force."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines.every_passage import every_passage
from baselines.faerie import faerie, jitted_faerie
from ibidem.weights import Weighting

from .strategies import queries, texts, thresholds


@given(texts, queries, thresholds, st.sampled_from(["set", "multiset"]))
def test_the_filter_of_faerie_loses_nothing(T, Q, theta, family) -> None:  # type: ignore[no-untyped-def]
    found = faerie(T.tolist(), Q.tolist(), theta, family)
    expected = every_passage(T, Q, theta, Weighting.of(family))
    assert [passage[:2] for passage in found] == [passage[:2] for passage in expected]
    assert [passage.similarity for passage in found] == pytest.approx([passage.similarity for passage in expected])


@given(texts, queries, thresholds, st.sampled_from(["set", "multiset"]))
def test_the_compiled_filter_finds_the_same(T, Q, theta, family) -> None:  # type: ignore[no-untyped-def]
    expected = [passage[:2] for passage in faerie(T.tolist(), Q.tolist(), theta, family)]
    assert [tuple(passage) for passage in jitted_faerie(T, Q, theta, family).tolist()] == expected


def test_the_filter_knows_no_weights() -> None:
    with pytest.raises(ValueError, match="'set' and 'multiset', not for 'weighted'"):
        faerie("ab", "ab", 0.5, "weighted")
