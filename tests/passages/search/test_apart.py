"""Of passages that stand for each other only the preferred one is reported."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.passages.search.regions import apart

spans = st.tuples(st.integers(0, 40), st.integers(0, 20)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def shares_half(one, other):
    shared = len(set(range(one[0], one[1] + 1)) & set(range(other[0], other[1] + 1)))
    return 2 * shared > min(one[1] - one[0], other[1] - other[0]) + 1


@given(st.lists(st.tuples(spans, st.integers(0, 3)), max_size=12))
def test_a_passage_is_dropped_exactly_where_a_preferred_one_stands_for_it(cases):
    passages = np.array([span for span, _ in cases], np.int64).reshape(-1, 2)
    preference = np.array([number for _, number in cases], np.float64)
    kept = []
    for place in sorted(range(len(cases)), key=lambda place: (-preference[place], passages[place][0])):
        if not any(shares_half(passages[place], passages[other]) for other in kept):
            kept.append(place)
    assert sorted(kept) == np.flatnonzero(apart(passages, preference)).tolist()


def test_two_copies_of_a_passage_in_one_document_are_both_reported(tmp_path):
    passage = "of the fruit of that forbidden tree whose mortal taste brought death into the world"
    text = f"{passage} and all our woe with loss of eden till one greater man restore us {passage}"
    with PassageIndex.build(tmp_path / "index", [("milton", text)], min_length=8) as index:
        matches = index.search(passage, threshold=0.6)
        assert [match.text for match in matches] == [passage, passage]
        assert [match.similarity for match in matches] == [1.0, 1.0]
