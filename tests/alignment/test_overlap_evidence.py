"""The evidence against the likelihood ratio that it is, in plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.alignment.overlap_evidence import evidence, weigh_presence


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


@given(st.floats(1e-6, 1.0), st.sampled_from([0.1, 0.3, 0.9]))
def test_what_a_token_tells_is_the_likelihood_ratio_of_having_and_of_lacking_it(chance: float, similar: float) -> None:
    share = similar / (1 + similar)
    [held], [lacked] = weigh_presence(np.array([chance]), similar)
    if chance < share:
        assert held + lacked == pytest.approx(math.log(share / chance))
        assert lacked == pytest.approx(math.log((1 - share) / (1 - chance)))
    else:
        assert held == lacked == 0.0
