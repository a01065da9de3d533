"""Sketches of sets: a few numbers from which similarities are estimated, and the shingles that they are made of.

:class:`BottomS`, :class:`ModM`, :class:`SizeAdaptive`, :class:`KMins` and :class:`OnePermutation` are the sketches; the
guide has a page that says which is for what. What passage indexes hash stands in ``ibidem.sketch.families``,
``ibidem.sketch.kmins`` and ``ibidem.sketch.one_permutation``, which may change.
"""

from ibidem.sketch.bottom_s import BottomS
from ibidem.sketch.clusters import gather_sketches
from ibidem.sketch.densification import OnePermutation
from ibidem.sketch.estimates import Estimate, Interval, chance_within, values_for
from ibidem.sketch.fingerprints import fingerprints
from ibidem.sketch.mod_m import ModM
from ibidem.sketch.rabin import (
    Rabin,
    collision_bound,
    distinct_tail,
    expected_distinct,
    pair_collision_bound,
    resemblance_error,
)
from ibidem.sketch.shingling import Shingling, containment, distance, resemblance
from ibidem.sketch.signatures import KMins
from ibidem.sketch.size_adaptive import SizeAdaptive
from ibidem.sketch.sketches import Sketch

__all__ = [
    "BottomS",
    "Estimate",
    "Interval",
    "KMins",
    "ModM",
    "OnePermutation",
    "Rabin",
    "Shingling",
    "SizeAdaptive",
    "Sketch",
    "chance_within",
    "collision_bound",
    "containment",
    "distance",
    "distinct_tail",
    "expected_distinct",
    "fingerprints",
    "gather_sketches",
    "pair_collision_bound",
    "resemblance",
    "resemblance_error",
    "values_for",
]
