"""Sketches of sets: a few numbers from which similarities are estimated, and the shingles that they are made of.

:class:`BottomS`, :class:`ModM`, :class:`SizeAdaptive`, :class:`KMins` and :class:`OnePermutation` are the sketches; the
guide has a page that says which is for what. The sketches that passage indexes use are in ``ibidem.sketches.families``,
``ibidem.sketches.kmins`` and ``ibidem.sketches.one_permutation``, which may change.
"""

from ibidem.agreement.banding import Banding
from ibidem.intervals import Interval, standard_error_interval
from ibidem.rabin import (
    Rabin,
    collision_bound,
    distinct_tail,
    expected_distinct,
    pair_collision_bound,
    resemblance_error,
)
from ibidem.sketches.bottom_s import BottomS
from ibidem.sketches.clusters import gather_sketches
from ibidem.sketches.densification import OnePermutation
from ibidem.sketches.estimates import Estimate, chance_of_reaching, chance_within, values_for
from ibidem.sketches.fingerprints import fingerprints
from ibidem.sketches.mod_m import ModM
from ibidem.sketches.shingling import Shingling, containment, distance, resemblance
from ibidem.sketches.signatures import KMins
from ibidem.sketches.size_adaptive import SizeAdaptive
from ibidem.sketches.sketches import Sketch

__all__ = [
    "Banding",
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
    "chance_of_reaching",
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
    "standard_error_interval",
    "values_for",
]
