"""How much chance is allowed is one number, and each pair says its own."""

import math

import pytest

from ibidem import align
from ibidem.alignment.overlap_evidence import CHANCE, evidence
from tests.alignment.test_align import some_words

SHARED = [f"shared{n}" for n in range(12)]


def two_texts() -> tuple[str, str]:
    a, b = some_words(300, 1), some_words(500, 2)
    return " ".join([*a[:150], *SHARED, *a[150:]]), " ".join([*b[:100], *SHARED, *b[100:]])


def test_a_pair_says_how_many_like_it_chance_gives() -> None:
    [pair] = align(*two_texts(), min_pair_length=12, summaries=False, idf="unary", tf="raw")
    assert pair.similarity == 1.0
    assert pair.expected == pytest.approx(312 * 512 * math.exp(-evidence(12.0, 12.0, CHANCE)))


def test_what_chance_gives_more_often_than_expected_is_left_out() -> None:
    [pair] = align(*two_texts(), min_pair_length=12, summaries=False)
    assert pair.expected is not None
    assert align(*two_texts(), min_pair_length=12, summaries=False, expect=pair.expected * 1.01) == [pair]
    assert align(*two_texts(), min_pair_length=12, summaries=False, expect=pair.expected * 0.99) == []


@pytest.mark.parametrize("wrong", [0.0, -1.0, math.inf, math.nan])
def test_chance_is_a_number_above_0(wrong: float) -> None:
    with pytest.raises(ValueError, match="expect must be a number above 0"):
        align("a", "b", expect=wrong)
