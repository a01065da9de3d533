"""Copies are followed as far as windows stay similar, and no further."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.parallel import pool_of
from ibidem.reuse.boxes import merge_seeds
from ibidem.reuse.collection import Comparable
from ibidem.reuse.following import follow_copies

from .similar_windows import make_comparable, similar_windows, thresholds, weights

WORDS = 1000
WINDOW = 32


def follow(comparable: Comparable, boxes: list[list[int]], least: float, workers: int = 1) -> list[list[int]]:
    seeds = merge_seeds(np.array(boxes, np.int64).reshape(-1, 4), comparable.bounds, comparable.window)
    with pool_of(workers) as pool:
        return follow_copies(seeds, comparable, (least, least), pool, workers).tolist()  # type: ignore[no-any-return]


def change(words: list[int], rate: float, generator: np.random.Generator) -> list[int]:
    """A copy in which so many of the words are replaced, left out or put in."""
    changed: list[int] = []
    for word in words:
        kind = generator.integers(3) if generator.random() < rate else 3
        changed += {0: [], 1: [int(generator.integers(WORDS))], 2: [word, int(generator.integers(WORDS))]}.get(
            int(kind), [word]
        )
    return changed


def draw(generator: np.random.Generator, count: int) -> list[int]:
    return [int(word) for word in generator.integers(WORDS, size=count)]


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.1])
@pytest.mark.parametrize("seed", range(5))
def test_a_changed_copy_is_followed_from_one_seed_to_both_of_its_ends(rate: float, seed: int) -> None:
    generator = np.random.default_rng(seed)
    halves, same = [draw(generator, 300), draw(generator, 300)], draw(generator, WINDOW)
    changed = [change(half, rate, generator) for half in halves]
    a = draw(generator, 100) + halves[0] + same + halves[1] + draw(generator, 50)
    b = draw(generator, 200) + changed[0] + same + changed[1] + draw(generator, 300)
    x, y = 100 + len(halves[0]), len(a) + 200 + len(changed[0])
    comparable = make_comparable([a, b], [1.0] * WORDS, WINDOW)
    (box,) = follow(comparable, [[x, x + WINDOW, y, y + WINDOW]], 0.4)
    copy = np.array([100, x + WINDOW + 300, len(a) + 200, y + WINDOW + len(changed[1])])
    assert (np.abs(np.array(box) - copy) <= WINDOW).all()


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=40), min_size=2, max_size=2),
    weights,
    st.integers(3, 6),
    thresholds,
    st.data(),
)
def test_every_token_that_was_followed_is_in_two_similar_windows_of_the_box(
    documents: list[list[int]], given_weights: list[float], window: int, least: float, data: st.DataObject
) -> None:
    comparable = make_comparable(documents, given_weights, window)
    similar = sorted(similar_windows(comparable, least))
    if not similar:
        return
    seed = data.draw(st.sampled_from(similar))
    (box,) = follow(comparable, [list(seed)], least)
    inside = [
        windows
        for windows in similar
        if box[0] <= windows[0] and windows[1] <= box[1] and box[2] <= windows[2] and windows[3] <= box[3]
    ]
    for side in (0, 2):
        assert box[side] <= seed[side]
        assert seed[side + 1] <= box[side + 1]
        covered = {token for windows in inside for token in range(windows[side], windows[side + 1])}
        assert covered == set(range(box[side], box[side + 1]))


def test_boxes_that_one_copy_reaches_become_one_and_others_stay_whatever_the_threads() -> None:
    generator = np.random.default_rng(9)
    text = draw(generator, 120)
    documents = [text, change(text, 0.05, generator), draw(generator, 40) + text[:60] + draw(generator, 40)]
    comparable = make_comparable(documents, [1.0] * WORDS, WINDOW)
    starts: npt.NDArray[np.int64] = np.array(sorted(similar_windows(comparable, 0.8)))[:, ::2]
    boxes = [[x, x + WINDOW, y, y + WINDOW] for x, y in starts[::9].tolist()]
    followed = follow(comparable, boxes, 0.5)
    assert followed == follow(comparable, boxes, 0.5, workers=3)
    assert len(followed) == 3  # of each two documents one
    assert all(any(f[0] <= x and f[2] <= y for f in followed) for x, _, y, _ in boxes)


def test_boxes_within_one_document_stay_as_they_are() -> None:
    text = draw(np.random.default_rng(3), 100)
    comparable = make_comparable([text + text], [1.0] * WORDS, WINDOW, within=True)
    assert follow(comparable, [[40, 72, 140, 172]], 0.5) == [[40, 72, 140, 172]]
