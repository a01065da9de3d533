"""Positions that ranges cover, against sets of positions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.evaluation.coverage import count_covered, count_shared

from .strategies import Range, ranges

TEXTS = st.lists(st.tuples(st.lists(ranges(), max_size=4), st.lists(ranges(), max_size=4)), max_size=4)


def positions(passages: list[Range]) -> set[int]:
    return {position for start, end in passages for position in range(start, end)}


def columns(texts: list[list[Range]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = np.array([(group, *one) for group, some in enumerate(texts) for one in some], np.int64).reshape(-1, 3)
    return rows[:, 0], rows[:, 1], rows[:, 2]


@given(TEXTS)
def test_what_both_cover_is_the_intersection(texts: list[tuple[list[Range], list[Range]]]) -> None:
    a, b = ([text[side] for text in texts] for side in (0, 1))
    both, in_a, in_b = count_shared(columns(a), columns(b), len(texts))
    assert both.tolist() == [len(positions(x) & positions(y)) for x, y in texts]
    assert in_a.tolist() == count_covered(*columns(a), len(texts)).tolist() == [len(positions(x)) for x in a]
    assert in_b.tolist() == [len(positions(y)) for y in b]
