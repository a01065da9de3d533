"""The names that the package has from rooms below it."""

from ibidem import sketches
from ibidem.sketches import formulas, rabin


def test_the_package_has_the_names_of_the_rooms_below() -> None:
    assert set(formulas.__all__) <= set(sketches.__all__)
    assert sketches.collision_bound is formulas.collision_bound is rabin.collision_bound
