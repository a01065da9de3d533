"""Where a passage follows itself, and how long it is."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.reuse.removal.periods import Repetition, find_repetition


def draw_tokens(seed: int, count: int) -> list[int]:
    return random.Random(seed).choices(range(1000), k=count)


@given(period=st.integers(1, 80), times=st.integers(2, 9), before=st.integers(0, 50), behind=st.integers(0, 50))
def test_a_passage_that_follows_itself_is_found_with_its_length(
    period: int, times: int, before: int, behind: int
) -> None:
    passage = list(range(2000, 2000 + period))
    tokens = [*range(before), *passage * times, *range(100, 100 + behind)]
    assert find_repetition(np.array(tokens, np.int32), 0.8) == Repetition(before, before + times * period, period)


def test_a_changed_word_in_each_leaves_it_one_passage() -> None:
    passage = draw_tokens(3, 60)
    copies = [[*passage[: 7 * number], 5000 + number, *passage[7 * number + 1 :]] for number in range(5)]
    repetition = find_repetition(np.concatenate(copies).astype(np.int32), 0.8)
    assert repetition is not None
    assert repetition.period == 60
    assert repetition.last - repetition.first >= 290


@pytest.mark.parametrize("tokens", [[], [1], list(range(100)), [1, 2, 3, *range(10, 60), 1, 2, 3]])
def test_a_text_that_does_not_repeat_itself_has_none(tokens: list[int]) -> None:
    assert find_repetition(np.array(tokens, np.int32), 0.8) is None
