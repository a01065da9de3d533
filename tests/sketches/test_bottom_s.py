"""What a bottom-s sketch keeps, by its definition."""

from hypothesis import given

from ibidem.sketches.bottom_s import BottomS

from .sets_and_seeds import ELEMENTS as elements
from .sets_and_seeds import SEEDS as seeds
from .sets_and_seeds import values_of


@given(members=elements, seed=seeds)
def test_bottom_s_keeps_the_smallest_hash_values(members, seed):
    assert BottomS.of(members, 8, seed).values.tolist() == values_of(members, seed)[:8]
