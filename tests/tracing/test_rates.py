"""Rates of memorisation: counted by hand, and intervals that hold as often as they say."""

import random

import numpy as np
import pytest

from ibidem.intervals import binomial_interval, normal_interval
from ibidem.tracing.rates import Amount, measure_rates, share_of_words


def test_the_rates_are_counted_over_outputs_and_over_words() -> None:
    amounts = [Amount(100, 60, 60, 80), Amount(300, 12, 0, 30), Amount(100, 0, 0, 0), Amount(0, 0, 0, 0)]
    extractable, verbatim, outputs, near = measure_rates(amounts, 50, 0.5)
    assert (extractable.name, extractable.memorised, extractable.total) == ("extractable", 1, 4)
    assert (verbatim.name, verbatim.memorised, verbatim.total) == ("verbatim", 60, 500)
    assert (outputs.name, outputs.memorised, outputs.rate) == ("near_verbatim_outputs", 2, 0.5)
    assert (near.name, near.memorised, near.rate) == ("near_verbatim", 110, 0.22)
    assert (extractable.low, extractable.high) == tuple(binomial_interval(1, 4))
    assert "50 words in a row" in extractable.definition
    assert "similarity 0.5" in near.definition


def test_nothing_memorised_leaves_room_for_what_few_outputs_cannot_show() -> None:
    for rate in measure_rates([Amount(300, 0, 0, 0)] * 20, 50, 0.5):
        assert rate.rate == rate.low == 0
        assert 0.1 < rate.high < 0.2


def test_no_output_at_all_says_nothing() -> None:
    for rate in measure_rates([], 50, 0.5):
        assert (rate.rate, rate.low, rate.high) == (0, 0, 1)


def test_outputs_that_are_memorised_as_a_whole_count_one_each() -> None:
    words = np.full(50, 200)
    share = share_of_words("n", "d", np.where(np.arange(50) < 10, 200, 0), words)
    low, high = normal_interval(10, 50)
    assert (share.low, share.high) == pytest.approx((low, high), abs=0.01)


def test_words_that_scatter_as_if_drawn_one_by_one_count_one_each() -> None:
    drawn = np.random.default_rng(1)
    words = np.full(4000, 100)
    share = share_of_words("n", "d", drawn.binomial(100, 0.3, 4000), words)
    assert (share.low, share.high) == pytest.approx(normal_interval(120_000, 400_000), abs=0.001)


def test_the_interval_holds_the_true_share_about_as_often_as_it_says() -> None:
    drawn, true, held = random.Random(1), 0.2, 0
    for _ in range(400):
        words = [drawn.randint(50, 350) for _ in range(80)]
        memorised = [round(n * drawn.betavariate(0.2, 0.8)) for n in words]
        share = share_of_words("n", "d", np.array(memorised), np.array(words))
        held += share.low <= true <= share.high
    assert 0.92 <= held / 400 <= 0.98
