"""The running example of "Near-Duplicate Text Alignment under Weighted Jaccard Similarity", Figure 1."""

from baselines.notation import CompactWindow

T = "ABABAABBCC"
n = len(T)
h = {
    **{("A", x): v for x, v in enumerate([2, 5, 8, 12], start=1)},
    **{("B", x): v for x, v in enumerate([9, 4, 16, 1], start=1)},
    **{("C", x): v for x, v in enumerate([3, 6], start=1)},
}


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


def passage(i: int, j: int) -> str:
    """T[i, j], positions from 1, both ends included."""
    return T[i - 1 : j]


def drawn(partition: list[CompactWindow]) -> list[tuple[int, ...]]:
    """Windows as the paper writes them, (v, a, b, c, d), without T and h."""
    return [(w.s.v, *w[1:]) for w in partition]
