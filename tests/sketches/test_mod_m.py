"""What a sketch by divisibility keeps, by its definition."""

from hypothesis import given

from ibidem.sketches.mod_m import ModM

from .sets_and_seeds import ELEMENTS as elements
from .sets_and_seeds import SEEDS as seeds
from .sets_and_seeds import values_of


@given(members=elements, seed=seeds)
def test_mod_m_keeps_the_hash_values_that_m_divides(members, seed):
    expected = [value for value in values_of(members, seed) if value % 3 == 0]
    assert ModM.of(members, 3, seed).values.tolist() == expected
