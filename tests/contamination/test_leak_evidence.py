import numpy as np
import pytest

from ibidem.contamination.leak_evidence import STRONG, compute_least_shares, compute_required_evidence, measure_chance


@pytest.mark.parametrize("total", [20.0, 40.0, 60.0, 150.0, 1000.0])
def test_less_than_the_least_share_is_never_enough(total: float) -> None:
    chance = measure_chance(5_000_000)
    (least,) = compute_least_shares(np.array([total]), chance)
    shares = np.linspace(0, 1, 1001)
    evidence = shares * total - chance
    is_listed = (evidence >= STRONG) | (evidence >= np.array([compute_required_evidence(share) for share in shares]))
    assert not is_listed[shares < least - 1e-3].any()
    assert is_listed[shares > least + 1e-3].all()
    assert (least > 1) == (total < chance + compute_required_evidence(1.0))
