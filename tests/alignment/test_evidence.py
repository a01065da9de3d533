"""The evidence against the likelihood ratio that it is, in plain Python."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.alignment.evidence import evidence


def plain_evidence(part: float, whole: float, chance: float) -> float:
    """The log likelihood ratio of so many successes, if their share is what it is, and if it is ``chance``."""

    def likelihood(share: float) -> float:
        return sum(n * math.log(p) for n, p in ((part, share), (whole - part, 1 - share)) if n)

    return math.copysign(likelihood(part / whole) - likelihood(chance), part / whole - chance)


@given(st.integers(0, 50), st.integers(1, 50), st.sampled_from([0.05, 0.1, 0.5]))
def test_evidence_is_a_likelihood_ratio(part: int, more: int, chance: float) -> None:
    assert evidence(part, part + more, chance) == pytest.approx(plain_evidence(part, part + more, chance))


def test_nothing_is_evidence_where_there_is_no_chance() -> None:
    assert evidence(0.0, 0.0, 0.1) == evidence(1.0, 1.0, 0.0) == evidence(1.0, 1.0, 1.0) == 0.0
