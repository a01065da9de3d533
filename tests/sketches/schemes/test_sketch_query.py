"""What a sketch asks of a passage, in collisions of the highest worth, and which of its bins are empty."""

import numpy as np
import pytest

from ibidem.sketches.families import SetFamily
from ibidem.sketches.one_permutation import EMPTY_KEY, UNIT
from ibidem.sketches.schemes.schemes import SCHEMES
from ibidem.sketches.schemes.sketch_query import SketchQuery


def test_the_score_is_told_in_collisions_of_the_highest_worth() -> None:
    keys, worths = np.array([4, EMPTY_KEY, 9, 1]), np.array([10, 8, 10, 10])
    query = SketchQuery(keys=keys, worths=worths, least=25, reach=64)
    assert query.collisions_needed == 2.5
    assert query.is_empty.tolist() == [False, True, False, False]
    assert query._replace(worths=np.zeros(4, np.int64)).collisions_needed == 25


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_text_reaches_the_score_that_is_asked_of_a_copy_of_it(scheme: str) -> None:
    made = SCHEMES[scheme](SetFamily(), 8, 3, (1, 64))
    tokens = np.arange(20, dtype=np.uint32)
    for threshold in (0.1, 0.5, 1.0):
        for query in (made.query_similarity(tokens, threshold, 0.99), made.query_estimate(tokens, threshold)):
            own = query.worths[query.keys == made.sketch(tokens)].sum()
            assert query.least <= own
            assert 0 <= query.collisions_needed <= 8
            assert (query.worths[query.is_empty] <= UNIT).all()
            assert query.reach == 64
