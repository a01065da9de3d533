"""The running example of the paper: the text and hash function of Figure 1, and Examples 2 to 10."""

import numpy as np
import pytest

from ibidem.baselines.allalign import allalign
from ibidem.baselines.brute_force import hash_value_set, min_hash
from ibidem.baselines.every_passage import every_passage
from ibidem.baselines.monoactive import generate_active_keys
from ibidem.baselines.monoall import generate_keys, in_visiting_order, monotonic_partitioning
from ibidem.baselines.notation import CompactWindow, dominates
from ibidem.similarity import jaccard
from ibidem.weights import Weighting

T = "ABABAABBCC"
n = len(T)
h = {
    **{("A", x): v for x, v in enumerate([2, 5, 8, 12], start=1)},
    **{("B", x): v for x, v in enumerate([9, 4, 16, 1], start=1)},
    **{("C", x): v for x, v in enumerate([3, 6], start=1)},
}

FIGURE_1A = [  # row j holds the min-hashes of T[1, j] to T[j, j]
    [2],
    [2, 9],
    [2, 2, 2],
    [2, 2, 2, 9],
    [2, 2, 2, 2, 2],
    [2, 2, 2, 2, 2, 2],
    [2, 2, 2, 2, 2, 2, 9],
    [1, 1, 2, 2, 2, 2, 4, 9],
    [1, 1, 2, 2, 2, 2, 3, 3, 3],
    [1, 1, 2, 2, 2, 2, 3, 3, 3, 3],
]

FIGURE_1B = [  # (v, a, b, c, d)
    (1, 1, 2, 8, 10),
    (2, 1, 1, 1, 7),
    (2, 2, 3, 3, 7),
    (2, 3, 3, 8, 10),
    (2, 4, 5, 5, 10),
    (2, 6, 6, 6, 10),
    (3, 7, 9, 9, 10),
    (3, 10, 10, 10, 10),
    (4, 7, 7, 8, 8),
    (9, 2, 2, 2, 2),
    (9, 4, 4, 4, 4),
    (9, 7, 7, 7, 7),
    (9, 8, 8, 8, 8),
]

FIGURE_1C = [
    (1, 1, 1, 8, 10),
    (1, 2, 2, 8, 10),
    (2, 1, 1, 1, 7),
    (2, 2, 2, 3, 7),
    (2, 3, 3, 3, 10),
    (2, 4, 4, 5, 10),
    (2, 5, 5, 5, 10),
    (2, 6, 6, 6, 10),
    (3, 7, 7, 9, 10),
    (3, 8, 8, 9, 10),
    (3, 9, 9, 9, 10),
    (3, 10, 10, 10, 10),
    (4, 7, 7, 8, 8),
    (9, 2, 2, 2, 2),
    (9, 4, 4, 4, 4),
    (9, 7, 7, 7, 7),
    (9, 8, 8, 8, 8),
]

FIGURE_1E = {
    1: [(2, 8)],
    2: [(1, 1), (3, 3), (5, 5), (6, 6)],
    3: [(9, 9), (10, 10)],
    4: [(2, 4), (4, 7), (7, 8)],
    9: [(2, 2), (4, 4), (7, 7), (8, 8)],
}


def passage(i: int, j: int) -> str:
    """T[i, j], positions from 1, both ends included."""
    return T[i - 1 : j]


def drawn(partition: list[CompactWindow]) -> list[tuple[int, ...]]:
    """Windows as the paper writes them, (v, a, b, c, d), without T and h."""
    return [(w.s.v, *w[1:]) for w in partition]


def cells(window: tuple[int, ...]) -> list[tuple[int, int]]:
    """The passages of a window."""
    _, a, b, c, d = window
    return [(i, j) for i in range(a, b + 1) for j in range(c, d + 1)]


def test_example_2_the_min_hash_of_the_text() -> None:
    assert min_hash(T, h) == h["B", 4] == 1


def test_figure_1a_the_min_hash_of_every_passage() -> None:
    assert [[min_hash(passage(i, j), h) for i in range(1, j + 1)] for j in range(1, n + 1)] == FIGURE_1A


@pytest.mark.parametrize("window", [(1, 1, 2, 8, 10), (2, 4, 5, 5, 10)])
def test_example_4_compact_windows(window: tuple[int, ...]) -> None:
    assert {min_hash(passage(i, j), h) for i, j in cells(window)} == {window[0]}


@pytest.mark.parametrize(("partition", "size"), [(FIGURE_1B, 13), (FIGURE_1C, 17)])
def test_example_5_partitions(partition: list[tuple[int, ...]], size: int) -> None:
    assert len(partition) == size
    assert sorted(cell for window in partition for cell in cells(window)) == [
        (i, j) for i in range(1, n + 1) for j in range(i, n + 1)
    ]
    assert all(min_hash(passage(i, j), h) == window[0] for window in partition for i, j in cells(window))


def test_example_6_hash_value_sets() -> None:
    assert hash_value_set(passage(3, 6), h) == {2, 5, 8, 9}
    assert min_hash(passage(3, 6), h) == 2


def test_example_7_the_keys_of_the_text() -> None:
    K = generate_keys(T, h)
    assert len(K) == 23
    assert [(s.x, s.v) for s in K if (s.p, s.q) == (1, 3)] == [(2, 5)]


def test_example_8_the_min_hash_is_the_smallest_of_the_keys_inside() -> None:
    inside = [s for s in generate_keys(T, h) if s.p >= 1 and s.q <= 3]
    assert sorted(s[:2] for s in inside) == [(1, 1), (1, 3), (2, 2), (3, 3)]
    assert min(s.v for s in inside) == min_hash(passage(1, 3), h) == 2


def test_example_9_the_first_keys_and_the_windows_that_each_adds() -> None:
    first = in_visiting_order(generate_keys(T, h))[:8]
    assert [s[:2] for s in first] == [(2, 8), (1, 1), (3, 3), (5, 5), (6, 6), (9, 9), (10, 10), (2, 4)]
    sizes = [len(monotonic_partitioning(first[:m], n)) for m in range(9)]
    assert np.diff(sizes).tolist() == [1, 1, 2, 1, 1, 1, 1, 0]
    assert dominates((3, 3), (2, 4))  # hence the last key adds nothing


def test_example_10_visiting_a_key_that_dominates_one_on_the_skyline() -> None:
    first = in_visiting_order(generate_keys(T, h))[:3]
    assert drawn(monotonic_partitioning(first, n)[2:]) == [(2, 2, 3, 3, 7), (2, 3, 3, 8, 10)]


def test_monoall_gives_the_windows_of_figure_1b() -> None:
    assert sorted(drawn(monotonic_partitioning(generate_keys(T, h), n))) == FIGURE_1B


def test_figure_1e_the_active_keys_of_the_text() -> None:
    X = generate_active_keys(T, h)
    assert len(X) == 14
    assert {v: sorted(s[:2] for s in X if s.v == v) for v in sorted({s.v for s in X})} == FIGURE_1E


def test_monoactive_gives_the_windows_of_figure_1b() -> None:
    assert sorted(drawn(monotonic_partitioning(generate_active_keys(T, h), n))) == FIGURE_1B


def test_allalign_cuts_a_window_that_monoactive_keeps_whole() -> None:
    T = "ABCA"
    h = {("A", 1): 9, ("A", 2): 1, ("B", 1): 3, ("C", 1): 2}
    of_monoactive = drawn(monotonic_partitioning(generate_active_keys(T, h), len(T)))
    of_allalign = drawn(allalign(T, h))
    assert [window for window in of_monoactive if window[0] == 3] == [(3, 1, 2, 2, 2)]
    assert sorted(window for window in of_allalign if window[0] == 3) == [(3, 1, 1, 2, 2), (3, 2, 2, 2, 2)]
    assert (len(of_monoactive), len(of_allalign)) == (6, 7)


def test_example_3_the_passages_similar_to_a_query() -> None:
    found = {}
    for name, text in {"T": "ABBCDE", "S": "BCCDEF"}.items():
        tokens, query = (np.array([ord(letter) for letter in each], np.uint32) for each in (text, "ACE"))
        passages = every_passage(tokens, query, 0.5, Weighting.of("multiset"))
        found[name] = [(passage.start + 1, passage.stop) for passage in passages]
    assert found == {"T": [(1, 6), (4, 6)], "S": [(3, 5)]}
    assert jaccard("CCDE", "ACE", "multiset") == pytest.approx(2 / 5)
