"""Which areas belong together, and which passage stands for each region."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.passages.search.regions import Areas, best_of_each, components, longest_of_each


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
    numbers = components(areas).tolist()
    found = [{n for n, number in enumerate(numbers) if number == one} for one in dict.fromkeys(numbers)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, connected(areas)))


@given(areas=some_areas())
def test_the_best_of_a_region_is_the_most_similar_then_the_longest_then_the_first(areas):
    def merit(n):
        first, last = areas.best[n].tolist()
        return areas.scores[n], last - first, -first

    expected = [tuple(areas.best[max(region, key=merit)]) for region in connected(areas)]
    assert sorted(map(tuple, best_of_each(areas, components(areas)))) == sorted(expected)


@given(areas=some_areas())
def test_the_longest_of_a_region_is_the_longest_then_the_most_similar_then_the_first(areas):
    def merit(n):
        first, last = int(areas.starts[n, 0]), int(areas.ends[n, 1])
        return last - first, areas.scores[n], -first

    expected = [(areas.starts[n, 0], areas.ends[n, 1]) for n in (max(region, key=merit) for region in connected(areas))]
    assert sorted(map(tuple, longest_of_each(areas, components(areas)))) == sorted(expected)


def test_a_long_staircase_is_one_region_and_its_mirror_in_another_document_is_not():
    steps = np.arange(2000)
    starts = np.stack((steps, steps), axis=1)
    documents = np.repeat([0, 1], 1000)
    areas = Areas(starts, starts + 50, np.stack((steps, steps + 50), axis=1), np.ones(2000), documents)
    assert np.unique(components(areas)).tolist() == [0, 1000]
