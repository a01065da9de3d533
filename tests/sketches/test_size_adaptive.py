"""What a size-adaptive sketch keeps, and how many values that are."""

import numpy as np
import pytest
from hypothesis import given

from ibidem.sketches.size_adaptive import SizeAdaptive

from .sets_and_seeds import ELEMENTS as elements
from .sets_and_seeds import SEEDS as seeds
from .sets_and_seeds import values_of


@given(members=elements, seed=seeds)
def test_size_adaptive_keeps_the_first_level_that_has_room(members, seed):
    level = 0
    while sum(value % 2**level == 0 for value in values_of(members, seed)) > 8:
        level += 1
    made = SizeAdaptive.of(members, 8, seed)
    assert made.level == level
    for coarser in range(level, level + 3):
        expected = [value for value in values_of(members, seed) if value % 2**coarser == 0]
        assert made.at_level(coarser).tolist() == expected


def test_a_size_adaptive_sketch_has_between_fifty_and_a_hundred_values():
    """Never more; fewer only by the scatter of the last halving, which leaves 50.5 of 101 and 5 more or less."""
    sizes = [len(SizeAdaptive.of(np.arange(number), seed=number).values) for number in range(101, 40_000, 97)]
    assert max(sizes) <= 100
    assert min(sizes) >= 30
    assert np.mean(sizes) == pytest.approx(72, abs=3)  # 50 / ln 2
    assert np.mean([size >= 50 for size in sizes]) > 0.9


def test_a_level_that_is_gone_cannot_be_had():
    made = SizeAdaptive.of(range(1000), 10)
    with pytest.raises(ValueError, match="has lost what level 0 keeps"):
        made.at_level(0)
