"""What the rest of two texts leads to expect of two passages."""

import numpy as np
import pytest

from ibidem.alignment.extension import measure
from ibidem.alignment.null_model import Unrelated, evidence_beyond_the_rest
from ibidem.alignment.weighted_pair import Pair


def test_long_passages_that_share_what_the_rest_shares_are_no_evidence() -> None:
    a, b = (np.random.default_rng(seed).integers(0, 50, 4000).astype(np.int32) for seed in (1, 2))
    pair, box = Pair(a, b, np.ones(50), np.ones(4000), 16), np.array([0, 1000, 2000, 3000])
    measured, similarity = measure(pair, np.zeros((2, 50), np.int64), box)
    assert similarity > 0.7
    assert measured > 1000
    assert evidence_beyond_the_rest(pair, box, Unrelated.outside(pair, [])) < 10


def test_what_is_set_apart_does_not_show_what_chance_gives() -> None:
    passage, other = np.arange(100, dtype=np.int32), np.arange(100, 200, dtype=np.int32)
    a, b = np.concatenate([passage, other]), np.concatenate([passage, passage])
    pair, box = Pair(a, b, np.ones(200), np.ones(2), 16), np.array([0, 100, 0, 100])
    assert evidence_beyond_the_rest(pair, box, Unrelated.outside(pair, [])) == 0
    apart = Unrelated.outside(pair, [np.array([0, 0, 100, 200])])
    copied, _ = measure(pair, np.zeros((2, 200), np.int64), box)
    assert evidence_beyond_the_rest(pair, box, apart) == pytest.approx(copied)


def test_a_copy_of_a_whole_text_has_all_its_evidence() -> None:
    text = np.arange(1000, dtype=np.int32)
    pair, box = Pair(text, text, np.ones(1000), np.ones(1), 16), np.array([0, 1000, 0, 1000])
    assert evidence_beyond_the_rest(pair, box, Unrelated.outside(pair, [])) == pytest.approx(
        measure(pair, np.zeros((2, 1000), np.int64), box)[0]
    )
