"""The evidence of two places, against sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.reuse.places import PLACE, weigh_places

from .similar_windows import make_comparable

documents = st.lists(st.integers(0, 9), min_size=1, max_size=3 * PLACE)
evidence = st.lists(st.integers(-9, 9), min_size=10, max_size=10)


@given(documents, documents, evidence, evidence, st.data())
def test_what_is_shared_counts_once_and_of_what_is_not_the_place_with_more(
    a: list[int], b: list[int], presence: list[int], absence: list[int], data: st.DataObject
) -> None:
    columns = {"presence": np.array(presence, np.int32), "absence": np.array(absence, np.int32)}
    comparable = make_comparable([a, b], [1.0] * 10, 4, **columns)
    middles = [data.draw(st.integers(0, len(text) - 1)) for text in (a, b)]
    places = [
        set(text[max(middle - PLACE // 2, 0) : middle + PLACE // 2])
        for text, middle in zip((a, b), middles, strict=True)
    ]
    expected = sum(presence[token] for token in places[0] & places[1])
    expected += max(sum(absence[token] for token in place) for place in places)
    numbers = np.full(10, -1, np.int32)
    assert weigh_places(comparable, (0, 1), (middles[0], len(a) + middles[1]), numbers) == expected
    assert (numbers == -1).all()
