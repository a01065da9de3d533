"""Formulas by which sketches are chosen and judged, and Rabin's fingerprints."""

from ibidem.agreement.banding import Banding
from ibidem.intervals import Interval, standard_error_interval
from ibidem.sketches.rabin import (
    Rabin,
    collision_bound,
    distinct_tail,
    expected_distinct,
    pair_collision_bound,
    resemblance_error,
)

__all__ = [
    "Banding",
    "Interval",
    "Rabin",
    "collision_bound",
    "distinct_tail",
    "expected_distinct",
    "pair_collision_bound",
    "resemblance_error",
    "standard_error_interval",
]
