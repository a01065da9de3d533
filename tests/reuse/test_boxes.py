"""Boxes of what stands in very many places: few are left, and they join all places."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.reuse.boxes import PairBoxes, ThinnedBoxes, count_crowded, merge_seeds, select_boxes, thin_crowded

LENGTH = 320


def boxes_of(rows: list[tuple[int, int, int, int, int]], documents: int) -> PairBoxes:
    """Boxes of (document, start, other document, start, length), the documents of one length."""
    seeds = [(a * LENGTH + x, a * LENGTH + x + n, b * LENGTH + y, b * LENGTH + y + n) for a, x, b, y, n in rows]
    return merge_seeds(np.array(seeds, np.int64).reshape(-1, 4), np.arange(documents + 1) * LENGTH, 0)


def everywhere(documents: int) -> list[tuple[int, int, int, int, int]]:
    return [(a, 64, b, 64, 48) for a in range(documents) for b in range(a + 1, documents)]


def thin(boxes: PairBoxes, documents: int) -> ThinnedBoxes:
    return thin_crowded(boxes, np.arange(documents + 1) * LENGTH, np.arange(documents, dtype=np.int32), 8, 32)


def test_what_stands_in_few_places_is_left_as_it_is() -> None:
    found = boxes_of(everywhere(4), 4)
    for few in (found, boxes_of([], 3)):
        boxes, taken = thin(few, 4)
        assert not len(taken.boxes)
        assert boxes.boxes.tolist() == few.boxes.tolist()
        assert boxes.pairs.tolist() == few.pairs.tolist()


def test_what_stands_everywhere_is_joined_to_the_first_place_and_to_the_next() -> None:
    boxes = boxes_of(everywhere(30), 30)
    thinned = thin(boxes, 30)
    every = np.concatenate([thinned.boxes.boxes, thinned.crowded.boxes])
    assert sorted(every.tolist()) == sorted(boxes.boxes.tolist())
    expected = {(0, b) for b in range(1, 30)} | {(a, a + 1) for a in range(29)}
    assert {(a, b) for a, b in thinned.boxes.pairs.tolist()} == expected


def test_a_long_passage_that_holds_a_common_one_is_left() -> None:
    boxes = boxes_of([*everywhere(30), (10, 112, 20, 112, 200)], 30)
    thinned = thin(boxes, 30)
    assert [10 * LENGTH + 64, 10 * LENGTH + 312, 20 * LENGTH + 64, 20 * LENGTH + 312] in thinned.boxes.boxes.tolist()


@given(st.data())
def test_how_documents_are_numbered_does_not_change_what_is_left(data: st.DataObject) -> None:
    documents = data.draw(st.integers(2, 7))
    lengths = data.draw(st.lists(st.integers(100, 190), min_size=documents, max_size=documents))
    numbers, place, length = st.integers(0, documents - 1), st.integers(0, 12), st.integers(32, 48)
    rows = data.draw(st.lists(st.tuples(numbers, place, numbers, place, length), min_size=10, max_size=40))
    other = data.draw(st.permutations(range(documents)))
    left = []
    for order in (list(range(documents)), list(other)):
        bounds = np.concatenate([[0], np.cumsum([lengths[each] for each in order])])
        at = {each: int(bounds[number]) for number, each in enumerate(order)}
        seeds = [sorted([(at[a] + x, at[a] + x + n), (at[b] + y, at[b] + y + n)]) for a, x, b, y, n in rows if a != b]
        boxes = merge_seeds(np.array(seeds, np.int64).reshape(-1, 4), bounds, 0)
        thinned = thin_crowded(boxes, bounds, np.array(order, np.int32), 1, 32)
        of = np.array(order)[np.repeat(thinned.boxes.pairs, np.diff(thinned.boxes.bounds), axis=0)]
        places = [
            (row - np.repeat(bounds[[order.index(a), order.index(b)]], 2)).tolist()
            for row, (a, b) in zip(thinned.boxes.boxes, of.tolist(), strict=True)
        ]
        left.append(
            sorted(sorted([(a, *row[:2]), (b, *row[2:])]) for row, (a, b) in zip(places, of.tolist(), strict=True))
        )
    assert left[0] == left[1]


def test_what_is_selected_keeps_its_pair_of_documents() -> None:
    boxes = boxes_of([(0, 0, 1, 0, 9), (0, 100, 1, 200, 9), (1, 50, 2, 50, 9)], 3)
    selected_boxes = select_boxes(boxes, np.array([False, True, False]))
    assert (selected_boxes.pairs.tolist(), selected_boxes.bounds.tolist(), len(selected_boxes.boxes)) == (
        [[0, 1]],
        [0, 1],
        1,
    )


SIDES = st.tuples(st.integers(0, 30), st.integers(1, 9))


@given(st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=40), st.integers(0, 12))
def test_crowded_places_are_those_of_many_ranges(
    sides: list[tuple[tuple[int, int], tuple[int, int]]], most: int
) -> None:
    first = np.array([[start for start, _ in row] for row in sides])
    last = first + np.array([[length for _, length in row] for row in sides])
    held = np.zeros(40, np.int64)
    for low, high in zip(first.ravel(), last.ravel(), strict=True):
        held[low:high] += 1
    expected = [
        [int((held[low:high] > most).sum()) for low, high in zip(*row, strict=True)]
        for row in zip(first, last, strict=True)
    ]
    assert count_crowded(first, last, most).tolist() == expected
