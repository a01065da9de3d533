"""How many active keys a text of one repeated token has, the worst case (Lemmas 13 and 16 of the paper).

Under independent hash values h(t, x) is active with probability 1/x, independently for every x, and then has f - x + 1
keys. So |X(T)| has the mean (f + 1) H_f - f, about f ln f (Equation 6 of the paper), and a variance that is a sum too.

The tolerance is Bernstein's: a sum of independent deviations of at most m each, with variance V, strays from its mean
by more than t with probability at most 2 exp(-t² / (2 V + 2 m t / 3)). Here that is ``FALSE_ALARM`` for each case of
the test, were its seed drawn anew; the seeds are fixed.
"""

import math

import numpy as np
import pytest

from baselines.monoactive import generate_active_keys
from baselines.notation import hash_function
from ibidem.sketches.families import ActiveValues, Family, MultisetFamily, SetFamily, WeightedFamily
from ibidem.weights import Weighting

FALSE_ALARM = 1e-6
num_texts = 4000


def values_of(family: Family, frequency: int, seed: int) -> ActiveValues:
    """Active values of as many tokens as there are texts: token ``t`` repeated is text ``t``."""
    tokens = np.arange(num_texts, dtype=np.uint32)
    return family.active(tokens, np.full(num_texts, frequency, np.int32), np.uint64(seed))


def num_active_keys(values: ActiveValues, frequency: int) -> int:
    """The active keys of all texts together."""
    return int((frequency - values.x.astype(np.int64) + 1).sum())


def tolerance(variance: float, most: float) -> float:
    """The t at which Bernstein's bound is ``FALSE_ALARM``: t² = L (2 V + 2 m t / 3) with L = ln(2 / FALSE_ALARM)."""
    log = math.log(2 / FALSE_ALARM)
    return log * most / 3 + math.sqrt((log * most / 3) ** 2 + 2 * log * variance)


@pytest.mark.parametrize("seed", [1, 2**63 + 5])
@pytest.mark.parametrize("frequency", [1, 10, 100, 1000])
def test_active_keys_of_raw_counts_grow_like_n_plus_n_ln_f(frequency: int, seed: int) -> None:
    x = np.arange(1, frequency + 1)
    num_keys = frequency - x + 1.0
    mean = num_texts * float((num_keys / x).sum())
    variance = num_texts * float((num_keys**2 * (1 / x) * (1 - 1 / x)).sum())
    allowed = tolerance(variance, frequency) if frequency > 1 else 0
    assert allowed < 0.1 * mean  # enough texts to tell f ln f from f, f² and f log2 f
    found = num_active_keys(values_of(MultisetFamily(), frequency, seed), frequency)
    assert abs(found - mean) <= allowed


@pytest.mark.parametrize("seed", [6, 2**64 - 7])
@pytest.mark.parametrize("tf", ["binary", "logarithmic", "raw", "squared"])
def test_active_keys_of_weights_are_as_many_as_lemma_13_says(tf: str, seed: int) -> None:
    """h(t, x) is active with probability (w(x) - w(x - 1)) / w(x).

    Not independently for every x, so the tolerance is Hoeffding's for the texts, each with at most f (f + 1) / 2 keys.
    """
    frequency, num_tokens = 30, 200_000
    weighting = Weighting.of("weighted", tf=tf)
    x = np.arange(1, frequency + 1)
    weights = weighting.tf_table(frequency)
    mean = num_tokens * float(((frequency - x + 1) * np.diff(weights) / weights[1:]).sum())
    allowed = frequency * (frequency + 1) / 2 * math.sqrt(num_tokens * math.log(2 / FALSE_ALARM) / 2)
    assert allowed < 0.1 * mean
    tokens = np.arange(num_tokens, dtype=np.uint32)
    frequencies = np.full(num_tokens, frequency, np.int32)
    values = WeightedFamily(weighting).active(tokens, frequencies, np.uint64(seed))
    assert abs(num_active_keys(values, frequency) - mean) <= allowed


@pytest.mark.parametrize("frequency", [1, 10, 1000])
def test_the_mean_is_that_of_equation_6(frequency: int) -> None:
    x = np.arange(1, frequency + 1)
    mean = float(((frequency - x + 1) / x).sum())
    assert mean == pytest.approx((frequency + 1) * float((1 / x).sum()) - frequency)
    assert mean >= (frequency + 1) * math.log(frequency) - frequency


@pytest.mark.parametrize("frequency", [1, 10, 1000])
def test_active_keys_of_sets_are_one_a_token(frequency: int) -> None:
    assert num_active_keys(values_of(SetFamily(), frequency, seed=3), frequency) == num_texts * frequency


def test_active_values_make_the_keys_of_algorithm_5() -> None:
    frequency = 200
    values = values_of(MultisetFamily(), frequency, seed=4)
    h = hash_function(values)
    for t in range(5):
        x = values.x[values.bounds[t] : values.bounds[t + 1]]
        assert len(generate_active_keys([t] * frequency, h)) == (frequency - x + 1).sum()
