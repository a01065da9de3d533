"""The evidence of places, beside sums over sets of tokens."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.alignment.sources.places import _STRETCH, compare_places, list_cells, list_query_cells, number_cells

W = 32


def one_document(cells: int) -> tuple[np.ndarray, np.ndarray]:
    """The bounds and the first cells of one document of so many cells."""
    return np.array([0, cells * W]), np.array([0, cells])


@settings(deadline=None)
@given(
    ids=st.lists(st.integers(0, 5), min_size=1, max_size=100),
    lists=st.lists(st.sets(st.integers(0, 7), max_size=8), min_size=6, max_size=6),
    presence=st.lists(st.integers(0, 9), min_size=6, max_size=6),
    needed=st.integers(1, 25),
    base=st.integers(_STRETCH - 8, _STRETCH),
)
def test_the_evidence_of_each_place_is_the_greatest_sum_over_the_windows_that_is_enough(
    ids: list[int], lists: list[set[int]], presence: list[int], needed: int, base: int
) -> None:
    absence = [-1 if value else 0 for value in presence]
    windows = max(1, (len(ids) - 1) // W)
    number = base + 8
    positions = np.array([W * (base + cell) + 3 for each in lists for cell in sorted(each)], np.uint32)
    cells, first = list_cells(positions, np.cumsum([len(each) for each in lists]), *one_document(number))
    best = np.full((2, number), -1, np.int32)
    weights = (np.array(presence, np.int32), np.array(absence, np.int32))
    query = list_query_cells(np.array(ids, np.int64), windows, *weights, needed)
    for stretch in range(first.shape[1] - 1):
        compare_places(query, weights[0], cells, first, best, stretch, stretch + 1)
    for place in range(-1, 8):
        sums = [
            sum(absence[token] + (presence[token] if {place, place + 1} & lists[token] else 0) for token in set(part))
            for part in (ids[W * window : W * window + 2 * W] for window in range(windows))
        ]
        evidence, window = best[:, base + place]
        assert evidence == max([total for total in sums if total >= needed], default=-1)
        assert window == (sums.index(evidence) if evidence >= 0 else -1)


@given(
    lists=st.lists(st.sets(st.integers(0, 3 * _STRETCH * W), max_size=12), min_size=1, max_size=4),
    cuts=st.sets(st.integers(0, 3 * _STRETCH * W), max_size=5),
    removed=st.sets(st.integers(0, 5)),
)
def test_the_cells_of_a_token_are_those_of_its_positions_in_documents_stretch_by_stretch(
    lists: list[set[int]], cuts: set[int], removed: set[int]
) -> None:
    bounds = np.array([0, *sorted(cuts), 3 * _STRETCH * W + 1], np.int64)
    alive = np.array([row not in removed for row in range(len(bounds) - 1)])
    first_cells = number_cells(bounds, alive)
    numbers: dict[int, int] = {}
    for row, (begin, end) in enumerate(pairwise(bounds.tolist())):
        for position in range(begin, end) if alive[row] else ():
            numbers[position] = int(first_cells[row]) + (position - begin) // W
    positions = np.array([position for each in lists for position in sorted(each)], np.uint32)
    cells, first = list_cells(positions, np.cumsum([len(each) for each in lists]), bounds, first_cells)
    for token, each in enumerate(lists):
        expected = sorted({numbers[position] for position in each if position in numbers})
        assert cells[first[token, 0] : first[token, -1]].tolist() == expected
        for stretch in range(first.shape[1] - 1):
            inside = [cell for cell in expected if cell // _STRETCH == stretch]
            assert cells[first[token, stretch] : first[token, stretch + 1]].tolist() == inside


@given(
    lengths=st.lists(st.tuples(st.integers(0, 3 * W), st.booleans()), max_size=6),
)
def test_each_document_has_its_cells_and_an_empty_one(lengths: list[tuple[int, bool]]) -> None:
    bounds = np.cumsum([0, *(length for length, _ in lengths)])
    first_cells = number_cells(bounds, np.array([alive for _, alive in lengths], np.bool_))
    expected = [-(-length // W) + 1 if alive and length else 0 for length, alive in lengths]
    assert np.diff(first_cells).tolist() == expected
