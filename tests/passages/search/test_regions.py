"""Which areas belong together, and which passage stands for each region."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem import PassageIndex
from ibidem.passages.query.areas import Areas
from ibidem.passages.search import regions
from ibidem.passages.search.regions import drop_overlapping, number_regions, select_best, select_longest


@st.composite
def some_areas(draw):
    """Rectangles in up to three documents, in order of their first starts; scores of which some are equal."""
    rows = []
    for document in range(draw(st.integers(1, 3))):
        for _ in range(draw(st.integers(0, 6))):
            start, end = draw(st.integers(0, 12)), draw(st.integers(12, 24))
            rows.append((document, start, start + draw(st.integers(0, 3)), end, end + draw(st.integers(0, 3))))
    rows.sort()
    documents, *corners = np.array(rows, np.int64).reshape(-1, 5).T
    starts, ends = (np.stack(pair, axis=1) + 100 * documents[:, None] for pair in (corners[:2], corners[2:]))
    best = np.stack((draw_between(draw, starts), draw_between(draw, ends)), axis=1)
    scores = np.array([draw(st.sampled_from([0.5, 0.75, 1.0])) for _ in rows])
    return Areas(starts, ends, best, scores, documents)


def draw_between(draw, ranges):
    return np.array([draw(st.integers(int(low), int(high))) for low, high in ranges], np.int64)


def touch(a, b):
    """Whether two ranges overlap or one begins right after the other."""
    return a[0] <= b[1] + 1 and b[0] <= a[1] + 1


def connected(areas):
    """The regions as sets of areas, by joining whatever touches until nothing does."""
    regions = [{n} for n in range(len(areas.documents))]
    for m, n in combinations(range(len(areas.documents)), 2):
        alike = areas.documents[m] == areas.documents[n]
        if alike and touch(areas.starts[m], areas.starts[n]) and touch(areas.ends[m], areas.ends[n]):
            first, second = (next(region for region in regions if each in region) for each in (m, n))
            if first is not second:
                first |= second
                regions.remove(second)
    return regions


@given(areas=some_areas())
def test_areas_are_numbered_by_connected_region(areas):
    numbers = number_regions(areas).tolist()
    found = [{n for n, number in enumerate(numbers) if number == one} for one in dict.fromkeys(numbers)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, connected(areas)))


def test_areas_that_touch_at_a_corner_are_one_region_and_those_further_apart_are_not():
    for apart, count in ((1, 1), (2, 2)):
        starts, ends = (np.array([[first, first + 1], [first + 1 + apart, first + 2 + apart]]) for first in (0, 12))
        areas = Areas(starts, ends, np.stack((starts[:, 0], ends[:, 1]), 1), np.ones(2), np.zeros(2, np.int64))
        assert len(set(number_regions(areas).tolist())) == count


@given(areas=some_areas())
def test_the_best_of_a_region_is_the_most_similar_then_the_longest_then_the_first(areas):
    def merit(n):
        first, last = areas.best[n].tolist()
        return areas.scores[n], last - first, -first

    expected = [tuple(areas.best[max(region, key=merit)]) for region in connected(areas)]
    assert sorted(map(tuple, select_best(areas, number_regions(areas)))) == sorted(expected)


@given(areas=some_areas())
def test_the_longest_of_a_region_is_the_longest_then_the_most_similar_then_the_first(areas):
    def merit(n):
        first, last = int(areas.starts[n, 0]), int(areas.ends[n, 1])
        return last - first, areas.scores[n], -first

    expected = [(areas.starts[n, 0], areas.ends[n, 1]) for n in (max(region, key=merit) for region in connected(areas))]
    assert sorted(map(tuple, select_longest(areas, number_regions(areas)))) == sorted(expected)


def test_a_long_staircase_is_one_region_and_its_mirror_in_another_document_is_not():
    steps = np.arange(2000)
    starts = np.stack((steps, steps), axis=1)
    documents = np.repeat([0, 1], 1000)
    areas = Areas(starts, starts + 50, np.stack((steps, steps + 50), axis=1), np.ones(2000), documents)
    assert np.unique(number_regions(areas)).tolist() == [0, 1000]


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
    assert sorted(kept) == np.flatnonzero(drop_overlapping(passages, preference)).tolist()


class StopAt:
    """A flag that is set once it was looked at so many times."""

    def __init__(self, looks):
        self.looks = looks

    def __getitem__(self, _):
        self.looks -= 1
        return int(self.looks < 0)


@given(areas=some_areas(), looks=st.integers(1, 20))
def test_regions_of_a_search_that_is_stopped_are_those_of_the_areas_before(areas, looks):
    numbers = regions._number_regions.py_func(areas.starts, areas.ends, areas.documents, StopAt(looks))
    assert len(numbers) == min(looks - 1, len(areas.scores))
    before = Areas._make(column[: len(numbers)] for column in areas)
    assert numbers.tolist() == number_regions(before).tolist()


@given(cases=st.lists(spans, min_size=1, max_size=12), looks=st.integers(1, 14))
def test_passages_that_a_search_keeps_before_it_is_stopped_are_the_preferred_ones(cases, looks):
    passages, order = np.array(cases, np.int64), np.arange(len(cases))
    whole = drop_overlapping(passages, -order.astype(np.float64))
    kept = regions._drop_overlapping.py_func(passages, order, StopAt(looks))
    assert np.flatnonzero(kept).tolist() == [place for place in np.flatnonzero(whole).tolist() if place < looks - 1]


def test_a_flag_that_was_set_before_stops_nothing():
    stopped = np.ones(1, np.uint8)
    spans_of_three = np.array([[0, 2], [10, 12]])
    areas = Areas(spans_of_three, spans_of_three + 20, spans_of_three, np.ones(2), np.zeros(2, np.int64))
    assert number_regions(areas, stopped).tolist() == [0, 1]
    assert drop_overlapping(spans_of_three, np.ones(2), stopped).tolist() == [True, True]


def test_two_copies_of_a_passage_in_one_document_are_both_reported(tmp_path):
    passage = "of the fruit of that forbidden tree whose mortal taste brought death into the world"
    text = f"{passage} and all our woe with loss of eden till one greater man restore us {passage}"
    with PassageIndex.build(tmp_path / "index", [("milton", text)], min_length=8) as index:
        matches = index.search(passage, threshold=0.6)
        assert [match.text for match in matches] == [passage, passage]
        assert [match.similarity for match in matches] == [1.0, 1.0]
